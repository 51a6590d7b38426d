//! Statements and blocks.

use super::{KEYWORDS, Parsed, Parser};
use crate::ast::{AtomicOperation, Completion, Direction, Place, Statement, StatementKind, Target};
use crate::diagnostic::closest;
use crate::lexer::Word;

impl Parser<'_> {
    /// Statements up to a closing bracket or the end of the text, which stays.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            self.skip_ends();
            if matches!(self.word(), Word::Eof | Word::Sign("}")) {
                return statements;
            }
            let start = self.place();
            let before = self.next;
            let done = self.statement().map(|(kind, place)| {
                let place = place.unwrap_or_else(|| self.since(&start));
                statements.push(Statement { kind, place });
            });
            self.end_of_statement(done);
            if self.next == before {
                // Whatever it is, it begins no statement.
                self.step();
            }
        }
    }

    pub(crate) fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let statements = self.nested(|parser| Ok(parser.statements()))?;
        self.expect("}")?;
        Ok(statements)
    }

    /// A statement; with the place of its head, if a block follows.
    fn statement(&mut self) -> Parsed<(StatementKind, Option<Place>)> {
        let start = self.place();
        let Word::Name(keyword) = self.word() else {
            if let Word::Sign("{") = self.word() {
                return self.fail(
                    "a block needs a head",
                    "write `loop`, `if e`, `while e` or `rank r` before it",
                );
            }
            return self.fail("a statement is missing here", "a statement begins with a name");
        };
        if !KEYWORDS.contains(&keyword) || keyword == "mem" {
            return Ok((self.assignment_call_or_label()?, None));
        }
        self.step();
        let simple = |kind| Ok((kind, None));
        match keyword {
            "assume" => simple(StatementKind::Assume(self.expression()?)),
            "assert" => simple(StatementKind::Assert(self.expression()?)),
            "if" => {
                let condition = self.expression()?;
                let head = self.since(&start);
                let then = self.block()?;
                let otherwise = self.otherwise()?;
                Ok((
                    StatementKind::If {
                        condition,
                        then,
                        otherwise,
                    },
                    Some(head),
                ))
            }
            "while" => {
                let condition = self.expression()?;
                let head = self.since(&start);
                let body = self.block()?;
                Ok((StatementKind::While { condition, body }, Some(head)))
            }
            "loop" => {
                let head = self.since(&start);
                Ok((StatementKind::Loop(self.block()?), Some(head)))
            }
            "choice" => {
                let head = self.since(&start);
                let mut ways = vec![self.block()?];
                while self.continues_with("or") {
                    ways.push(self.block()?);
                }
                Ok((StatementKind::Choice(ways), Some(head)))
            }
            "rank" => {
                let ranks = self.rank_list()?;
                let head = self.since(&start);
                let body = self.block()?;
                let otherwise = self.otherwise()?;
                Ok((
                    StatementKind::Rank {
                        ranks,
                        body,
                        otherwise,
                    },
                    Some(head),
                ))
            }
            "break" => simple(StatementKind::Break),
            "continue" => simple(StatementKind::Continue),
            "skip" => simple(StatementKind::Skip),
            "barrier" => {
                // `barrier()` is how the paper's Figure 1 writes it.
                if self.take("(") {
                    self.expect(")")?;
                }
                simple(StatementKind::Barrier)
            }
            "goto" => simple(StatementKind::Goto(self.new_name("label")?)),
            "read" => simple(self.transfer(Direction::Read, false)?),
            "read_after" => simple(self.transfer(Direction::Read, true)?),
            "write" => simple(self.transfer(Direction::Write, false)?),
            "write_after" => simple(self.transfer(Direction::Write, true)?),
            "fetch_add" => simple(self.atomic(AtomicOperation::FetchAdd)?),
            "swap" => simple(self.atomic(AtomicOperation::Swap)?),
            "cas" => simple(self.atomic(AtomicOperation::CompareSwap)?),
            "wait" => simple(StatementKind::Wait {
                what: self.target()?,
                completion: Completion::Full,
            }),
            "wait_local" => simple(StatementKind::Wait {
                what: self.target()?,
                completion: Completion::Local,
            }),
            "fence" => {
                let queue = self.target()?;
                let rank = if self.take(",") {
                    Some(self.expression()?)
                } else {
                    None
                };
                simple(StatementKind::Fence { queue, rank })
            }
            "shared" | "register" | "queue" | "handle" | "api" | "ranks" | "domain" | "program" => {
                self.next -= 1;
                self.fail(
                    format!("`{keyword}` stands before the first statement"),
                    "move the line to the top of the program",
                )
            }
            _ => {
                self.next -= 1;
                self.fail(
                    format!("`{keyword}` begins no statement"),
                    "a statement is expected here",
                )
            }
        }
    }

    fn otherwise(&mut self) -> Parsed<Vec<Statement>> {
        if !self.continues_with("else") {
            return Ok(Vec::new());
        }
        if self.word() == Word::Name("if") {
            let start = self.place();
            let (kind, place) = self.nested(Self::statement)?;
            let place = place.unwrap_or(start);
            return Ok(vec![Statement { kind, place }]);
        }
        self.block()
    }

    /// `else` and `or` may stand on a line of their own.
    fn continues_with(&mut self, name: &str) -> bool {
        let before = self.next;
        self.skip_ends();
        if self.take_name(name) {
            return true;
        }
        self.next = before;
        false
    }

    /// `0, 2..3`
    fn rank_list(&mut self) -> Parsed<Vec<(u32, u32)>> {
        let mut ranks = Vec::new();
        loop {
            let first = self.number()?;
            let last = if self.take("..") { self.number()? } else { first };
            ranks.push((first, last));
            if !self.take(",") {
                return Ok(ranks);
            }
        }
    }

    /// `(x, r, y, q)`, `(x, r, y, q, h)`
    fn transfer(&mut self, direction: Direction, after_earlier: bool) -> Parsed<StatementKind> {
        self.expect("(")?;
        let local = self.target()?;
        self.expect(",")?;
        let rank = self.expression()?;
        self.expect(",")?;
        let remote = self.target()?;
        self.expect(",")?;
        let (queue, handle) = self.queue_and_handle()?;
        Ok(StatementKind::Transfer {
            direction,
            local,
            rank,
            remote,
            queue,
            handle,
            after_earlier,
        })
    }

    fn atomic(&mut self, operation: AtomicOperation) -> Parsed<StatementKind> {
        self.expect("(")?;
        let local = if self.take_name("_") {
            None
        } else {
            Some(self.target()?)
        };
        self.expect(",")?;
        let rank = self.expression()?;
        self.expect(",")?;
        let remote = self.target()?;
        self.expect(",")?;
        let mut operands = Vec::new();
        for _ in 0..if operation == AtomicOperation::CompareSwap {
            2
        } else {
            1
        } {
            operands.push(self.expression()?);
            self.expect(",")?;
        }
        let (queue, handle) = self.queue_and_handle()?;
        Ok(StatementKind::Atomic {
            operation,
            local,
            rank,
            remote,
            operands,
            queue,
            handle,
        })
    }

    fn queue_and_handle(&mut self) -> Parsed<(Target, Option<Target>)> {
        let queue = self.target()?;
        let handle = if self.take(",") {
            Some(self.target()?)
        } else {
            None
        };
        self.expect(")")?;
        Ok((queue, handle))
    }

    fn assignment_call_or_label(&mut self) -> Parsed<StatementKind> {
        if let Word::Name(name) = self.word() {
            match self.word_after() {
                Word::Sign("(") => {
                    let call = self.call()?;
                    return Ok(StatementKind::Call { into: None, call });
                }
                Word::Sign(":") => {
                    let label = self.new_name("label")?;
                    self.step();
                    return Ok(StatementKind::Label(label));
                }
                Word::Sign("=" | "<-" | "[") => {}
                _ => {
                    let hint = match closest(name, KEYWORDS.iter().copied()) {
                        Some(known) => format!("did you mean `{known}`?"),
                        None => "write `NAME = e`, `NAME(...)` or `NAME:`".to_owned(),
                    };
                    return self.fail(format!("`{name}` begins no statement"), hint);
                }
            }
        }
        let into = self.target()?;
        if !self.take("=") && !self.take("<-") {
            return self.fail("`=` is missing here", "write `NAME = e`");
        }
        // A call alone on the right may have effects; one within an expression has none.
        if let (Word::Name(name), Word::Sign("(")) = (self.word(), self.word_after())
            && !KEYWORDS.contains(&name)
        {
            let before = self.next;
            let call = self.call()?;
            if matches!(self.word(), Word::End | Word::Eof | Word::Sign("}")) {
                return Ok(StatementKind::Call {
                    into: Some(into),
                    call,
                });
            }
            self.next = before;
        }
        Ok(StatementKind::Assign {
            into,
            value: self.expression()?,
        })
    }
}
