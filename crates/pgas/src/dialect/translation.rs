//! What meanings are filled in with: memory, queues and cells of a program, and what is added to them.

use super::handles::Handles;
use super::table::Table;
use crate::ast::{
    Api, BinaryOperator, Declaration, DeclarationKind, Direction, Expression, Name, Order, Place, Program,
    Target,
};
use crate::calculus::Polls;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// Most elements of one transfer.
const MAX_ELEMENTS: i64 = 512;

/// The state of one translation.
pub(crate) struct Translation<'p> {
    api: Option<Api>,
    ranks: u32,
    polls: Polls,
    declared: BTreeMap<&'p str, &'p Declaration>,
    added: BTreeMap<String, Declaration>,
    errors: Vec<Diagnostic>,
    handles: Handles,
}

impl<'p> Translation<'p> {
    pub(super) fn new(program: &'p Program, api: Option<Api>, ranks: u32, polls: Polls) -> Self {
        let declared = program
            .declarations
            .iter()
            .map(|d| (d.name.text.as_str(), d))
            .collect();
        let handles = api.map_or_else(Handles::default, |api| Handles::of(&program.body, Table::of(api)));
        Self {
            api,
            ranks,
            polls,
            declared,
            added: BTreeMap::new(),
            errors: Vec::new(),
            handles,
        }
    }

    pub(super) fn api(&self) -> Option<Api> {
        self.api
    }

    pub(super) fn ranks(&self) -> u32 {
        self.ranks
    }

    pub(super) fn polls(&self) -> Polls {
        self.polls
    }

    pub(super) fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// The program's declarations and those of the translation.
    pub(super) fn finish(self, program: &Program) -> Result<Vec<Declaration>, Vec<Diagnostic>> {
        let mut errors = self.errors;
        for name in self.added.keys() {
            if let Some(taken) = self.declared.get(name.as_str()) {
                errors.push(
                    Diagnostic::new(
                        format!("`{name}` is the name of what a call stands for"),
                        taken.name.place.clone(),
                    )
                    .hint("choose another name"),
                );
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let own_order = self.api.map_or(Order::Ordered, |api| Table::of(api).own_order());
        let mut declarations = program.declarations.clone();
        for declaration in &mut declarations {
            if let DeclarationKind::Queue(order @ None) = &mut declaration.kind {
                *order = Some(own_order);
            }
        }
        declarations.extend(self.added.into_values());
        Ok(declarations)
    }

    /// Adds a declaration, of at least `count` of them.
    pub(super) fn declare(
        &mut self,
        name: &str,
        kind: DeclarationKind,
        count: Option<u32>,
        place: &Place,
    ) -> Target {
        let declaration = self.added.entry(name.to_owned()).or_insert_with(|| Declaration {
            name: made(name, place),
            kind,
            count,
        });
        declaration.count = declaration.count.max(count);
        Target::Name(made(name, place))
    }

    /// The handles that the program gives to gets.
    pub(super) fn handles_of_gets(&self) -> Vec<String> {
        self.handles.of_gets()
    }

    /// Which way the data of a handle's operations goes.
    pub(super) fn direction(&self, handle: &Target) -> Result<Direction, Diagnostic> {
        match self.api {
            Some(api) => self.handles.direction(handle, Table::of(api)),
            None => Err(Diagnostic::new("no API is chosen", handle.place().clone())),
        }
    }

    /// How many elements a declared array has.
    pub(super) fn count_of(&self, name: &Name) -> Option<u32> {
        self.declared.get(name.text.as_str())?.count
    }

    /// A handle argument: `h`, `&h`, `h[i]`; declared by its use, if not before. `None` for `NULL`.
    pub(super) fn handle(&mut self, argument: &Expression) -> Result<Option<Target>, Diagnostic> {
        let (Expression::Value(target) | Expression::Address(target)) = argument else {
            return Err(Diagnostic::new("a handle is missing here", argument.place()));
        };
        self.handle_target(target)
    }

    /// The same, for what a call returns.
    pub(super) fn handle_target(&mut self, target: &Target) -> Result<Option<Target>, Diagnostic> {
        let name = match target {
            Target::Name(name) if name.text == "NULL" => return Ok(None),
            Target::Name(name) | Target::Element(name, _) => name,
            Target::Memory(_, place) => return Err(Diagnostic::new("a handle is no memory", place.clone())),
        };
        match self
            .declared
            .get(name.text.as_str())
            .map(|declaration| &declaration.kind)
        {
            Some(DeclarationKind::Handle) => Ok(Some(target.clone())),
            Some(_) => Err(
                Diagnostic::new(format!("`{}` is no handle", name.text), name.place.clone())
                    .hint("declare it with `handle NAME`"),
            ),
            None if matches!(target, Target::Element(..)) => Err(Diagnostic::new(
                format!("no handles `{}`", name.text),
                name.place.clone(),
            )
            .hint(format!("declare them with `handle {}[COUNT]`", name.text))),
            None => {
                let (text, place) = (name.text.clone(), name.place.clone());
                Ok(Some(self.declare(&text, DeclarationKind::Handle, None, &place)))
            }
        }
    }

    /// A memory argument: `&x`, `&a[i]`, `a`, `a + i`, `x`.
    pub(super) fn memory(&self, argument: &Expression) -> Result<Target, Diagnostic> {
        match argument {
            Expression::Address(target @ Target::Name(name))
            | Expression::Value(target @ Target::Name(name)) => match self.declared.get(name.text.as_str()) {
                Some(Declaration {
                    kind: DeclarationKind::Shared(_),
                    count: Some(_),
                    ..
                }) => Ok(Target::Element(
                    name.clone(),
                    Box::new(Expression::Number(0, name.place.clone())),
                )),
                Some(Declaration {
                    kind: DeclarationKind::Shared(_),
                    ..
                }) => Ok(target.clone()),
                _ => Err(Diagnostic::new(
                    format!("`{}` is no shared variable", name.text),
                    name.place.clone(),
                )
                .hint(format!("declare it with `shared {}`", name.text))),
            },
            Expression::Address(target) | Expression::Value(target) => Ok(target.clone()),
            Expression::Binary(BinaryOperator::Add, base, offset) => match self.memory(base)? {
                Target::Element(name, index) => {
                    Ok(Target::Element(name, Box::new(plus(*index, (**offset).clone()))))
                }
                _ => Err(Diagnostic::new("an address is missing here", argument.place())),
            },
            _ => Err(Diagnostic::new("an address is missing here", argument.place())),
        }
    }

    /// A variable by name and an offset in it, as GASPI names memory by segment and offset.
    pub(super) fn segment(&self, segment: &Expression, offset: &Expression) -> Result<Target, Diagnostic> {
        match self.memory(segment)? {
            Target::Element(name, _) => Ok(Target::Element(name, Box::new(offset.clone()))),
            scalar if matches!(offset, Expression::Number(0, _)) => Ok(scalar),
            _ => Err(Diagnostic::new(
                "an offset other than 0 of a variable that is no array",
                offset.place(),
            )),
        }
    }

    /// How many elements: a number known before the run.
    pub(super) fn count(&self, argument: &Expression) -> Result<i64, Diagnostic> {
        match constant(argument) {
            Some(count @ 1..=MAX_ELEMENTS) => Ok(count),
            Some(count) => Err(Diagnostic::new(
                format!("{count} elements; between 1 and {MAX_ELEMENTS} can be transferred"),
                argument.place(),
            )
            .hint("one element stands for a block of data; use 1")),
            None => Err(Diagnostic::new(
                "the number of elements is not known before the run",
                argument.place(),
            )
            .hint("write a number")),
        }
    }
}

/// The element `at` places after a target.
pub(super) fn element(target: &Target, at: i64) -> Result<Target, Diagnostic> {
    let shifted = |index: &Expression| Box::new(plus(index.clone(), Expression::Number(at, index.place())));
    match target {
        _ if at == 0 => Ok(target.clone()),
        Target::Element(name, index) => Ok(Target::Element(name.clone(), shifted(index))),
        Target::Memory(address, place) => Ok(Target::Memory(shifted(address), place.clone())),
        Target::Name(name) => Err(Diagnostic::new(
            format!("`{}` has one element only", name.text),
            name.place.clone(),
        )),
    }
}

/// `left + right`, computed if both are numbers.
pub(super) fn plus(left: Expression, right: Expression) -> Expression {
    match (&left, &right) {
        (Expression::Number(0, _), _) => right,
        (Expression::Number(a, place), Expression::Number(b, _)) => Expression::Number(a + b, place.clone()),
        _ => Expression::Binary(BinaryOperator::Add, Box::new(left), Box::new(right)),
    }
}

/// The value of an expression of numbers.
pub(super) fn constant(expression: &Expression) -> Option<i64> {
    match expression {
        Expression::Number(value, _) => Some(*value),
        Expression::Binary(BinaryOperator::Multiply, left, right) => {
            constant(left)?.checked_mul(constant(right)?)
        }
        Expression::Binary(BinaryOperator::Add, left, right) => constant(left)?.checked_add(constant(right)?),
        _ => None,
    }
}

/// A name for a value that is known before the run.
pub(super) fn known_name(value: &Expression) -> Option<String> {
    match value {
        Expression::Me(_) => Some("me".to_owned()),
        Expression::Ranks(_) => Some("n".to_owned()),
        _ => constant(value).map(|value| value.to_string()),
    }
}

/// A name made by the translation.
pub(super) fn made(text: &str, place: &Place) -> Name {
    Name {
        text: text.to_owned(),
        place: place.clone(),
    }
}
