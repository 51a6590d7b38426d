//! Flags beside memory: a rank sets one of another, with or after its data; that one sees it, and sets it back.
//!
//! Source: GASPI 17.1 §8.3, §8.4, where flags are notifications. Seeing a flag that is set says that all that its
//! origin did before has happened, and that the data are there that it was sent with or after. Setting it back by a
//! call that finds it set takes it; until then one more setting of it may be lost.
//!
//! Which of several settings was seen, the value decides where that is known, and else it may have been any of them:
//! all of them count, so that no race is reported that is none. So does the last that was taken, where none is left:
//! one thread may tell that it has seen a flag later than another that it has taken it.

use super::{Edge, Threads};
use crate::finding::Link;
use crate::record::Op;
use farside_clocks::{Component, Epoch, VectorClock};
use farside_events::{Flag, OperationKind, Rank, WinId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// Settings kept of one flag: more were lost, each of them a finding of its own.
const KEPT: usize = 64;

/// A flag: a window, its process, a number.
type Place = (WinId, Rank, u32);

/// A flag that was set.
#[derive(Clone, Debug)]
struct Raised {
    /// What it came with; of several, the last.
    op: Rc<Op>,
    value: u64,
    /// What is done where the flag is, if it is seen.
    done: Vec<Rc<Op>>,
    /// What its origin knew when it was sent.
    clock: VectorClock,
    /// What was the last setting before it.
    previous: Option<Last>,
}

/// The last setting of a flag, and when that was taken.
#[derive(Clone, Debug)]
struct Last {
    op: Rc<Op>,
    taken: Option<Epoch>,
}

#[derive(Debug, Default)]
struct State {
    /// Not taken yet, the oldest first.
    raised: VecDeque<Raised>,
    /// That was taken.
    taken: Option<Raised>,
    last: Option<Last>,
}

/// All flags.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    states: HashMap<Place, State>,
    /// Data of a call whose flag comes with its last piece.
    gathering: HashMap<Component, Vec<Rc<Op>>>,
    /// The flag that each thread set last.
    latest: HashMap<Component, Place>,
}

impl Flags {
    /// An operation is issued that brings a flag, or data that a flag of the same call comes after. `before` are
    /// operations that it comes after, too. Gives the last setting of the same flag that its thread does not know to
    /// have been taken.
    pub(crate) fn raise(
        &mut self,
        threads: &mut Threads,
        component: Component,
        flag: &Flag,
        op: &Rc<Op>,
        before: Vec<Rc<Op>>,
    ) -> Option<Rc<Op>> {
        let gathered = self.gathering.entry(component).or_default();
        gathered.push(Rc::clone(op));
        if !flag.last {
            return None;
        }
        let mut done = std::mem::take(gathered);
        done.extend(before);
        let place = (flag.win, place_of(op), flag.number);
        self.latest.insert(component, place);
        let state = self.states.entry(place).or_default();
        let known = threads.clock(component);
        let is_taken = |last: &Last| last.taken.is_some_and(|taken| known.covers(taken));
        let lost = state.last.as_ref().filter(|last| !is_taken(last));
        let lost = lost.map(|last| Rc::clone(&last.op));
        // What its origin does from now on is not known to who sees it.
        let clock = threads.release(component);
        let last = Last {
            op: Rc::clone(op),
            taken: None,
        };
        let previous = state.last.replace(last);
        state.raised.push_back(Raised {
            op: Rc::clone(op),
            value: flag.value,
            done,
            clock,
            previous,
        });
        if state.raised.len() > KEPT {
            state.raised.pop_front();
        }
        lost
    }

    /// A call of this thread has failed: it has not issued this operation, and so not set the flag that came with it.
    pub(crate) fn withdraw(&mut self, component: Component, op: &Rc<Op>) {
        let Some(state) = self
            .latest
            .get(&component)
            .and_then(|place| self.states.get_mut(place))
        else {
            return;
        };
        let Some(index) = state.raised.iter().rposition(|raised| Rc::ptr_eq(&raised.op, op)) else {
            return;
        };
        let Some(raised) = state.raised.remove(index) else {
            return;
        };
        if state.last.as_ref().is_some_and(|last| Rc::ptr_eq(&last.op, op)) {
            state.last = raised.previous;
        }
    }

    /// A thread has seen one of its process' flags, or taken it, and then found this value.
    pub(crate) fn see(
        &mut self,
        threads: &mut Threads,
        component: Component,
        (win, number): (WinId, u32),
        taken: Option<u64>,
    ) -> Vec<Edge> {
        let place = (win, threads.rank(component), number);
        let Some(state) = self.states.get_mut(&place) else {
            return Vec::new();
        };
        let has_it = |raised: &Raised| taken.is_none_or(|value| raised.value == value);
        let is_told = state.raised.iter().any(has_it);
        let seen: Vec<usize> = (0..state.raised.len())
            .filter(|place| !is_told || has_it(&state.raised[*place]))
            .collect();
        let mut edges = Vec::new();
        let all = seen.iter().map(|place| &state.raised[*place]);
        let earlier = state.taken.as_ref().filter(|_| seen.is_empty());
        for raised in all.chain(earlier) {
            raised.is_seen_by(threads, component);
            edges.push((raised.op.mark(), Link::Notice));
        }
        if taken.is_some() {
            if let Some(first) = seen.first() {
                // What was set before it was overwritten by it.
                let from = state.raised.drain(..=*first).next_back();
                state.taken = from;
            }
            let at = threads.tick(component);
            if let Some(last) = &mut state.last {
                last.taken = Some(at);
            }
        }
        edges
    }
}

impl Raised {
    fn is_seen_by(&self, threads: &mut Threads, component: Component) {
        threads.acquire_by_chance(component, &self.clock);
        let at = threads.tick(component);
        for op in &self.done {
            match op.kind() {
                // The rank that reads is the one that sees it.
                OperationKind::Get => {
                    let before = op.local();
                    op.complete(at, false, |_| true);
                    learn(threads, component, before);
                }
                _ => op.deliver(at),
            }
        }
    }
}

/// A thread learns what another one has found out before it.
fn learn(threads: &mut Threads, component: Component, epoch: Option<Epoch>) {
    if let Some(epoch) = epoch
        && !threads.clock(component).covers(epoch)
    {
        let mut clock = VectorClock::default();
        clock.raise(epoch.component, epoch.time);
        threads.acquire_by_chance(component, &clock);
    }
}

/// Whose flag comes with an operation: what is written tells its target, and what is read its origin.
fn place_of(op: &Op) -> Rank {
    match op.kind() {
        OperationKind::Get => op.rank(),
        _ => op.target(),
    }
}
