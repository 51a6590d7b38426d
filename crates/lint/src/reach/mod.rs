//! Which one-sided and synchronising calls a program makes, by its code alone, and what keeps simulations from them.
//!
//! | what | file |
//! |---|---|
//! | the call sites of a program | here |
//! | calls through pointers, as far as they are known | `pointers` |
//! | who leads where: calls, references, what no way leads to | `graph` |
//! | whether the number of processes is computed with | `number` |
//! | ways out: code after which a program can only fail | `doom` |
//! | what ended a simulation, and the condition that led there | `stop` |
//! | what kept all simulations from a site | `why` |
//!
//! Promise: an instruction of the linked program that calls such a function by its name is a site, whether anything
//! leads to it or not. The compiler's copies of a function have one site for one place of the text, as those of a
//! coroutine have. Limits: of calls through pointers, those are sites that take the pointer from a variable or
//! field that such a function is stored to; others become sites when a simulation makes them.

mod doom;
mod graph;
mod number;
mod pointers;
mod role;
mod stop;
mod why;

pub(crate) use doom::doomed;
pub(crate) use graph::{Graph, ahead};
pub(crate) use number::computes_with_number;
pub(crate) use role::Role;
pub(crate) use stop::{Cause, Stop, controlling};
pub(crate) use why::{Sightings, Words, reason};

use crate::external::{External, without_p};
use crate::ir::{Action, Module, Operand};
use role::role;
use rustc_hash::FxHashMap as HashMap;

/// Where an instruction stands: function, block, and its number in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Point {
    pub(crate) function: u32,
    pub(crate) block: u32,
    pub(crate) index: u32,
}

/// A place of the text that makes a one-sided or synchronising call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallSite {
    /// Its instruction in the first function that has it.
    pub(crate) at: Point,
    /// The same in copies of that function.
    copies: Vec<Point>,
    /// The name of the C binding.
    pub(crate) operation: String,
    pub(crate) role: Role,
}

/// The sites of a program.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    all: Vec<CallSite>,
    by_point: HashMap<Point, usize>,
    /// By function: what a call of it does.
    roles: Vec<Option<Role>>,
}

impl CallSite {
    /// All its instructions.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> {
        std::iter::once(self.at).chain(self.copies.iter().copied())
    }
}

impl Sites {
    /// Looks at all instructions.
    pub(crate) fn of(module: &Module, externals: &[External]) -> Self {
        let roles: Vec<Option<Role>> = externals.iter().map(|external| role(*external)).collect();
        let targets = pointers::targets(module, &|function| roles[function as usize].is_some());
        let mut sites = Self {
            roles,
            ..Self::default()
        };
        let mut texts = Texts::default();
        for (at, callee) in calls(module) {
            let called = match callee {
                Operand::Function(function) => Some(*function),
                _ => targets.get(&at).copied(),
            };
            if let Some(called) = called
                && let Some(role) = sites.role(called)
                // What the program defines in the place of a function of MPI is not followed: its meaning is.
                && !(sites.role(at.function).is_some() && is_named_as_in_c(module, at.function))
            {
                let operation = match externals[called as usize] {
                    External::Fortran(Some(procedure)) => procedure.procedure().name().to_owned(),
                    _ => without_p(&module.functions[called as usize].name).to_owned(),
                };
                let number = texts.number(module, at, &operation, sites.all.len());
                sites.by_point.insert(at, number);
                match sites.all.get_mut(number) {
                    Some(site) => site.copies.push(at),
                    None => sites.all.push(CallSite {
                        at,
                        copies: Vec::new(),
                        operation,
                        role,
                    }),
                }
            }
        }
        sites
    }

    /// All sites, by their numbers.
    pub(crate) fn all(&self) -> &[CallSite] {
        &self.all
    }

    /// The number of the site at an instruction.
    pub(crate) fn at(&self, point: Point) -> Option<usize> {
        self.by_point.get(&point).copied()
    }

    /// What a call of a function does.
    pub(crate) fn role(&self, function: u32) -> Option<Role> {
        self.roles.get(function as usize).copied().flatten()
    }
}

/// File, line and column.
type Line<'m> = (&'m str, u32, u32);

/// Where calls stand in the text, and which sites they are.
#[derive(Default)]
struct Texts<'m> {
    /// By function without the ending of a copy, place, call, and how many others stand there in its function.
    known: HashMap<(&'m str, Line<'m>, String, u32), usize>,
    /// By function, place and call: how many stand there.
    here: HashMap<(u32, Line<'m>, String), u32>,
}

impl<'m> Texts<'m> {
    /// The number of the site that a call belongs to; `new` if it is none of those that are known.
    fn number(&mut self, module: &'m Module, at: Point, operation: &str, new: usize) -> usize {
        let code = &module.functions[at.function as usize];
        let place = code.blocks[at.block as usize].instructions[at.index as usize].place;
        let place = module.places.get(place as usize).filter(|place| place.line > 0);
        let name = code.name.split('.').next().unwrap_or_default();
        let Some(place) = place.filter(|_| !name.is_empty()) else {
            return new;
        };
        let place = (place.file.as_str(), place.line, place.column);
        let others = self
            .here
            .entry((at.function, place, operation.to_owned()))
            .or_default();
        let key = (name, place, operation.to_owned(), *others);
        *others += 1;
        *self.known.entry(key).or_insert(new)
    }
}

/// Whether a function has a name of MPI's C binding, and not its profiling one.
fn is_named_as_in_c(module: &Module, function: u32) -> bool {
    module.functions[function as usize].name.starts_with("MPI_")
}

/// All calls of a program, with what they call.
fn calls(module: &Module) -> impl Iterator<Item = (Point, &Operand)> {
    (0..).zip(&module.functions).flat_map(|(function, code)| {
        (0..).zip(&code.blocks).flat_map(move |(block, code)| {
            (0..)
                .zip(&code.instructions)
                .filter_map(move |(index, instruction)| {
                    let Action::Call { callee, .. } = &instruction.action else {
                        return None;
                    };
                    let at = Point {
                        function,
                        block,
                        index,
                    };
                    Some((at, callee))
                })
        })
    })
}
