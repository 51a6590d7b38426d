//! Calls of the crate `farside` in Rust: methods of what the program's own calls are methods of.
//!
//! Limits: what ends a closure and begins another is not written, nor a wait for a request, which takes the request
//! from whoever waits for it later. A target that is no number completes all: what it is, a type says, and not the
//! text.

use crate::call::Call;
use crate::methods::makes;
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Step};
use farside_findings::Place;

/// A method of a suggestion as a statement at an offset: of `epoch`, as that of the first of these calls; of `world`,
/// as that which is known there.
///
/// # Errors
/// It is no such method, what it is of is not known there, or nothing there takes an error.
pub(crate) fn statement(
    (receiver, method): (&str, &str),
    calls: &[Call],
    source: &Source,
    at: usize,
) -> Result<String, Refusal> {
    let text = format!("{receiver}.{method}");
    let block = source.path(at)?.last().map(|step| step.block().range());
    let takes_errors = block.is_some_and(|block| source.code(block).contains(&b'?'));
    if !takes_errors {
        return Err(Refusal::NoResult(text));
    }
    let unknown = |name: &str| Refusal::Unknown(name.to_owned(), source.file().to_owned());
    match (receiver, method) {
        ("epoch", "flush" | "flush_local" | "flush_all" | "flush_local_all") => {
            let call = calls.first().ok_or_else(|| unknown("epoch"))?;
            let epoch = call.receiver(source).filter(|epoch| source.knows(epoch, at));
            let epoch = epoch.ok_or_else(|| unknown("epoch"))?;
            Ok(match (target(call), method.ends_with("_all")) {
                (Some(target), false) => format!("{epoch}.{method}({target})?;"),
                (None, false) => format!("{epoch}.{method}_all()?;"),
                (_, true) => format!("{epoch}.{method}()?;"),
            })
        }
        ("world", "barrier") => {
            let worlds = worlds(source);
            let world = worlds.iter().find(|world| source.knows(world, at));
            let world = world.ok_or_else(|| unknown("world"))?;
            Ok(format!("{world}.barrier()?;"))
        }
        _ => Err(Refusal::Placeholder(receiver.to_owned(), text)),
    }
}

/// Whether a place is in a statement of its block, and not in the arm of an expression, nor in the value of the block.
///
/// # Errors
/// It is not.
pub(crate) fn check_statement(
    source: &Source,
    step: &Step<'_>,
    at: usize,
    place: &Place,
) -> Result<(), Refusal> {
    let range = step.statement().range();
    let count = |byte: u8| {
        let code = source.code(range.start..at);
        code.iter().filter(|other| **other == byte).count()
    };
    let is_whole = source.code(range.clone()).trim_ascii_end().ends_with(b";");
    let is_own = step.statement().kind() != Kind::Simple || is_whole && count(b'{') == count(b'}');
    is_own
        .then_some(())
        .ok_or_else(|| Refusal::NoStatement(place.clone()))
}

/// The target of an operation, if it is a number.
fn target(call: &Call) -> Option<&str> {
    let of_second = ["put", "get", "rput", "rget"];
    let has = of_second.iter().any(|operation| makes(call.name(), operation));
    let (text, _) = call.arguments().get(1).filter(|_| has)?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

/// The names under which a source has the world.
fn worlds(source: &Source) -> Vec<String> {
    let code = String::from_utf8_lossy(source.code(0..source.text().len())).into_owned();
    let name = |text: &str| {
        let word = text
            .trim_end()
            .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'));
        word.into_iter()
            .next()
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
    };
    let parameters = code.match_indices("&World").filter_map(|(at, _)| {
        let before = code[..at].trim_end().strip_suffix(':')?;
        name(before)
    });
    let closures = code.match_indices("run(|").filter_map(|(at, open)| {
        let (argument, _) = code[at + open.len()..].split_once('|')?;
        name(argument)
    });
    parameters.chain(closures).collect()
}
