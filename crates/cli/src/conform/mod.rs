//! `farside conform`: litmus tests run on an MPI, an OpenSHMEM or a transport, and compared with a model.
//!
//! The work is that of the crate `farside-conform`. Here are the arguments (`arguments`), the tests that are meant
//! read, with their mistakes shown (`case`), and what a shard keeps of each (`piece`).

pub(crate) mod arguments;
mod case;
mod piece;

use crate::fault::Fault;
use crate::litmus::models;
use crate::merge::Merge;
use crate::output::{Destination, complain, say};
use crate::progress::ticking;
use crate::shard::Cut;
use crate::status::Status;
use arguments::{ConformArguments, ConformFormat, RanksArguments};
use farside_conform::{
    Case, Error, Fate, Record, Runner, Settings, Target, compare, earlier, fit, in_order_of_a_run, rank,
};
use farside_conformance::Conclusion;
use farside_models::Model;
use farside_report::conformance::{json, text};
use farside_shards::Inputs;
use indicatif::ProgressBar;
use piece::Piece;
use std::collections::HashMap;
use std::io::IsTerminal as _;

/// What `--model` says for the model that the target declares.
const DECLARED: &str = "declared";

/// Runs the subcommand.
pub(crate) fn run(arguments: ConformArguments) -> Status {
    conform(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

/// Ends a run that was done in shards.
pub(crate) fn merge(arguments: ConformArguments, merge: Merge) -> Status {
    merged(arguments, merge).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

/// Runs the subcommand that is a rank of a job.
pub(crate) fn run_rank(arguments: &RanksArguments) -> Status {
    match rank::run(&arguments.work()) {
        Ok(()) => Status::Clean,
        Err(error) => {
            say!("farside: {error}");
            match error {
                rank::RankError::Tests(..) => Status::Usage,
                rank::RankError::Start(_) => Status::ProgramFailed,
            }
        }
    }
}

fn conform(mut arguments: ConformArguments) -> Result<Status, Fault> {
    if let Some(cut) = arguments.cut()? {
        return shard(&cut, &arguments);
    }
    // Whatever can be wrong is found before hours are spent.
    let report = Wanted::of(&arguments)?;
    Destination::checked(arguments.log.as_deref())?;
    let cases = case::cases(&arguments.tests)?;
    let settings = arguments.settings();
    let (results, declared) = match &arguments.from {
        Some(path) => {
            let earlier = earlier(&cases, path, settings.target, settings.accumulate)?;
            let promised = settings.target.declared(settings.accumulate);
            (earlier.results, earlier.declared.or(promised.map(str::to_owned)))
        }
        None => {
            let target = target(&settings)?;
            ran(&cases, &settings, &target, arguments.quiet)?
        }
    };
    report.write(&results, declared, &settings)
}

fn target(settings: &Settings) -> Result<Target, Fault> {
    let target = Target::find(settings.target, settings.accumulate);
    Ok(target.map_err(|missing| Error::Target(settings.target.name(), missing))?)
}

/// What became of tests, and the model that the target declares.
#[allow(clippy::type_complexity, reason = "a pair")]
fn ran<'c>(
    cases: &'c [Case],
    settings: &Settings,
    target: &Target,
    quiet: bool,
) -> Result<(Vec<(&'c Case, Fate)>, Option<String>), Fault> {
    let bar = match !quiet && std::io::stderr().is_terminal() {
        true => ticking(ProgressBar::new(cases.len() as u64)),
        false => ProgressBar::hidden(),
    };
    let done = || bar.inc(1);
    let mut runner = Runner::new(settings, target, &done)?;
    let results = runner.run(cases)?;
    bar.finish_and_clear();
    Ok((results, runner.declared().map(str::to_owned)))
}

/// A piece is a test.
fn shard(cut: &Cut, arguments: &ConformArguments) -> Result<Status, Fault> {
    let mut question = arguments.clone();
    question.quiet = false;
    let report = Wanted::of(arguments)?;
    let target = target(&arguments.settings())?;
    let cases = case::cases(&arguments.tests)?;
    let mut part = cut.begin(&question, inputs(&cases, &report), cases.len())?;
    let (numbers, mine): (Vec<usize>, Vec<Case>) = {
        let mine = cut.of_all(&cases).into_iter();
        mine.map(|(number, case)| (number, case.clone())).unzip()
    };
    // The lines of each test are in its piece, as they are in the log of a run.
    let log = tempfile::NamedTempFile::new().map_err(Fault::no_temporary)?;
    let settings = Settings {
        log: Some(log.path().to_path_buf()),
        ..arguments.settings()
    };
    let (results, declared) = ran(&mine, &settings, &target, arguments.quiet)?;
    let unreadable = |error| Fault::Unreadable(log.path().to_path_buf(), error);
    let lines = std::fs::read(log.path()).map_err(unreadable)?;
    let lines = String::from_utf8_lossy(&lines);
    let pieces = piece::pieces(&mine, results, &lines, declared.as_deref());
    for (number, piece) in numbers.into_iter().zip(&pieces) {
        part.take(number, piece)?;
    }
    part.finish()?;
    Ok(Status::Clean)
}

fn merged(mut arguments: ConformArguments, mut merge: Merge) -> Result<Status, Fault> {
    merge.without_tests()?;
    arguments.output = merge.output();
    (arguments.log, arguments.fit) = merge.histograms();
    let report = Wanted::of(&arguments)?;
    let settings = arguments.settings();
    let promised = settings.target.declared(settings.accumulate);
    let pieces: Vec<Piece> = merge.rest()?;
    let read = pieces
        .into_iter()
        .map(Piece::read)
        .collect::<Result<Vec<_>, _>>()?;
    let mut declared = promised.map(str::to_owned);
    for said in read.iter().filter_map(|(.., said)| said.as_ref()) {
        let known = declared.get_or_insert_with(|| said.clone());
        if known != said {
            return Err(Fault::Declared(known.clone(), said.clone()));
        }
    }
    let mut cases = Vec::new();
    let mut became = Vec::new();
    for (case, fate, lines, _) in read {
        cases.push(case);
        became.push((fate, lines));
    }
    if inputs(&cases, &report).name() != merge.inputs() {
        return Err(Fault::ModelChanged(arguments.model.clone()));
    }
    let mut lines = HashMap::new();
    let mut results = Vec::new();
    for (case, (fate, text)) in cases.iter().zip(became) {
        lines.insert(case.program.name.as_str(), text);
        results.push((case, fate));
    }
    in_order_of_a_run(&mut results);
    if let Some(path) = &arguments.log {
        let mut log = Record::create(path, promised)?;
        for (case, fate) in &results {
            if let (Fate::Ran(_), Some(lines)) = (fate, lines.get(case.program.name.as_str())) {
                log.take(declared.as_deref(), lines)?;
            }
        }
    }
    report.write(&results, declared, &settings)
}

/// What a run reads: its tests, and a model that is named.
fn inputs(cases: &[Case], report: &Wanted) -> Inputs {
    let mut inputs = Inputs::default();
    inputs.add("model", format!("{:?}", report.model).as_bytes());
    for case in cases {
        inputs.add(&case.path.to_string_lossy(), case.text.as_bytes());
    }
    inputs
}

/// The report that is asked for.
struct Wanted {
    output: Destination,
    format: ConformFormat,
    /// Where a fitted model goes, if one is wanted.
    fit: Option<Destination>,
    /// The model that is named, with its name; none for the declared one.
    model: Option<(String, Model)>,
}

impl Wanted {
    /// By the arguments.
    fn of(arguments: &ConformArguments) -> Result<Self, Fault> {
        let fit = arguments
            .fit
            .as_deref()
            .map(|path| Destination::checked(Some(path)));
        let name = Some(&arguments.model).filter(|name| *name != DECLARED);
        let model = name.map(|name| models::one(name, false).map(|model| (name.clone(), model)));
        Ok(Self {
            output: Destination::checked(arguments.output.as_deref())?,
            format: arguments.format,
            fit: fit.transpose()?,
            model: model.transpose()?,
        })
    }

    /// Compares, and writes it.
    fn write(
        self,
        results: &[(&Case, Fate)],
        declared: Option<String>,
        settings: &Settings,
    ) -> Result<Status, Fault> {
        let (name, model) = match self.model {
            Some(named) => named,
            None => {
                // A transport that could not start has declared nothing, and has no result to be compared.
                let name = declared.unwrap_or_else(|| "coreRMA".to_owned());
                let model = models::one(&name, false)?;
                (name, model)
            }
        };
        let mut report = compare(results, &model, &name, settings);
        if let Some(fit) = self.fit {
            let found = fit::search(results, settings.target.name());
            fit.write(&found.model)?;
            report.fit = Some(found);
        }
        self.output.write(&match self.format {
            ConformFormat::Text => text::render(&report),
            ConformFormat::Json => json::render(&report),
        })?;
        Ok(match report.conclusion() {
            Conclusion::Clean => Status::Clean,
            Conclusion::Forbidden => Status::Findings,
            Conclusion::Inconclusive => Status::Inconclusive,
        })
    }
}
