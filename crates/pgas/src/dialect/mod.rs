//! Calls of SHMEM, ARMCI, GASNet, GPI and GASPI, in terms of the calculus.
//!
//! Promise: [`translate`] turns a program with calls of one API into one without calls that has the same computations;
//! each call by the [`Rule`] of its name. The rules are data, a file an API (`dialects/`), and the documentation prints
//! the same text. What stands for a call is ordinary text of the language: a user can print it and go on from there.
//!
//! Sources: paper 003, sections 2.1 (what the APIs guarantee) and 2.4 (how the calculus expresses it), and the
//! standards that each rule names where the paper is silent or coarser.
//!
//! Deviations and limits:
//! 1. The paper waits for an operation by polling a shadow address that a read in the same queue overwrites. Here a
//!    handle is native, and so is waiting.
//! 2. Transfers of several elements are one operation an element, in the order of the elements; no network promises
//!    more.
//! 3. A value that is no memory (`shmem_p`) comes from a cell of its own: a constant cell if the value is known before
//!    the run, else one that is stored to, and read before the call returns.
//! 4. Calls that may time out are those that wait for ever.
//! 5. A handle names all open operations that were issued with it. Where an API forgets the first when a second is
//!    given the same handle (GASNet), a program that does so waits for more here than it does there: use a handle for
//!    each.

mod handles;
mod meaning;
mod polls;
mod table;
mod translation;
mod walk;

use crate::ast::{Api, Program};
use crate::calculus::Polls;
use crate::diagnostic::Diagnostic;
use table::Table;
pub use table::{Rule, Value, Word};
use translation::Translation;

/// The rules of an API.
#[must_use]
pub fn rules(api: Api) -> &'static [Rule] {
    Table::of(api).rules()
}

/// Calls without arguments that may stand within expressions.
#[must_use]
pub fn values(api: Api) -> &'static [Value] {
    Table::of(api).values()
}

/// Words that are given to calls, several of a kind.
#[must_use]
pub fn words(api: Api) -> &'static [Word] {
    Table::of(api).words()
}

/// The program without calls. `api` overrides the program's own; `ranks` is the number of processes. How a call polls
/// several locations depends on what a poll stands for.
///
/// # Errors
/// Calls that the API does not have or that are used wrongly, and calls without an API.
pub fn translate(
    program: &Program,
    api: Option<Api>,
    ranks: u32,
    polls: Polls,
) -> Result<Program, Vec<Diagnostic>> {
    let mut translation = Translation::new(program, api.or(program.api), ranks, polls);
    let body = translation.block(&program.body);
    let declarations = translation.finish(program)?;
    Ok(Program {
        api: None,
        declarations,
        body,
        ..program.clone()
    })
}
