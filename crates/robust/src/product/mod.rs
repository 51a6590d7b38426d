//! The product of paper 003, section 5: normal-form computations, their marked events, and cycles of the form (CYC),
//! one step at a time.
//!
//! A state is that of the program after the first part, the parts that the operations of each queue have reached, and
//! the marks. Commands are generated in order; the events of an operation go to parts 1 to 4 (here 0 to 3) in one shot
//! (Table 2). A cycle enters a process at one event and leaves it at one that is not issued before (Lemma 13); two
//! marks are linked when there is a conflict, or when both are of one barrier.
//!
//! Differences from the paper, each with its reason:
//! 1. Cycle types are not enumerated: which process follows which is decided when two marks are linked. The cycle is
//!    closed when every process that was entered is left and no mark is open.
//! 2. The first mark is that of an enter event after part 1. Otherwise the first mark would be an enter event whose
//!    predecessor on the cycle is generated before it, and so would not be first. (Of a barrier, one of the two
//!    processes would enter and leave at it, and could be left out of the cycle.)
//! 3. Only marked events are delayed more than their queue demands. In a normal-form violation all commands but the
//!    last are as in a sequentially consistent computation (Lemma 7); an event that nothing in the first part waits to
//!    see changed can as well take effect in it at its place there, which keeps all values and conflicts but those with
//!    the last command, and these are on the cycle only if they are marked.
//! 4. A wait is a step that is possible if what it waits for is in part 1: no events are removed or moved before it by
//!    the proof of Theorem 5, since cancellation takes the last command, after the wait or the wait itself.
//! 5. Unordered queues choose parts freely; a fence makes the part of earlier operations a floor for later ones to the
//!    same target. Within a part events keep the order of issue, as (NF) demands, which respects every fence.

mod channel;
mod commands;
mod layout;
mod marks;

use crate::issue::{Issued, issue};
use crate::quiet::{named_remotely, quiet};
use crate::system::{BARRIER, Outgoing, Step, System, Visitor, Wrong};
use farside_pgas::calculus::{Command, Program};
use layout::Layout;

/// The number of parts.
const PARTS: u32 = 4;
const NONE: u32 = 0;
const LINKED: u32 = 1;

/// The product automaton of a program.
pub(crate) struct Product<'p> {
    program: &'p Program,
    layout: Layout,
    outgoing: Outgoing,
    /// By code and control state: its steps touch nothing that others touch, and do not run in a circle.
    quiet: Vec<Vec<bool>>,
    /// By cell: only its own process names it, so that only a cycle within that process goes over it.
    private: Vec<bool>,
    reduce: bool,
}

impl<'p> Product<'p> {
    pub(crate) fn new(program: &'p Program, reduce: bool) -> Self {
        let named = named_remotely(program);
        let private = (0..program.cells.len())
            .map(|cell| reduce && !named.contains(&cell))
            .collect();
        Self {
            program,
            layout: Layout::new(program),
            outgoing: Outgoing::new(program),
            quiet: quiet(program),
            private,
            reduce,
        }
    }

    /// Whether a cycle is closed.
    fn accepts(&self, state: &[u32]) -> bool {
        let mut any = false;
        for rank in 0..self.layout.ranks {
            match (state[self.layout.enter(rank)], state[self.layout.leave(rank)]) {
                (NONE, NONE) => {}
                (LINKED, LINKED) => any = true,
                _ => return false,
            }
        }
        any
    }

    /// Whether no cycle can be closed any more: a process that was entered, and not left, waits for what was delayed.
    fn hopeless(&self, state: &[u32]) -> bool {
        self.reduce
            && (0..self.layout.ranks).any(|rank| {
                let entered =
                    state[self.layout.enter(rank)] != NONE && state[self.layout.leave(rank)] == NONE;
                let code = &self.program.codes[self.program.code_of_rank[rank]];
                entered
                    && self.transitions(rank, state).iter().all(|&index| {
                        let command = &code.transitions[index].command;
                        matches!(command, Command::Wait { .. }) && {
                            let register = |register: farside_pgas::calculus::Register| {
                                state[self.layout.register(rank, register.0)]
                            };
                            match issue(self.program, rank, command, &register) {
                                Ok(Issued::Wait {
                                    queues,
                                    handles,
                                    completion,
                                }) => !self.waited(rank, state, &queues, &handles, completion),
                                _ => true,
                            }
                        }
                    })
            })
    }

    fn transitions(&self, rank: usize, state: &[u32]) -> &[usize] {
        self.outgoing.all(rank, state[self.layout.control(rank)] as usize)
    }

    fn barrier(&self, state: &[u32], visitor: &mut impl Visitor) {
        let ranks = self.layout.ranks;
        let controls = self.controls(state);
        for number in 0..self.outgoing.barriers(&controls) {
            let mut next = state.to_vec();
            for (rank, index) in self.outgoing.barrier(&controls, number).into_iter().enumerate() {
                let code = &self.program.codes[self.program.code_of_rank[rank]];
                next[self.layout.control(rank)] = code.transitions[index].to as u32;
                self.bury(&mut next, rank, index);
            }
            let step = Step {
                rank: BARRIER,
                transition: number as u32,
                parts: (0, 0),
            };
            visitor.next(&next, step);
            for from in 0..ranks {
                if next[self.layout.enter(from)] == NONE || next[self.layout.leave(from)] != NONE {
                    continue;
                }
                for to in 0..ranks {
                    if to != from && next[self.layout.enter(to)] == NONE {
                        let mut linked = next.clone();
                        linked[self.layout.leave(from)] = LINKED;
                        linked[self.layout.enter(to)] = LINKED;
                        visitor.next(&linked, step);
                    }
                }
            }
        }
    }
}

impl System for Product<'_> {
    fn first(&self) -> Vec<u32> {
        let mut state = vec![0; self.layout.words()];
        for rank in 0..self.layout.ranks {
            for (index, &value) in self.program.first_registers[rank].iter().enumerate() {
                state[self.layout.register(rank, index)] = value;
            }
            for (index, &value) in self.program.first_cells[rank].iter().enumerate() {
                state[self.layout.cell(rank, index)] = value;
            }
        }
        state
    }

    /// All steps from a state.
    fn expand(&self, state: &[u32], visitor: &mut impl Visitor) {
        let visitor = &mut Judged {
            product: self,
            inner: visitor,
        };
        if self.reduce {
            // One process whose steps concern nobody else goes first; the others find the same after it.
            for rank in 0..self.layout.ranks {
                let (code, control) = (
                    self.program.code_of_rank[rank],
                    state[self.layout.control(rank)] as usize,
                );
                if self.quiet[code][control] {
                    let mut counted = Counted {
                        inner: visitor,
                        steps: 0,
                    };
                    self.steps_of(rank, state, &mut counted);
                    if counted.steps > 0 {
                        return;
                    }
                    // It is stuck for ever; the others are not.
                }
            }
        }
        for rank in 0..self.layout.ranks {
            let (code, control) = (
                self.program.code_of_rank[rank],
                state[self.layout.control(rank)] as usize,
            );
            if !(self.reduce && self.quiet[code][control]) {
                self.steps_of(rank, state, visitor);
            }
        }
        self.barrier(state, visitor);
    }

    fn settle(&self, _: &mut Vec<u32>, _: &mut dyn FnMut(Step)) {}

    fn rename(&self, _: &mut Vec<u32>) -> Option<Vec<usize>> {
        None
    }

    fn ranks(&self) -> usize {
        self.layout.ranks
    }

    fn controls(&self, state: &[u32]) -> Vec<usize> {
        (0..self.layout.ranks)
            .map(|rank| state[self.layout.control(rank)] as usize)
            .collect()
    }

    fn outgoing(&self) -> &Outgoing {
        &self.outgoing
    }
}

/// Tells closed cycles from states to go on from, and leaves out those that are hopeless.
struct Judged<'v, 'p, V> {
    product: &'v Product<'p>,
    inner: &'v mut V,
}

impl<V: Visitor> Visitor for Judged<'_, '_, V> {
    fn next(&mut self, state: &[u32], step: Step) -> bool {
        if self.product.hopeless(state) {
            return false;
        }
        if self.product.accepts(state) {
            self.inner.violation(step);
        }
        self.inner.next(state, step)
    }

    fn violation(&mut self, last: Step) {
        self.inner.violation(last);
    }

    fn wrong(&mut self, rank: usize, transition: usize, wrong: Wrong) {
        self.inner.wrong(rank, transition, wrong);
    }
}

/// Counts the next states on their way.
struct Counted<'v, V> {
    inner: &'v mut V,
    steps: usize,
}

impl<V: Visitor> Visitor for Counted<'_, V> {
    fn next(&mut self, state: &[u32], step: Step) -> bool {
        self.steps += 1;
        self.inner.next(state, step)
    }

    fn violation(&mut self, last: Step) {
        self.inner.violation(last);
    }

    fn wrong(&mut self, rank: usize, transition: usize, wrong: Wrong) {
        self.inner.wrong(rank, transition, wrong);
    }
}
