//! What the rules build with: memory, queues and cells of a call, and the commands that stand for it.

use super::walk::made;
use crate::ast::{
    Api, BinaryOperator, Call, Declaration, DeclarationKind, Expression, Name, Order, Place, Program,
    StatementKind, Target,
};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// Most elements of one transfer.
const MAX_ELEMENTS: i64 = 64;

/// The state of one translation.
pub(crate) struct Translation<'p> {
    api: Option<Api>,
    ranks: u32,
    declared: BTreeMap<&'p str, &'p Declaration>,
    added: BTreeMap<String, Declaration>,
    errors: Vec<Diagnostic>,
    /// What each handle is used for: writes, reads.
    pub(super) used_for: BTreeMap<String, (bool, bool)>,
}

/// A value to be sent: what to do first, where it then lies, and whether it must be read before the call returns.
pub(super) struct Sent {
    pub(super) before: Vec<StatementKind>,
    pub(super) from: Target,
    pub(super) reused: bool,
}

impl<'p> Translation<'p> {
    pub(super) fn new(program: &'p Program, api: Option<Api>, ranks: u32) -> Self {
        let declared = program
            .declarations
            .iter()
            .map(|d| (d.name.text.as_str(), d))
            .collect();
        let mut used_for = BTreeMap::new();
        super::armci::uses_of_handles(&program.body, &mut used_for);
        Self {
            api,
            ranks,
            declared,
            added: BTreeMap::new(),
            errors: Vec::new(),
            used_for,
        }
    }

    pub(super) fn api(&self) -> Option<Api> {
        self.api
    }

    pub(super) fn ranks(&self) -> u32 {
        self.ranks
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
        let own_order = match self.api {
            None | Some(Api::Armci) => Order::Ordered,
            Some(Api::Gpi) => Order::PerTarget,
            Some(Api::Shmem | Api::Gasnet | Api::Gaspi | Api::Gaspi17) => Order::Unordered,
        };
        let mut declarations = program.declarations.clone();
        for declaration in &mut declarations {
            if let DeclarationKind::Queue(order @ None) = &mut declaration.kind {
                *order = Some(own_order);
            }
        }
        declarations.extend(self.added.into_values());
        Ok(declarations)
    }

    fn add(&mut self, name: &str, kind: DeclarationKind, count: Option<u32>, place: &Place) -> Target {
        let declaration = self.added.entry(name.to_owned()).or_insert_with(|| Declaration {
            name: made(name, place),
            kind,
            count,
        });
        declaration.count = declaration.count.max(count);
        Target::Name(made(name, place))
    }

    /// A queue of the translation.
    pub(super) fn queue(&mut self, name: &str, order: Order, call: &Call) -> Target {
        self.add(name, DeclarationKind::Queue(Some(order)), None, &call.name.place)
    }

    /// One of an array of queues of at least `count`.
    pub(super) fn queue_of(
        &mut self,
        name: &str,
        order: Order,
        count: u32,
        index: Expression,
        call: &Call,
    ) -> Target {
        self.add(
            name,
            DeclarationKind::Queue(Some(order)),
            Some(count),
            &call.name.place,
        );
        Target::Element(made(name, &call.name.place), Box::new(index))
    }

    /// A handle of the translation.
    pub(super) fn own_handle(&mut self, name: &str, call: &Call) -> Target {
        self.add(name, DeclarationKind::Handle, None, &call.name.place)
    }

    /// One of an array of handles of at least `count`.
    pub(super) fn handle_of(&mut self, name: &str, count: u32, index: Expression, call: &Call) -> Target {
        self.add(name, DeclarationKind::Handle, Some(count), &call.name.place);
        Target::Element(made(name, &call.name.place), Box::new(index))
    }

    /// How many elements a declared array has.
    pub(super) fn count_of(&self, name: &Name) -> Option<u32> {
        self.declared.get(name.text.as_str())?.count
    }

    /// A memory cell of the translation; one of `count`, if it is an array.
    pub(super) fn cell(&mut self, name: &str, value: Option<Expression>, call: &Call) -> Target {
        self.add(
            name,
            DeclarationKind::Shared(value.into_iter().collect()),
            None,
            &call.name.place,
        )
    }

    /// One of an array of at least `count` cells.
    pub(super) fn cell_of(&mut self, name: &str, count: u32, index: Expression, call: &Call) -> Target {
        self.add(
            name,
            DeclarationKind::Shared(Vec::new()),
            Some(count),
            &call.name.place,
        );
        Target::Element(made(name, &call.name.place), Box::new(index))
    }

    /// A register of the translation.
    pub(super) fn register(&mut self, name: &str, call: &Call) -> Target {
        self.add(name, DeclarationKind::Register(None), None, &call.name.place)
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
                Ok(Some(self.add(&text, DeclarationKind::Handle, None, &place)))
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

    /// Pairs of source and destination of a transfer.
    pub(super) fn pairs(
        &self,
        one: &Expression,
        other: &Expression,
        count: &Expression,
    ) -> Result<Vec<(Target, Target)>, Diagnostic> {
        let (one, other, count) = (self.memory(one)?, self.memory(other)?, self.count(count)?);
        (0..count)
            .map(|at| Ok((element(&one, at)?, element(&other, at)?)))
            .collect()
    }

    /// Where a value lies that is sent.
    pub(super) fn sent(&mut self, name: &str, value: &Expression, call: &Call) -> Sent {
        if let Some(suffix) = constant_name(value) {
            let from = self.cell(&format!("{name}_{suffix}"), Some(value.clone()), call);
            return Sent {
                before: Vec::new(),
                from,
                reused: false,
            };
        }
        let from = self.cell(name, None, call);
        let before = vec![StatementKind::Assign {
            into: from.clone(),
            value: value.clone(),
        }];
        Sent {
            before,
            from,
            reused: true,
        }
    }
}

/// The element `at` past a target.
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
fn constant_name(value: &Expression) -> Option<String> {
    match value {
        Expression::Me(_) => Some("me".to_owned()),
        Expression::Ranks(_) => Some("n".to_owned()),
        _ => constant(value).map(|value| value.to_string()),
    }
}
