//! Robustness as reachability: one event that is delayed, and a last command that overtakes it.
//!
//! The search goes through the sequentially consistent computations of the program. At some operation it delays popa or
//! popb; from then on it notes what happens after that event, and delays what must come after it. The program is not
//! robust iff a last command comes that accesses what the delayed event does, in conflict, and that has happened after
//! it.
//!
//! # Why this decides robustness
//!
//! Say *command* for the events that are one for the identity relation, and let a violating computation t of fewest
//! events be given. Let e be its last command, by the event that is not a pop (Lemma 6). Without e it is no violation,
//! so there is a sequentially consistent computation s with the same happens-before relation (Lemma 7); every cycle of
//! t goes through e. Take one: e, f, ..., g, e, each command once.
//!
//! 1. *e is a load, a store, or a remote operation; f is a pop after one of e's events, in conflict with it.* Nothing
//!    is after e in program order. So the edge from e is a conflict, which barriers, waits, fences, assignments and
//!    assumptions have none of (at a barrier, all of its events come at the end). All that comes after is pops.
//! 2. *Let D be the least set of events of s that has f, and with an event all that must come after it*: accesses in
//!    conflict that s has later, popb of the same operation, later pops of an ordered queue, effects at a target that a
//!    queue or a fence keeps after it. All of D is after f in t, so after an event of e; so D is pops only, and a wait
//!    for one of them is not in t, since it would be in front of e.
//! 3. *t' = (s without D), e, D in the order of s, is a computation, and violating.* Nothing that is not in D accesses
//!    after an event of D, in conflict, what it does, or it would be in D. So all values, and with them all steps, in
//!    (s without D) are those of s; queues, fences and waits are kept; the pops of D can always be done. All conflicts
//!    of s are as they were, so f still leads to g. Of e: if f conflicts with its popa (or load, or store), then in t
//!    no event that must be in front of that popa is in D, which is after it; so popa comes at once in t', and popb at
//!    the very end, after whatever g it came after. If f conflicts with its popb only, then likewise both pops come at
//!    once. In both cases the edge from g to e is still there: in program order, or by a conflict with an event that
//!    was not in D, if it is in front of f, and with any event otherwise.
//!
//! So it is enough to look for s, f, and e; D follows. The commands that happen after f are found in the order of s:
//! those of a process that one came before, those that access in conflict what one accessed, and barriers. What else s
//! does may come in any order that keeps happens-before, since nothing here depends on it: hence `persistent`. That is
//! sound in a search breadth first if from each state in which only some processes go on, a step leads to a state whose
//! own steps are still to be looked at: of the states from which a violation is n steps away, but from none is it
//! nearer, the one that is looked at last would lead to one that is looked at later. (Steps that delay an event do not
//! count for this.)
//!
//! A load that ends a poll is possible only with its value. In s, and in all of t' but e, values are as they were. If
//! e is such a load, then let f be the first write after it in t, of those to its address. The writes to it that are
//! after e in t are f and what comes after f in conflict, so all are of D, and e reads in t' what it read in t. So the
//! cells that are polled keep what was written in time. For the order of steps, such a load counts as a next command
//! even while its value is not there: who may write it is in the same persistent set.
//!
//! What is found is replayed through Table 1 all the same. Parts of a step: 0 in time, 1 in D, 2 after all.
//!
//! This replaces the four heads and the marks of section 5 of the paper, for which see `product`: nothing is guessed
//! but f, and the parts of other operations are the least possible.

mod accesses;
mod forgotten;
mod futures;
mod last;
mod layout;
mod offers;
mod persistent;
mod prospects;
mod renaming;
mod roles;
mod specialise;
mod steps;
mod symmetry;

use crate::issue::Issued;
use crate::quiet::quiet;
use crate::system::{BARRIER, Outgoing, Step, System, Visitor};
use farside_pgas::calculus::{Automaton, Command, Program};
use futures::Futures;
use layout::Layout;
use offers::{Late, Offer, Process};
use roles::Roles;
pub(crate) use specialise::fold;
use symmetry::Symmetry;

/// The computations of a program with one delayed event.
pub(crate) struct Delay {
    program: Program,
    layout: Layout,
    outgoing: Outgoing,
    futures: Futures,
    symmetry: Symmetry,
    /// Which words of a process hold ranks.
    roles: Roles,
    /// By cell: some process waits for a value of it.
    polled: Vec<bool>,
    /// By rank and transition: memory that nobody asks for after it.
    forgotten: Vec<Vec<Vec<usize>>>,
    /// By rank and control state: its steps concern nobody else, and do not run in a circle.
    quiet: Vec<Vec<bool>>,
    reduce: bool,
    prune: bool,
    /// Whether an event may be delayed.
    delays: bool,
}

impl Delay {
    pub(crate) fn new(program: &Program, options: &crate::Options) -> Self {
        let (roles, program) = (Roles::of(program), specialise::specialise(program));
        let polled = futures::polled(&program);
        let (symmetry, roles) = Symmetry::found(&program, roles, options.symmetry);
        Self {
            layout: Layout::new(&program),
            outgoing: Outgoing::new(&program),
            futures: Futures::new(&program),
            symmetry,
            roles,
            forgotten: if options.prune {
                forgotten::forgotten(&program, &polled)
            } else {
                let none = |code: &Automaton| vec![Vec::new(); code.transitions.len()];
                program.codes.iter().map(none).collect()
            },
            polled,
            quiet: quiet(&program),
            reduce: options.reduce,
            prune: options.prune,
            delays: true,
            program,
        }
    }

    /// The sequentially consistent computations of a program.
    pub(crate) fn sequential(program: &Program) -> Self {
        Self {
            delays: false,
            ..Self::new(program, &crate::Options::default())
        }
    }

    /// All steps of a process; whether one leads to a state whose steps are still to be looked at.
    fn moves(
        &self,
        state: &[u32],
        rank: usize,
        process: &Process,
        next: &mut Vec<u32>,
        visitor: &mut impl Visitor,
    ) -> bool {
        let mut open = false;
        for offer in &process.offers {
            let Some(late) = offer.now() else { continue };
            self.step(state, rank, offer, late, next);
            open |= visitor.next(next, step(rank, offer, late));
            if let (Issued::Remote(remote), None, true) = (&offer.issued, Layout::delayed(state), self.delays)
            {
                for popa in [true, false] {
                    if popa || remote.destination.is_some() {
                        let late = Late { popa, popb: true };
                        self.delay(state, rank, offer, remote, late, next);
                        if !(self.prune && self.hopeless(next, &self.delayed_processes(next))) {
                            visitor.next(next, step(rank, offer, late));
                        }
                    }
                }
            }
        }
        open
    }

    /// How many events a step has.
    pub(crate) fn events(&self, step: Step) -> usize {
        if step.rank == BARRIER {
            return self.layout.ranks;
        }
        let code = &self.program.codes[usize::from(step.rank)];
        match &code.transitions[step.transition as usize].command {
            Command::Transfer(_) => 3,
            Command::Atomic(atomic) => 2 + usize::from(atomic.local.is_some()),
            _ => 1,
        }
    }

    fn barriers(&self, state: &[u32], next: &mut Vec<u32>, visitor: &mut impl Visitor) {
        let controls = self.controls(state);
        for number in 0..self.outgoing.barriers(&controls) {
            self.pass(state, &self.outgoing.barrier(&controls, number), next);
            let step = Step {
                rank: BARRIER,
                transition: number as u32,
                parts: (0, 0),
            };
            visitor.next(next, step);
        }
    }
}

fn step(rank: usize, offer: &Offer, late: Late) -> Step {
    Step {
        rank: rank as u16,
        transition: offer.transition as u32,
        parts: (u8::from(late.popa), u8::from(late.popb)),
    }
}

impl System for Delay {
    fn first(&self) -> Vec<u32> {
        let mut state = vec![0; self.layout.words()];
        for rank in 0..self.layout.ranks {
            for (index, &value) in self.program.first_registers[rank].iter().enumerate() {
                state[self.layout.register(rank, index)] = value;
            }
            for (index, &value) in self.program.first_cells[rank].iter().enumerate() {
                state[self.layout.value(self.layout.address(rank, index))] = value;
            }
        }
        state
    }

    fn expand(&self, state: &[u32], visitor: &mut impl Visitor) {
        let processes = self.processes(state, visitor);
        if Layout::delayed(state).is_some() {
            for (rank, process) in processes.iter().enumerate() {
                for offer in &process.offers {
                    if let Some(parts) = self.last(state, rank, offer) {
                        visitor.violation(Step {
                            parts,
                            ..step(rank, offer, Late::default())
                        });
                    }
                }
            }
            if self.prune && self.hopeless(state, &processes) {
                return;
            }
        }
        let mut next = Vec::new();
        let first = if self.reduce {
            self.persistent(state, &processes)
        } else {
            None
        };
        let mut open = false;
        for &rank in first.iter().flatten() {
            open |= self.moves(state, rank, &processes[rank], &mut next, visitor);
        }
        if !open {
            for (rank, process) in processes.iter().enumerate() {
                if !first.iter().flatten().any(|&first| first == rank) {
                    self.moves(state, rank, process, &mut next, visitor);
                }
            }
            self.barriers(state, &mut next, visitor);
        }
    }

    fn settle(&self, state: &mut Vec<u32>, taken: &mut dyn FnMut(Step)) {
        if !self.reduce {
            return;
        }
        let mut next = Vec::new();
        for rank in 0..self.layout.ranks {
            while let Some((offer, late)) = self.quiet_offer(state, rank) {
                self.step(state, rank, &offer, late, &mut next);
                std::mem::swap(state, &mut next);
                taken(step(rank, &offer, late));
            }
        }
    }

    fn rename(&self, state: &mut Vec<u32>) -> Option<Vec<usize>> {
        let names = self.names(state)?;
        *state = self.renamed(state, &names);
        Some(names)
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
