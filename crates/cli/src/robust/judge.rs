//! One program decided.

use super::arguments::{Engine, RobustArguments};
use super::convert;
use super::source::Source;
use crate::fault::Fault;
use farside_pgas::calculus::Program;
use farside_pgas::change::Kind;
use farside_pgas::lower::{Settings, lower, outside_domain};
use farside_robust::repair::{Costs, repair, superfluous};
use farside_robust::{Answer, Limits, Options, Procedure, Verdict, Violation, cycle, decide, direct, replay};
use farside_robustness::Judgement;
use std::path::Path;
use std::time::Instant;

/// Why a program was not decided.
pub(super) enum Trouble {
    /// The file.
    Fault(Fault),
    /// What is in it, as shown to the user.
    Mistakes(String),
}

/// What is said of the program of a file.
pub(super) fn program(path: &Path, arguments: &RobustArguments) -> Result<Judgement, Trouble> {
    let source = Source::read(path)?;
    let settings = Settings {
        ranks: arguments.ranks,
        domain: arguments.domain,
        api: arguments.api,
    };
    let program = lower(&source.program, settings).map_err(|errors| source.mistakes(&errors))?;
    let options = Options {
        limits: Limits {
            states: arguments.states,
            bytes: arguments.memory << 20,
        },
        procedure: match arguments.engine {
            Engine::Delay | Engine::Direct => Procedure::Delay,
            Engine::Product => Procedure::FourParts,
        },
        reduce: !arguments.no_reduction,
        prune: !arguments.no_reduction,
        symmetry: !arguments.no_reduction,
        shortest: true,
    };
    let begin = Instant::now();
    let late = || arguments.time_limit.is_some_and(|limit| begin.elapsed() >= limit);
    let (answer, bound) = match arguments.engine {
        Engine::Delay | Engine::Product => (decide(&program, &options, &mut { late }), None),
        Engine::Direct => explore(&program, arguments, &options, &late),
    };
    if let Verdict::OutsideDomain(outside) = answer.verdict {
        let error = outside_domain(&program, outside.rank, outside.transition, outside.value);
        return Err(source.mistakes(&[error]));
    }
    let seconds = begin.elapsed().as_secs_f64();
    let mut judgement = convert::judgement(&source.name, &source.text, &program, &answer, seconds);
    if let Some(bound) = bound {
        convert::bounded(&mut judgement, bound);
    }
    if arguments.repair && matches!(answer.verdict, Verdict::NotRobust(_)) {
        let mut costs = Costs::default();
        for &(kind, cost) in &arguments.cost {
            match kind {
                Kind::Wait => costs.wait = cost,
                Kind::Fence => costs.fence = cost,
                Kind::Barrier => costs.barrier = cost,
                Kind::Ordered => costs.ordered = cost,
            }
        }
        let found = repair(&source.program, settings, &costs, &options, &mut { late });
        let patched = |changes: &[_]| source.patched(changes);
        judgement.repair = Some(convert::repair(&source.text, found, &costs, patched));
    }
    if arguments.superfluous && matches!(answer.verdict, Verdict::Robust) {
        let found = superfluous(&source.program, settings, &options, &mut { late });
        judgement.superfluous = Some(convert::superfluous(&source.text, &found));
    }
    Ok(judgement)
}

/// The answer of the direct engine; with the bound, if the program is robust up to one only.
fn explore(
    program: &Program,
    arguments: &RobustArguments,
    options: &Options,
    late: &dyn Fn() -> bool,
) -> (Answer, Option<usize>) {
    let options = direct::Options {
        queue_bound: arguments.queue_bound.map(|bound| bound as usize),
        limits: options.limits,
    };
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
