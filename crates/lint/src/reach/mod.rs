//! Which one-sided and synchronising calls a program makes, by its code alone, and what keeps simulations from them.
//!
//! | what | file |
//! |---|---|
//! | the call sites of a program | here |
//! | calls through pointers, as far as they are known | `pointers` |
//! | who leads where: calls, references, what no way leads to | `graph` |
//! | ways out: code after which a program can only fail | `doom` |
//! | what ended a simulation, and the condition that led there | `stop` |
//! | what kept all simulations from a site | `why` |
//!
//! Promise: an instruction of the linked program that calls such a function by its name is a site, whether anything leads to it or
//! not. Limits: of calls through pointers, those are sites that take the pointer from a variable or field that such
//! a function is stored to; others become sites when a simulation makes them.

mod doom;
mod graph;
mod pointers;
mod role;
mod stop;
mod why;

pub(crate) use doom::doomed;
pub(crate) use graph::{Graph, ahead};
pub(crate) use role::Role;
pub(crate) use stop::{Cause, Stop, controlling};
pub(crate) use why::{Sightings, Words, reason};

use crate::fortran::table::c_name;
use crate::ir::{Action, Module, Operand};
use role::role;
use std::collections::HashMap;

/// Where an instruction stands: function, block, and its number in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Point {
    pub(crate) function: u32,
    pub(crate) block: u32,
    pub(crate) index: u32,
}

/// An instruction that makes a one-sided or synchronising call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallSite {
    pub(crate) at: Point,
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

impl Sites {
    /// Looks at all instructions.
    pub(crate) fn of(module: &Module) -> Self {
        let functions = module.functions.iter();
        let roles: Vec<Option<Role>> = functions
            .map(|function| role(operation(&function.name)))
            .collect();
        let targets = pointers::targets(module, &|function| roles[function as usize].is_some());
        let mut sites = Self {
            roles,
            ..Self::default()
        };
        for (at, callee) in calls(module) {
            let called = match callee {
                Operand::Function(function) => Some(*function),
                _ => targets.get(&at).copied(),
            };
            if let Some(called) = called
                && let Some(role) = sites.role(called)
                // What the program defines in the place of a function of MPI is not followed: its meaning is.
                && role_of_holder(module, at).is_none()
            {
                sites.by_point.insert(at, sites.all.len());
                sites.all.push(CallSite {
                    at,
                    operation: operation(&module.functions[called as usize].name).to_owned(),
                    role,
                });
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

/// The name of MPI's C binding for a function of it, in whatever language; any other name stays as it is.
fn operation(name: &str) -> &str {
    let profiled = name.strip_prefix('P').filter(|rest| rest.starts_with("MPI_"));
    c_name(name).unwrap_or(profiled.unwrap_or(name))
}

/// What calls of the function that holds an instruction do.
fn role_of_holder(module: &Module, at: Point) -> Option<Role> {
    let name = &module.functions[at.function as usize].name;
    role(name).filter(|_| name.starts_with("MPI_"))
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
