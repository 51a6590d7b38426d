//! What calls are given: variables, targets, ranks, operations, assertions.

use super::cursor::Cursor;
use super::expression::number;
use super::statement::Body;
use super::words::{ASSERTIONS, OPERATIONS, RESERVED};
use crate::ast::{Access, Assertion, Atomicity, Operation, Rank, RegisterId, VariableId};
use crate::error::{ParseError, nearest};
use crate::lexer::TokenKind;
use std::ops::Range;

impl Body<'_> {
    /// A variable of this process.
    pub(super) fn local(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Access, ParseError> {
        let place = cursor.place();
        let (name, variable) = self.variable(cursor)?;
        let access = Access {
            variable,
            atomicity: self.mark(cursor)?,
        };
        if cursor.peek().is_some_and(|kind| kind.is("@")) {
            let owner = self.scope.owner(variable).0;
            let error = ParseError::new(cursor.place(), "only the target of a call is written with `@`");
            return Err(match owner == self.rank.0 {
                true => error.hint(format!("`{name}`: it is the process' own")),
                false => error.hint(format!(
                    "`Z = get({name}@{owner})` with a variable Z of process {}",
                    self.rank.0
                )),
            });
        }
        self.own(name, variable, place)?;
        Ok(access)
    }

    /// `, X`
    pub(super) fn operand(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Access, ParseError> {
        cursor.expect(
            ",",
            "arguments are separated by `,`; numbers stand in variables of the process",
        )?;
        self.local(cursor)
    }

    /// `X@1`
    pub(super) fn target(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Access, ParseError> {
        let (name, variable) = self.variable(cursor)?;
        let atomicity = self.mark(cursor)?;
        let owner = self.scope.owner(variable);
        let from = cursor.index();
        let hint = format!("the target names its process: `{name}@{}`", owner.0);
        cursor.expect("@", &hint)?;
        let rank = self.rank(cursor)?;
        if let Some(declared) = self.scope.nowhere(variable) {
            return Err(ParseError::new(declared, "the owner does not exist"));
        }
        if rank != owner {
            let error = ParseError::new(
                cursor.since(from),
                format!("`{name}` is not at process {}", rank.0),
            );
            return Err(error.hint(format!("process {} owns it: `{name}@{}`", owner.0, owner.0)));
        }
        Ok(Access { variable, atomicity })
    }

    pub(super) fn variable<'a>(
        &self,
        cursor: &mut Cursor<'_, 'a>,
    ) -> Result<(&'a str, VariableId), ParseError> {
        let place = cursor.place();
        let Some(TokenKind::Word(word)) = cursor.peek() else {
            return Err(cursor
                .unexpected("a variable")
                .hint("calls move values between variables: `X = 3; put(Y@1, X)`"));
        };
        cursor.next();
        self.scope
            .variable(word)
            .map(|variable| (word, variable))
            .ok_or_else(|| {
                let place = self.scope.misdeclared(word).unwrap_or(place);
                let error = ParseError::new(place, format!("no process owns `{word}`"));
                match nearest(
                    word,
                    self.scope.variables.iter().map(|variable| variable.name.as_str()),
                ) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!(
                        "declare it in the first state: `{{ {}: {word} = 0; }}`",
                        self.rank.0
                    )),
                }
            })
    }

    /// Refuses local access to another process' variable.
    pub(super) fn own(
        &self,
        name: &str,
        variable: VariableId,
        place: Range<usize>,
    ) -> Result<(), ParseError> {
        let owner = self.scope.owner(variable);
        if owner == self.rank {
            return Ok(());
        }
        if let Some(declared) = self.scope.nowhere(variable) {
            return Err(ParseError::new(declared, "the owner does not exist"));
        }
        let error = ParseError::new(
            place,
            format!(
                "`{name}` belongs to process {}: process {} cannot access it directly",
                owner.0, self.rank.0
            ),
        );
        Err(error.hint(format!(
            "`Z = get({name}@{0})` or `put({name}@{0}, Z)` with a variable Z of process {1}",
            owner.0, self.rank.0
        )))
    }

    /// `.a`, `.n`, or nothing.
    pub(super) fn mark(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Atomicity, ParseError> {
        if !cursor.take(".") {
            return Ok(self.accesses);
        }
        if cursor.take_word("a") {
            return Ok(Atomicity::Atomic);
        }
        if cursor.take_word("n") {
            return Ok(Atomicity::NonAtomic);
        }
        Err(cursor
            .unexpected("`a` or `n`")
            .hint("`X.a` is an atomic access, `X.n` one that is not"))
    }

    pub(super) fn rank(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Rank, ParseError> {
        let place = cursor.place();
        if !matches!(cursor.peek(), Some(TokenKind::Number(_))) {
            return Err(cursor
                .unexpected("a process")
                .hint("processes are written as numbers: `flush(1)`"));
        }
        let value = number(cursor)?;
        u32::try_from(value)
            .ok()
            .filter(|rank| *rank < self.scope.processes)
            .map(Rank)
            .ok_or_else(|| {
                let error = ParseError::new(place, format!("there is no process {value}"));
                error.hint(self.scope.known_processes())
            })
    }

    /// One rank at least, each once, in order.
    pub(super) fn ranks(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Vec<Rank>, ParseError> {
        let mut ranks = vec![self.rank(cursor)?];
        while cursor.take(",") {
            ranks.push(self.rank(cursor)?);
        }
        ranks.sort_unstable();
        ranks.dedup();
        Ok(ranks)
    }

    pub(super) fn operation(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Operation, ParseError> {
        cursor.expect(
            ",",
            "the operation is the last argument: `sum`, `replace`, `no_op`, ...",
        )?;
        one_of(cursor, "an operation", &OPERATIONS)
    }

    pub(super) fn assertions(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Vec<Assertion>, ParseError> {
        let mut assertions = Vec::new();
        while !cursor.peek().is_some_and(|kind| kind.is(")")) {
            assertions.push(one_of(cursor, "an assertion", &ASSERTIONS)?);
            if !cursor.take(",") && !cursor.take("|") {
                break;
            }
        }
        Ok(assertions)
    }

    pub(super) fn register(&mut self, name: &str, place: Range<usize>) -> Result<RegisterId, ParseError> {
        if RESERVED.contains(&name) {
            return Err(ParseError::new(
                place,
                format!("`{name}` is a word of the language, not a register"),
            ));
        }
        Ok(self.registers.get_or_add(name))
    }
}

fn one_of<T: Copy>(cursor: &mut Cursor<'_, '_>, what: &str, known: &[(&str, T)]) -> Result<T, ParseError> {
    let Some(TokenKind::Word(word)) = cursor.peek() else {
        return Err(cursor.unexpected(what));
    };
    if let Some((_, value)) = known.iter().find(|(name, _)| *name == word) {
        cursor.next();
        return Ok(*value);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let error = ParseError::new(cursor.place(), format!("`{word}` is not {what}"));
    Err(match nearest(word, names.iter().copied()) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint(format!("one of {}", names.join(", "))),
    })
}
