//! `farside lint`: memory-consistency errors of a program that is not run.
//!
//! | step | file |
//! |---|---|
//! | arguments defined | `arguments` |
//! | which files are compiled how | `units` |
//! | what reading may cost | `reading` |
//! | clang or flang run | `compile` |
//! | constants of a header found out | `constants` |
//! | LLVM IR read by `farside-llvm-front` | `front` |
//! | a solver for inputs | `solver` |
//! | runs that confirm findings | `confirm` |
//! | the analysis, the report, the exit status | here |

pub(crate) mod arguments;
mod compile;
mod confirm;
mod constants;
mod front;
pub(crate) mod reading;
mod solver;
mod units;

pub(crate) use front::program as reader;
pub(crate) use units::{Unit, units};

use crate::check::present;
use crate::check::settings::suppressions;
use crate::check::tell_unseen;
use crate::fault::Fault;
use crate::fix;
use crate::kinds::Language;
use crate::output::complain;
use crate::progress::Activity;
use crate::sources;
use crate::status::Status;
use arguments::LintArguments;
use farside_check::{demangled, shown_path, working_folder};
use farside_findings::{
    AnyRanks, CheckedProgram, Count, Layers, Report, SCHEMA_VERSION, Shortfall, ShortfallKind, Superfluous,
};
use farside_lint::ir::Module;
use farside_lint::{Limits, MemoryLimit, Options, TimeLimit};
use farside_report::findings::text::summary;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use reading::Reading;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs the subcommand.
pub(crate) fn run(arguments: &LintArguments) -> Status {
    lint(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

/// Compiles and reads all units; what could be read, and the files that could not, with why.
fn read(
    reading: &Reading,
    units: Vec<units::Unit>,
    folder: &Path,
    activity: &Activity,
) -> (Vec<Module>, Vec<(PathBuf, Fault)>) {
    let count = units.len();
    let mut modules = Vec::new();
    let mut constants = None;
    let mut waiting: Vec<(usize, units::Unit)> = units.into_iter().enumerate().collect();
    loop {
        let before = waiting.len();
        let mut faults = Vec::new();
        let compiled = |(index, mut unit): (usize, units::Unit)| {
            activity.now(format!(
                "compiling {} ({} of {count})",
                unit.file.display(),
                index + 1
            ));
            let module = compile::to_ir(&mut unit, reading, folder, index)
                .and_then(|ir| front::read(&unit.file, &ir, reading));
            (index, unit, module)
        };
        // Fortran's are compiled one after the other, for some write modules that others read.
        let (fortran, others): (Vec<_>, Vec<_>) = std::mem::take(&mut waiting)
            .into_iter()
            .partition(|(_, unit)| unit.language == Language::Fortran);
        let mut results: Vec<_> = others.into_par_iter().map(compiled).collect();
        results.extend(fortran.into_iter().map(compiled));
        results.sort_by_key(|(index, ..)| *index);
        for (index, unit, module) in results {
            match module {
                Ok(module) => {
                    if constants.is_none() && constants::are_used(&module) {
                        constants = constants::of(&unit, reading, folder);
                    }
                    modules.push((index, module));
                }
                Err(fault) => {
                    faults.push(fault);
                    waiting.push((index, unit));
                }
            }
        }
        // A Fortran source needs the modules of others to be compiled before it: as long as some are, the rest may be.
        let more =
            waiting.len() < before && waiting.iter().any(|(_, unit)| unit.language == Language::Fortran);
        if !more {
            modules.sort_by_key(|(index, _)| *index);
            let modules = modules.into_iter().map(|(_, module)| module).chain(constants);
            return (
                modules.collect(),
                waiting
                    .into_iter()
                    .map(|(_, unit)| unit.file)
                    .zip(faults)
                    .collect(),
            );
        }
    }
}

/// The program of these sources, with what is linked to it.
///
/// # Errors
/// A file is not there or no program, or there is no room for what the compiler makes.
pub(crate) fn program_of(units: Vec<Unit>, reading: &Reading) -> Result<Module, Fault> {
    let folder = tempfile::tempdir().map_err(Fault::no_temporary)?;
    // Who asks says what is being done.
    let (modules, broken) = read(reading, units, folder.path(), &Activity::begin(true));
    match broken.into_iter().next() {
        Some((_, fault)) => Err(fault),
        None => Ok(farside_lint::link(modules)),
    }
}

/// Which synchronising calls no simulation of a program needs, as it is started with these arguments; by processes of
/// this number, or of those that are usual.
pub(crate) fn unneeded_of(module: &Module, ranks: Option<u32>, arguments: &[String]) -> Option<Superfluous> {
    let options = Options {
        processes: ranks.into_iter().collect(),
        arguments: Some(arguments.to_vec()),
        time: Some(TimeLimit {
            time: SECONDS_FOR_CALLS,
            clock: processor_time,
        }),
        memory: Some(MemoryLimit {
            bytes: reading::MEMORY << 20,
            used: || farside_processes::resident_bytes(std::process::id()).unwrap_or_default(),
        }),
        name: demangled,
        superfluous: true,
        solver: Some(solver::start),
        ..Options::default()
    };
    farside_lint::analyse(module, &options).superfluous
}

/// What simulations may take that are made to see which calls are needed.
const SECONDS_FOR_CALLS: Duration = Duration::from_secs(30);

/// What this process has used of its processors, and waited for the solver, which uses one meanwhile.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32) + solver::waited()
}

/// The module with the names of its sources as `farside check` shows them: the compiler was given whole paths.
fn named_from_here(mut module: Module) -> Module {
    let here = std::env::current_dir().ok();
    let mut shown: HashMap<String, String> = HashMap::new();
    for place in &mut module.places {
        let name = std::mem::take(&mut place.file);
        let shown = shown.entry(name);
        let name = shown.or_insert_with_key(|name| shown_path(name, here.as_deref()));
        place.file.clone_from(name);
    }
    module
}

/// The first few names, and how many there are more.
fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut text = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

fn lint(arguments: &LintArguments) -> Result<Status, Fault> {
    let (output, page) = arguments.report.destinations()?;
    let litmus = arguments.report.litmus()?;
    let hidden = suppressions(&arguments.report.suppressions)?;
    let inputs = arguments.given.inputs()?;
    let folder = tempfile::tempdir().map_err(Fault::no_temporary)?;
    let units = units(&arguments.files, arguments.compiler_options())?;
    let activity = Activity::begin(arguments.is_quiet());
    let (modules, broken) = read(&arguments.reading(), units, folder.path(), &activity);
    activity.interrupted(|| broken.iter().for_each(|(_, fault)| complain(fault)));
    if modules.is_empty() {
        return Ok(Status::Usage);
    }
    let has_places = |module: &Module| module.places.iter().any(|place| place.line > 0);
    // What has no code has no places: a module of constants or interfaces.
    let has_code = |module: &Module| {
        module
            .functions
            .iter()
            .any(|function| !function.blocks.is_empty())
    };
    let without_places = modules
        .iter()
        .any(|module| has_code(module) && !has_places(module));
    let program = farside_lint::link(modules.into_iter().map(named_from_here).collect());
    let options = Options {
        processes: arguments.processes.clone(),
        arguments: arguments.given.arguments(),
        inputs,
        possible: arguments.possible,
        paths: arguments.paths as usize,
        limits: arguments.steps.map(|steps| Limits { steps }),
        time: Some(TimeLimit {
            time: arguments.time(),
            clock: processor_time,
        }),
        memory: Some(MemoryLimit {
            bytes: arguments.reading().memory() << 20,
            used: || farside_processes::resident_bytes(std::process::id()).unwrap_or_default(),
        }),
        threads: arguments.threads(),
        name: demangled,
        layers: Layers::new(arguments.report.layer.clone()),
        tries: arguments.report.tries(),
        superfluous: arguments.report.asks_superfluous(),
        solver: Some(solver::start),
    };
    activity.now("simulating");
    let mut analysis = farside_lint::analyse(&program, &options);
    let any_ranks = arguments.asks_for_proof().then(|| {
        activity.now("looking for races with every number of ranks");
        farside_lint::prove(&program, &options, &mut analysis)
    });
    let proved = any_ranks.as_ref().map(AnyRanks::is_proof);
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")).to_owned(),
        program: CheckedProgram {
            command: arguments
                .files
                .iter()
                .map(|file| file.display().to_string())
                .collect(),
            folder: working_folder(),
            processes: analysis.processes.iter().copied().max().unwrap_or(0),
            ..CheckedProgram::default()
        },
        findings: analysis.findings,
        shortfalls: analysis.shortfalls,
        counts: analysis.counts,
        coverage: Some(analysis.coverage).filter(|_| analysis.entered),
        superfluous: analysis.superfluous,
        any_ranks,
        ..Report::default()
    };
    if arguments.possible {
        report
            .findings
            .extend(analysis.possible.into_iter().map(|mut finding| {
                finding.possible = true;
                finding
            }));
    } else {
        let is_shown = |id: &String| report.findings.iter().any(|finding| finding.id == *id);
        let ids: BTreeSet<&String> = analysis.possible.iter().map(|finding| &finding.id).collect();
        let hidden = ids.into_iter().filter(|id| !is_shown(id)).count() as u64;
        if hidden > 0 {
            let name = "hidden_possible_findings".to_owned();
            report.counts.push(Count { name, value: hidden });
        }
    }
    report.name_from_folder();
    if !arguments.is_quiet() {
        tell_unseen(&options.layers, &report);
    }
    let gaps = report
        .coverage
        .as_ref()
        .is_some_and(|coverage| !coverage.is_complete());
    if let Some(coverage) = report.coverage.as_ref().filter(|_| gaps) {
        let message = coverage.summary();
        report
            .shortfalls
            .insert(0, Shortfall::of_all(ShortfallKind::SitesNotReached, message));
    }
    if without_places {
        report.shortfalls.push(Shortfall::of_all(
            ShortfallKind::NoDebugInformation,
            "a module has no debug information, so that places are not known: compile it with -g",
        ));
    }
    for (file, _) in &broken {
        report.shortfalls.push(Shortfall::of_all(
            ShortfallKind::NotRead,
            format!("{} could not be read, and is left out", file.display()),
        ));
    }
    if !analysis.entered {
        report.shortfalls.push(Shortfall::of_all(
            ShortfallKind::NoMain,
            "there is no function that could be called from outside: give all sources of the program",
        ));
    }
    if !analysis.entries.is_empty() {
        report.shortfalls.push(Shortfall::of_all(
            ShortfallKind::NoMain,
            format!(
                "there is no function main; each of these was analysed for itself: {}",
                some_of(&analysis.entries)
            ),
        ));
    }
    hidden.apply(&mut report);
    report.find_causes();
    report.sources = sources::named_by(&report);
    report.revise(fix::revised(&report));
    if let Some(litmus) = litmus {
        activity.now("making litmus tests of the races");
        litmus.add(&mut report)?;
    }
    drop(activity);
    present::show(
        &report,
        arguments.report.format,
        &output,
        page.as_ref(),
        arguments.report.color,
    )?;
    if !arguments.is_quiet() {
        output.tell(&summary(&report));
    }
    if arguments.confirm {
        confirm::confirm(&report, arguments)?;
    }
    let lacks = |shortfall: &Shortfall| shortfall.id == ShortfallKind::MissingProcesses;
    let lacks_processes = report.shortfalls.iter().any(lacks);
    Ok(match () {
        () if !broken.is_empty() => Status::Usage,
        () if !report.findings.is_empty() => Status::Findings,
        () if !analysis.entered || proved == Some(false) => Status::Inconclusive,
        // A proof goes all ways that there are.
        () if (gaps || lacks_processes) && !arguments.partial && proved != Some(true) => Status::Inconclusive,
        () => Status::Clean,
    })
}
