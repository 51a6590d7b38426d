//! Statements of one process.

use super::cursor::{Cursor, Errors};
use super::expression::{MOST_NESTING, number};
use super::scope::{RESERVED, Registers, Scope};
use crate::ast::{
    Access, Assertion, Atomicity, Expression, Operation, Place, Rank, RegisterId, Statement, StatementKind,
    VariableId,
};
use crate::error::{ParseError, nearest};
use crate::lexer::TokenKind;
use std::ops::Range;

/// More statements than this in one process are refused; no engine reaches as far.
const MOST_STATEMENTS: usize = 4096;
/// More turns of a loop than this are refused.
const MOST_TURNS: u64 = 64;
/// Turns of a loop that says nothing.
const USUAL_TURNS: u32 = 2;

/// Calls that stand alone, with or without arguments.
const CALLS: [&str; 22] = [
    "put",
    "accumulate",
    "flush",
    "flush_local",
    "flush_all",
    "flush_local_all",
    "fence",
    "lock_shared",
    "lock_exclusive",
    "unlock",
    "lock_all",
    "unlock_all",
    "post",
    "start",
    "complete",
    "wait",
    "sync",
    "barrier",
    "send",
    "recv",
    "while",
    "if",
];

/// Calls whose result is a variable.
const RESULTS: [&str; 6] = [
    "get",
    "rga",
    "cas",
    "get_accumulate",
    "fetch_and_op",
    "compare_and_swap",
];

const OPERATIONS: [(&str, Operation); 9] = [
    ("sum", Operation::Sum),
    ("prod", Operation::Product),
    ("min", Operation::Minimum),
    ("max", Operation::Maximum),
    ("band", Operation::And),
    ("bor", Operation::Or),
    ("bxor", Operation::Xor),
    ("replace", Operation::Replace),
    ("no_op", Operation::NoOp),
];

const ASSERTIONS: [(&str, Assertion); 4] = [
    ("nostore", Assertion::NoStore),
    ("noput", Assertion::NoPut),
    ("noprecede", Assertion::NoPrecede),
    ("nosucceed", Assertion::NoSucceed),
];

/// What a process' statements are read with.
#[derive(Debug)]
pub(super) struct Body<'s> {
    pub(super) scope: &'s Scope<'s>,
    pub(super) registers: Registers,
    rank: Rank,
    accesses: Atomicity,
    statements: usize,
}

impl<'s> Body<'s> {
    pub(super) fn new(scope: &'s Scope<'s>, rank: Rank, accesses: Atomicity) -> Self {
        Self {
            scope,
            registers: Registers::default(),
            rank,
            accesses,
            statements: 0,
        }
    }

    /// Statements up to the end, or to a `}` that closes more than was opened.
    pub(super) fn statements(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !cursor.ended() && !errors.full() && !cursor.peek().is_some_and(|kind| kind.is("}")) {
            if cursor.take(";") {
                continue;
            }
            let from = cursor.index();
            match self.statement(cursor, errors, depth) {
                Ok(kind) => {
                    let place = Place(cursor.since(from));
                    statements.push(Statement { kind, place });
                    if let Some(kind) = cursor.peek().filter(|kind| !kind.is(";") && !kind.is("}")) {
                        let block = matches!(cursor.peek_before(), Some(TokenKind::Symbol("}")));
                        if !block {
                            let error = ParseError::new(
                                cursor.place(),
                                format!("the statement ends before {}", kind.shown()),
                            );
                            errors.push(
                                error.hint("statements are separated by `;`, or stand in rows of their own"),
                            );
                            cursor.recover();
                        }
                    }
                }
                Err(error) => {
                    errors.push(error);
                    cursor.recover();
                }
            }
        }
        statements
    }

    fn statement(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<StatementKind, ParseError> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            let error = ParseError::new(
                cursor.place(),
                format!("process {} has too many statements", self.rank.0),
            );
            return Err(error.hint(format!("at most {MOST_STATEMENTS}")));
        }
        let place = cursor.place();
        let Some(TokenKind::Word(word)) = cursor.peek() else {
            return Err(cursor.unexpected("a statement"));
        };
        cursor.next();
        if CALLS.contains(&word) {
            return self.call(word, cursor, errors, depth);
        }
        if RESULTS.contains(&word) {
            let error = ParseError::new(place, format!("`{word}` needs a variable for its result"));
            return Err(error.hint(format!("`X = {word}(...)`")));
        }
        if RESERVED.contains(&word) {
            return Err(ParseError::new(
                place,
                format!("no statement begins with `{word}`"),
            ));
        }
        let follows = cursor.peek();
        if follows.is_some_and(|kind| kind.is("(")) {
            let known = nearest(word, CALLS.into_iter().chain(RESULTS));
            let error = ParseError::new(place, format!("there is no statement `{word}`"));
            return Err(match known {
                Some(known) => error.hint(format!("did you mean `{known}`?")),
                None => error,
            });
        }
        match self.scope.variable(word) {
            Some(variable) => self.to_variable(word, variable, place, cursor),
            None => self.to_register(word, place, cursor),
        }
    }

    /// `X = ...`
    fn to_variable(
        &mut self,
        name: &str,
        variable: VariableId,
        place: Range<usize>,
        cursor: &mut Cursor<'_, '_>,
    ) -> Result<StatementKind, ParseError> {
        let into = Access {
            variable,
            atomicity: self.mark(cursor)?,
        };
        self.own(name, variable, place)?;
        cursor.expect("=", "`X = 1`, `X = get(Y@1)`")?;
        let result = match cursor.peek() {
            Some(TokenKind::Word(word))
                if RESULTS.contains(&word) && cursor.peek_at(1).is_some_and(|kind| kind.is("(")) =>
            {
                word
            }
            _ => {
                let value = self.expression(cursor)?;
                return Ok(StatementKind::Store { into, value });
            }
        };
        cursor.next();
        cursor.expect("(", "arguments stand in parentheses")?;
        let target = self.target(cursor)?;
        let kind = match result {
            "get" => StatementKind::Get { into, target },
            "rga" => StatementKind::Rga {
                into,
                target,
                operand: self.operand(cursor)?,
            },
            "cas" | "compare_and_swap" => {
                let (compare, swap) = (self.operand(cursor)?, self.operand(cursor)?);
                if result == "cas" {
                    StatementKind::Cas {
                        into,
                        target,
                        compare,
                        swap,
                    }
                } else {
                    StatementKind::CompareAndSwap {
                        into,
                        target,
                        compare,
                        swap,
                    }
                }
            }
            _ => {
                let operand = self.operand(cursor)?;
                let operation = self.operation(cursor)?;
                if result == "get_accumulate" {
                    StatementKind::GetAccumulate {
                        into,
                        target,
                        operand,
                        operation,
                    }
                } else {
                    StatementKind::FetchAndOp {
                        into,
                        target,
                        operand,
                        operation,
                    }
                }
            }
        };
        cursor.expect(")", usage(result))?;
        Ok(kind)
    }

    /// `a = ...`
    fn to_register(
        &mut self,
        name: &str,
        place: Range<usize>,
        cursor: &mut Cursor<'_, '_>,
    ) -> Result<StatementKind, ParseError> {
        if !cursor.peek().is_some_and(|kind| kind.is("=")) {
            let error = cursor.unexpected("`=`");
            return Err(match nearest(name, CALLS) {
                Some(call) => error.hint(format!("did you mean `{call}`?")),
                None => error.hint("`a = X`, `X = 1`, `put(X@1, Y)`, `flush(1)`"),
            });
        }
        cursor.next();
        match cursor.peek() {
            Some(TokenKind::Word(word)) if RESULTS.contains(&word) => {
                let error = ParseError::new(
                    place,
                    format!("no process owns `{name}`, so it is a register, and `{word}` writes a variable"),
                );
                Err(error.hint(format!("declare it: `{{ {}: {name} = 0; }}`", self.rank.0)))
            }
            Some(TokenKind::Word(word))
                if self.scope.variable(word).is_some() && !continues(cursor.peek_at(1)) =>
            {
                let from = self.local(cursor)?;
                let into = self.register(name, place)?;
                Ok(StatementKind::Load { into, from })
            }
            _ => {
                let value = self.expression(cursor)?;
                let into = self.register(name, place)?;
                Ok(StatementKind::Assign { into, value })
            }
        }
    }

    fn call(
        &mut self,
        word: &str,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<StatementKind, ParseError> {
        if matches!(word, "while" | "if") {
            return self.control(word, cursor, errors, depth);
        }
        let open = cursor.take("(");
        let needs = !matches!(
            word,
            "flush_all"
                | "flush_local_all"
                | "fence"
                | "lock_all"
                | "unlock_all"
                | "complete"
                | "wait"
                | "sync"
                | "barrier"
        );
        if needs && !open {
            return Err(cursor.unexpected("`(`").hint(usage(word)));
        }
        let kind = match word {
            "put" => {
                let target = self.target(cursor)?;
                StatementKind::Put {
                    target,
                    from: self.operand(cursor)?,
                }
            }
            "accumulate" => {
                let target = self.target(cursor)?;
                let operand = self.operand(cursor)?;
                StatementKind::Accumulate {
                    target,
                    operand,
                    operation: self.operation(cursor)?,
                }
            }
            "flush" => StatementKind::Flush(self.rank(cursor)?),
            "flush_local" => StatementKind::FlushLocal(self.rank(cursor)?),
            "lock_shared" => StatementKind::LockShared(self.rank(cursor)?),
            "lock_exclusive" => StatementKind::LockExclusive(self.rank(cursor)?),
            "unlock" => StatementKind::Unlock(self.rank(cursor)?),
            "send" => StatementKind::Send(self.rank(cursor)?),
            "recv" => StatementKind::Receive(self.rank(cursor)?),
            "post" => StatementKind::Post(self.ranks(cursor)?),
            "start" => StatementKind::Start(self.ranks(cursor)?),
            "fence" => StatementKind::Fence(if open {
                self.assertions(cursor)?
            } else {
                Vec::new()
            }),
            "flush_all" => StatementKind::FlushAll,
            "flush_local_all" => StatementKind::FlushLocalAll,
            "lock_all" => StatementKind::LockAll,
            "unlock_all" => StatementKind::UnlockAll,
            "complete" => StatementKind::Complete,
            "wait" => StatementKind::Wait,
            "sync" => StatementKind::Sync,
            _ => StatementKind::Barrier,
        };
        if open {
            cursor.expect(")", usage(word))?;
        }
        Ok(kind)
    }

    fn control(
        &mut self,
        word: &str,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<StatementKind, ParseError> {
        if depth >= MOST_NESTING {
            let error = ParseError::new(cursor.place(), "statements are nested too deeply");
            return Err(error.hint(format!("at most {MOST_NESTING} levels")));
        }
        cursor.expect("(", usage(word))?;
        let condition: Expression = self.expression(cursor)?;
        cursor.expect(")", usage(word))?;
        if word == "if" {
            let then = self.block(cursor, errors, depth)?;
            let mut ahead = cursor.clone();
            while ahead.take(";") {}
            let otherwise = if ahead.take_word("else") {
                *cursor = ahead;
                self.block(cursor, errors, depth)?
            } else {
                Vec::new()
            };
            return Ok(StatementKind::If {
                condition,
                then,
                otherwise,
            });
        }
        let mut bound = USUAL_TURNS;
        if cursor.take_word("bound") {
            let place = cursor.place();
            let Some(TokenKind::Number(turns)) = cursor.peek() else {
                return Err(cursor.unexpected("a number of turns").hint(usage(word)));
            };
            cursor.next();
            bound = u32::try_from(turns)
                .ok()
                .filter(|turns| u64::from(*turns) <= MOST_TURNS)
                .ok_or_else(|| {
                    ParseError::new(place, "this bound is too large")
                        .hint(format!("at most {MOST_TURNS} turns"))
                })?;
        }
        let body = self.block(cursor, errors, depth)?;
        Ok(StatementKind::While {
            condition,
            bound,
            body,
        })
    }

    fn block(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<Vec<Statement>, ParseError> {
        while cursor.take(";") {}
        cursor.expect("{", "the statements of a block stand in braces")?;
        let body = self.statements(cursor, errors, depth + 1);
        while cursor.take(";") {}
        cursor.expect("}", "close the block that `{` opened")?;
        Ok(body)
    }

    /// A variable of this process.
    fn local(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Access, ParseError> {
        let place = cursor.place();
        let (name, variable) = self.variable(cursor)?;
        let access = Access {
            variable,
            atomicity: self.mark(cursor)?,
        };
        if cursor.peek().is_some_and(|kind| kind.is("@")) {
            return Err(ParseError::new(
                cursor.place(),
                "a variable of the process itself has no `@`",
            ));
        }
        self.own(name, variable, place)?;
        Ok(access)
    }

    /// `, X`
    fn operand(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Access, ParseError> {
        cursor.expect(
            ",",
            "arguments are separated by `,`; numbers stand in variables of the process",
        )?;
        self.local(cursor)
    }

    /// `X@1`
    fn target(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Access, ParseError> {
        let (name, variable) = self.variable(cursor)?;
        let atomicity = self.mark(cursor)?;
        let owner = self.scope.owner(variable);
        let at = cursor.place();
        cursor.expect(
            "@",
            &format!("the target names its process: `{name}@{}`", owner.0),
        )?;
        let rank = self.rank(cursor)?;
        if rank != owner {
            let error = ParseError::new(
                at.start..cursor.place().start.max(at.end),
                format!("`{name}` is not at process {}", rank.0),
            );
            return Err(error.hint(format!("process {} owns it: `{name}@{}`", owner.0, owner.0)));
        }
        Ok(Access { variable, atomicity })
    }

    fn variable<'a>(&self, cursor: &mut Cursor<'_, 'a>) -> Result<(&'a str, VariableId), ParseError> {
        let place = cursor.place();
        let Some(TokenKind::Word(word)) = cursor.peek() else {
            return Err(cursor.unexpected("a variable"));
        };
        cursor.next();
        self.scope
            .variable(word)
            .map(|variable| (word, variable))
            .ok_or_else(|| {
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
    fn own(&self, name: &str, variable: VariableId, place: Range<usize>) -> Result<(), ParseError> {
        let owner = self.scope.owner(variable);
        if owner == self.rank {
            return Ok(());
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
    fn mark(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Atomicity, ParseError> {
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

    fn rank(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Rank, ParseError> {
        let place = cursor.place();
        let value = number(cursor).map_err(|error| ParseError {
            message: error.message.replace("a number", "a process"),
            ..error
        })?;
        u32::try_from(value)
            .ok()
            .filter(|rank| *rank < self.scope.processes)
            .map(Rank)
            .ok_or_else(|| {
                let error = ParseError::new(place, format!("there is no process {value}"));
                error.hint(format!(
                    "the processes are 0 to {}",
                    self.scope.processes.saturating_sub(1)
                ))
            })
    }

    /// One rank at least, each once, in order.
    fn ranks(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Vec<Rank>, ParseError> {
        let mut ranks = vec![self.rank(cursor)?];
        while cursor.take(",") {
            ranks.push(self.rank(cursor)?);
        }
        ranks.sort_unstable();
        ranks.dedup();
        Ok(ranks)
    }

    fn operation(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Operation, ParseError> {
        cursor.expect(
            ",",
            "the operation is the last argument: `sum`, `replace`, `no_op`, ...",
        )?;
        one_of(cursor, "an operation", &OPERATIONS)
    }

    fn assertions(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Vec<Assertion>, ParseError> {
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

/// Whether an expression goes on here.
fn continues(kind: Option<TokenKind<'_>>) -> bool {
    matches!(
        kind,
        Some(TokenKind::Symbol(
            "+" | "-" | "*" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&"
        ))
    )
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

fn usage(call: &str) -> &'static str {
    match call {
        "put" => "`put(X@1, Y)`: X at process 1 receives Y",
        "get" => "`X = get(Y@1)`",
        "rga" => "`X = rga(Y@1, Z)`",
        "cas" => "`X = cas(Y@1, C, S)`",
        "compare_and_swap" => "`X = compare_and_swap(Y@1, C, S)`",
        "accumulate" => "`accumulate(X@1, Y, sum)`",
        "get_accumulate" => "`X = get_accumulate(Y@1, Z, sum)`",
        "fetch_and_op" => "`X = fetch_and_op(Y@1, Z, sum)`",
        "fence" => "`fence`, `fence(noprecede)`",
        "post" => "`post(0, 2)`: the origins of the exposure epoch",
        "start" => "`start(1)`: the targets of the access epoch",
        "send" => "`send(1)`",
        "recv" => "`recv(0)`",
        "while" => "`while (a != 1) bound 3 { ... }`",
        "if" => "`if (a == 1) { ... } else { ... }`",
        "flush" => "`flush(1)`",
        "flush_local" => "`flush_local(1)`",
        "lock_shared" => "`lock_shared(1)`",
        "lock_exclusive" => "`lock_exclusive(1)`",
        "unlock" => "`unlock(1)`",
        _ => "this call has no arguments",
    }
}
