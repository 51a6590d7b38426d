//! Calls on a context: what the calls without one do, in queues that the context has of its own.

use super::{Parameter, ParameterKind, Rule, Table};
use crate::ast::{Expression, Name, Place, Statement, StatementKind, Target};

/// A parameter that is a context, and the queues that each context has of its own.
pub(super) struct Context {
    parameter: String,
    queues: Vec<String>,
    source: String,
}

impl Context {
    pub(super) fn new(parameter: String, queues: Vec<String>, source: String) -> Self {
        Self {
            parameter,
            queues,
            source,
        }
    }

    /// Adds the form of a call that names a context, and its other names; false if there is no such call.
    pub(super) fn add(&self, call: &str, table: &mut Table) -> bool {
        let Some(rule) = table.rules.iter().find(|rule| rule.name == call) else {
            return false;
        };
        let rule = self.rule(rule);
        let names = table.same.iter().find(|(main, _)| main == call);
        if let Some(others) = names.map(|(_, others)| others.iter().map(|name| self.named(name)).collect()) {
            table.same.push((rule.name.clone(), others));
        }
        table.put(rule);
        true
    }

    /// `shmem_put` is `shmem_ctx_put`.
    fn named(&self, name: &str) -> String {
        match name.split_once('_') {
            Some((library, call)) => format!("{library}_{}_{call}", self.parameter),
            None => name.to_owned(),
        }
    }

    fn rule(&self, rule: &Rule) -> Rule {
        let name = self.named(&rule.name);
        let close = if rule.parameters.is_empty() { "" } else { ", " };
        let begin = format!("{}(", rule.name);
        let form = rule
            .form
            .replace(&begin, &format!("{name}({}{close}", self.parameter));
        let meaning = self.queues.iter().fold(rule.meaning.clone(), |meaning, queue| {
            let own = format!("{}[{}]", self.named(queue), self.parameter);
            meaning.replace(queue, &own)
        });
        let context = Parameter {
            name: self.parameter.clone(),
            kind: ParameterKind::Value,
        };
        Rule {
            source: format!("{}, as {}", self.source, rule.name),
            name,
            form,
            meaning,
            result: rule.result.clone(),
            parameters: [context]
                .into_iter()
                .chain(rule.parameters.iter().cloned())
                .collect(),
            body: self.block(&rule.body),
        }
    }

    fn block(&self, block: &[Statement]) -> Vec<Statement> {
        let mut block = block.to_vec();
        block.iter_mut().for_each(|statement| self.statement(statement));
        block
    }

    fn statement(&self, statement: &mut Statement) {
        match &mut statement.kind {
            StatementKind::Transfer { queue, .. }
            | StatementKind::Atomic { queue, .. }
            | StatementKind::Fence { queue, .. }
            | StatementKind::Wait { what: queue, .. } => self.queue(queue),
            StatementKind::If { then, otherwise, .. } => {
                *then = self.block(then);
                *otherwise = self.block(otherwise);
            }
            _ => {}
        }
    }

    fn queue(&self, queue: &mut Target) {
        if let Target::Name(name) = queue
            && self.queues.contains(&name.text)
        {
            let named = |text: String| Name {
                text,
                place: Place::default(),
            };
            let context = Expression::Value(Target::Name(named(self.parameter.clone())));
            *queue = Target::Element(named(self.named(&name.text)), Box::new(context));
        }
    }
}
