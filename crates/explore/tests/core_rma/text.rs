//! Programs as text.

use farside_litmus::ast::{Observable, Program};
use farside_litmus::parse;

/// The program of this text, which begins with the initial state.
pub(super) fn read(name: &str, text: &str) -> Program {
    let text = match text.trim_start().strip_prefix("RMA") {
        Some(_) => text.to_owned(),
        None => format!("RMA {name}\n{text}"),
    };
    parse(&text).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// `0:a` or `X`
pub(super) fn observable(program: &Program, item: &str) -> Observable {
    let all = program.observables();
    let found = all
        .into_iter()
        .find(|&observable| program.observable_name(observable) == item);
    found.unwrap_or_else(|| panic!("{item} is not shown"))
}
