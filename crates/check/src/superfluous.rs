//! Synchronisation that the job of a command did not need, or why nothing is said of it.

use farside_findings::{Shortfall, ShortfallKind, Silence, Superfluous};
use farside_race::{Options, Places};
use farside_trial::{Recording, Work, superfluous};

/// How much is done to see which calls a job did not need: ten seconds or so.
const FOR_CALLS: Work = Work::of(10_000_000);

/// What was found in the jobs whose events are there.
#[derive(Debug, Default)]
pub(crate) struct Jobs(Vec<Superfluous>);

impl Jobs {
    /// Looks at one.
    pub(crate) fn take(&mut self, recording: &Recording, options: Options, places: &mut impl Places) {
        self.0.push(superfluous(recording, options, places, FOR_CALLS));
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
