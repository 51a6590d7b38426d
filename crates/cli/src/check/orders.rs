//! More runs of the command, in which receives from any source take other messages than in the first one, or processes
//! have other speeds.
//!
//! Promise: what is reported of them happened: each is a run of the program. A match is not tried twice; where such a
//! run meets receives of its own that could have taken other messages, those are not followed further.

use super::settings::{Progress, Settings};
use crate::output::say;
use farside_check::{Checked, Matching, News, Request};
use farside_findings::OtherRuns;
use std::time::{Duration, Instant};

/// A run may take as long as this many of the first one, and [`GRACE`] besides.
const TIMES: u32 = 10;
const GRACE: Duration = Duration::from_secs(30);

/// Makes the runs, and puts into the report of the first one what they found.
pub(super) fn run(checked: &mut Checked, settings: &Settings) {
    let Some(others) = checked.other_orders().cloned() else {
        say!("farside: no other orders were tried: not all events of the run are there");
        return;
    };
    let mut runs = OtherRuns {
        left: u32::try_from(others.matches().len()).unwrap_or(u32::MAX),
        ..OtherRuns::default()
    };
    let most = if checked.is_interrupted() {
        0
    } else {
        settings.orders()
    };
    for (words, replay) in others.replays().take(most as usize) {
        if matches!(settings.progress, Progress::Normal | Progress::Verbose) {
            say!("farside: one more run: {words}");
        }
        let request = Request {
            matching: Matching::told(Some(replay.clone())).silently(),
            keep_spool: false,
            lint: None,
            time_limit: Some(
                settings
                    .request
                    .time_limit
                    .unwrap_or(checked.ran() * TIMES + GRACE),
            ),
            ..settings.request.clone()
        };
        let begin = Instant::now();
        let Ok(other) = farside_check::check(&request, &mut |_: News<'_>| {}) else {
            runs.failed += 1;
            break;
        };
        runs.tried += 1;
        match replay.speeds() {
            Some(_) => runs.speeds += 1,
            None => runs.left -= 1,
        }
        let found = checked.take_in(&other, &replay.to_string());
        runs.found += u32::try_from(found).unwrap_or(u32::MAX);
        runs.failed += u32::from(!other.command_succeeded());
        let interrupted = other.is_interrupted();
        other.wind_up();
        if settings.progress == Progress::Verbose {
            say!(
                "farside: it took {:.1} s, {found} more findings",
                begin.elapsed().as_secs_f64()
            );
        }
        if interrupted {
            break;
        }
    }
    checked.note_runs(runs);
}
