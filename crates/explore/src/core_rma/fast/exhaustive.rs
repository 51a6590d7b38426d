//! Outcomes where hb matters as a whole: accesses that are not atomic, rules switched off, orders that look at rf or
//! hb.
//!
//! First all that has a bearing on hb: reads-from of atomic reads (of all reads, if the model looks at rf), and every
//! order of atomic writes. Then hb is final, conflicts are known, and the other reads see any write that no-C lets them
//! see.

use super::edges::put;
use super::relational::Relations;
use super::saturate::{saturate, saturate_with_orders};
use super::scene::Scene;
use super::values::{Decided, Values};
use super::{Budget, ExploreError, Found, Sink};
use farside_litmus::ast::Observable;
use farside_models::core_rma::Rule;
use farside_relations::{MAX, Order, Set};

/// Gives the sink every final state that it wants.
pub(super) fn search(
    scene: &Scene<'_>,
    order: Order,
    observables: &[Observable],
    budget: &mut Budget,
    sink: &mut dyn Sink,
) -> Result<(), ExploreError> {
    let dynamic = scene.is_dynamic();
    let relevant = if dynamic {
        scene.readers
    } else if scene.has(Rule::R1) || scene.has(Rule::R2) {
        scene.readers & scene.atomic
    } else {
        Set::EMPTY
    };
    Search {
        scene,
        observables,
        dynamic,
        relevant,
        budget,
        sink,
    }
    .read(&State {
        order,
        reads_from: [None; MAX],
        decided: Set::EMPTY,
    })
}

#[derive(Clone)]
struct State {
    order: Order,
    reads_from: [Option<u8>; MAX],
    /// Reads whose write is chosen; those without one see some write that is not atomic.
    decided: Set,
}

struct Search<'s> {
    scene: &'s Scene<'s>,
    observables: &'s [Observable],
    dynamic: bool,
    /// Reads whose write has a bearing on hb.
    relevant: Set,
    budget: &'s mut Budget,
    sink: &'s mut dyn Sink,
}

/// What reads see once hb is final.
struct Views {
    conflicting_reads: Set,
    conflicting_writes: Set,
    /// By read without conflict: the writes that it may see.
    options: [Set; MAX],
}

impl Search<'_> {
    /// Chooses what relevant reads see.
    fn read(&mut self, state: &State) -> Result<(), ExploreError> {
        self.budget.step()?;
        if self.sink.is_done() {
            return Ok(());
        }
        let Some(r) = (self.relevant - state.decided).least() else {
            let mut order = state.order.clone();
            if !self.close(&mut order, state) {
                return Ok(());
            }
            return self.order_writes(&State {
                order,
                ..state.clone()
            });
        };
        let scene = self.scene;
        let writers = scene.writers[r] - Set::one(r);
        let single = if self.dynamic {
            writers
        } else {
            writers & scene.atomic
        };
        for w in single {
            let mut state = state.clone();
            state.reads_from[r] = u8::try_from(w).ok();
            state.decided.insert(r);
            let ordered = scene.has(Rule::R2) && scene.is_atomic(r) && scene.is_atomic(w);
            let seen = match ordered {
                true => put(scene, &mut state.order, w, Set::one(r)),
                false => Ok(()),
            };
            let seen =
                seen.and_then(|()| saturate(scene, &mut state.order, &state.reads_from, state.decided));
            if seen.is_ok() {
                self.read(&state)?;
            }
        }
        if !(writers - single).is_empty() {
            let mut state = state.clone();
            state.decided.insert(r);
            self.read(&state)?;
        }
        Ok(())
    }

    fn close(&self, order: &mut Order, state: &State) -> bool {
        saturate_with_orders(self.scene, order, &state.reads_from, state.decided).is_ok()
    }

    /// Chooses how WS orders writes.
    fn order_writes(&mut self, state: &State) -> Result<(), ExploreError> {
        self.budget.step()?;
        let scene = self.scene;
        let unordered = |w: usize| scene.writers[w] & scene.atomic & state.order.unordered(w);
        let open = match scene.has(Rule::Ws) {
            true => scene
                .atomic
                .members()
                .filter(|&w| scene.writers[w].has(w))
                .find_map(|w| Some((w, unordered(w).least()?))),
            false => None,
        };
        let Some((first, second)) = open else {
            return self.see(state);
        };
        for (w1, w2) in [(first, second), (second, first)] {
            let mut order = state.order.clone();
            if put(scene, &mut order, w1, Set::one(w2)).is_ok() && self.close(&mut order, state) {
                self.order_writes(&State {
                    order,
                    ..state.clone()
                })?;
            }
        }
        Ok(())
    }

    /// Hb is final.
    fn see(&mut self, state: &State) -> Result<(), ExploreError> {
        let Some(views) = self.views(state) else {
            return Ok(());
        };
        if self.dynamic && !self.requirements(state) {
            return Ok(());
        }
        let mut last = vec![None; self.observables.len()];
        self.choose(state, &views, state.reads_from, &mut last)
    }

    fn requirements(&self, state: &State) -> bool {
        let requirements = &self.scene.model.requirements;
        if requirements.is_empty() {
            return true;
        }
        let relations = Relations::new(self.scene, Some((&state.reads_from, &state.order)));
        requirements
            .iter()
            .filter(|requirement| requirement.dynamic)
            .all(|requirement| relations.meets(requirement.kind, &requirement.expression))
    }

    /// Conflicts, and what reads without conflict may see; none if one may see nothing.
    fn views(&self, state: &State) -> Option<Views> {
        let scene = self.scene;
        let mut views = Views {
            conflicting_reads: Set::EMPTY,
            conflicting_writes: Set::EMPTY,
            options: [Set::EMPTY; MAX],
        };
        for action in 0..scene.size {
            let mut against = scene.writers[action] & state.order.unordered(action);
            if scene.is_atomic(action) {
                against -= scene.atomic;
            }
            if !against.is_empty() && scene.has(Rule::C) {
                views.conflicting_reads |= Set::one(action) & scene.readers;
                views.conflicting_writes |= Set::one(action) & scene.writers[action];
            }
        }
        for r in scene.readers - views.conflicting_reads {
            let writers = scene.writers[r] - Set::one(r);
            let possible = match (state.decided.has(r), state.reads_from[r]) {
                (true, Some(w)) => Set::one(usize::from(w)),
                (true, None) => writers - scene.atomic,
                (false, _) => writers,
            };
            for w in possible {
                let all_atomic = scene.is_atomic(r) && scene.is_atomic(w);
                let mut between = state.order.after(w) & state.order.before(r) & writers;
                if all_atomic {
                    between -= scene.atomic;
                }
                if between.is_empty() && (all_atomic || !state.order.has(r, w)) {
                    views.options[r].insert(w);
                }
            }
            if views.options[r].is_empty() {
                return None;
            }
        }
        Some(views)
    }

    /// Chooses what the reads see on which the outcome depends, and which write is the last.
    fn choose(
        &mut self,
        state: &State,
        views: &Views,
        reads_from: [Option<u8>; MAX],
        last: &mut Vec<Option<u8>>,
    ) -> Result<(), ExploreError> {
        self.budget.step()?;
        let scene = self.scene;
        for (index, observable) in self.observables.iter().enumerate() {
            if let (Observable::Variable(variable), None) = (observable, last[index]) {
                for w in (0..scene.size).filter(|&w| scene.path.actions[w].writes == Some(*variable)) {
                    if !state.order.after(w).meets(scene.writers[w]) {
                        last[index] = u8::try_from(w).ok();
                        self.choose(state, views, reads_from, last)?;
                    }
                }
                last[index] = None;
                return Ok(());
            }
        }
        if let Some(r) = self.open_read(views, &reads_from, last) {
            for w in views.options[r] {
                let mut reads_from = reads_from;
                reads_from[r] = u8::try_from(w).ok();
                self.choose(state, views, reads_from, last)?;
            }
            return Ok(());
        }
        let decided = Decided {
            reads_from: &reads_from,
            last,
            conflicting_reads: views.conflicting_reads,
            conflicting_writes: views.conflicting_writes,
        };
        let mut values = Values::new(scene, &decided);
        if values.branches(true)
            && let Some(values) = values.state(self.observables)
            && self.sink.wants(&values)
        {
            // Reads that no outcome depends on see any write that they may see.
            let mut reads_from = reads_from;
            for r in scene.readers - views.conflicting_reads {
                let least = views.options[r].least().and_then(|w| u8::try_from(w).ok());
                reads_from[r] = reads_from[r].or(least);
            }
            self.sink.take(
                values,
                Found {
                    reads_from: &reads_from,
                    order: &state.order,
                    scene,
                    extends: false,
                },
            );
        }
        Ok(())
    }

    /// A read that the outcome depends on and for which no write is chosen.
    fn open_read(&self, views: &Views, reads_from: &[Option<u8>; MAX], last: &[Option<u8>]) -> Option<usize> {
        let scene = self.scene;
        let mut demanded = Set::EMPTY;
        let write = |w: usize| match views.conflicting_writes.has(w) {
            false => scene.sources[w],
            true => Set::EMPTY,
        };
        for (index, observable) in self.observables.iter().enumerate() {
            demanded |= match observable {
                Observable::Register(rank, register) => {
                    scene.term(&scene.path.registers[rank.0 as usize][register.0 as usize])
                }
                Observable::Variable(_) => last[index].map_or(Set::EMPTY, |w| write(usize::from(w))),
            };
        }
        for (term, _) in &scene.path.branches {
            demanded |= scene.term(term);
        }
        let mut seen = views.conflicting_reads;
        while let Some(r) = (demanded - seen).least() {
            seen.insert(r);
            match reads_from[r] {
                None => return Some(r),
                Some(w) => demanded |= write(usize::from(w)),
            }
        }
        None
    }
}
