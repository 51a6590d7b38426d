//! What a program uses each of its handles for. A wait of ARMCI means something else for puts than for gets.

use super::table::{Rule, Table};
use crate::ast::{Direction, Expression, Statement, StatementKind, Target};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// The handles that are given to calls which begin operations.
#[derive(Default)]
pub(super) struct Handles {
    used: BTreeMap<String, Use>,
}

#[derive(Default)]
struct Use {
    puts: bool,
    gets: bool,
}

impl Handles {
    /// Those of a program.
    pub(super) fn of(statements: &[Statement], table: &Table) -> Self {
        let mut handles = Self::default();
        handles.look(statements, table);
        handles
    }

    fn look(&mut self, statements: &[Statement], table: &Table) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Call { call, .. } => {
                    let begun = table.rule(&call.name.text).and_then(Rule::handle);
                    let Some((at, direction)) = begun else {
                        continue;
                    };
                    let Some(
                        Expression::Value(Target::Name(name) | Target::Element(name, _))
                        | Expression::Address(Target::Name(name) | Target::Element(name, _)),
                    ) = call.arguments.get(at)
                    else {
                        continue;
                    };
                    if name.text != "NULL" {
                        let used = self.used.entry(name.text.clone()).or_default();
                        match direction {
                            Direction::Write => used.puts = true,
                            Direction::Read => used.gets = true,
                        }
                    }
                }
                kind => kind
                    .blocks()
                    .into_iter()
                    .for_each(|block| self.look(block, table)),
            }
        }
    }

    /// The names of those that are given to gets, in alphabetical order.
    pub(super) fn of_gets(&self) -> Vec<String> {
        let gets = self.used.iter().filter(|(_, used)| used.gets);
        gets.map(|(name, _)| name.clone()).collect()
    }

    /// Which way the data of a handle's operations goes.
    ///
    /// # Errors
    /// Both ways, or a handle that nothing is given.
    pub(super) fn direction(&self, handle: &Target, table: &Table) -> Result<Direction, Diagnostic> {
        let name = match handle {
            Target::Name(name) | Target::Element(name, _) => name,
            Target::Memory(_, place) => return Err(Diagnostic::new("a handle is no memory", place.clone())),
        };
        match self.used.get(&name.text) {
            Some(Use {
                puts: true,
                gets: true,
            }) => Err(Diagnostic::new(
                format!("`{}` is the handle of puts and of gets", name.text),
                name.place.clone(),
            )
            .hint("a wait means something else for each; use two handles")),
            Some(Use { gets: true, .. }) => Ok(Direction::Read),
            Some(Use { puts: true, .. }) => Ok(Direction::Write),
            _ => {
                let rules = table.rules().iter().filter(|rule| rule.handle().is_some());
                let names: Vec<&str> = rules.map(Rule::name).collect();
                Err(Diagnostic::new(
                    format!("no operation has the handle `{}`", name.text),
                    name.place.clone(),
                )
                .hint(format!("give it to {}", names.join(" or "))))
            }
        }
    }
}
