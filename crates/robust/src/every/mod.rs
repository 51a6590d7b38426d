//! Robustness for every number of ranks, by an argument over the code instead of its computations.
//!
//! Promise: if [`argue`] gives an [`Argument`], then the program is robust for each number of ranks from
//! [`Argument::from`] on, in each domain: no computation has a happens-before cycle. If it gives [`Doubt`], nothing is
//! known; [`Doubt::Way`] is a way by which a cycle could be closed.
//!
//! The idea is that of delay sets (Shasha, Snir 1988): a cycle takes at least one access that comes late, and a way
//! back from what came before it, over conflicts and program order. Steps of the code stand for the events of all
//! processes that run it, and ranks are sums over `me` and `n` (`form`). Two things keep ways apart: barriers at which
//! all operations are complete (`ways`), and what is waited for: flags that are written once (`awaits`), counters that
//! each process raises once (`counts`), and flags whose values count rounds (`rounds`).
//!
//! Limits: values decide nothing but what is awaited, so that programs whose processes take turns by locks, or by flags
//! that are reset, are not known. Ranks are told apart by comparisons of `me` with a number or with `n` less a number
//! only; under other conditions on ranks, a process may go either way.

mod access;
mod awaits;
mod counter;
mod counts;
mod flow;
mod form;
mod numbers;
mod order;
mod rounds;
mod wanted;
mod ways;

use access::{Access, Accesses};
use awaits::Awaits;
use counts::Counts;
use farside_pgas::ast;
use farside_pgas::calculus::{Command, Origin, Program, Register};
use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::lower::{MAX_DOMAIN, MAX_RANKS, Roles, Settings, lower_of, roles};
use flow::Flow;
use form::{Bounds, Form, Role};
use order::Orders;
use rounds::Rounds;
use ways::{Late, Ways};

/// The number of ranks from which on an argument must hold at last: all smaller ones are decided one by one.
pub const LARGEST_FROM: u32 = 9;

/// Why a program is robust for every number of ranks from some on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// From this number of ranks on.
    pub from: u32,
    /// How many steps issue operations.
    pub operations: usize,
    /// Each operation is complete before its process comes to a barrier, and there are barriers.
    pub complete_at_barriers: bool,
    /// Operations whose effect may come after that of what comes later in their process. From none of these a way of
    /// happens-before leads back.
    pub late: Vec<Pair>,
    /// Loads that wait for a flag which is written once.
    pub awaited: Vec<Origin>,
    /// Loads that wait for a counter which each of the processes that raise it raises once.
    pub counted: Vec<Origin>,
    /// Loads that wait for a flag whose values count rounds.
    pub rounds: Vec<Origin>,
    /// Operations that take effect late, but in turn with all accesses of other processes to what they access: they
    /// count as if they took effect when they are issued.
    pub in_turn: Vec<Origin>,
}

/// An operation, and what may take effect before it though it comes later, or is another part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The operation.
    pub operation: Origin,
    /// What may overtake it.
    pub overtaken_by: Origin,
}

/// Why there is no argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The program has mistakes, for this number of ranks, or is of a kind that is not followed.
    Unfit {
        /// The number of ranks.
        ranks: u32,
        /// What is wrong.
        errors: Vec<Diagnostic>,
    },
    /// A way back from what may overtake an operation: each step conflicts with the next one, or comes before it in one
    /// process. It need not be the way of any computation.
    Way {
        /// The operation, and what overtakes it.
        pair: Pair,
        /// From what overtakes it to the operation.
        steps: Vec<Origin>,
    },
}

/// Looks for an argument that holds for each number of ranks from one of at most [`LARGEST_FROM`] on, the smallest one.
///
/// # Errors
/// Why there is none.
pub fn argue(program: &ast::Program, settings: Settings) -> Result<Argument, Doubt> {
    let unfit = |ranks| move |errors| Doubt::Unfit { ranks, errors };
    let roles = roles(program, settings).map_err(unfit(MAX_RANKS))?;
    let mut doubt = None;
    for from in roles.least.max(2)..=LARGEST_FROM.max(roles.least) {
        match argue_from(settings, &roles, from) {
            Ok(argument) => return Ok(argument),
            Err(found) => doubt = Some(found),
        }
    }
    Err(doubt.unwrap_or(Doubt::Unfit {
        ranks: LARGEST_FROM,
        errors: Vec::new(),
    }))
}

/// The argument for all numbers of ranks from this one on.
fn argue_from(settings: Settings, roles: &Roles, from: u32) -> Result<Argument, Doubt> {
    // One process of the middle shows what code these run; values do not matter. Where conditions became choices, ranks
    // that some other process does not have may be named, and with many ranks this one has them.
    let ranks = match roles.chosen.is_empty() {
        true => (from.max(roles.least) + 1).min(MAX_RANKS),
        false => MAX_RANKS,
    };
    let shown = |rank: u32| {
        roles.chosen.is_empty() || rank <= roles.first || rank >= ranks.saturating_sub(roles.last)
    };
    let settings = Settings {
        ranks: Some(ranks),
        domain: Some(MAX_DOMAIN),
        ..settings
    };
    let lowered = lower_of(&roles.program, settings, &shown).map_err(|errors| Doubt::Unfit {
        ranks,
        errors: match roles.chosen.first() {
            // It may have kept the mistake away.
            Some(condition) => vec![unfollowed(condition)],
            None => errors,
        },
    })?;
    let bounds = Bounds::new(roles.first, roles.last, from);
    let flows = flows(&lowered, roles, bounds);
    let accesses = Accesses::new(&lowered, &flows, bounds);
    let at_first = |load: &Access| {
        // Where sums wrap, a value does not say how often something was added.
        let value = value_at_first(&lowered, roles, load).filter(|_| !lowered.wraps);
        let ends = may_end_at_first(&lowered, roles, &flows[load.at().0], load);
        (value, ends)
    };
    let orders = Orders::new(&lowered, &flows, bounds);
    let counts = Counts::new(&flows, &accesses, bounds);
    let awaits = Awaits::new(&flows, &accesses, &at_first, &orders, &counts);
    let rounds = Rounds::new(&flows, &accesses, &orders, awaits.flags());
    let ways = Ways::new(&flows, &accesses, &awaits, &rounds, &orders);
    let origin = |access: usize| {
        let (flow, step) = accesses.all()[access].at();
        flows[flow].code().transitions[step].origin.clone()
    };
    let pair = |late: Late| Pair {
        operation: origin(late.access()),
        overtaken_by: origin(late.before()),
    };
    let mut argument = Argument {
        from,
        operations: orders.operations().count(),
        complete_at_barriers: ways.is_closed() && flows.iter().any(Flow::has_barriers),
        late: Vec::new(),
        awaited: awaits.once().iter().copied().map(origin).collect(),
        counted: awaits.counted().iter().copied().map(origin).collect(),
        rounds: each(rounds.loads().map(origin)),
        in_turn: each(ways.in_turn().map(origin)),
    };
    for late in ways.late() {
        if let Some(way) = ways.back(late) {
            return Err(Doubt::Way {
                pair: pair(late),
                steps: way.into_iter().map(origin).collect(),
            });
        }
        let pair = pair(late);
        let is_known = |known: &Pair| {
            is_among(&pair.operation, std::slice::from_ref(&known.operation))
                && is_among(&pair.overtaken_by, std::slice::from_ref(&known.overtaken_by))
        };
        if !is_among(&pair.operation, &argument.in_turn) && !argument.late.iter().any(is_known) {
            argument.late.push(pair);
        }
    }
    Ok(argument)
}

/// Whether it is one of these; places alone do not tell two origins apart when they are compared.
fn is_among(origin: &Origin, all: &[Origin]) -> bool {
    let place = |of: &Origin| (of.place.0.start, of.place.0.end);
    all.iter().any(|other| place(other) == place(origin))
}

/// Each of them once.
fn each(origins: impl Iterator<Item = Origin>) -> Vec<Origin> {
    let mut found = Vec::new();
    for origin in origins {
        if !is_among(&origin, &found) {
            found.push(origin);
        }
    }
    found
}

fn unfollowed(condition: &ast::Place) -> Diagnostic {
    Diagnostic::new(
        "this condition tells ranks apart in a way that is not followed for every number of ranks",
        condition.clone(),
    )
    .hint("comparisons of `me` with a number, or with `n` less a number, are")
}

/// The code of each role.
fn flows<'p>(program: &'p Program, roles: &Roles, bounds: Bounds) -> Vec<Flow<'p>> {
    let first = (0..roles.first).map(|rank| (Role::First(rank), rank));
    let last = (1..=roles.last).map(|rank| (Role::Last(rank), program.ranks - rank));
    let middle = std::iter::once((Role::Middle, roles.first));
    let all = first.chain(middle).chain(last);
    all.map(|(role, rank)| {
        let registers = program.registers.iter().enumerate().map(|(index, name)| {
            match roles.varying.contains(variable(name)) {
                true => Form::Unknown,
                false => Form::number(i64::from(program.first_registers[rank as usize][index])),
            }
        });
        let code = &program.codes[program.code_of_rank[rank as usize]];
        Flow::new(role, code, registers.collect(), bounds)
    })
    .collect()
}

/// The variable that a cell or a register is of: `a` for `a[1]`.
fn variable(name: &str) -> &str {
    name.split_once('[').map_or(name, |(variable, _)| variable)
}

/// What is at first where a load looks, if that is one number on all ranks.
fn value_at_first(program: &Program, roles: &Roles, load: &Access) -> Option<i64> {
    let mut cells = load.cells();
    let cell = usize::try_from(cells.next()?).ok()?;
    let is_one = cells.next().is_none() && !roles.varying.contains(variable(&program.cells[cell]));
    is_one.then(|| i64::from(program.first_cells[0][cell]))
}

/// Whether what is in memory at first may be what a load waits for.
fn may_end_at_first(program: &Program, roles: &Roles, flow: &Flow<'_>, load: &Access) -> bool {
    let step = load.at().1;
    let command = &flow.code().transitions[step].command;
    let (
        Command::Load {
            into,
            until: Some(until),
            ..
        },
        Some(registers),
    ) = (command, flow.before(step))
    else {
        return true;
    };
    let known = |register: Register| {
        let number = registers[register.0].as_number()?;
        u32::try_from(number).ok()
    };
    let mut is_known = !until.names_ranks();
    until.registers(&mut |register| is_known &= register == *into || known(register).is_some());
    let cells = || load.cells().filter_map(|cell| usize::try_from(cell).ok());
    is_known &= cells().all(|cell| !roles.varying.contains(variable(&program.cells[cell])));
    let ends = |first: u32| {
        let register = |register| match register == *into {
            true => first,
            false => known(register).unwrap_or(0),
        };
        until.value(0, 1, &register) != Ok(0)
    };
    !is_known || cells().any(|cell| ends(program.first_cells[0][cell]))
}
