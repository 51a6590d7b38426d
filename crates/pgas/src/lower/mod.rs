//! Tree to calculus: names become numbers, control structure becomes automata.
//!
//! Promise: every error of the program that can be seen without running it is named with its place: a domain or a
//! number of ranks that is missing, names that are unknown, of the wrong kind or declared twice, first values outside
//! of the domain and others that numbers, `me` and `n` give and that are stored or sent, ranks that do not exist,
//! indices that an array does not have. What is lowered has reachable states only, and no steps that do nothing.
//!
//! Limits: [`MAX_RANKS`], [`MAX_DOMAIN`], [`MAX_CELLS`], [`MAX_QUEUES`].

mod automaton;
mod code;
mod names;
mod polls;
mod roles;

use crate::ast::{self, Api};
use crate::calculus::{Automaton, Polls, Program};
use crate::diagnostic::Diagnostic;
use crate::dialect;
use names::Names;
pub use roles::{Roles, roles};

/// Most processes.
pub const MAX_RANKS: u32 = 64;
/// Largest domain.
pub const MAX_DOMAIN: u32 = 1 << 16;
/// Most memory cells of a process.
pub const MAX_CELLS: usize = 4096;
/// Most queues of a process, and most handles.
pub const MAX_QUEUES: usize = 256;

/// The error of a transition of a rank that stores or sends a value which the domain does not have, as a run shows.
#[must_use]
pub fn outside_domain(program: &Program, rank: usize, transition: usize, value: i64) -> Diagnostic {
    let origin = &program.codes[program.code_of_rank[rank]].transitions[transition].origin;
    Diagnostic::new(
        format!(
            "`{}` gives {value} for rank {rank}, which is outside of the domain, whose values are 0 to {}",
            origin.text,
            program.domain - 1
        ),
        origin.place.clone(),
    )
    .hint(names::into_domain(value, program.domain))
    .of_value(value)
}

/// What the command line says over the program's own headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Number of processes.
    pub ranks: Option<u32>,
    /// Values are `0..domain`.
    pub domain: Option<u32>,
    /// Whose calls the program uses.
    pub api: Option<Api>,
    /// What a loop that polls stands for.
    pub polls: Polls,
}

/// The program in the calculus.
///
/// # Errors
/// Everything that is wrong with it; never empty.
pub fn lower(program: &ast::Program, settings: Settings) -> Result<Program, Vec<Diagnostic>> {
    lower_of(program, settings, &|_| true)
}

/// The program in the calculus, with the code of some ranks only: others do nothing.
///
/// # Errors
/// What is wrong with it for one of these ranks; never empty.
pub fn lower_of(
    program: &ast::Program,
    settings: Settings,
    of: &dyn Fn(u32) -> bool,
) -> Result<Program, Vec<Diagnostic>> {
    let (ranks, domain) = sizes(program, settings)?;
    let translated = dialect::translate(program, settings.api, ranks, settings.polls)?;
    let mut errors = Vec::new();
    let mut names = Names::new(&translated, ranks, domain, &mut errors);
    let first_registers = names.first_registers(&translated, &mut errors);
    let first_cells = names.first_cells(&translated, &mut errors);

    let mut codes: Vec<Automaton> = Vec::new();
    let mut code_of_rank = Vec::new();
    for rank in 0..ranks {
        let body = if of(rank) { &translated.body[..] } else { &[] };
        let code = code::lower(body, rank, settings.polls, &mut names, &mut errors);
        let known = codes.iter().position(|known| *known == code);
        code_of_rank.push(known.unwrap_or(codes.len()));
        if known.is_none() {
            codes.push(code);
        }
    }
    if !errors.is_empty() {
        errors.sort_by_key(|error| error.place.0.start);
        // Each rank that has an error has it again.
        errors.dedup_by(|one, other| one.place.0 == other.place.0);
        return Err(errors);
    }
    let registers = names.registers();
    let width = registers.len();
    let padded = |mut row: Vec<u32>| {
        row.resize(width, 0);
        row
    };
    Ok(Program {
        name: program.name.text.clone(),
        ranks,
        domain,
        wraps: program.wraps,
        first_registers: first_registers.into_iter().map(padded).collect(),
        registers,
        cells: names.cells(),
        queues: names.queues(),
        handles: names.handles(),
        first_cells,
        codes,
        code_of_rank,
    })
}

fn sizes(program: &ast::Program, settings: Settings) -> Result<(u32, u32), Vec<Diagnostic>> {
    // What the command line says has no place of its own.
    let at = |header: &Option<ast::Header>, over: Option<u32>| match (header, over) {
        (Some(header), None) => header.place.clone(),
        _ => program.name.place.clone(),
    };
    let value = |header: &Option<ast::Header>| header.as_ref().map(|header| header.value);
    let mut errors = Vec::new();
    let ranks = settings.ranks.or(value(&program.ranks));
    match ranks {
        None => errors.push(
            Diagnostic::new("the number of ranks is missing", program.name.place.clone())
                .hint("add a line `ranks 2`, or give `--ranks 2`"),
        ),
        Some(1..=MAX_RANKS) => {}
        Some(ranks) => errors.push(Diagnostic::new(
            format!("{ranks} ranks; between 1 and {MAX_RANKS} can be looked at"),
            at(&program.ranks, settings.ranks),
        )),
    }
    let domain = settings.domain.or(value(&program.domain));
    match domain {
        None => errors.push(
            Diagnostic::new(
                "the domain is unbounded: nothing says how large values can be",
                program.name.place.clone(),
            )
            .hint("add a line `domain 2` for the values 0 and 1, or give `--domain 2`"),
        ),
        Some(1..=MAX_DOMAIN) => {}
        Some(domain) => errors.push(Diagnostic::new(
            format!("a domain of {domain} values; between 1 and {MAX_DOMAIN} can be looked at"),
            at(&program.domain, settings.domain),
        )),
    }
    match (ranks, domain, errors.is_empty()) {
        (Some(ranks), Some(domain), true) => Ok((ranks, domain)),
        _ => Err(errors),
    }
}
