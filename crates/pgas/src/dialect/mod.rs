//! Calls of SHMEM, ARMCI, GASNet, GPI and GASPI, in terms of the calculus.
//!
//! Promise: [`translate`] turns a program with calls of one API into one without calls that has the same computations;
//! each call by the [`Rule`] of its name. The rules are data that the documentation prints. What stands for a call is
//! ordinary text of the language: a user can print it and go on from there.
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

mod armci;
mod gasnet;
mod gaspi;
mod gpi;
mod shmem;
mod statements;
mod translation;
mod walk;

use crate::ast::{Api, Call, Program, StatementKind, Target};
use crate::diagnostic::Diagnostic;
pub(crate) use translation::Translation;

/// How a call is translated.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The name, in its shortest form.
    pub name: &'static str,
    /// The call with its arguments.
    pub form: &'static str,
    /// What stands for it in the calculus.
    pub meaning: &'static str,
    /// Where that comes from.
    pub source: &'static str,
    /// Number of arguments.
    arguments: usize,
    apply: Apply,
}

type Apply = fn(&mut Translation<'_>, &Call, Option<&Target>) -> Result<Vec<StatementKind>, Diagnostic>;

/// The rules of an API.
#[must_use]
pub fn rules(api: Api) -> &'static [Rule] {
    match api {
        Api::Shmem => shmem::RULES,
        Api::Armci => armci::RULES,
        Api::Gasnet => gasnet::RULES,
        Api::Gpi => gpi::RULES,
        Api::Gaspi => &gaspi::RULES,
        Api::Gaspi17 => &gaspi::RULES_17,
    }
}

/// Calls within expressions: name, and whether it is the own rank (else the number of ranks).
#[must_use]
pub fn constants(api: Api) -> &'static [(&'static str, bool)] {
    match api {
        Api::Shmem => &[
            ("shmem_my_pe", true),
            ("shmem_n_pes", false),
            ("_my_pe", true),
            ("_num_pes", false),
        ],
        Api::Armci => &[("armci_msg_me", true), ("armci_msg_nproc", false)],
        Api::Gasnet => &[("gasnet_mynode", true), ("gasnet_nodes", false)],
        Api::Gpi => &[("getRankGPI", true), ("getNodeCountGPI", false)],
        Api::Gaspi | Api::Gaspi17 => &[],
    }
}

/// The program without calls. `api` overrides the program's own; `ranks` is the number of processes.
///
/// # Errors
/// Calls that the API does not have or that are used wrongly, and calls without an API.
pub fn translate(program: &Program, api: Option<Api>, ranks: u32) -> Result<Program, Vec<Diagnostic>> {
    let mut translation = Translation::new(program, api.or(program.api), ranks);
    let body = translation.block(&program.body);
    let declarations = translation.finish(program)?;
    Ok(Program {
        api: None,
        declarations,
        body,
        ..program.clone()
    })
}
