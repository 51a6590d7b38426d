//! The two engines agree on the programs of robust-tests that the direct explorer can finish.

use crate::compare::{Budget, Outcome, compare};
use crate::generate::Drawn;
use farside_pgas::calculus::{Command, Program};
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const BUDGET: Budget = Budget {
    direct: 400_000,
    delay: 4_000_000,
    four_parts: 20_000,
};

/// Most open operations of a process, for programs with a loop around an operation.
const BOUND: usize = 3;

/// Programs that were compared when this was written; fewer would be a loss.
const COMPARED: usize = 167;

fn files(at: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(at).expect("robust-tests is there");
    for entry in entries {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pgas") {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let tree = parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
    lower(&tree, Settings::default()).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()))
}

/// Whether a process can come back to where it was, by way of an operation.
fn issues_for_ever(program: &Program) -> bool {
    program.codes.iter().any(|code| {
        code.transitions.iter().any(|transition| {
            let mut reached = vec![false; code.states];
            let mut stack = vec![transition.to];
            while let Some(state) = stack.pop() {
                if !std::mem::replace(&mut reached[state], true) {
                    let leaving = code.transitions.iter().filter(|known| known.from == state);
                    stack.extend(leaving.map(|known| known.to));
                }
            }
            let operation = matches!(transition.command, Command::Transfer(_) | Command::Atomic(_));
            operation && reached[transition.from]
        })
    })
}

#[test]
fn product_and_direct_explorer_agree_on_the_library() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests");
    let mut found = Vec::new();
    files(&folder, &mut found);
    found.sort();
    let queue = Mutex::new(found.iter());
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no thread panics").next();
                    let Some(path) = next else { return };
                    let program = read(path);
                    let bound = issues_for_ever(&program).then_some(BOUND);
                    let compared = compare(&Drawn { program, bound }, BUDGET);
                    let outcome = compared.map(|compared| compared.outcome);
                    results.lock().expect("no thread panics").push((path, outcome));
                }
            });
        }
    });
    let results = results.into_inner().expect("no thread panics");
    let mut wrong = Vec::new();
    let (mut whole, mut bounded, mut unfinished) = (0, 0, Vec::new());
    for (path, outcome) in results {
        let robust = path.to_string_lossy().ends_with("-yes.pgas");
        match outcome {
            Err(why) => wrong.push(format!("{}: {why}", path.display())),
            Ok(Outcome::Unfinished) => unfinished.push(path),
            Ok(Outcome::Robust) if robust => whole += 1,
            Ok(Outcome::NotRobust) if !robust => whole += 1,
            Ok(Outcome::RobustUpToBound) if robust => bounded += 1,
            Ok(Outcome::BeyondBound) if !robust => bounded += 1,
            Ok(outcome) => wrong.push(format!("{}: {outcome:?}", path.display())),
        }
    }
    println!(
        "{whole} programs agree, {bounded} up to a bound; {} too large: {unfinished:#?}",
        unfinished.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(whole + bounded >= COMPARED, "{whole} + {bounded}");
}
