//! A check from its request to its verdict.

use crate::assemble::{Assembled, assemble};
use crate::error::Error;
use crate::folder::SpoolFolder;
use crate::follow::{self, Ended, Followed};
use crate::interrupt::Interrupt;
use crate::launch::{self, Notices, Told};
use crate::lines::Lines;
use crate::matches::OtherOrders;
use crate::preflight;
use crate::request::{JudgedAt, News, Request, Verdict};
use crate::spool::Spool;
use farside_collect::Front;
use farside_findings::suppression::Suppressions;
use farside_findings::{LitmusTest, OtherRuns, Place, Report, SourceFile, Suggestion};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A command that was checked. Show its report, then [wind it up](Self::wind_up).
#[derive(Debug)]
pub struct Checked {
    report: Report,
    lines: Lines,
    other_orders: Option<OtherOrders>,
    ran: Duration,
    inconclusive: bool,
    ended: Ended,
    notices: Notices,
    interrupt: Arc<Interrupt>,
    /// Before the folder: it writes there.
    front: Option<Front>,
    folder: SpoolFolder,
}

/// Runs the command and judges it; `tell` hears what happens meanwhile.
///
/// Call it in a process that does nothing else: orphans of the command become its children and are waited for, and
/// signals that ask it to end are heard here.
///
/// # Errors
/// The command cannot be checked, or cannot be started. What it does itself is no error, but part of the report.
pub fn check(request: &Request, tell: &mut dyn FnMut(News<'_>)) -> Result<Checked, Error> {
    let preflight = preflight::examine(&request.command)?;
    let interrupt = Arc::new(Interrupt::new(request.status_when_forced));
    // Before the folder exists, so that it is removed whatever signal comes.
    let notices = Notices::listen(Arc::clone(&interrupt))
        .map_err(|error| Error::NotStarted("farside".into(), error))?;
    let folder = SpoolFolder::create(&request.spool, request.keep_spool)?;
    interrupt.remove_at_once((!folder.kept()).then(|| folder.path().to_path_buf()));
    let library = request.library.as_deref();
    let library = library.map(|library| folder.preloadable(library)).transpose()?;
    // What is kept on purpose is kept, however much it is.
    let backlog = (!folder.kept()).then_some(request.backlog);
    // Without a port, processes of other hosts are not recorded, which is told as such.
    // What was executed is compared with what lint expects, here.
    let judged_there = request.judged_at == JudgedAt::Hosts && request.lint.is_none();
    let front = Front::listen(folder.path(), folder.kept(), judged_there).ok();
    let mut spool = Spool::new(
        folder.path().to_path_buf(),
        folder.kept(),
        request.options,
        request.lint.is_some(),
    )
    .with_trials(request.trials.any() || request.matching.looks())
    .with_judges(request.judges)
    .with_hosts(front.as_ref().filter(|_| judged_there).map(Front::judges));
    let told = Told::new(
        folder.path(),
        library.as_deref(),
        backlog,
        front.as_ref(),
        (&request.matching, request.guard),
    );
    let child = launch::launch(&notices, &request.command, &told)?;
    let mut followed = Followed::new(&mut spool, front.as_ref());
    let started = Instant::now();
    let ended = follow::follow(
        &notices,
        &interrupt,
        child,
        &mut followed,
        request.time_limit,
        tell,
    );
    let ran = started.elapsed();
    launch::reap();
    tell(News::Ended { found: spool.found() });
    let outcome = spool.finish(ended.is_hanging());
    let (assembled, lines, other_orders) = assemble(
        (
            &request.command,
            &request.layers,
            &request.trials,
            request.matching.looks(),
        ),
        outcome,
        (front.as_ref(), folder.path()),
        &preflight,
        &ended,
        &interrupt,
    );
    let Assembled {
        mut report,
        inconclusive,
        executed,
    } = assembled;
    // Before findings are hidden: a finding that is known confirms as well.
    let lint = request.lint.as_ref();
    report.predictions = lint.map(|lint| lint.compare(&report, &executed));
    if let (Some(found), Some(lint)) = (&mut report.superfluous, lint) {
        lint.confirm(found);
    }
    Ok(Checked {
        report,
        lines,
        other_orders,
        ran,
        inconclusive,
        ended,
        notices,
        interrupt,
        front,
        folder,
    })
}

impl Checked {
    /// The report.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The source line at a place, if `here` is what the file of this host has there: that of another host, if the file
    /// is there only.
    #[must_use]
    pub fn source_line(&self, place: &Place, here: Option<String>) -> Option<String> {
        self.lines.line(place, here)
    }

    /// Hides findings that are known, and finds the causes of the others; the entries that match none.
    pub fn suppress(&mut self, known: &Suppressions) -> Vec<String> {
        let unused = known.apply(&mut self.report);
        self.report.find_causes();
        unused.iter().map(ToString::to_string).collect()
    }

    /// Says in the report what is in the sources that it names.
    pub fn note_sources(&mut self, sources: Vec<SourceFile>) {
        self.report.sources = sources;
    }

    /// Says in the report what else is to be done about its findings, in their order.
    pub fn revise(&mut self, suggestions: Vec<Option<Suggestion>>) {
        self.report.revise(suggestions);
    }

    /// Says in the report what litmus tests were made of its findings, in their order.
    pub fn note_tests(&mut self, tests: Vec<LitmusTest>) {
        for (finding, test) in self.report.findings.iter_mut().zip(tests) {
            finding.litmus = Some(test);
        }
    }

    /// In which other orders the processes could have gone on; `None` if that was not asked for, or not all events of
    /// the run are there.
    #[must_use]
    pub fn other_orders(&self) -> Option<&OtherOrders> {
        self.other_orders.as_ref()
    }

    /// How long the command ran.
    #[must_use]
    pub fn ran(&self) -> Duration {
        self.ran
    }

    /// Whether the command ended with exit status 0.
    #[must_use]
    pub fn command_succeeded(&self) -> bool {
        self.ended.status.is_some_and(|status| status.success())
    }

    /// Whether we were asked to end.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.ended.interrupted.is_some()
    }

    /// Takes in what another run has found that this one has not; how many findings.
    pub fn take_in(&mut self, other: &Self, replay: &str) -> usize {
        self.report.take_in(&other.report, replay)
    }

    /// Says in the report what came of the other runs.
    pub fn note_runs(&mut self, runs: OtherRuns) {
        self.report.runs = Some(runs);
    }

    /// What the run means, after what is hidden.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        judge(&self.ended, !self.report.findings.is_empty(), self.inconclusive)
    }

    /// The spool folder, if it stays.
    #[must_use]
    pub fn kept(&self) -> Option<&Path> {
        self.folder.kept().then(|| self.folder.path())
    }

    /// After the report was shown: a command that we were asked to end has some time to do so, and then ends with all
    /// that it started. The spool is removed unless it is kept.
    pub fn wind_up(self) {
        follow::wind_up(&self.notices, &self.interrupt, &self.ended);
        // Its collectors end.
        drop(self.front);
        self.interrupt.remove_at_once(None);
    }
}

/// What a run means.
///
/// A program that failed by itself, or was broken off by a signal to us, has failed, whatever was found. One that we
/// ended at the time limit did not fail by itself: it has findings (a deadlock is one), or is inconclusive.
fn judge(ended: &Ended, findings: bool, inconclusive: bool) -> Verdict {
    let succeeded = ended.status.is_some_and(|status| status.success());
    // Some launchers end with 0 when a signal made them end their processes.
    let broken_off = ended.interrupted.is_some() && inconclusive;
    match (ended.limit, findings) {
        (None, _) if !succeeded || broken_off => Verdict::ProgramFailed,
        (_, true) => Verdict::Findings,
        (Some(_), false) => Verdict::Inconclusive,
        (None, false) if inconclusive => Verdict::Inconclusive,
        (None, false) => Verdict::Clean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    #[test]
    fn verdicts() {
        let ended = |raw, limit: Option<u64>| {
            let mut ended = Ended::default();
            ended.status = Some(ExitStatus::from_raw(raw));
            ended.limit = limit.map(Duration::from_secs);
            ended
        };
        for (raw, limit, findings, inconclusive, verdict) in [
            (0, None, false, false, Verdict::Clean),
            (0, None, true, false, Verdict::Findings),
            (0, None, true, true, Verdict::Findings),
            (0, None, false, true, Verdict::Inconclusive),
            (1 << 8, None, false, true, Verdict::ProgramFailed),
            (9, None, true, false, Verdict::ProgramFailed),
            (15, Some(1), true, false, Verdict::Findings),
            (15, Some(1), false, false, Verdict::Inconclusive),
        ] {
            assert_eq!(
                judge(&ended(raw, limit), findings, inconclusive),
                verdict,
                "{raw} {limit:?} {findings}"
            );
        }
    }
}
