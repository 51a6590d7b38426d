//! Expressions: memory that they name is loaded first, from left to right, each into a register of its own.

use super::super::names::{Meaning, Range};
use crate::ast::{Expression, Target};
use crate::calculus::{self, Register};
use crate::diagnostic::Diagnostic;

use super::Code;

type Lowered<T> = Result<T, Diagnostic>;

impl Code<'_> {
    /// The expression over registers, after the loads that it needs; `loaded` counts those of the statement so far.
    pub(super) fn expression(
        &mut self,
        expression: &Expression,
        loaded: &mut usize,
    ) -> Lowered<calculus::Expression> {
        Ok(match expression {
            Expression::Number(value, _) => calculus::Expression::Constant(*value),
            Expression::Me(_) => calculus::Expression::Me,
            Expression::Ranks(_) => calculus::Expression::Ranks,
            Expression::Unary(operator, inner) => {
                calculus::Expression::Unary(*operator, Box::new(self.expression(inner, loaded)?))
            }
            Expression::Binary(operator, left, right) => {
                let left = Box::new(self.expression(left, loaded)?);
                calculus::Expression::Binary(*operator, left, Box::new(self.expression(right, loaded)?))
            }
            Expression::Address(target) => self.address(target, loaded)?,
            Expression::Value(target) => match self.place_of(target, loaded)? {
                Slot::Register(register) => calculus::Expression::Register(register),
                Slot::Memory(address) => {
                    let into = self.names.temporary(*loaded);
                    *loaded += 1;
                    self.step(calculus::Command::Load {
                        into,
                        address,
                        until: None,
                    });
                    calculus::Expression::Register(into)
                }
            },
            Expression::Call(call) => {
                return Err(Diagnostic::new(
                    format!("unknown call `{}`", call.name.text),
                    call.name.place.clone(),
                ));
            }
        })
    }

    /// Something that can be assigned to.
    pub(super) fn place_of(&mut self, target: &Target, loaded: &mut usize) -> Lowered<Slot> {
        if let Target::Name(name) = target
            && let Meaning::Register(register) = self.names.find(name)?
        {
            return Ok(Slot::Register(register));
        }
        Ok(Slot::Memory(self.address(target, loaded)?))
    }

    /// The address of a variable.
    pub(super) fn address(&mut self, target: &Target, loaded: &mut usize) -> Lowered<calculus::Expression> {
        self.number_of(target, loaded, "a shared variable", |meaning| match meaning {
            Meaning::Shared(range) => Some(range),
            _ => None,
        })
    }

    /// The number of a queue.
    pub(super) fn queue(&mut self, target: &Target, loaded: &mut usize) -> Lowered<calculus::Expression> {
        self.number_of(target, loaded, "a queue", |meaning| match meaning {
            Meaning::Queue(range) => Some(range),
            _ => None,
        })
        .map_err(|error| {
            if error.message.starts_with("unknown variable") {
                unknown_queue(error)
            } else {
                error
            }
        })
    }

    /// The number of a handle.
    pub(super) fn handle(&mut self, target: &Target, loaded: &mut usize) -> Lowered<calculus::Expression> {
        self.number_of(target, loaded, "a handle", |meaning| match meaning {
            Meaning::Handle(range) => Some(range),
            _ => None,
        })
    }

    /// What a wait names: queues and handles; all of an array without an index.
    pub(super) fn waited(
        &mut self,
        target: &Target,
        loaded: &mut usize,
    ) -> Lowered<(Vec<calculus::Expression>, Vec<calculus::Expression>)> {
        let all = |range: Range| {
            (range.base..range.base + range.count)
                .map(calculus::Expression::Constant)
                .collect()
        };
        match target {
            Target::Name(name) => match self.names.find(name).map_err(unknown_queue)? {
                Meaning::Queue(range) => Ok((all(range), Vec::new())),
                Meaning::Handle(range) => Ok((Vec::new(), all(range))),
                other => Err(wrong_kind(target, other, "a queue or a handle")),
            },
            Target::Element(name, _) => match self.names.find(name).map_err(unknown_queue)? {
                Meaning::Queue(_) => Ok((vec![self.queue(target, loaded)?], Vec::new())),
                Meaning::Handle(_) => Ok((Vec::new(), vec![self.handle(target, loaded)?])),
                other => Err(wrong_kind(target, other, "a queue or a handle")),
            },
            Target::Memory(_, place) => Err(Diagnostic::new(
                "a queue or a handle is missing here",
                place.clone(),
            )),
        }
    }

    fn number_of(
        &mut self,
        target: &Target,
        loaded: &mut usize,
        wanted: &str,
        range_of: impl Fn(Meaning) -> Option<Range>,
    ) -> Lowered<calculus::Expression> {
        let (name, index) = match target {
            Target::Memory(address, place) => {
                if wanted != "a shared variable" {
                    return Err(Diagnostic::new(
                        format!("{wanted} is missing here"),
                        place.clone(),
                    ));
                }
                let count = i64::try_from(self.names.cells().len()).unwrap_or(i64::MAX);
                return self.element(
                    Range {
                        base: 0,
                        count,
                        array: true,
                    },
                    address,
                    "mem",
                    loaded,
                );
            }
            Target::Name(name) => (name, None),
            Target::Element(name, index) => (name, Some(index)),
        };
        let meaning = self.names.find(name)?;
        let range = range_of(meaning).ok_or_else(|| wrong_kind(target, meaning, wanted))?;
        match index {
            Some(_) if !range.array => Err(Diagnostic::new(
                format!("`{}` is no array", name.text),
                name.place.clone(),
            )
            .hint(format!("declare it as one, or write `{}`", name.text))),
            Some(index) => self.element(range, index, &name.text, loaded),
            None if range.array => Err(Diagnostic::new(
                format!("`{}` is an array", name.text),
                name.place.clone(),
            )
            .hint(format!("write which element: `{}[0]`", name.text))),
            None => Ok(calculus::Expression::Constant(range.base)),
        }
    }

    fn element(
        &mut self,
        range: Range,
        index: &Expression,
        name: &str,
        loaded: &mut usize,
    ) -> Lowered<calculus::Expression> {
        if let Some(value) = self.names.constant(index, self.rank) {
            if !(0..range.count).contains(&value) {
                return Err(Diagnostic::new(
                    format!("address out of range: `{name}[{value}]`, for rank {}", self.rank),
                    index.place(),
                )
                .hint(format!("the elements of `{name}` are 0 to {}", range.count - 1)));
            }
            if let Expression::Number(..) = index {
                return Ok(calculus::Expression::Constant(range.base + value));
            }
        }
        let index = Box::new(self.expression(index, loaded)?);
        Ok(calculus::Expression::Element {
            base: range.base,
            count: range.count,
            index,
        })
    }
}

/// What can be assigned to.
pub(super) enum Slot {
    Register(Register),
    /// At this address.
    Memory(calculus::Expression),
}

fn wrong_kind(target: &Target, found: Meaning, wanted: &str) -> Diagnostic {
    Diagnostic::new(
        format!("`{target}` is {}, not {wanted}", found.kind()),
        target.place().clone(),
    )
}

fn unknown_queue(error: Diagnostic) -> Diagnostic {
    Diagnostic {
        message: error
            .message
            .replace("unknown variable", "unknown queue or handle"),
        ..error
    }
    .hint("declare it with `queue NAME`")
}
