//! One program: read, lowered, decided.

use super::arguments::{CostKind, RobustArguments};
use super::convert;
use crate::fault::{Fault, plain};
use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::{MAX_BYTES, parse};
use farside_robust::repair::{Costs, repair, superfluous};
use farside_robust::{Limits, Options, Verdict, decide};
use farside_robustness::Judgement;
use std::io::Read;
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
    let text = read(path).map_err(|error| Trouble::Fault(Fault::Unreadable(path.to_path_buf(), error)))?;
    let name = plain(&path.display().to_string());
    let mistakes = |errors: Vec<Diagnostic>| {
        Trouble::Mistakes(errors.iter().map(|error| error.render(&name, &text)).collect())
    };
    let parsed = parse(&text).map_err(mistakes)?;
    let settings = Settings {
        ranks: arguments.ranks,
        domain: arguments.domain,
        api: arguments.api,
    };
    let program = lower(&parsed, settings).map_err(mistakes)?;
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
    let mut judgement = convert::judgement(&name, &text, &program, &answer, seconds);
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
        judgement.repair = Some(convert::repair(&text, &program, changes, &costs));
    }
    if arguments.superfluous && matches!(answer.verdict, Verdict::Robust) {
        let found = superfluous(&program, &options, &mut late);
        judgement.superfluous = Some(convert::superfluous(&text, &program, &found));
    }
    Ok(judgement)
}

/// The text of a file; of one that is too long, as much as shows it.
fn read(path: &Path) -> std::io::Result<String> {
    let most = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().take(most).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    String::from_utf8(bytes)
        .map_err(|_| std::io::Error::new(std::io::ErrorKind::InvalidData, "not a text in UTF-8"))
}
