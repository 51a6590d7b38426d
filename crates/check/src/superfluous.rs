//! Synchronisation that the job of a command did not need, or why nothing is said of it.

use farside_findings::{Shortfall, ShortfallKind, Silence, Superfluous};
use farside_race::{Options, Places};
use farside_trial::{Moment, Recording, superfluous};
use std::time::Duration;

/// What was found in the jobs whose events are there.
#[derive(Debug, Default)]
pub(crate) struct Jobs(Vec<Superfluous>);

impl Jobs {
    /// Looks at one, of a command that ran so long.
    pub(crate) fn take(
        &mut self,
        recording: &Recording,
        options: Options,
        places: &mut impl Places,
        ran: Duration,
    ) {
        let until = Moment::now() + ran.max(Duration::from_secs(10));
        self.0.push(superfluous(recording, options, places, until));
    }

    /// What is said of it: of so many jobs, of which this was not seen.
    pub(crate) fn told(mut self, jobs: usize, shortfalls: &[Shortfall]) -> Superfluous {
        let hides = |shortfall: &Shortfall| shortfall.id != ShortfallKind::NoDebugInformation;
        let refused = match (jobs, self.0.pop()) {
            (2.., _) => Silence::SeveralJobs,
            (_, None) => Silence::Unfinished,
            (_, Some(_)) if shortfalls.iter().any(hides) => Silence::NotAllSeen,
            (_, Some(found)) => return found,
        };
        Superfluous {
            refused: Some(refused),
            ..Superfluous::default()
        }
    }
}
