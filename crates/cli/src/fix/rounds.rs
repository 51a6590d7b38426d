//! Changing the sources and checking again, until the report is clean or nothing more helps.
//!
//! A round first tries the repairs of all findings together; if that does not make the findings fewer, those of one
//! cause after the other, then what else is suggested, and the first that does is kept. Where none does, and others are
//! found after one of them, what is suggested for those is tried besides. What does not help is taken back, so that at
//! any end the sources are those of the best report so far, and the report is theirs.

use super::arguments::FixArguments;
use super::{alternatives, diff, files, is_wanted, read, tell_refused};
use crate::fault::Fault;
use crate::output::{print, say};
use crate::sources;
use crate::status::Status;
use farside_findings::{Finding, Report, Rule, Shortfall, ShortfallKind};
use farside_fix::Plan;
use farside_processes::signals::is_ignored;
use signal_hook::consts::SIGINT;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// More are a circle of repairs that each take away one finding.
const ROUNDS: u32 = 50;

/// What came of a change.
enum Outcome {
    Better(Box<Report>, ExitStatus),
    NoBetter(usize),
    /// As many are found, and others: what was found is repaired, and something else is left.
    Other(Box<Report>),
    /// A loop that ended does not end any more, as far as one can see.
    Endless,
    /// Processes wait for each other that did not before: what comes after that is not found any more.
    Hangs,
    NoReport(ExitStatus),
    Interrupted,
}

/// What came of the repairs of findings that are left, the first one of each.
#[derive(Debug, Default)]
struct InVain(BTreeMap<String, String>);

impl InVain {
    /// Notes what came of a plan that is no better.
    fn note(&mut self, plan: &Plan, outcome: &Outcome) {
        let came = match outcome {
            Outcome::Better(..) | Outcome::Interrupted => return,
            Outcome::NoBetter(found) => format!("{found} were found then"),
            Outcome::Other(new) => format!("{} others were found then", new.findings.len()),
            Outcome::Endless => "a loop may not have ended then".to_owned(),
            Outcome::Hangs => "processes waited for each other then".to_owned(),
            Outcome::NoReport(ended) => format!("there was no report then ({ended})"),
        };
        for id in plan.repaired() {
            self.0.entry(id.clone()).or_insert_with(|| came.clone());
        }
    }

    /// Says for each finding that is left, and was not refused, what came of its repair.
    fn tell(&self, report: &Report, all: &Plan) {
        let is_refused = |id: &str| all.refused().iter().any(|(other, _)| other == id);
        for finding in report.findings.iter().filter(|finding| !is_refused(&finding.id)) {
            let Some(came) = self.0.get(&finding.id) else {
                continue;
            };
            let (rule, id) = (finding.rule.id(), &finding.id);
            say!("farside: not repaired: {rule} [{id}]: its repair was made and checked, and {came}");
        }
    }
}

/// Whether Ctrl-C was pressed. The command has it, too, and ends by it; what was changed for it is then taken back.
#[derive(Clone, Debug, Default)]
struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ctrl-C is watched from now on.
    fn watch() -> Self {
        let interrupt = Self::default();
        if !is_ignored(SIGINT) {
            // Where it cannot be watched, it ends us as ever.
            let _ = signal_hook::flag::register(SIGINT, Arc::clone(&interrupt.0));
        }
        interrupt
    }

    fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs rounds, shows what changed, and says how it ended.
pub(super) fn run(arguments: &FixArguments, first: Report) -> Result<Status, Fault> {
    let mut originals: BTreeMap<String, (PathBuf, String)> = BTreeMap::new();
    let begun = first.findings.len();
    let (mut report, mut status) = (first, Status::Findings);
    let interrupt = Interrupt::watch();
    for round in 1..=ROUNDS {
        let (all, tried) = plans(&report, arguments.wanted());
        if tried.is_empty() {
            tell_refused(&report, &all);
            say!("farside: round {round}: no finding has a repair that can be made");
            if round == 1 && all.refused().iter().any(|(_, refusal)| refusal.is_of_input()) {
                status = Status::Usage;
            }
            break;
        }
        let mut better: Option<Improved> = None;
        let mut other = None;
        let mut reports = 0;
        let mut in_vain = InVain::default();
        for plan in tried {
            let outcome = attempt(arguments, &report, &plan, &interrupt)?;
            in_vain.note(&plan, &outcome);
            match outcome {
                Outcome::Better(new, ended) => {
                    say_better(round, &plan, &report, &new);
                    better = Some((vec![plan], new, ended));
                    break;
                }
                Outcome::NoBetter(found) => {
                    reports += 1;
                    let changes = plan.repaired().len();
                    say!("farside: round {round}: repairs of {changes} findings left {found}: taken back");
                }
                Outcome::Other(new) => {
                    reports += 1;
                    let found = new.findings.len();
                    say!("farside: round {round}: after a repair {found} others are found: taken back");
                    other.get_or_insert((plan, new));
                }
                Outcome::Endless => {
                    reports += 1;
                    say!("farside: round {round}: with the repairs a loop may not end any more: taken back");
                }
                Outcome::Hangs => {
                    reports += 1;
                    say!(
                        "farside: round {round}: with the repairs processes wait for each other: taken back"
                    );
                }
                Outcome::Interrupted => {
                    say!("farside: round {round}: interrupted: taken back");
                    status = Status::Inconclusive;
                    break;
                }
                Outcome::NoReport(ended) => {
                    say!("farside: round {round}: the command wrote no report ({ended}): taken back");
                }
            }
        }
        if let (None, Some((plan, new)), false) = (&better, other, interrupt.has_come()) {
            better = detour(arguments, (&report, round), (plan, &new), &interrupt)?;
        }
        let Some((plans, new, ended)) = better else {
            if interrupt.has_come() {
                status = Status::Inconclusive;
                break;
            }
            if reports == 0 {
                status = Status::ProgramFailed;
            }
            tell_refused(&report, &all);
            in_vain.tell(&report, &all);
            say!("farside: round {round}: nothing more helps");
            break;
        };
        for (file, old, _) in plans.iter().flat_map(Plan::files) {
            let entry = || (sources::path_of(&report, file), old.to_owned());
            originals.entry(file.to_owned()).or_insert_with(entry);
        }
        report = *new;
        if report.findings.is_empty() {
            status = if ended.success() {
                Status::Clean
            } else {
                Status::Inconclusive
            };
            break;
        }
        status = Status::Findings;
        if !arguments.wanted().is_empty() {
            // Lines moved, and ids with them: what was asked for is done.
            break;
        }
    }
    for (file, (path, old)) in &originals {
        let now = fs::read_to_string(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
        print(&diff(&report, file, old, &now))?;
    }
    let left = report.findings.len();
    let sources = match originals.len() {
        0 => "the sources are as they were".to_owned(),
        1 => "1 file changed".to_owned(),
        many => format!("{many} files changed"),
    };
    say!("farside: {left} of {begun} findings are left; {sources}");
    Ok(status)
}

/// Changes that help together, the report of the program with them, and how the command ended.
type Improved = (Vec<Plan>, Box<Report>, ExitStatus);

/// Makes a change that is no better by itself, since others are found then, and what is suggested for these: two calls
/// may be missing, of which the second one is missed only where the first one is there.
fn detour(
    arguments: &FixArguments,
    (old, round): (&Report, u32),
    (first, between): (Plan, &Report),
    interrupt: &Interrupt,
) -> Result<Option<Improved>, Fault> {
    let path = arguments.report();
    let unwritable = |error| Fault::Unwritable(path.to_path_buf(), error);
    let known = fs::read(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
    let write = |new: bool| files::write(&texts(old, &first, new));
    write(true)?;
    let text = serde_json::to_vec(between)
        .map_err(|error| Fault::NotReport(path.to_path_buf(), error.to_string()))?;
    fs::write(path, text).map_err(unwritable)?;
    let (_, tried) = plans(between, arguments.wanted());
    for plan in tried {
        match attempt(arguments, between, &plan, interrupt) {
            Ok(Outcome::Better(new, ended)) => {
                say_better(round, &plan, old, &new);
                return Ok(Some((vec![first, plan], new, ended)));
            }
            Ok(_) if !interrupt.has_come() => {}
            Ok(_) => break,
            Err(fault) => {
                write(false)?;
                return Err(fault);
            }
        }
    }
    write(false)?;
    fs::write(path, known).map_err(unwritable)?;
    Ok(None)
}

/// The files of a plan with their texts before it, or after it.
fn texts<'p>(report: &Report, plan: &'p Plan, new: bool) -> Vec<(PathBuf, &'p str)> {
    let side = |(file, before, after)| (sources::path_of(report, file), if new { after } else { before });
    plan.files().map(side).collect()
}

/// The repairs of all findings as surely as they can be made, and what is tried, one after the other: that, the surest
/// repair of each cause alone, and then what is less sure.
fn plans(report: &Report, wanted: &[String]) -> (Plan, Vec<Plan>) {
    let alternatives = |wanted: &dyn Fn(&Finding) -> bool| {
        let mut plans = alternatives(report, wanted);
        let first = plans.remove(0);
        (first, plans)
    };
    let (all, others) = alternatives(&|finding| is_wanted(finding, wanted));
    let mut causes = report.causes.iter().map(|cause| {
        let of_cause = |finding: &Finding| finding.cause.as_ref() == Some(&cause.id);
        alternatives(&|finding| is_wanted(finding, wanted) && of_cause(finding))
    });
    let (firsts, rests): (Vec<Plan>, Vec<Vec<Plan>>) = causes.by_ref().unzip();
    let mut tried: Vec<Plan> = Vec::new();
    let sequence = std::iter::once(all.clone()).chain(firsts).chain(others);
    for plan in sequence.chain(rests.into_iter().flatten()) {
        if !(plan.is_empty() || tried.iter().any(|known| known.changes_like(&plan))) {
            tried.push(plan);
        }
    }
    (all, tried)
}

fn say_better(round: u32, plan: &Plan, old: &Report, new: &Report) {
    let (before, after) = (old.findings.len(), new.findings.len());
    let files: Vec<&str> = plan.files().map(|(file, ..)| file).collect();
    say!(
        "farside: round {round}: {before} findings, {after} after a change of {}",
        files.join(", ")
    );
}

/// Makes a change, lets the command check again, and takes the change back if that did not help.
fn attempt(
    arguments: &FixArguments,
    old: &Report,
    plan: &Plan,
    interrupt: &Interrupt,
) -> Result<Outcome, Fault> {
    let path = arguments.report();
    let unwritable = |error| Fault::Unwritable(path.to_path_buf(), error);
    let known = fs::read(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
    files::write(&texts(old, plan, true))?;
    fs::remove_file(path).map_err(unwritable)?;
    let ended = check(arguments);
    let outcome = match (&ended, read(path)) {
        _ if interrupt.has_come() => Outcome::Interrupted,
        (Ok(_), Ok(new)) if is_cut(&new) && !is_cut(old) => Outcome::Endless,
        (Ok(_), Ok(new)) if hangs(&new) > hangs(old) => Outcome::Hangs,
        (Ok(ended), Ok(new)) if new.findings.len() < old.findings.len() => {
            Outcome::Better(Box::new(new), *ended)
        }
        (Ok(_), Ok(new)) if is_other(old, &new) => Outcome::Other(Box::new(new)),
        (Ok(_), Ok(new)) => Outcome::NoBetter(new.findings.len()),
        (Ok(ended), Err(_)) => Outcome::NoReport(*ended),
        (Err(_), _) => Outcome::NoBetter(old.findings.len()),
    };
    if !matches!(outcome, Outcome::Better(..)) {
        files::write(&texts(old, plan, false))?;
        fs::write(path, known).map_err(unwritable)?;
    }
    ended?;
    Ok(outcome)
}

/// Whether as many are found as before, and not the same.
fn is_other(old: &Report, new: &Report) -> bool {
    let told = |report: &Report| {
        let mut told: Vec<String> = report
            .findings
            .iter()
            .map(|finding| finding.message.clone())
            .collect();
        told.sort_unstable();
        told
    };
    let (old, new) = (told(old), told(new));
    old.len() == new.len() && old != new
}

/// How many ways to hang are told: found, or left out with the numbers of processes that have them.
fn hangs(report: &Report) -> usize {
    let left = |shortfall: &&Shortfall| {
        matches!(
            shortfall.id,
            ShortfallKind::MissingProcesses | ShortfallKind::NumbersLeft
        )
    };
    let found = report
        .findings
        .iter()
        .filter(|finding| finding.rule == Rule::Deadlock);
    found.count() + report.shortfalls.iter().filter(left).count()
}

/// Whether a loop went round so often that it was not followed to its end: it may wait for what never comes.
fn is_cut(report: &Report) -> bool {
    report
        .shortfalls
        .iter()
        .any(|shortfall| shortfall.id == ShortfallKind::LoopCut)
}

/// Runs the command. What it prints is progress, and goes to stderr.
pub(super) fn check(arguments: &FixArguments) -> Result<ExitStatus, Fault> {
    let (program, rest) = arguments
        .command()
        .unwrap_or_else(|| unreachable!("there are rounds for a command only"));
    let run = Command::new(program)
        .args(rest)
        .stdout(std::io::stderr())
        .status();
    run.map_err(|error| Fault::NotStarted(program.to_string_lossy().into_owned(), error))
}
