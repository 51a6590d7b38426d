//! What stands for one call: its rule's meaning, with the call's arguments in it.

use super::polls::{self, Poll};
use super::table::{Declared, DeclaredKind, Parameter, ParameterKind, Rule, Size, Table};
use super::translation::{Translation, constant, element, known_name, made};
use crate::ast::{
    Call, Completion, DeclarationKind, Direction, Expression, Statement, StatementKind, Target,
};
use crate::calculus::Polls;
use crate::diagnostic::Diagnostic;

/// The statements that stand for a call whose arguments are as many as the rule has.
///
/// # Errors
/// Arguments that are not what the rule asks for, and a result that it does not give.
pub(super) fn statements(
    translation: &mut Translation<'_>,
    table: &Table,
    rule: &Rule,
    call: &Call,
    into: Option<&Target>,
) -> Result<Vec<StatementKind>, Diagnostic> {
    let mut scope = Scope {
        translation,
        table,
        rule,
        call,
        into,
        returned: None,
        written: Vec::new(),
    };
    scope.result()?;
    scope.words()?;
    scope.block(rule.body())?;
    Ok(scope.written)
}

/// A meaning that is being filled in.
struct Scope<'s, 'p> {
    translation: &'s mut Translation<'p>,
    table: &'s Table,
    rule: &'s Rule,
    call: &'s Call,
    into: Option<&'s Target>,
    /// The handle that the call returns.
    returned: Option<Target>,
    written: Vec<StatementKind>,
}

impl<'s> Scope<'s, '_> {
    /// Looks at what the call's result is given to.
    fn result(&mut self) -> Result<(), Diagnostic> {
        let name = &self.call.name;
        match (self.rule.result(), self.into) {
            (None, None) => Ok(()),
            (None, Some(into)) => Err(Diagnostic::new(
                format!("`{}` has no result", name.text),
                into.place().clone(),
            )),
            (Some(result), into) if result.kind() == ParameterKind::Handle => {
                let lost = || {
                    Diagnostic::new(
                        format!("the handle of `{}` is lost", name.text),
                        name.place.clone(),
                    )
                };
                let handle = self.translation.handle_target(into.ok_or_else(lost)?)?;
                self.returned = Some(handle.ok_or_else(lost)?);
                Ok(())
            }
            (Some(_), _) => Ok(()),
        }
    }

    /// Looks at the words among the arguments.
    fn words(&self) -> Result<(), Diagnostic> {
        for (parameter, argument) in self.rule.parameters().iter().zip(&self.call.arguments) {
            if parameter.kind() == ParameterKind::Word {
                self.chosen(parameter, argument)?;
            }
        }
        Ok(())
    }

    /// The word that is given for a parameter.
    fn chosen(&self, parameter: &Parameter, argument: &Expression) -> Result<&'s str, Diagnostic> {
        let given = match argument {
            Expression::Value(Target::Name(name)) => name.text.as_str(),
            _ => "",
        };
        let Some(wanted) = self.table.word(parameter.name()) else {
            let name = self.parameter_name(parameter);
            return if given == name {
                Ok(name)
            } else {
                Err(
                    Diagnostic::new(format!("only `{name}` is translated here"), argument.place())
                        .hint(format!("write `{name}`")),
                )
            };
        };
        match self.table.word(given) {
            Some(word) if word.kind() == wanted.kind() => Ok(word.name()),
            _ => {
                let words = self.table.words().iter();
                let of_kind = words.filter(|word| word.kind() == wanted.kind());
                let names: Vec<&str> = of_kind.map(|word| word.name()).collect();
                Err(
                    Diagnostic::new(format!("no such {}", wanted.kind()), argument.place())
                        .hint(format!("one of {}", names.join(", "))),
                )
            }
        }
    }

    /// The parameter's name, for as long as the rule lives.
    fn parameter_name(&self, parameter: &Parameter) -> &'s str {
        let mut parameters = self.rule.parameters().iter();
        parameters
            .find(|own| own.name() == parameter.name())
            .map_or("", Parameter::name)
    }

    fn parameter(&self, name: &str) -> Option<(&'s Parameter, &'s Expression)> {
        let mut parameters = self.rule.parameters().iter().zip(&self.call.arguments);
        parameters.find(|(parameter, _)| parameter.name() == name)
    }

    fn block(&mut self, body: &[Statement]) -> Result<(), Diagnostic> {
        body.iter()
            .try_for_each(|statement| self.statement(&statement.kind))
    }

    fn statement(&mut self, kind: &StatementKind) -> Result<(), Diagnostic> {
        let statement = match kind {
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.holds(condition)?;
                return self.block(if holds { then } else { otherwise });
            }
            StatementKind::Call { into: None, call } => return self.inner_call(call),
            StatementKind::Call {
                into: Some(into),
                call,
            } => {
                let value = Expression::Call(Box::new(call.clone()));
                return self.statement(&StatementKind::Assign {
                    into: into.clone(),
                    value,
                });
            }
            StatementKind::Transfer { .. } => return self.transfer(kind),
            StatementKind::Assign { into, value } if self.is_result(into) => {
                let value = self.expression(value)?;
                let Some(into) = self.into else {
                    return Ok(());
                };
                StatementKind::Assign {
                    into: into.clone(),
                    value,
                }
            }
            StatementKind::Assign { into, value } => {
                let into = self.target(into)?;
                let value = self.expression(value)?;
                StatementKind::Assign { into, value }
            }
            StatementKind::While { condition, .. } => StatementKind::While {
                condition: self.expression(condition)?,
                body: Vec::new(),
            },
            StatementKind::Atomic {
                operation,
                local,
                rank,
                remote,
                operands,
                queue,
                handle,
            } => {
                let queue = self.target(queue)?;
                let local = local.as_ref().map(|local| self.target(local)).transpose()?;
                let remote = self.target(remote)?;
                let operands: Result<_, _> =
                    operands.iter().map(|operand| self.expression(operand)).collect();
                StatementKind::Atomic {
                    operation: *operation,
                    local,
                    rank: self.expression(rank)?,
                    remote,
                    operands: operands?,
                    queue,
                    handle: handle.as_ref().map(|handle| self.target(handle)).transpose()?,
                }
            }
            StatementKind::Wait { what, completion } => StatementKind::Wait {
                what: self.target(what)?,
                completion: *completion,
            },
            StatementKind::Fence { queue, rank } => StatementKind::Fence {
                queue: self.target(queue)?,
                rank: rank.as_ref().map(|rank| self.expression(rank)).transpose()?,
            },
            StatementKind::Barrier => StatementKind::Barrier,
            _ => return Err(self.unfit("a statement that no meaning has")),
        };
        self.written.push(statement);
        Ok(())
    }

    /// One transfer, or one for each element.
    fn transfer(&mut self, kind: &StatementKind) -> Result<(), Diagnostic> {
        let StatementKind::Transfer {
            direction,
            local,
            rank,
            remote,
            queue,
            handle,
            after_earlier,
        } = kind
        else {
            return Err(self.unfit("no transfer"));
        };
        let queue = self.target(queue)?;
        let handle = match handle {
            Some(handle) => self.handle(handle)?,
            None => None,
        };
        let of_arguments = self.is_argument(local) && self.is_argument(remote);
        let (local, remote) = (self.target(local)?, self.target(remote)?);
        let elements = match self.elements() {
            Some(count) if of_arguments => self.translation.count(count)?,
            _ => 1,
        };
        let rank = self.expression(rank)?;
        for at in 0..elements {
            self.written.push(StatementKind::Transfer {
                direction: *direction,
                local: element(&local, at)?,
                rank: rank.clone(),
                remote: element(&remote, at)?,
                queue: queue.clone(),
                handle: handle.clone(),
                after_earlier: *after_earlier,
            });
        }
        Ok(())
    }

    /// The argument that is a number of elements.
    fn elements(&self) -> Option<&'s Expression> {
        let mut parameters = self.rule.parameters().iter().zip(&self.call.arguments);
        let (_, argument) = parameters.find(|(parameter, _)| parameter.kind() == ParameterKind::Elements)?;
        Some(argument)
    }

    fn is_argument(&self, target: &Target) -> bool {
        matches!(target, Target::Name(name) | Target::Element(name, _) if self.parameter(&name.text).is_some())
    }

    fn is_result(&self, target: &Target) -> bool {
        let result = self.rule.result();
        matches!(target, Target::Name(name) if result.is_some_and(|result| result.name() == name.text))
    }

    /// The handle of a transfer; `None` for `NULL`.
    fn handle(&mut self, handle: &Target) -> Result<Option<Target>, Diagnostic> {
        if let Target::Name(name) = handle
            && let Some((_, argument)) = self.parameter(&name.text)
        {
            return self.translation.handle(argument);
        }
        self.target(handle).map(Some)
    }

    /// What is decided by the arguments.
    fn holds(&mut self, condition: &Expression) -> Result<bool, Diagnostic> {
        let Expression::Call(question) = condition else {
            return Err(self.unfit("a condition that is no question"));
        };
        let [Expression::Value(Target::Name(about))] = &question.arguments[..] else {
            return Err(self.unfit("a question that is not about one argument"));
        };
        let Some((parameter, argument)) = self.parameter(&about.text) else {
            return Err(self.unfit("a question about no argument"));
        };
        match question.name.text.as_str() {
            "known" => Ok(known_name(argument).is_some()),
            "single" => Ok(self.translation.count(argument)? == 1),
            "given" => Ok(self.translation.handle(argument)?.is_some()),
            "is" => Ok(self.chosen(parameter, argument)? == about.text),
            "of_puts" => {
                let handle = self.waited(argument)?;
                Ok(self.translation.direction(&handle)? == Direction::Write)
            }
            _ => Err(self.unfit("an unknown question")),
        }
    }

    /// A handle to wait for.
    fn waited(&mut self, argument: &Expression) -> Result<Target, Diagnostic> {
        let missing = || Diagnostic::new("there is no handle to wait for", argument.place());
        self.translation.handle(argument)?.ok_or_else(missing)
    }

    /// What the language of the files has beside statements; else another call.
    fn inner_call(&mut self, inner: &Call) -> Result<(), Diagnostic> {
        match (inner.name.text.as_str(), &inner.arguments[..]) {
            ("wait_handles_of_gets", []) => {
                let place = &self.call.name.place;
                let names = self.translation.handles_of_gets();
                self.written.extend(names.iter().map(|name| StatementKind::Wait {
                    what: Target::Name(made(name, place)),
                    completion: Completion::Full,
                }));
                Ok(())
            }
            (
                "wait_for_some",
                [
                    Expression::Value(Target::Element(cells, first)),
                    count,
                    Expression::Value(found),
                    Expression::Value(Target::Name(seen)),
                ],
            ) => self.wait_for_some(&cells.text, first, count, found, &seen.text),
            _ => {
                let Some(rule) = self.table.rule(&inner.name.text) else {
                    return Err(self.unfit("an unknown call"));
                };
                let call = Call {
                    name: made(&inner.name.text, &self.call.name.place),
                    arguments: inner
                        .arguments
                        .iter()
                        .map(|argument| self.argument(argument))
                        .collect(),
                };
                let written = statements(self.translation, self.table, rule, &call, None)?;
                self.written.extend(written);
                Ok(())
            }
        }
    }

    fn wait_for_some(
        &mut self,
        cells: &str,
        first: &Expression,
        count: &Expression,
        found: &Target,
        seen: &str,
    ) -> Result<(), Diagnostic> {
        let (first, count) = (self.argument(first), self.argument(count));
        let (count, found) = (self.translation.count(&count)?, self.target(found)?);
        let place = self.call.name.place.clone();
        let mut polls = Vec::new();
        for at in 0..count {
            let index = super::translation::plus(first.clone(), Expression::Number(at, first.place()));
            let cell = self.cell_of_argument(cells, &index)?;
            let name = format!("{seen}_{at}");
            let seen = self
                .translation
                .declare(&name, DeclarationKind::Register(None), None, &place);
            polls.push(Poll::new(index, cell, seen));
        }
        let statements = match self.translation.polls() {
            Polls::Awaited => polls::any(&polls, &found, &place),
            Polls::Observed => polls::first(&polls, &found, &place),
        };
        self.written.extend(statements);
        Ok(())
    }

    /// An argument for another call: as it was given to this one.
    fn argument(&self, expression: &Expression) -> Expression {
        if let Expression::Value(Target::Name(name)) = expression
            && let Some((_, argument)) = self.parameter(&name.text)
        {
            return argument.clone();
        }
        expression.clone()
    }

    fn expression(&mut self, expression: &Expression) -> Result<Expression, Diagnostic> {
        let place = self.call.name.place.clone();
        Ok(match expression {
            Expression::Number(value, _) => Expression::Number(*value, place),
            Expression::Me(_) => Expression::Me(place),
            Expression::Ranks(_) => Expression::Ranks(place),
            Expression::Value(target) => {
                if let Target::Name(name) = target
                    && let Some((parameter, argument)) = self.parameter(&name.text)
                    && parameter.kind() == ParameterKind::Value
                {
                    return Ok(argument.clone());
                }
                Expression::Value(self.target(target)?)
            }
            Expression::Unary(operator, inner) => {
                Expression::Unary(*operator, Box::new(self.expression(inner)?))
            }
            Expression::Binary(operator, left, right) => {
                let left = Box::new(self.expression(left)?);
                Expression::Binary(*operator, left, Box::new(self.expression(right)?))
            }
            Expression::Call(call) => return self.operation(call),
            Expression::Address(_) => return Err(self.unfit("an address")),
        })
    }

    /// What the word that is given makes of its operands.
    fn operation(&mut self, call: &Call) -> Result<Expression, Diagnostic> {
        let Some((parameter, argument)) = self.parameter(&call.name.text) else {
            return Err(self.unfit("an operation that is no word"));
        };
        let chosen = self.chosen(parameter, argument)?;
        let Some((names, result)) = self.table.word(chosen).and_then(|word| word.operation()) else {
            return Err(self.unfit("a word without an operation"));
        };
        let operands: Result<Vec<_>, _> = call
            .arguments
            .iter()
            .map(|operand| self.expression(operand))
            .collect();
        Ok(replace(result, names, &operands?))
    }

    fn target(&mut self, target: &Target) -> Result<Target, Diagnostic> {
        match target {
            Target::Name(name) => {
                if self.is_result(target)
                    && let Some(handle) = &self.returned
                {
                    return Ok(handle.clone());
                }
                if let Some((parameter, argument)) = self.parameter(&name.text) {
                    return match parameter.kind() {
                        ParameterKind::Memory => self.translation.memory(argument),
                        ParameterKind::Handle => self.waited(argument),
                        ParameterKind::Result => out(argument),
                        _ => Err(self.unfit("an argument that is no place")),
                    };
                }
                let Some(declared) = self.table.declared(&name.text) else {
                    return Err(self.unfit("an unknown name"));
                };
                Ok(self.whole(declared))
            }
            Target::Element(name, index) => {
                if let Some((_, argument)) = self.parameter(&name.text) {
                    return self.translation.segment(argument, &self.argument(index));
                }
                let index = self.argument(index);
                match self.table.declared(&name.text) {
                    Some(declared) => self.one_of(declared, index),
                    None => self.cell_of_argument(&name.text, &index),
                }
            }
            Target::Memory(..) => Err(self.unfit("memory by its address")),
        }
    }

    /// A declared name; an array as a whole. A cell that holds a result is of the variable that gets it, and one that
    /// holds a value of the memory that does: what is held for one says nothing of another.
    fn whole(&mut self, declared: &Declared) -> Target {
        let count = (declared.size() == Size::Ranks).then(|| self.translation.ranks());
        let name = match (declared.kind(), declared.size(), self.receiver()) {
            (DeclaredKind::Shared, Size::One, Some(receiver)) => format!("{}_{receiver}", declared.name()),
            _ => declared.name().to_owned(),
        };
        self.add(&name, declared.kind(), count)
    }

    /// The name of the variable that gets the call's result, or else of the first memory that it names.
    fn receiver(&self) -> Option<String> {
        let of = |kind: ParameterKind| {
            let parameters = self.rule.parameters().iter().zip(&self.call.arguments);
            let mut given = parameters.filter(move |(parameter, _)| parameter.kind() == kind);
            given.find_map(|(_, argument)| out(argument).ok())
        };
        let result = self.into.cloned().or_else(|| of(ParameterKind::Result));
        match result.or_else(|| of(ParameterKind::Memory))? {
            Target::Name(name) | Target::Element(name, _) => Some(name.text),
            Target::Memory(..) => None,
        }
    }

    /// One of a declared array.
    fn one_of(&mut self, declared: &Declared, index: Expression) -> Result<Target, Diagnostic> {
        match declared.size() {
            Size::One => {
                // The cell that holds a value from the start.
                let Some(suffix) = known_name(&index) else {
                    return Err(self.unfit("a cell of a value that is not known"));
                };
                let name = format!("{}_{suffix}", declared.name());
                let place = self.call.name.place.clone();
                let kind = DeclarationKind::Shared(vec![index]);
                Ok(self.translation.declare(&name, kind, None, &place))
            }
            Size::Ranks => {
                let ranks = self.translation.ranks();
                self.add(declared.name(), declared.kind(), Some(ranks));
                Ok(Target::Element(
                    made(declared.name(), &self.call.name.place),
                    Box::new(index),
                ))
            }
            Size::Numbers(numbers) => self.numbered(declared, numbers, index),
        }
    }

    /// One of an array by its number. A program that declares its queues gives one of them in place of a number, and
    /// what belongs to it has its name: `q`, `q_reads`.
    fn numbered(
        &mut self,
        declared: &Declared,
        numbers: u32,
        number: Expression,
    ) -> Result<Target, Diagnostic> {
        if let Expression::Value(own) = &number {
            if self.table.is_first_of_numbered_queues(declared) {
                return Ok(own.clone());
            }
            let suffix = declared.name().find('_').map_or("", |at| &declared.name()[at..]);
            return match own {
                Target::Element(name, index) => {
                    let count = self.translation.count_of(name).unwrap_or(1);
                    let name = format!("{}{suffix}", name.text);
                    self.add(&name, declared.kind(), Some(count));
                    Ok(Target::Element(made(&name, &self.call.name.place), index.clone()))
                }
                Target::Name(name) => Ok(self.add(&format!("{}{suffix}", name.text), declared.kind(), None)),
                Target::Memory(_, place) => Err(Diagnostic::new("a queue is no memory", place.clone())),
            };
        }
        let Some(count) = number_of(&number, "queue", numbers)? else {
            return Err(Diagnostic::new(
                "the number of the queue is not known before the run",
                number.place(),
            )
            .hint("declare `queue q[COUNT]` and write `q[e]`"));
        };
        self.add(declared.name(), declared.kind(), Some(count));
        Ok(Target::Element(
            made(declared.name(), &self.call.name.place),
            Box::new(number),
        ))
    }

    /// A cell of the array that belongs to a variable: `segment_notify[id]` is `x_notify[id]` for the segment `x`. If
    /// the number is not known, there are as many as processes.
    fn cell_of_argument(&mut self, name: &str, index: &Expression) -> Result<Target, Diagnostic> {
        let parameters = self.rule.parameters().iter().zip(&self.call.arguments);
        let mut found = parameters.filter_map(|(parameter, argument)| {
            let suffix = name.strip_prefix(parameter.name())?;
            Some((argument, self.table.declared(suffix)?))
        });
        let Some((variable, declared)) = found.next() else {
            return Err(self.unfit("an unknown array"));
        };
        let (Target::Name(owner) | Target::Element(owner, _)) = self.translation.memory(variable)? else {
            return Err(Diagnostic::new(
                "a segment is a shared variable",
                variable.place(),
            ));
        };
        let Size::Numbers(numbers) = declared.size() else {
            return Err(self.unfit("no numbered array"));
        };
        let count = number_of(index, "notification", numbers)?;
        let count = count.unwrap_or_else(|| self.translation.ranks());
        let name = format!("{}{}", owner.text, declared.name());
        self.add(&name, declared.kind(), Some(count));
        Ok(Target::Element(
            made(&name, &self.call.name.place),
            Box::new(index.clone()),
        ))
    }

    fn add(&mut self, name: &str, kind: DeclaredKind, count: Option<u32>) -> Target {
        let kind = match kind {
            DeclaredKind::Queue(order) => DeclarationKind::Queue(Some(order)),
            DeclaredKind::Handle => DeclarationKind::Handle,
            DeclaredKind::Shared => DeclarationKind::Shared(Vec::new()),
            DeclaredKind::Register => DeclarationKind::Register(None),
        };
        let place = self.call.name.place.clone();
        self.translation.declare(name, kind, count, &place)
    }

    /// The file says what this module does not know. Tests translate each call of each file, so no program sees it.
    fn unfit(&self, what: &str) -> Diagnostic {
        Diagnostic::new(
            format!("the meaning of `{}` has {what}", self.rule.name()),
            self.call.name.place.clone(),
        )
    }
}

/// How many there are at least of what has this number, if it is known before the run.
fn number_of(number: &Expression, what: &str, numbers: u32) -> Result<Option<u32>, Diagnostic> {
    let Some(value) = constant(number) else {
        return Ok(None);
    };
    match u32::try_from(value) {
        Ok(value) if value < numbers => Ok(Some(value + 1)),
        _ => Err(Diagnostic::new(
            format!("{what} {value}; the numbers go from 0 to {}", numbers - 1),
            number.place(),
        )),
    }
}

/// Where a result goes: `&r`, `&x`.
fn out(argument: &Expression) -> Result<Target, Diagnostic> {
    match argument {
        Expression::Address(target) | Expression::Value(target) => Ok(target.clone()),
        _ => Err(Diagnostic::new("an address is missing here", argument.place())),
    }
}

/// The expression with values in place of names.
fn replace(expression: &Expression, names: &[String], values: &[Expression]) -> Expression {
    match expression {
        Expression::Value(Target::Name(name)) => {
            let at = names.iter().position(|known| *known == name.text);
            at.and_then(|at| values.get(at)).unwrap_or(expression).clone()
        }
        Expression::Unary(operator, inner) => {
            Expression::Unary(*operator, Box::new(replace(inner, names, values)))
        }
        Expression::Binary(operator, left, right) => Expression::Binary(
            *operator,
            Box::new(replace(left, names, values)),
            Box::new(replace(right, names, values)),
        ),
        _ => expression.clone(),
    }
}
