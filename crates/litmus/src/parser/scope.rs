//! The names of a test: variables with their owners, and the registers of a process.

use crate::ast::{Rank, RegisterId, Variable, VariableId};
use std::collections::HashMap;
use std::ops::Range;

/// The variables of a test, by name.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub(super) variables: Vec<Variable>,
    by_name: HashMap<&'a str, VariableId>,
    /// Names with a mistake in their declaration, and where that was reported.
    misdeclared: HashMap<&'a str, Range<usize>>,
    /// How many processes there are; not known before the body is read.
    pub(super) processes: u32,
}

impl<'a> Scope<'a> {
    /// `false` if there is one of that name already.
    pub(super) fn declare(&mut self, name: &'a str, variable: Variable) -> bool {
        let id = VariableId(self.variables.len() as u32);
        let new = self.by_name.insert(name, id).is_none();
        self.variables.push(variable);
        new
    }

    /// The declaration of `name` has a mistake at this place.
    pub(super) fn misdeclare(&mut self, name: &'a str, place: Range<usize>) {
        self.misdeclared.insert(name, place);
    }

    /// Where the mistake in the declaration of `name` was reported: what follows from it is no mistake of its own.
    pub(super) fn misdeclared(&self, name: &str) -> Option<Range<usize>> {
        self.misdeclared.get(name).cloned()
    }

    /// Where `variable` is declared, if its owner does not exist: that was reported there.
    pub(super) fn nowhere(&self, variable: VariableId) -> Option<Range<usize>> {
        let variable = self.variables.get(variable.0 as usize)?;
        (variable.owner.0 >= self.processes).then(|| variable.place.0.clone())
    }

    /// As hints say it.
    pub(super) fn known_processes(&self) -> String {
        match self.processes {
            0 | 1 => String::from("there is process 0 only"),
            more => format!("the processes are 0 to {}", more - 1),
        }
    }

    pub(super) fn variable(&self, name: &str) -> Option<VariableId> {
        self.by_name.get(name).copied()
    }

    pub(super) fn owner(&self, variable: VariableId) -> Rank {
        self.variables
            .get(variable.0 as usize)
            .map_or(Rank(0), |variable| variable.owner)
    }
}

/// The registers of a process in order of first use.
#[derive(Debug, Default)]
pub(super) struct Registers {
    pub(super) names: Vec<String>,
    by_name: HashMap<String, RegisterId>,
}

impl Registers {
    pub(super) fn get(&self, name: &str) -> Option<RegisterId> {
        self.by_name.get(name).copied()
    }

    pub(super) fn get_or_add(&mut self, name: &str) -> RegisterId {
        if let Some(known) = self.get(name) {
            return known;
        }
        let id = RegisterId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), id);
        id
    }
}
