//! Outcomes where all accesses are atomic: decides only the reads that an outcome depends on.
//!
//! A reads-from of these reads is part of an execution exactly if hb, with R1 and R2, can be drawn out into a line in
//! which no write to the variable stands between a write and a decided read of it: of each other write, either it comes
//! before the write that is read, or after the read. In such a line, reads left open see the last write before them,
//! and WS orders as the line does.

use super::edges::put;
use super::saturate::{pairs_apart, saturate};
use super::scene::Scene;
use super::values::{Decided, Values};
use super::{Budget, ExploreError, Found, Sink};
use farside_litmus::ast::Observable;
use farside_relations::{MAX, Order, Set};

/// Gives the sink every final state that it wants.
pub(super) fn search(
    scene: &Scene<'_>,
    order: Order,
    observables: &[Observable],
    budget: &mut Budget,
    sink: &mut dyn Sink,
) -> Result<(), ExploreError> {
    let mut demanded = Set::EMPTY;
    for observable in observables {
        if let Observable::Register(rank, register) = observable {
            demanded |= scene.term(&scene.path.registers[rank.0 as usize][register.0 as usize]);
        }
    }
    for (term, _) in &scene.path.branches {
        demanded |= scene.term(term);
    }
    let mut search = Search {
        scene,
        observables,
        budget,
        sink,
    };
    search.decide(&State {
        order,
        reads_from: [None; MAX],
        decided: Set::EMPTY,
        demanded,
        last: vec![None; observables.len()],
    })
}

#[derive(Clone)]
struct State {
    order: Order,
    reads_from: [Option<u8>; MAX],
    decided: Set,
    demanded: Set,
    last: Vec<Option<u8>>,
}

struct Search<'s> {
    scene: &'s Scene<'s>,
    observables: &'s [Observable],
    budget: &'s mut Budget,
    sink: &'s mut dyn Sink,
}

impl Search<'_> {
    fn decide(&mut self, state: &State) -> Result<(), ExploreError> {
        self.budget.step()?;
        if self.sink.is_done() {
            return Ok(());
        }
        if !self.scene.path.branches.is_empty() && !self.values(state, |values| values.branches(false)) {
            return Ok(());
        }
        for (index, observable) in self.observables.iter().enumerate() {
            if let (Observable::Variable(variable), None) = (observable, state.last[index]) {
                let writers =
                    (0..self.scene.size).filter(|&w| self.scene.path.actions[w].writes == Some(*variable));
                for w in writers {
                    self.finish(state, index, w)?;
                }
                return Ok(());
            }
        }
        let pending = state.demanded - state.decided;
        let next = pending
            .members()
            .map(|r| (r, self.candidates(state, r)))
            .min_by_key(|&(_, candidates)| candidates.len());
        match next {
            None => self.leaf(state),
            Some((r, candidates)) => {
                for w in candidates {
                    self.read(state, r, w)?;
                }
                Ok(())
            }
        }
    }

    /// Writes that the read can still see.
    fn candidates(&self, state: &State, r: usize) -> Set {
        let writers = self.scene.writers[r] - Set::one(r);
        let order = &state.order;
        let mut candidates = writers - order.after(r);
        for w in candidates {
            if order.after(w).meets(order.before(r) & writers) {
                candidates.remove(w);
            }
        }
        candidates
    }

    /// The read `r` sees `w`.
    fn read(&mut self, state: &State, r: usize, w: usize) -> Result<(), ExploreError> {
        let mut state = state.clone();
        state.reads_from[r] = u8::try_from(w).ok();
        state.decided.insert(r);
        state.demanded |= self.scene.sources[w];
        let seen = put(self.scene, &mut state.order, w, Set::one(r))
            .and_then(|()| saturate(self.scene, &mut state.order, &state.reads_from, state.decided));
        match seen {
            Ok(()) => self.decide(&state),
            Err(_) => Ok(()),
        }
    }

    /// The write `w` is the last to an observed variable.
    fn finish(&mut self, state: &State, index: usize, w: usize) -> Result<(), ExploreError> {
        let mut state = state.clone();
        state.last[index] = u8::try_from(w).ok();
        state.demanded |= self.scene.sources[w];
        let others = self.scene.writers[w] - Set::one(w);
        for other in others {
            if put(self.scene, &mut state.order, other, Set::one(w)).is_err() {
                return Ok(());
            }
        }
        match saturate(self.scene, &mut state.order, &state.reads_from, state.decided) {
            Ok(()) => self.decide(&state),
            Err(_) => Ok(()),
        }
    }

    fn leaf(&mut self, state: &State) -> Result<(), ExploreError> {
        let observables = self.observables;
        let values = self.values(state, |values| {
            if values.branches(true) {
                values.state(observables)
            } else {
                None
            }
        });
        let Some(values) = values else {
            return Ok(());
        };
        if !self.sink.wants(&values) {
            return Ok(());
        }
        if let Some(order) = self.settle(state, state.order.clone())? {
            self.sink.take(
                values,
                Found {
                    reads_from: &state.reads_from,
                    order: &order,
                    scene: self.scene,
                    extends: true,
                },
            );
        }
        Ok(())
    }

    /// Puts every write before or after each decided read, if that is possible.
    fn settle(&mut self, state: &State, order: Order) -> Result<Option<Order>, ExploreError> {
        self.budget.step()?;
        let Some(alternatives) = self.open_choice(state, &order) else {
            return Ok(Some(order));
        };
        for (a, later) in alternatives {
            let mut order = order.clone();
            let put = put(self.scene, &mut order, a, later)
                .and_then(|()| saturate(self.scene, &mut order, &state.reads_from, state.decided));
            if put.is_ok()
                && let Some(settled) = self.settle(state, order)?
            {
                return Ok(Some(settled));
            }
        }
        Ok(None)
    }

    /// Two ways to go on, as edges.
    fn open_choice(&self, state: &State, order: &Order) -> Option<[(usize, Set); 2]> {
        for r in state.decided {
            let w = usize::from(state.reads_from[r]?);
            let others = self.scene.writers[r] - Set::one(r) - Set::one(w);
            let open = others - order.before(w) - order.after(r);
            if let Some(other) = open.least() {
                return Some([(r, Set::one(other)), (other, Set::one(w))]);
            }
        }
        pairs_apart(self.scene)
            .find(|(p, q)| !order.has(p[1], q[0]) && !order.has(q[1], p[0]))
            .map(|(p, q)| [(p[1], Set::from_iter(q)), (q[1], Set::from_iter(p))])
    }

    fn values<T>(&self, state: &State, ask: impl FnOnce(&mut Values<'_>) -> T) -> T {
        let decided = Decided {
            reads_from: &state.reads_from,
            last: &state.last,
            conflicting_reads: Set::EMPTY,
            conflicting_writes: Set::EMPTY,
        };
        ask(&mut Values::new(self.scene, &decided))
    }
}
