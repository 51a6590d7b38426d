//! The walk over a program: everything stays as it is but calls.

use super::meaning;
use super::table::{Rule, Table, Value};
use super::translation::Translation;
use crate::ast::{Api, Call, Expression, Statement, StatementKind, Target};
use crate::diagnostic::{Diagnostic, closest};

impl Translation<'_> {
    pub(super) fn block(&mut self, statements: &[Statement]) -> Vec<Statement> {
        let mut result = Vec::new();
        for statement in statements {
            let kinds = match &statement.kind {
                // A call that was not parsed is where its statement is.
                StatementKind::Call { into, call } if call.name.place.0.is_empty() => {
                    let mut call = call.clone();
                    call.name.place = statement.place.clone();
                    let into = into.clone();
                    self.statement(&StatementKind::Call { into, call })
                }
                kind => self.statement(kind),
            };
            result.extend(kinds.into_iter().map(|kind| Statement {
                kind,
                place: statement.place.clone(),
            }));
        }
        result
    }

    fn statement(&mut self, kind: &StatementKind) -> Vec<StatementKind> {
        let one = |kind| vec![kind];
        match kind {
            StatementKind::Call { into, call } => self.call(call, into.as_ref()),
            StatementKind::Assign { into, value } => {
                let into = self.target(into);
                one(StatementKind::Assign {
                    into,
                    value: self.expression(value),
                })
            }
            StatementKind::Assume(condition) => one(StatementKind::Assume(self.expression(condition))),
            StatementKind::Assert(condition) => one(StatementKind::Assert(self.expression(condition))),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expression(condition);
                let then = self.block(then);
                one(StatementKind::If {
                    condition,
                    then,
                    otherwise: self.block(otherwise),
                })
            }
            StatementKind::While { condition, body } => {
                let condition = self.expression(condition);
                one(StatementKind::While {
                    condition,
                    body: self.block(body),
                })
            }
            StatementKind::Loop(body) => one(StatementKind::Loop(self.block(body))),
            StatementKind::Choice(ways) => one(StatementKind::Choice(
                ways.iter().map(|way| self.block(way)).collect(),
            )),
            StatementKind::Rank {
                ranks,
                body,
                otherwise,
            } => {
                let body = self.block(body);
                one(StatementKind::Rank {
                    ranks: ranks.clone(),
                    body,
                    otherwise: self.block(otherwise),
                })
            }
            StatementKind::Transfer {
                direction,
                local,
                rank,
                remote,
                queue,
                handle,
                after_earlier,
            } => one(StatementKind::Transfer {
                direction: *direction,
                local: self.target(local),
                rank: self.expression(rank),
                remote: self.target(remote),
                queue: self.target(queue),
                handle: handle.as_ref().map(|handle| self.target(handle)),
                after_earlier: *after_earlier,
            }),
            StatementKind::Atomic {
                operation,
                local,
                rank,
                remote,
                operands,
                queue,
                handle,
            } => one(StatementKind::Atomic {
                operation: *operation,
                local: local.as_ref().map(|local| self.target(local)),
                rank: self.expression(rank),
                remote: self.target(remote),
                operands: operands.iter().map(|operand| self.expression(operand)).collect(),
                queue: self.target(queue),
                handle: handle.as_ref().map(|handle| self.target(handle)),
            }),
            StatementKind::Wait { what, completion } => one(StatementKind::Wait {
                what: self.target(what),
                completion: *completion,
            }),
            StatementKind::Fence { queue, rank } => one(StatementKind::Fence {
                queue: self.target(queue),
                rank: rank.as_ref().map(|rank| self.expression(rank)),
            }),
            StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Goto(_)
            | StatementKind::Label(_)
            | StatementKind::Skip
            | StatementKind::Barrier => one(kind.clone()),
        }
    }

    fn call(&mut self, call: &Call, into: Option<&Target>) -> Vec<StatementKind> {
        let into = into.map(|into| self.target(into));
        let constant = self.constant(call);
        if let (Some(value), Some(into)) = (constant, &into) {
            return vec![StatementKind::Assign {
                into: into.clone(),
                value,
            }];
        }
        let Some(api) = self.api() else {
            self.unknown(call);
            return Vec::new();
        };
        let table = Table::of(api);
        let Some(rule) = table.rule(&call.name.text) else {
            self.unknown(call);
            return Vec::new();
        };
        let parameters = rule.parameters().len();
        if call.arguments.len() != parameters {
            self.error(
                Diagnostic::new(
                    format!(
                        "`{}` takes {} arguments, not {}",
                        call.name.text,
                        parameters,
                        call.arguments.len()
                    ),
                    call.name.place.clone(),
                )
                .hint(format!("write `{}`", rule.form())),
            );
            return Vec::new();
        }
        let call = Call {
            name: call.name.clone(),
            arguments: call
                .arguments
                .iter()
                .map(|argument| self.expression(argument))
                .collect(),
        };
        match meaning::statements(self, table, rule, &call, into.as_ref()) {
            Ok(statements) => statements,
            Err(error) => {
                let error = if error.hint.is_none() {
                    error.hint(format!("write `{}`", rule.form()))
                } else {
                    error
                };
                self.error(error);
                Vec::new()
            }
        }
    }

    fn target(&mut self, target: &Target) -> Target {
        match target {
            Target::Name(name) => Target::Name(name.clone()),
            Target::Element(name, index) => Target::Element(name.clone(), Box::new(self.expression(index))),
            Target::Memory(address, place) => {
                Target::Memory(Box::new(self.expression(address)), place.clone())
            }
        }
    }

    fn expression(&mut self, expression: &Expression) -> Expression {
        match expression {
            Expression::Number(..) | Expression::Me(_) | Expression::Ranks(_) => expression.clone(),
            Expression::Value(target) => Expression::Value(self.target(target)),
            Expression::Address(target) => Expression::Address(self.target(target)),
            Expression::Unary(operator, inner) => {
                Expression::Unary(*operator, Box::new(self.expression(inner)))
            }
            Expression::Binary(operator, left, right) => {
                let left = Box::new(self.expression(left));
                Expression::Binary(*operator, left, Box::new(self.expression(right)))
            }
            Expression::Call(call) => {
                if let Some(value) = self.constant(call) {
                    return value;
                }
                let place = call.name.place.clone();
                let known = self
                    .api()
                    .is_some_and(|api| Table::of(api).rule(&call.name.text).is_some());
                if known {
                    self.error(
                        Diagnostic::new(
                            format!("`{}` stands within an expression", call.name.text),
                            place.clone(),
                        )
                        .hint(format!(
                            "give its result to a register first: `r = {}(...)`",
                            call.name.text
                        )),
                    );
                } else {
                    self.unknown(call);
                }
                Expression::Number(0, place)
            }
        }
    }

    /// `me`, `n`, or a size: one element is the unit.
    fn constant(&self, call: &Call) -> Option<Expression> {
        let place = call.name.place.clone();
        if call.name.text == "sizeof" && call.arguments.len() == 1 && self.api().is_some() {
            return Some(Expression::Number(1, place));
        }
        let values = Table::of(self.api()?).values();
        let value = values.iter().find(|value| value.name() == call.name.text)?;
        let meaning = match value.expression() {
            Expression::Me(_) => Expression::Me(place),
            Expression::Ranks(_) => Expression::Ranks(place),
            other => other.clone(),
        };
        call.arguments.is_empty().then_some(meaning)
    }

    fn unknown(&mut self, call: &Call) {
        let name = &call.name.text;
        let names = |api| {
            let table = Table::of(api);
            let rules = table.rules().iter().map(Rule::name);
            rules.chain(table.values().iter().map(Value::name))
        };
        let hint = match self.api() {
            Some(api) => match closest(&Table::of(api).normal(name), names(api)) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!(
                    "the calls of {} are {}",
                    api.name(),
                    names(api).collect::<Vec<_>>().join(", ")
                ),
            },
            None => match Api::ALL
                .into_iter()
                .find(|&api| names(api).any(|known| known == Table::of(api).normal(name)))
            {
                Some(api) => format!("add the line `api {}`, or give `--api {0}`", api.name()),
                None => format!(
                    "choose an API with a line `api NAME`: {}",
                    Api::ALL.map(Api::name).join(", ")
                ),
            },
        };
        let what = self.api().map_or_else(
            || "no API is chosen".to_owned(),
            |api| format!("{} has none", api.name()),
        );
        self.error(
            Diagnostic::new(format!("unknown call `{name}`: {what}"), call.name.place.clone()).hint(hint),
        );
    }
}
