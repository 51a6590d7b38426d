//! A C or C++ program: followed, and decided by what is left of it.
//!
//! Programs are made of it (`farside_extract`): one with certain ways, whose violations are some of the C program, and
//! one that goes on at locks; one with all ways, which has all violations. What neither decides is inconclusive, and
//! the reason says why.

use super::arguments::RobustArguments;
use super::given::Sources;
use super::joined::Joined;
use super::repaired::Repaired;
use super::source::Trouble;
use super::superfluous::{self, keep_what_can_go};
use crate::fault::Fault;
use crate::lint::{Unit, program_of, unneeded_of};
use farside_check::{demangled, shown_path};
use farside_extract::{Detail, Extract, Note, SourceFile, extract, waits_for_messages};
use farside_lint::ir::Module;
use farside_pgas::ast::Program;
use farside_pgas::calculus::Polls;
use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::lower::{MAX_DOMAIN, MAX_RANKS};
use farside_processes::plain;
use farside_robust::judgement::{Question, Subject, judge};
use farside_robust::repair::Costs;
use farside_robustness::{DecidedRanks, Doubt, EveryRanks, Judgement, Relation, Search, Verdict};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Processes, if the command line does not say how many.
const RANKS: u32 = 2;
/// The numbers of processes that are looked at where it is asked for every one.
const EVERY: std::ops::RangeInclusive<u32> = 2..=4;
/// What is added to values in one attempt after the other, so that none is negative.
const BIASES: [u32; 8] = [0, 1, 8, 32, 128, 1024, 8192, MAX_DOMAIN / 2];
/// Reasons that are told; how many more there are is told besides.
const MOST_REASONS: usize = 5;

/// States that are looked at where more is told apart than usual.
const MOST_FINE_STATES: u64 = 2_000_000;

/// How a program is followed.
#[derive(Clone, Copy, Default)]
struct Following {
    /// What is added to each value.
    bias: u32,
    detail: Detail,
}

/// A program that was read.
struct Code<'a> {
    units: Vec<Unit>,
    /// The files as the compiler was told them.
    compiled: Vec<PathBuf>,
    arguments: &'a RobustArguments,
    sources: Joined,
    module: Module,
    ranks: u32,
}

impl<'a> Code<'a> {
    fn read(sources: Sources, arguments: &'a RobustArguments) -> Result<Self, Trouble> {
        let ranks = arguments.ranks.unwrap_or(RANKS);
        if !(1..=MAX_RANKS).contains(&ranks) {
            return Err(Trouble::Mistakes(format!(
                "farside: {ranks} ranks; between 1 and {MAX_RANKS} can be looked at\n"
            )));
        }
        let units = sources.units().to_vec();
        let text = |unit: &Unit| {
            let path = unit.file().to_path_buf();
            match std::fs::read(&path) {
                Ok(bytes) => Ok((path, String::from_utf8_lossy(&bytes).into_owned())),
                Err(error) => Err(Trouble::Fault(Fault::Unreadable(path, error))),
            }
        };
        let texts = units.iter().map(text).collect::<Result<_, _>>()?;
        Ok(Self {
            compiled: units.iter().map(Unit::whole_path).collect(),
            units,
            arguments,
            sources: Joined::of(texts),
            module: sources.into_module(arguments)?,
            ranks,
        })
    }

    /// The same files with another text, compiled where they stand.
    fn with_text(&self, text: &str) -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let sources = self.sources.with(text)?;
        let mut units = Vec::new();
        for (number, (unit, (path, text))) in self.units.iter().zip(sources.files()).enumerate() {
            // Two files may have one name.
            let own = folder.path().join(number.to_string());
            std::fs::create_dir(&own).ok()?;
            let file = own.join(path.file_name()?);
            std::fs::write(&file, text).ok()?;
            units.push(unit.in_place(file));
        }
        let compiled = units.iter().map(Unit::whole_path).collect();
        let module = program_of(units, &self.arguments.reading()).ok()?;
        Some(Self {
            units: self.units.clone(),
            compiled,
            arguments: self.arguments,
            sources,
            module,
            ranks: self.ranks,
        })
    }

    fn extract(&self, following: Following) -> Extract {
        let files = self.compiled.iter().cloned().zip(self.sources.starts());
        let files: Vec<SourceFile> = files.map(|(path, start)| SourceFile { path, start }).collect();
        extract(&farside_extract::Question {
            module: &self.module,
            files: &files,
            text: self.sources.all(),
            ranks: self.ranks,
            arguments: self.arguments.program_arguments(),
            bias: following.bias,
            detail: following.detail,
        })
    }

    fn judge(
        &self,
        program: &Program,
        question: &Question,
        following: Following,
    ) -> Result<Judgement, Vec<Diagnostic>> {
        if question.settings.polls == Polls::Observed && waits_for_messages(program) {
            return Ok(self.unknown("with --polls observed, a process that waits for a message would poll"));
        }
        let is_robust = |text: &str| self.is_robust_with(text, question, following);
        let repaired = Repaired::new(&self.sources, program, &is_robust);
        let subject = Subject {
            file: &self.sources.name(),
            text: self.sources.text(),
            program,
            patched: &|changes| repaired.write(changes),
            elsewhere: &|at| self.elsewhere(at),
        };
        let mut question = question.clone();
        if let (None, Some(costs)) = (program.api, &mut question.repair) {
            // MPI has no call that only orders, and no queue to choose.
            (costs.fence, costs.ordered) = (Costs::NONE, Costs::NONE);
        }
        let begin = Instant::now();
        let mut judgement = judge(&subject, &question, &|| begin.elapsed())?;
        judgement.further = self.sources.further();
        if let Some(superfluous) = &mut judgement.superfluous {
            let places = superfluous::Places::of(&self.compiled, &self.sources);
            let simulated = || {
                let ranks = self.arguments.ranks.is_some().then_some(self.ranks);
                unneeded_of(&self.module, ranks, self.arguments.program_arguments())
            };
            keep_what_can_go(superfluous, simulated, &places);
        }
        if let Some(repair) = &mut judgement.repair {
            repaired.tell(repair);
        }
        Ok(judgement)
    }

    /// Whether the program is robust with another text.
    fn is_robust_with(&self, text: &str, question: &Question, following: Following) -> bool {
        let question = Question {
            repair: None,
            superfluous: false,
            ..question.clone()
        };
        self.with_text(text).is_some_and(|code| {
            decided(&code, &code.extract(following), &question, following)
                .is_ok_and(|judgement| judgement.verdict == Verdict::Robust)
        })
    }

    /// Why what is left of the program, with so much added to values, is not decided.
    fn why_not_decided(&self, error: &Diagnostic, bias: u32) -> String {
        let source = self.sources.text().source(&error.place.0);
        match error.outside {
            Some(value) if !error.place.0.is_empty() => format!(
                "`{}` ({}) gives {}; values from {} to {} can be followed here",
                source.text,
                source.line_in_words(),
                value - i64::from(bias),
                -i64::from(MAX_DOMAIN / 2),
                MAX_DOMAIN - 1
            ),
            _ => format!("what is left of it: {}", error.message),
        }
    }

    /// The function that the statement at a byte of the text calls, and its file, if that is none of the sources.
    fn elsewhere(&self, at: usize) -> Option<String> {
        let statement = self.sources.all().get(at..)?.lines().next()?;
        let ends = statement
            .match_indices('(')
            .map(|(end, _)| statement[..end].trim_end());
        ends.filter_map(|before| before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next())
            .find_map(|name| Some(format!("`{name}` of {}", self.file_elsewhere(name)?)))
    }

    /// The file of a function with code, if it is none of the sources.
    fn file_elsewhere(&self, name: &str) -> Option<String> {
        let functions = self.module.functions.iter();
        let mut named = functions.filter(|function| {
            let whole = demangled(&function.name);
            let whole = whole.split('(').next().unwrap_or_default();
            whole.rsplit("::").next() == Some(name)
        });
        let function = named.find(|function| !function.blocks.is_empty())?;
        let place = self.module.places.get(function.blocks[0].end_place as usize)?;
        let file = Path::new(&place.file);
        let is_here = self.compiled.iter().any(|path| path == file);
        (place.line > 0 && !is_here)
            .then(|| plain(&shown_path(&place.file, std::env::current_dir().ok().as_deref())))
    }

    /// The answer that there is none.
    fn unknown(&self, reasons: &str) -> Judgement {
        Judgement {
            file: self.sources.name(),
            further: self.sources.further(),
            name: "program".to_owned(),
            ranks: self.ranks,
            domain: 1,
            awaited: Vec::new(),
            verdict: Verdict::Inconclusive,
            reason: Some(format!("not known: {reasons}")),
            violation: None,
            repair: None,
            superfluous: None,
            every: None,
            failures: Vec::new(),
            search: Search::default(),
        }
    }
}

/// The program in the language of `.pgas` files, with all ways.
pub(super) fn printed(sources: Sources, arguments: &RobustArguments) -> Result<String, Trouble> {
    let code = Code::read(sources, arguments)?;
    let mut extract = code.extract(Following::default());
    if extract.is_cut() {
        let detail = Detail::Fine;
        extract = code.extract(Following { bias: 0, detail });
    }
    let lines = notes(&code.sources, extract.notes()).into_iter();
    let comments: String = lines.map(|line| format!("// {line}\n")).collect();
    Ok(format!("{comments}{}", extract.all_ways()))
}

/// What is said of the program.
pub(super) fn judged(
    sources: Sources,
    arguments: &RobustArguments,
    question: &Question,
) -> Result<Judgement, Trouble> {
    let code = Code::read(sources, arguments)?;
    Ok(match question.every {
        true => for_some(code, question),
        false => for_its_ranks(&code, question),
    })
}

/// What is said of the program for some numbers of processes; for every one nothing is known, for what is left of the
/// program is left for one number.
fn for_some(mut code: Code<'_>, question: &Question) -> Judgement {
    let question = Question {
        every: false,
        ..question.clone()
    };
    let mut decided = Vec::new();
    let mut shown: Option<Judgement> = None;
    for ranks in EVERY {
        code.ranks = ranks;
        let judgement = for_its_ranks(&code, &question);
        decided.push(DecidedRanks::of(&judgement));
        let violated = judgement.verdict == Verdict::NotRobust;
        if shown.is_none() || violated {
            shown = Some(judgement);
        }
        if violated {
            break;
        }
    }
    let mut shown = shown.unwrap_or_else(|| code.unknown("no number of processes was looked at"));
    shown.every = Some(EveryRanks {
        verdict: match shown.verdict {
            Verdict::NotRobust => Verdict::NotRobust,
            Verdict::Robust | Verdict::Inconclusive => Verdict::Inconclusive,
        },
        decided,
        argument: None,
        doubt: Some(Doubt {
            reason: "a C program is followed for one number of ranks at a time".to_owned(),
            source: None,
            way: Vec::new(),
        }),
    });
    shown
}

/// What is said of the program, where so much of it is told apart.
struct Answer {
    judgement: Judgement,
    /// There was more to tell apart.
    is_cut: bool,
    /// Larger values were not looked at, since there was.
    is_hasty: bool,
}

/// Where the usual detail decides nothing, a finer one may.
fn for_its_ranks(code: &Code<'_>, question: &Question) -> Judgement {
    let begin = Instant::now();
    let usual = with_detail(code, question, Detail::Usual, false);
    if usual.judgement.verdict != Verdict::Inconclusive || !usual.is_cut {
        return usual.judgement;
    }
    let mut finer = question.clone();
    finer.limits.states = finer.limits.states.min(MOST_FINE_STATES);
    finer.time_limit = finer
        .time_limit
        .map(|limit| limit.saturating_sub(begin.elapsed()));
    let finer = with_detail(code, &finer, Detail::Fine, true).judgement;
    match finer.verdict {
        Verdict::Robust | Verdict::NotRobust => finer,
        Verdict::Inconclusive if usual.is_hasty => with_detail(code, question, Detail::Usual, true).judgement,
        Verdict::Inconclusive => usual.judgement,
    }
}

/// Follows the program with larger and larger values until what is left of it has room for all; without `patience`
/// only where there is no more to tell apart.
fn with_detail(code: &Code<'_>, question: &Question, detail: Detail, patience: bool) -> Answer {
    let mut following = Following { bias: 0, detail };
    loop {
        let extract = code.extract(following);
        let is_cut = extract.is_cut();
        let errors = match decided(code, &extract, question, following) {
            Ok(judgement) => {
                return Answer {
                    judgement,
                    is_cut,
                    is_hasty: false,
                };
            }
            Err(errors) => errors,
        };
        let bias = following.bias;
        let lowest = errors.iter().filter_map(|error| error.outside).min().unwrap_or(0);
        let enough = |next: &u32| i64::from(*next) >= i64::from(bias) - lowest;
        let next = BIASES.into_iter().filter(|next| *next > bias).find(enough);
        let is_hasty = is_cut && !patience && lowest < 0 && next.is_some();
        match next {
            Some(next) if lowest < 0 && !is_hasty => following.bias = next,
            _ => {
                let reasons = errors.iter().map(|error| code.why_not_decided(error, bias));
                return Answer {
                    judgement: code.unknown(&listed(reasons.collect())),
                    is_cut,
                    is_hasty,
                };
            }
        }
    }
}

/// Asks the program with certain ways first, if it is another one: its violations count.
fn decided(
    code: &Code<'_>,
    extract: &Extract,
    question: &Question,
    following: Following,
) -> Result<Judgement, Vec<Diagnostic>> {
    if extract.notes().is_empty() {
        return code.judge(extract.all_ways(), question, following);
    }
    let certain = code.judge(extract.certain_ways(), question, following)?;
    if certain.verdict != Verdict::Robust {
        return Ok(certain);
    }
    if let Some(locked) = extract.with_locks() {
        let locked = code.judge(locked, question, following)?;
        if is_of_the_program(&locked, extract) {
            return Ok(locked);
        }
    }
    let reasons = listed(notes(&code.sources, extract.notes()));
    if !extract.is_whole() {
        return Ok(Judgement {
            verdict: Verdict::Inconclusive,
            reason: Some(format!("robust up to what is not followed:\n    {reasons}")),
            superfluous: None,
            ..certain
        });
    }
    let all = code.judge(extract.all_ways(), question, following)?;
    Ok(match all.verdict {
        Verdict::Robust | Verdict::Inconclusive => all,
        Verdict::NotRobust => Judgement {
            verdict: Verdict::Inconclusive,
            reason: Some(format!(
                "not known: the computation below may be none of the program, because\n    {reasons}"
            )),
            repair: None,
            ..all
        },
    })
}

/// Whether a computation with locks as cells is not robust whatever locks order: no conflict on its cycle is at a lock.
fn is_of_the_program(judgement: &Judgement, extract: &Extract) -> bool {
    judgement.violation.as_ref().is_some_and(|violation| {
        let conflicts = violation
            .cycle
            .iter()
            .filter(|edge| edge.relation == Relation::Conflict);
        let at = |event: usize| violation.events[event].address.as_ref();
        let mut ends = conflicts.flat_map(|edge| [edge.from, edge.to]);
        !ends.any(|event| at(event).is_none_or(|address| extract.is_lock(&address.name)))
    })
}

fn notes(sources: &Joined, notes: &[Note]) -> Vec<String> {
    let note = |note: &Note| match note.line {
        0 => note.text.clone(),
        line => format!("{}:{line}: {}", sources.name_of(note.file), note.text),
    };
    notes.iter().map(note).collect()
}

fn listed(mut reasons: Vec<String>) -> String {
    reasons.dedup();
    let more = reasons.len().saturating_sub(MOST_REASONS);
    reasons.truncate(MOST_REASONS);
    if more > 0 {
        reasons.push(format!("and {more} more"));
    }
    reasons.join("\n    ")
}
