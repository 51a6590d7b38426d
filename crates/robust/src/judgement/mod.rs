//! One program decided, and the answer as the data of a report.
//!
//! Promise: a pure function of the program and the question; what the time is, the caller says.

mod convert;
mod every;
mod text;

use crate::repair::{Costs, repair, superfluous};
use crate::{Answer, Limits, Options, Procedure, Verdict, Violation, cycle, decide, direct, replay};
use farside_pgas::ast;
use farside_pgas::calculus::Program;
use farside_pgas::change::Change;
use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::lower::{MAX_DOMAIN, Settings, lower, outside_domain};
use farside_robustness::Judgement;
use std::time::Duration;
pub use text::Text;

/// A program as it was read.
pub struct Subject<'a> {
    /// Its file, as a report names it.
    pub file: &'a str,
    /// Its text, in which its places lie.
    pub text: Text<'a>,
    /// What the text means.
    pub program: &'a ast::Program,
    /// The text with changes.
    pub patched: &'a dyn Fn(&[Change]) -> String,
    /// The function and the file of what the statement at a byte does, if that is not in the text.
    pub elsewhere: &'a dyn Fn(usize) -> Option<String>,
}

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The search for computations with one delayed command.
    Delay,
    /// The product of four parts, as in the paper.
    Product,
    /// All computations, with queues of at most so many entries if a bound is given.
    Direct(Option<usize>),
}

/// What is asked of a program.
#[derive(Clone, Debug)]
pub struct Question {
    /// Ranks, values, and what calls mean.
    pub settings: Settings,
    /// What decides.
    pub engine: Engine,
    /// What the search may spend.
    pub limits: Limits,
    /// Whether the search leaves out what follows from the rest.
    pub reduce: bool,
    /// The costs of a repair, if one is wanted.
    pub repair: Option<Costs>,
    /// Whether superfluous synchronisation is looked for.
    pub superfluous: bool,
    /// Whether it is asked for every number of ranks.
    pub every: bool,
    /// How long all of it may take.
    pub time_limit: Option<Duration>,
}

/// Decides a program. `elapsed` says how long that has taken so far.
///
/// # Errors
/// What is wrong with the program: it has no meaning with these settings, or leaves their domain.
///
/// # Panics
/// A computation of the direct engine has no cycle, which would be a bug of ours.
pub fn judge(
    subject: &Subject<'_>,
    question: &Question,
    elapsed: &dyn Fn() -> Duration,
) -> Result<Judgement, Vec<Diagnostic>> {
    match question.every {
        true => every::judge(subject, question, elapsed),
        false => one(subject, question, elapsed),
    }
}

/// The answer for one number of ranks.
fn one(
    subject: &Subject<'_>,
    question: &Question,
    elapsed: &dyn Fn() -> Duration,
) -> Result<Judgement, Vec<Diagnostic>> {
    let options = Options {
        limits: question.limits,
        procedure: match question.engine {
            Engine::Delay | Engine::Direct(_) => Procedure::Delay,
            Engine::Product => Procedure::FourParts,
        },
        reduce: question.reduce,
        prune: question.reduce,
        symmetry: question.reduce,
        shortest: true,
    };
    let late = || question.time_limit.is_some_and(|limit| elapsed() >= limit);
    let Decided {
        settings,
        program,
        answer,
        bound,
    } = in_its_domain(subject, question, &options, &late)?;
    if let Verdict::OutsideDomain(outside) = answer.verdict {
        let error = outside_domain(&program, outside.rank, outside.transition, outside.value);
        return Err(vec![error]);
    }
    let seconds = elapsed().as_secs_f64();
    let mut judgement = convert::judgement(subject.file, subject.text, &program, &answer, seconds);
    if let Some(bound) = bound {
        convert::bounded(&mut judgement, bound);
    }
    if let (Some(costs), Verdict::NotRobust(_)) = (&question.repair, &answer.verdict) {
        let api = settings.api.or(subject.program.api);
        let found = repair(subject.program, settings, costs, &options, &mut { late });
        let (patched, elsewhere) = (subject.patched, subject.elsewhere);
        let shown = convert::repair(subject.text, found, costs, api, patched, elsewhere);
        judgement.repair = Some(shown);
    }
    if question.superfluous && matches!(answer.verdict, Verdict::Robust) {
        let found = superfluous(subject.program, settings, &options, &mut { late });
        judgement.superfluous = Some(convert::superfluous(subject.text, &found));
    }
    Ok(judgement)
}

/// A program that was decided.
struct Decided {
    /// With its domain.
    settings: Settings,
    program: Program,
    answer: Answer,
    /// It is known to be robust up to this bound of queues only.
    bound: Option<usize>,
}

/// Decides a program in the domain that it or the question has, or else in one that is made larger until no value is
/// outside: what a larger one would have besides, no computation comes by.
fn in_its_domain(
    subject: &Subject<'_>,
    question: &Question,
    options: &Options,
    late: &dyn Fn() -> bool,
) -> Result<Decided, Vec<Diagnostic>> {
    let declared = question.settings.domain.is_some() || subject.program.domain.is_some();
    let mut settings = question.settings;
    if !declared {
        settings.domain = Some(2);
    }
    loop {
        // The next domain to try, if there is one.
        let larger = settings
            .domain
            .filter(|&domain| !declared && domain < MAX_DOMAIN)
            .map(|domain| (2 * domain).min(MAX_DOMAIN));
        let program = match (lower(subject.program, settings), larger) {
            (Ok(program), _) => program,
            (Err(_), Some(larger)) => {
                settings.domain = Some(larger);
                continue;
            }
            (Err(errors), None) => return Err(errors),
        };
        let (answer, bound) = match question.engine {
            Engine::Delay | Engine::Product => (decide(&program, options, &mut { late }), None),
            Engine::Direct(queue_bound) => explore(&program, queue_bound, question.limits, late),
        };
        match (&answer.verdict, larger) {
            (Verdict::OutsideDomain(outside), Some(larger)) if outside.value > 0 => {
                settings.domain = Some(larger);
            }
            _ => {
                return Ok(Decided {
                    settings,
                    program,
                    answer,
                    bound,
                });
            }
        }
    }
}

/// The answer of the direct engine; with the bound, if the program is robust up to one only.
fn explore(
    program: &Program,
    queue_bound: Option<usize>,
    limits: Limits,
    late: &dyn Fn() -> bool,
) -> (Answer, Option<usize>) {
    let options = direct::Options { queue_bound, limits };
    let explored = direct::explore(program, &options, late);
    let (verdict, bound) = match explored.verdict {
        direct::Verdict::Robust => (Verdict::Robust, None),
        direct::Verdict::RobustUpTo(bound) => (Verdict::Robust, Some(bound)),
        direct::Verdict::OutsideDomain(outside) => (Verdict::OutsideDomain(outside), None),
        direct::Verdict::Inconclusive(limit) => (Verdict::Inconclusive(limit), None),
        direct::Verdict::NotRobust(actions) => {
            let events = replay(program, &actions).expect("what the direct engine finds is a computation");
            let cycle = cycle(&events).expect("what the direct engine finds has a cycle");
            let violation = Violation {
                events,
                cycle,
                shortest: true,
            };
            (Verdict::NotRobust(violation), None)
        }
    };
    let answer = Answer {
        verdict,
        failures: Vec::new(),
        states: explored.states,
        bytes: explored.bytes,
    };
    (answer, bound)
}
