//! The units of a program and its statements that have begun: what is known of them.

use crate::caller::Caller;
use crate::fortran::statement::{Input, Statement};

/// The unit of the standard input.
const STANDARD_INPUT: i32 = 5;

/// The `read` statement that has begun, if its text is known.
pub(super) fn reading<'c>(caller: &'c mut Caller<'_>, cookie: u64) -> Option<&'c mut Input> {
    match caller.process_mut().units_mut().statement(cookie)? {
        Statement::Input(input) => Some(input),
        _ => None,
    }
}

/// Nothing more is known of a statement, nor of the unit that it reads.
pub(super) fn abandon(caller: &mut Caller<'_>, cookie: u64) {
    let ended = caller.process_mut().units_mut().end(cookie);
    if matches!(ended, Some(Statement::Input(_) | Statement::UnknownInput)) {
        let units = caller.process_mut().units_mut();
        units.begin(cookie, Statement::UnknownInput);
    }
    if let Some(Statement::Input(input)) = ended
        && let Some(unit) = input.unit()
    {
        lose(caller, unit);
    }
}

/// Where a unit is, or what it holds, is no longer known.
pub(super) fn lose(caller: &mut Caller<'_>, unit: i32) {
    disconnect(caller, unit);
    caller.process_mut().units_mut().connect(unit, 0);
}

/// A unit is connected with no file any more.
pub(super) fn disconnect(caller: &mut Caller<'_>, unit: i32) {
    if let Some(file) = file(caller, unit) {
        caller.process_mut().streams_mut().close(file);
    }
    caller.process_mut().units_mut().disconnect(unit);
}

/// The file that a unit is connected with, if its text is known.
pub(super) fn file(caller: &Caller<'_>, unit: i32) -> Option<u64> {
    match caller.process().units().file(unit) {
        Some(file) => (file != 0).then_some(file),
        None if unit == STANDARD_INPUT => caller.process().streams().standard(),
        None => None,
    }
}
