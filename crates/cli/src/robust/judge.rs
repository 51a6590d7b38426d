//! One program: read, lowered, decided.

use super::arguments::{CostKind, RobustArguments};
use super::convert;
use super::source::Source;

use crate::fault::Fault;
use farside_pgas::lower::{Settings, lower};
use farside_robust::repair::{Costs, repair, superfluous};
use farside_robust::{Limits, Options, Verdict, decide};
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
    let (name, text) = (&source.name, &source.text);
    let options = Options {
        limits: Limits {
            states: arguments.states,
            bytes: arguments.memory << 20,
        },
        ..Options::default()
    };
    let begin = Instant::now();
    let mut late = || arguments.time_limit.is_some_and(|limit| begin.elapsed() >= limit);
    let answer = decide(&program, &options, &mut late);
    let seconds = begin.elapsed().as_secs_f64();
    let mut judgement = convert::judgement(name, text, &program, &answer, seconds);
    if arguments.repair && matches!(answer.verdict, Verdict::NotRobust(_)) {
        let mut costs = Costs::default();
        for &(kind, cost) in &arguments.cost {
            match kind {
                CostKind::Wait => costs.wait = cost,
                CostKind::Fence => costs.fence = cost,
                CostKind::Ordered => costs.ordered = cost,
            }
        }
        let changes = repair(&program, &costs, &options, &mut late);
        judgement.repair = Some(convert::repair(text, &program, changes, &costs));
    }
    if arguments.superfluous && matches!(answer.verdict, Verdict::Robust) {
        let found = superfluous(&program, &options, &mut late);
        judgement.superfluous = Some(convert::superfluous(text, &program, &found));
    }
    Ok(judgement)
}
