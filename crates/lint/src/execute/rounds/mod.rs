//! Rounds of a loop taken together: what many of them do is said at once.
//!
//! A loop that has gone round often is asked what its next round does, over values that are functions of the round's
//! number ([`mod@line`]). If all its addresses and conditions are such functions, so many rounds are skipped as take
//! the same way: their loads and stores are announced as runs with strides, counters get the values that they have
//! then (by closed form), stores of known values are done, and whatever else they would have computed is marked as not
//! computed ([`Scalar::uncomputed`]). A loop within the round is asked in turn, and its rounds are taken in each round.
//!
//! Promise: accesses are exactly those of the rounds skipped: of memory that operations are concerned with, and of no
//! other. A condition on a value that was not computed, and an access to where such a value says, ends certainty.
//! Limits: three loops within each other, no condition on what is loaded from addresses that change, no MPI call, at
//! most 16384 instructions to know a round. Source: induction variables by closed form, as in Bachmann, Wang and Zima
//! 1994 (chains of recurrences), of which only the linear ones are followed.
//!
//! How it is found: the round is executed once with all values as they are, which gives a guess of each step. The guess
//! is then proved by executing the round over lines: a value that the round does not carry on by its step is no line,
//! until all others do ([`round::proof`]).
//!
//! | what | file |
//! |---|---|
//! | values as functions of rounds; for how many rounds they hold | `line`, `bound` |
//! | one round, with the loops within; steps guessed and proved | `round` |
//! | what accesses of all rounds cover | `access` |
//! | of which loops it is worth to ask | `worth` |

mod access;
mod bound;
mod line;
mod round;
mod worth;

use crate::execute::Job;
use crate::site::At;
use crate::value::{Scalar, Value};
use access::{Access, spans};
use farside_events::AccessKind;
use line::Line;
use round::{Before, Circle, Round};
use std::ops::Range;
pub(crate) use worth::Worth;

/// Fewer rounds are executed one by one.
const FEW: u64 = 2;
/// Bytes of known values that a loop's stores are followed for.
const STORED: u64 = 1 << 20;

impl Job<'_> {
    /// Skips rounds of the loop whose branch at the end of the block at hand is about to stay by going to `to`; whether
    /// it did. The thread is then at the same branch, and stays again. A loop that must be left otherwise is asked in
    /// any case, others if it is worth it.
    pub(super) fn skip_rounds(&mut self, at: At, to: u32, must: bool) -> bool {
        let together = self.budget.shortcuts().together;
        let Some(frame) = self.processes.frame(at).filter(|_| together) else {
            return false;
        };
        let circle = Circle {
            function: frame.function(),
            from: frame.block(),
            to,
        };
        let named = (circle.function, circle.from);
        if !must && !self.worth.asks(named) {
            return false;
        }
        let mut stacks = std::mem::take(&mut self.stacks);
        let (round, length) = round::proof::proved(Before::Thread(self, at), &mut stacks, circle);
        self.stacks = stacks;
        self.budget.spend(length);
        let skipped = round
            .as_ref()
            .map_or(0, |round| round.length.saturating_mul(round.bound.rounds()));
        self.worth.learn(named, length, skipped);
        let Some(mut round) = round.filter(|round| !round.bound.is_endless() && round.bound.rounds() >= FEW)
        else {
            return false;
        };
        for access in &mut round.accesses {
            access.repeat(0, round.bound.rounds());
        }
        let cells = round.cells.iter();
        let variables: Vec<Range<u64>> = cells.map(|(at, cell)| *at..*at + cell.size).collect();
        let Some(spans) = spans(&mut round.accesses, &variables) else {
            return false;
        };
        self.take_rounds(at, &round, &spans);
        true
    }

    /// Does what the rounds do; `spans` are the ranges that the accesses cover.
    fn take_rounds(&mut self, at: At, round: &Round, spans: &[Range<u64>]) {
        for (access, span) in round.accesses.iter().zip(spans) {
            let tracked = self.memory(at.rank, span.start).tracked(span.clone());
            for run in access.runs(span, &tracked) {
                self.events.access(at, run);
            }
        }
        for (function, block) in &round.entered {
            self.notes.enter(*function, *block);
        }
        let last = round.bound.rounds() - 1;
        for (access, span) in round.accesses.iter().zip(spans) {
            if access.kind == AccessKind::Store && !access.is_cell {
                self.store_rounds(at.rank, access, span);
            }
        }
        let value =
            |line: Option<Line>| line.map_or(Scalar::uncomputed(), |line| line.in_round(0, last).first());
        for (address, cell) in round.cells.iter().filter(|(_, cell)| cell.is_written) {
            let (address, value) = (*address, value(cell.value));
            self.memory_mut(at.rank, address).store(address, cell.size, value);
        }
        let frame = self.frame(at);
        for (register, line) in &round.registers {
            frame.set(*register, Value::Scalar(value(*line)));
        }
    }

    fn store_rounds(&mut self, rank: u32, access: &Access, span: &Range<u64>) {
        let known = access
            .value
            .filter(|_| access.times().saturating_mul(access.size) <= STORED);
        let memory = self.memory_mut(rank, span.start);
        match known {
            Some(value) => {
                access.each_time(|rounds| {
                    let (address, value) = (access.address.in_rounds(rounds).bits, value.in_rounds(rounds));
                    let known = (value.symbol == 0).then_some(value.bits);
                    if known
                        .and_then(|known| memory.store_plain(address, access.size, known))
                        .is_none()
                    {
                        memory.store(address, access.size, value);
                    }
                });
                self.budget.spend(access.times() / 16);
            }
            None => {
                for range in access.pieces(span) {
                    memory.forget(range.start, range.end - range.start);
                }
            }
        }
    }
}
