//! Where control goes: conditions, loops, the ends of blocks, functions and threads.

use super::machine;
use super::running::Running;
use crate::arithmetic;
use crate::execute::Job;
use crate::ir::{Action, BlockId, End, Operand, PlaceId, Predicate};
use crate::layout::function_at;
use crate::loops::Exit;
use crate::reach::Cause;
use crate::site::At;
use crate::threads;
use crate::value::{NEGATED, RANK, Scalar, UNCOMPUTED, Value};
use farside_events::{AccessKind, AccessSource, EventKind, Mistake};
use std::ops::Range;

/// Rounds of a loop that waits for somebody else. The others have their turns meanwhile, hundreds of them.
const PATIENCE: u32 = 1 << 16;

impl<'m> Job<'m> {
    /// Whether a condition holds. One that the outside world decides is noted.
    pub(crate) fn decide(&mut self, at: At, condition: Scalar) -> bool {
        self.decide_with(at, condition, true)
    }

    /// Likewise, for a program that works either way, or only one way.
    fn decide_with(&mut self, at: At, condition: Scalar, works_either_way: bool) -> bool {
        let sample = condition.bits & 1 == 1;
        if condition.is_known() {
            return sample;
        }
        let (symbol, negated) = (condition.symbol & !NEGATED, condition.symbol & NEGATED != 0);
        if symbol == UNCOMPUTED {
            self.beyond_computation(at);
            return sample;
        }
        let rests = condition.is_unseen() && works_either_way;
        if rests {
            // What was loaded and stored before does not rest on it.
            self.events.flush_all(&mut self.budget);
        }
        let truth = self
            .decisions
            .decide(symbol, sample != negated, self.events.found(), rests);
        truth != negated
    }

    pub(super) fn leave_block(&mut self, at: At, end: &'m End, place: PlaceId) {
        match end {
            End::Goto(to) => self.enter_block(at, *to),
            End::Branch { condition, yes, no } => {
                let condition = self.scalar(at, condition);
                if condition.is_uncomputed() && self.choose(at) {
                    return;
                }
                let mut holds = self.decide_with(at, condition, self.works_either_way(at, [*yes, *no]));
                self.branched(at, condition, if holds { *no } else { *yes });
                let frame = self.processes.frame(at).expect("in a function");
                let (function, block) = (frame.function(), frame.block() as usize);
                if let Some(exit) = self.survey.exits(function)[block] {
                    let stay = if exit.leaves { *no } else { *yes };
                    let turns = match holds == exit.leaves {
                        true => Some(0),
                        false => self.turns(at, (exit, place), condition.is_known(), stay),
                    };
                    self.frame(at).set_turns(turns.unwrap_or(0));
                    if turns.is_none() {
                        holds = exit.leaves;
                        if condition.is_known() || !self.frame(at).repeats() {
                            self.notes.cut_loop(place);
                            self.stop(at, Cause::LoopLeft, place);
                        }
                        // Left although its condition says that it goes on: no execution does that.
                        if condition.is_known() {
                            self.beyond_execution();
                        }
                    }
                }
                self.enter_block(at, if holds { *yes } else { *no });
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.scalar(at, value);
                let named = |(case, _): &(u64, BlockId)| *case >= u64::from(self.size) && *case < 64;
                if value.symbol == RANK && cases.iter().any(named) {
                    self.notes.miss_rank();
                }
                let found = cases.iter().find(|(case, to)| {
                    let condition = arithmetic::compare(Predicate::Eq, 64, value, Scalar::known(*case));
                    self.notes
                        .terms_mut()
                        .compare(Predicate::Eq, 64, [value, with_sign(*case)], condition);
                    let holds = self.decide_with(at, condition, self.works_either_way(at, [*to, *default]));
                    self.branched(at, condition, if holds { *default } else { *to });
                    holds
                });
                self.enter_block(at, found.map_or(*default, |(_, to)| *to));
            }
            End::Return(value) => {
                let value = value
                    .as_ref()
                    .map_or(Value::default(), |value| self.value(at, value));
                self.returned(at, &value, place);
                self.give_locals_back(at, place);
                self.leave_function(at, value);
            }
            End::Invoke { normal, .. } => self.enter_block(at, *normal),
            End::Resume => self.unwind(at),
            End::Unreachable => self.fall_off(at, place),
            End::Unknown => {
                self.stop(at, Cause::Jump, place);
                self.notes.abort();
                self.end_process(at.rank);
            }
        }
    }

    /// Whether none of two blocks is a way out, on which a program fails: where one is, a program that works goes the
    /// other way.
    fn works_either_way(&self, at: At, blocks: [BlockId; 2]) -> bool {
        let function = self.processes.frame(at).map(|frame| frame.function());
        let ways_out = function.map(|function| self.survey.ways_out(function));
        ways_out.is_none_or(|ways_out| blocks.iter().all(|block| !ways_out[*block as usize]))
    }

    /// A branch on a condition that was not computed: if it only chooses between values, these are not computed either,
    /// and nothing else depends on it. Whether it does.
    fn choose(&mut self, at: At) -> bool {
        let Some(frame) = self.processes.frame(at) else {
            return false;
        };
        let function = frame.function();
        let Some(choice) = self.survey.choice(function, frame.block()) else {
            return false;
        };
        let join = choice.join();
        let block = &self.module.functions[function as usize].blocks[join as usize];
        let value = |incoming: &[(BlockId, Operand)]| match choice.same(incoming) {
            Some(same) => self.value(at, same),
            None => Value::Scalar(Scalar::uncomputed()),
        };
        let merged = block
            .phis
            .iter()
            .map(|(register, incoming)| (*register, value(incoming)));
        for (register, value) in merged.collect::<Vec<_>>() {
            self.frame(at).set(register, value);
        }
        self.frame(at).go_to(join);
        for entered in [join].into_iter().chain(choice.from()) {
            self.notes.enter(function, entered);
        }
        true
    }

    /// A function is loaded from an address that the outside world decides, as from a table by the number of an option:
    /// it is met as a condition that the address is this one, so that other functions are looked for.
    pub(super) fn choose_function(&mut self, at: At, address: Scalar, function: &Value) {
        if address.is_known() || address.is_uncomputed() || function_at(function.scalar().bits).is_none() {
            return;
        }
        let this = Scalar::known(address.bits);
        let condition = arithmetic::compare(Predicate::Eq, 64, address, this);
        let terms = self.notes.terms_mut();
        terms.compare(Predicate::Eq, 64, [address, this], condition);
        self.decide(at, condition);
        let block = self.processes.frame(at).map(|frame| frame.block());
        block
            .into_iter()
            .for_each(|block| self.branched(at, condition, block));
    }

    /// A branch was decided; the blocks that the other way would have led on from are kept of the first time.
    fn branched(&mut self, at: At, condition: Scalar, other: BlockId) {
        if condition.is_known() {
            return;
        }
        let mut frames = self.processes.thread(at).trail();
        let Some(innermost) = frames.last_mut() else {
            return;
        };
        self.notes.outside(*innermost);
        innermost.1 = other;
        self.decisions.set_other(condition.symbol & !NEGATED, frames);
    }

    /// A function returns; if it is `main`, the process ends.
    fn returned(&mut self, at: At, value: &Value, place: PlaceId) {
        let mut frames = self.processes.thread(at).trail();
        let Some((function, _)) = frames.first().copied() else {
            return;
        };
        let code = &self.module.functions[function as usize];
        if at.thread != 0 || frames.len() != 1 || !["main", "_QQmain"].contains(&code.name.as_str()) {
            return;
        }
        let value = value.scalar();
        let status = value
            .is_known()
            .then(|| value.signed32())
            .filter(|_| code.name == "main");
        if status.is_some_and(|status| status != 0) {
            self.notes.fail();
        }
        // Compilers make one block of all returns: the statement stands in the block before it.
        let frame = self.frame(at);
        let (block, previous) = (frame.block(), frame.previous());
        let before = &code.blocks[previous as usize];
        let place = match before.end == End::Goto(block) {
            true => {
                frames[0].1 = previous;
                before.end_place
            }
            false => place,
        };
        self.stop_at(frames, Cause::Returned(status), place);
    }

    /// Control comes to where none can come: after a call that does not return, and that is not known here.
    fn fall_off(&mut self, at: At, place: PlaceId) {
        let module = self.module;
        let frame = self.frame(at);
        let (block, _) = frame.code(module);
        let mut calls = block
            .instructions
            .iter()
            .rev()
            .filter_map(|instruction| match &instruction.action {
                Action::Call {
                    callee: Operand::Function(callee),
                    ..
                } => Some((module.functions[*callee as usize].name.clone(), instruction.place)),
                _ => None,
            });
        let (name, place) = calls.next().unwrap_or((String::new(), place));
        self.stop(at, Cause::NoReturn(name), place);
        self.notes.abort();
        self.end_process(at.rank);
    }

    /// How often the branch at hand has stayed in its loop, now that it stays once more; `None` if the loop is cut.
    fn turns(&mut self, at: At, (exit, place): (Exit, PlaceId), known: bool, stay: BlockId) -> Option<u32> {
        if known {
            self.watch_round(at, place);
        }
        let frame = self.frame(at);
        let turns = frame.turns() + 1;
        let most = match (exit.waits, known) {
            (true, true) => PATIENCE,
            // A loop that the outside world controls is followed for a few rounds, in all processes equally often.
            (_, false) => {
                self.note_round(at, turns == 1);
                self.budget.turns().most().min(64)
            }
            (false, true) => {
                let limits = self.budget.turns();
                let must = turns >= limits.most();
                if limits.may_be_taken_together(turns) && self.skip_rounds(at, stay, must) {
                    // After a round that went another way, more may be taken together.
                    return Some(limits.single() - 2);
                }
                limits.most()
            }
        };
        (turns <= most).then_some(turns)
    }

    /// Notes what the round of the loop at hand was like that has just ended; what came before its first branch is no round.
    fn note_round(&mut self, at: At, first: bool) {
        self.events.flush(&mut self.budget, at);
        let history = self.events.history(at.rank);
        if let Some(frame) = self.processes.thread_mut(at).frame_mut() {
            frame.note_round(history, first);
        }
    }

    pub(crate) fn enter_block(&mut self, at: At, to: BlockId) {
        let module = self.module;
        let frame = self.processes.frame(at).expect("in a function");
        let (function, from) = (frame.function(), frame.block());
        let Some(block) = module.functions[function as usize].blocks.get(to as usize) else {
            self.stop(at, Cause::Jump, self.here(at));
            self.notes.abort();
            return self.end_process(at.rank);
        };
        let ways_out = self.survey.ways_out(function);
        if ways_out[to as usize] && !ways_out[from as usize] {
            // What is found on a way out, only those find who start the program wrongly.
            self.beyond_execution();
        }
        let mut running = Running::new(self, at);
        let Ok(()) = machine::merge(&mut running, block, Some(from));
        self.frame(at).go_to(to);
        self.notes.enter(function, to);
    }

    /// The local variables of the function end with it, whoever still uses them (C17 §6.2.4): as if they were stored to.
    fn give_locals_back(&mut self, at: At, place: PlaceId) {
        let process = self.processes.of(at.rank);
        let frame = process.thread(at.thread).frame().expect("in a function");
        let local = |base: &u64| {
            process
                .memory()
                .object(*base)
                .map(|(base, object)| (base, object.size))
        };
        let tracked = |(base, size): &(u64, u64)| process.memory().is_tracked(*base, *size);
        let lost: Vec<(u64, u64)> = frame.locals().iter().filter_map(local).filter(tracked).collect();
        for (base, size) in lost {
            let source = AccessSource::Library("return".into());
            self.access(at, AccessKind::Store, base, size, source, place);
            self.end_variable(at, base..base + size, place);
        }
    }

    /// A local variable ends, which no window has then; what is left at the end of the program does no harm.
    fn end_variable(&mut self, at: At, memory: Range<u64>, place: PlaceId) {
        let process = self.processes.of_mut(at.rank);
        let earlier = process.handles_mut().end_memory(&memory);
        if let Some((by, since)) = earlier.filter(|_| !process.is_finalized()) {
            let stack = self.stacks.push(place, self.processes.thread(at).stack());
            self.emit(
                at,
                EventKind::Mistaken {
                    mistake: Mistake::OfWindow,
                    name: "return".into(),
                    stack,
                    earlier: Some((by.into(), since)),
                },
            );
        }
    }

    fn leave_function(&mut self, at: At, value: Value) {
        let process = self.processes.of_mut(at.rank);
        let frame = process.leave_function(at.thread).expect("in a function");
        if process.thread(at.thread).depth() == 0 {
            if at.thread == 0 {
                self.end_process(at.rank);
            } else {
                self.end_thread(at);
                self.processes.thread_mut(at).end_with(value.scalar());
            }
        } else if !frame.is_again() {
            self.finish(at, frame.result(), value);
        }
    }

    /// The program or its `main` has ended in this process.
    pub(crate) fn end_process(&mut self, rank: u32) {
        self.processes.of_mut(rank).finish();
    }

    pub(crate) fn end_thread(&mut self, at: At) {
        if let Some(kind) = threads::end(at.thread) {
            self.emit(at, kind);
        }
        self.processes.thread_mut(at).end();
    }
}

/// A case of a switch over `int`, with the sign that it has there.
fn with_sign(case: u64) -> Scalar {
    Scalar::known(match u32::try_from(case) {
        Ok(number) => i64::from(number as i32) as u64,
        Err(_) => case,
    })
}
