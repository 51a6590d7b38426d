//! The calls that threads make right before and right after places: what might be in the wrong order there.

use crate::Recording;
use crate::spots::{Spot, Spots, sites};
use farside_events::{Call, CallKind, EventKind, Interface, Rank, ThreadId, WinId};
use farside_race::{Name, Places, Site, Spot as At};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::VecDeque;
use std::time::Instant;

/// Calls that are kept on each side of a place.
const KEPT: usize = 3;
/// Events after which the time is looked at.
const PATIENCE: u64 = 64;

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    spot: Spot,
    at: At,
    kind: CallKind,
    /// For a flush that completes nothing: of which window, and to which target.
    idle: Option<(WinId, Option<Rank>)>,
}

impl Near {
    /// Of what one call does in several steps (a barrier that completes first), the meeting has its name.
    fn join(&mut self, other: &Self) {
        self.idle = self.idle.filter(|own| other.idle == Some(*own));
        if matches!(other.at.name, Name::Text(_)) {
            self.clone_from(other);
        }
    }

    /// For a flush with nothing to complete, each time that it follows the place: of which window, and to which target
    /// if not to all.
    pub(crate) fn idle_flush(&self) -> Option<(WinId, Option<Rank>)> {
        self.idle
    }

    /// Where it is, and what.
    pub(crate) fn told(&self) -> (CallKind, At) {
        (self.kind, self.at.clone())
    }
}

/// The calls around a place, the nearest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    before: Vec<Near>,
    after: Vec<Near>,
    /// The same with those that are never moved, but may be passed.
    passed_before: Vec<Near>,
    passed_after: Vec<Near>,
}

impl Around {
    /// Those that a thread made before it came to the place.
    pub(crate) fn before(&self) -> &[Near] {
        &self.before
    }

    /// Those that it made afterwards.
    pub(crate) fn after(&self) -> &[Near] {
        &self.after
    }

    /// Those that the place may be moved before.
    pub(crate) fn passed_before(&self) -> &[Near] {
        &self.passed_before
    }

    /// Those that the place may be moved after.
    pub(crate) fn passed_after(&self) -> &[Near] {
        &self.passed_after
    }
}

/// Operations of a process that may have to be completed, by window and target.
#[derive(Default)]
struct Issued(HashSet<(WinId, Rank)>);

impl Issued {
    fn note(&mut self, kind: &EventKind) {
        if let EventKind::Operation(operation) = kind {
            self.0
                .extend(operation.target.map(|target| (operation.win, target)));
        }
    }

    /// The window and the target of a flush that completes nothing; what is completed is forgotten.
    fn idle(&mut self, call: &Call) -> Option<(WinId, Option<Rank>)> {
        let (win, target) = match call {
            Call::Flush { win, target, .. } => (*win, *target),
            Call::Unlock { win, target } => (*win, Some(*target)),
            Call::UnlockAll { win } | Call::Fence { win, .. } | Call::Complete { win } => (*win, None),
            _ => return None,
        };
        let issued = self.0.len();
        let is_meant = |(own, to): &(WinId, Rank)| *own == win && target.is_none_or(|target| *to == target);
        self.0.retain(|operation| !is_meant(operation));
        let is_idle = self.0.len() == issued && matches!(call, Call::Flush { .. });
        is_idle.then_some((win, target))
    }
}

/// What a thread does.
#[derive(Default)]
struct Recent {
    calls: VecDeque<Near>,
    /// The same with those that are never moved.
    all: VecDeque<Near>,
    /// Places that it came to, and how many calls after each are still to be told.
    open: Vec<(Spot, usize)>,
    /// The same with those that are never moved.
    open_to_all: Vec<(Spot, usize)>,
}

/// The calls around each of these places; `None` if there is no time to look for them.
pub(crate) fn around(
    wanted: &HashSet<Spot>,
    recording: &Recording,
    interface: Interface,
    (spots, places): (&mut Spots, &mut impl Places),
    until: Instant,
) -> Option<HashMap<Spot, Around>> {
    let mut around: HashMap<Spot, Around> = HashMap::default();
    let mut threads: HashMap<(Rank, ThreadId), Recent> = HashMap::default();
    let mut windows: HashMap<WinId, Interface> = HashMap::default();
    let mut issued: HashMap<Rank, Issued> = HashMap::default();
    for (number, (rank, event)) in (0..).zip(recording.events()) {
        if number % PATIENCE == 0 && Instant::now() >= until {
            return None;
        }
        if let EventKind::Window(window) = &event.kind {
            windows.insert(window.id, window.interface);
        }
        let recent = threads.entry((rank, event.thread)).or_default();
        let issued = issued.entry(rank).or_default();
        issued.note(&event.kind);
        for site in sites(rank, &event.kind) {
            let spot = spots.of(site, places);
            if wanted.contains(&spot) {
                let known = around.entry(spot).or_default();
                let calls = recent.calls.iter().rev();
                calls.for_each(|near| keep(&mut known.before, near, spot));
                let all = recent.all.iter().rev();
                all.for_each(|near| keep(&mut known.passed_before, near, spot));
                for open in [&mut recent.open, &mut recent.open_to_all] {
                    open.retain(|(other, _)| *other != spot);
                    open.push((spot, KEPT));
                }
            }
        }
        if let EventKind::Enter { call, stack } = &event.kind {
            let site = Site {
                rank,
                pc: None,
                stack: *stack,
            };
            let of_window = call.window().and_then(|win| windows.get(&win).copied());
            let near = Near {
                spot: spots.of(site, places),
                at: At {
                    site,
                    name: Name::of(call, of_window.unwrap_or(interface)).0,
                },
                kind: CallKind::of(call),
                idle: issued.idle(call),
            };
            if is_passable(call) {
                for (spot, left) in &mut recent.open_to_all {
                    keep(&mut around.entry(*spot).or_default().passed_after, &near, *spot);
                    *left -= 1;
                }
                recent.open_to_all.retain(|(_, left)| *left > 0);
                remember(&mut recent.all, near.clone());
            }
            if !is_movable(call) {
                continue;
            }
            for (spot, left) in &mut recent.open {
                keep(&mut around.entry(*spot).or_default().after, &near, *spot);
                *left -= 1;
            }
            recent.open.retain(|(_, left)| *left > 0);
            remember(&mut recent.calls, near);
        }
    }
    Some(around)
}

/// Keeps a call that is not there yet, if there are not many, and it is not the place itself.
fn keep(calls: &mut Vec<Near>, near: &Near, place: Spot) {
    let has_room = near.spot != place && calls.len() < KEPT;
    match calls.iter_mut().find(|other| other.spot == near.spot) {
        Some(known) => known.join(near),
        None if has_room => calls.push(near.clone()),
        None => {}
    }
}

fn remember(calls: &mut VecDeque<Near>, mut near: Near) {
    if let Some(known) = calls.iter().position(|other| other.spot == near.spot)
        && let Some(known) = calls.remove(known)
    {
        let last = std::mem::replace(&mut near, known);
        near.join(&last);
    }
    if calls.len() == KEPT {
        calls.pop_front();
    }
    calls.push_back(near);
}

/// Whether a call is there for an order alone, or for one that data come with: not what makes something, ends it, or
/// asks without waiting.
fn is_movable(call: &Call) -> bool {
    let asks = |name: &str| ["test", "probe", "start"].iter().any(|part| name.contains(part));
    is_passable(call)
        && match call {
            Call::Wait { test, .. } => !test,
            Call::Collective { name, .. }
            | Call::Completion { name }
            | Call::Send { name, .. }
            | Call::Receive { name, .. } => !asks(&name.to_ascii_lowercase()),
            _ => true,
        }
}

/// The same with what asks without waiting.
fn is_passable(call: &Call) -> bool {
    match call {
        Call::Fence { .. }
        | Call::Post { .. }
        | Call::Start { .. }
        | Call::Complete { .. }
        | Call::Wait { .. }
        | Call::Lock { .. }
        | Call::Unlock { .. }
        | Call::LockAll { .. }
        | Call::UnlockAll { .. }
        | Call::Flush { .. }
        | Call::Attach { .. }
        | Call::Detach { .. }
        | Call::Sync { .. } => true,
        Call::Collective { name, .. }
        | Call::Completion { name }
        | Call::Send { name, .. }
        | Call::Receive { name, .. } => {
            let name = name.to_ascii_lowercase();
            let others = [
                "_create", "dup", "split", "_merge", "free", "_init", "_alloc", "malloc", "calloc", "align",
                "final", "_comm_", "_win_", "_file_", "_open", "_close", "spawn", "connect", "accept",
                "segment", "commit", "_cart_", "_graph_", "_term", "into_", "::", "subgroup", "finish",
                "shrink", "set_",
            ];
            !others.iter().any(|other| name.contains(other))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{CommId, Direction};

    #[test]
    fn what_makes_something_stays_where_it_is() {
        let collective = |name: &str| Call::Collective {
            comm: CommId(0),
            sequence: 0,
            direction: Direction::All,
            name: name.into(),
            request: None,
        };
        for name in [
            "into_passive",
            "Window::allocate",
            "set_fence",
            "MPI_Win_create",
            "MPI_Comm_dup",
            "shmem_free",
        ] {
            assert!(!is_movable(&collective(name)), "{name}");
        }
        for name in ["barrier", "MPI_Barrier", "allreduce", "shmem_barrier_all"] {
            assert!(is_movable(&collective(name)), "{name}");
        }
    }
}
