//! The names of a test: variables with their owners, and the registers of a process.

use crate::ast::{Rank, RegisterId, Variable, VariableId};
use std::collections::HashMap;

/// The variables of a test, by name.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub(super) variables: Vec<Variable>,
    by_name: HashMap<&'a str, VariableId>,
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
