//! The calls that threads make right before and right after places: what might be in the wrong order there.

use crate::Recording;
use crate::spots::{Spot, Spots, sites};
use crate::work::Work;
use farside_events::{
    Call, CallKind, CommId, EventKind, Interface, Operation, OperationKind, Rank, ThreadId, WinId,
};
use farside_race::{Name, Places, Site, Spot as At};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// Calls that are kept on each side of a place.
const KEPT: usize = 3;

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    spot: Spot,
    at: At,
    kind: CallKind,
    does: Does,
    /// For a flush that once completes nothing: of which window, and to which target.
    idle: Option<(WinId, Option<Rank>)>,
    /// For a barrier: on which communicator.
    barrier: Option<CommId>,
}

/// What a call is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Orders,
    Tells,
    /// It asks without waiting, or brings data of all, which may be made right before it and used right after it.
    Asks,
    /// It begins a thread, or waits for the end of one.
    Threads,
}

impl Does {
    /// `None` of a call that nothing is moved past.
    fn of(call: &Call) -> Option<Self> {
        match () {
            () if begins_a_thread(call).is_some() => Some(Self::Threads),
            () if !is_passable(call) => None,
            () if is_movable(call) => Some(Self::Orders),
            () => Some(Self::Asks),
        }
    }
}

/// What one call does in all its steps: what it completes besides is not moved by itself.
#[derive(Clone, Debug)]
struct Whole {
    near: Near,
    /// One of its steps makes something, or ends it.
    stays: bool,
}

impl Whole {
    /// The next step of the call.
    fn step(&mut self, near: &Near, does: Option<Does>) {
        self.stays |= does.is_none();
        self.near.join(near);
    }
}

impl Near {
    /// Of what one call does in several steps (a barrier that completes first), the meeting has its name.
    fn join(&mut self, other: &Self) {
        self.idle = self.idle.or(other.idle);
        if matches!(other.at.name, Name::Text(_)) {
            self.clone_from(other);
        }
    }

    /// For a barrier: on which communicator.
    pub(crate) fn barrier(&self) -> Option<CommId> {
        self.barrier
    }

    /// Whether it may complete an operation.
    pub(crate) fn may_complete(&self) -> bool {
        matches!(self.does, Does::Orders | Does::Asks)
    }

    /// Whether data may come with it: it is no barrier, and nothing on a window.
    pub(crate) fn may_bring_data(&self) -> bool {
        self.kind == CallKind::Other && self.barrier.is_none()
    }

    /// Where it is, and what.
    pub(crate) fn told(&self) -> (CallKind, At) {
        (self.kind, self.at.clone())
    }
}

/// Which calls around a place are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that are there for an order, also for one that a message brings.
    Orders,
    /// Operations that tell others by what they leave: atomic ones, and notifications.
    Tells,
    /// All those, and what asks without waiting, or begins a thread or waits for its end: an access may pass it.
    Passed,
    /// As the first, those alone that the function of the place makes itself.
    OfTheFunction,
}

impl Which {
    const ALL: [Self; 4] = [Self::Orders, Self::Tells, Self::Passed, Self::OfTheFunction];

    fn has(self, does: Does) -> bool {
        match self {
            Self::Orders | Self::OfTheFunction => does == Does::Orders,
            Self::Tells => does == Does::Tells,
            Self::Passed => true,
        }
    }
}

/// The calls around a place, the nearest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    before: [Vec<Near>; Which::ALL.len()],
    after: [Vec<Near>; Which::ALL.len()],
}

impl Around {
    /// Those that a thread made before it came to the place.
    pub(crate) fn before(&self, which: Which) -> &[Near] {
        &self.before[which as usize]
    }

    /// Those that it made afterwards.
    pub(crate) fn after(&self, which: Which) -> &[Near] {
        &self.after[which as usize]
    }

    /// Each call is told with all its steps; one that makes something, or ends it, is none of them.
    fn tell_whole(&mut self, calls: &HashMap<Spot, Whole>) {
        for list in self.before.iter_mut().chain(&mut self.after) {
            list.retain(|near| calls.get(&near.spot).is_none_or(|whole| !whole.stays));
            for near in list.iter_mut().filter(|near| near.does != Does::Tells) {
                if let Some(whole) = calls.get(&near.spot) {
                    near.join(&whole.near);
                }
            }
        }
    }
}

/// A call that begins a thread, or waits for its end.
#[derive(Clone, Debug)]
pub(crate) struct ThreadCall {
    rank: Rank,
    thread: ThreadId,
    at: At,
    spot: Spot,
    begins: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    around: HashMap<Spot, Around>,
    thread_calls: Vec<ThreadCall>,
    /// Flushes that once completed something, in some process.
    completing: HashSet<Spot>,
    /// Statements by which a process makes an operation on the same bytes again.
    again: HashSet<(Spot, Rank)>,
    /// Calls on windows.
    on_windows: HashSet<(Spot, WinId)>,
}

impl Found {
    /// Whether a process makes an operation of a place on the same bytes twice.
    pub(crate) fn is_done_again(&self, place: Spot, rank: Rank) -> bool {
        self.again.contains(&(place, rank))
    }

    /// Whether a call is on other windows alone.
    pub(crate) fn is_on_others(&self, call: Spot, window: WinId) -> bool {
        let is_on = |of: &(Spot, WinId)| of.0 == call;
        self.on_windows.iter().any(is_on) && !self.on_windows.contains(&(call, window))
    }

    /// The calls around a place.
    pub(crate) fn around(&self, place: Spot) -> Option<&Around> {
        self.around.get(&place)
    }

    /// For a flush that has nothing to complete where it follows the place, and never completes anything in any
    /// process: of which window, and to which target if not to all. What completes something for others is needed as
    /// it is.
    pub(crate) fn idle_flush(&self, call: &Near) -> Option<(WinId, Option<Rank>)> {
        call.idle.filter(|_| !self.completing.contains(&call.spot))
    }

    /// Where other threads of a process begin a thread, or wait for the end of one, with the calls around.
    pub(crate) fn of_other_threads(
        &self,
        (rank, thread): (Rank, ThreadId),
        begins: bool,
    ) -> impl Iterator<Item = (&At, &Around)> {
        let is_meant =
            move |call: &&ThreadCall| call.rank == rank && call.thread != thread && call.begins == begins;
        let calls = self.thread_calls.iter().filter(is_meant);
        calls.filter_map(|call| Some((&call.at, self.around.get(&call.spot)?)))
    }
}

/// Operations of a process that may have to be completed, by window and target; whether some are not even complete at
/// their origin.
#[derive(Default)]
struct Issued(HashMap<(WinId, Rank), bool>);

impl Issued {
    fn note(&mut self, kind: &EventKind) {
        if let EventKind::Operation(operation) = kind {
            let issued = operation.target.map(|target| ((operation.win, target), true));
            self.0.extend(issued);
        }
    }

    /// The window and the target of a flush that completes nothing; what is completed is forgotten.
    fn idle(&mut self, call: &Call) -> Option<(WinId, Option<Rank>)> {
        let (win, target, is_local) = match call {
            Call::Flush {
                win, target, local, ..
            } => (*win, *target, *local),
            Call::Unlock { win, target } => (*win, Some(*target), false),
            Call::UnlockAll { win } | Call::Fence { win, .. } | Call::Complete { win } => (*win, None, false),
            _ => return None,
        };
        let mut is_idle = matches!(call, Call::Flush { .. });
        self.0.retain(|(own, to), open_locally| {
            let is_meant = *own == win && target.is_none_or(|target| *to == target);
            is_idle &= !is_meant || is_local && !*open_locally;
            *open_locally &= !is_meant;
            !is_meant || is_local
        });
        is_idle.then_some((win, target))
    }
}

/// What a thread does, for each kind of calls.
#[derive(Default)]
struct Recent([Course; Which::ALL.len()]);

#[derive(Default)]
struct Course {
    calls: VecDeque<Near>,
    /// Places that it came to, and how many calls after each are still to be told.
    open: Vec<(Spot, usize)>,
}

impl Recent {
    /// The thread comes to a place.
    fn reach(&mut self, spot: Spot, known: &mut Around) {
        for which in Which::ALL {
            let course = &mut self.0[which as usize];
            if which != Which::OfTheFunction {
                let calls = course.calls.iter().rev();
                calls.for_each(|near| keep(&mut known.before[which as usize], near, spot));
            }
            course.open.retain(|(other, _)| *other != spot);
            course.open.push((spot, KEPT));
        }
    }

    /// The thread makes a call.
    fn make(&mut self, near: &Near, around: &mut HashMap<Spot, Around>, spots: &Spots) {
        for which in Which::ALL.into_iter().filter(|which| which.has(near.does)) {
            let course = &mut self.0[which as usize];
            for (spot, left) in &mut course.open {
                if which == Which::OfTheFunction && !spots.are_in_one_call(*spot, near.spot) {
                    continue;
                }
                let after = &mut around.entry(*spot).or_default().after[which as usize];
                let is_step = after.last().is_some_and(|last| last.spot == near.spot);
                keep(after, near, *spot);
                *left -= usize::from(!is_step);
            }
            course.open.retain(|(_, left)| *left > 0);
            remember(&mut course.calls, near.clone());
        }
    }
}

/// The calls around each of these places, and around those that begin threads or wait for their ends; `None` if there
/// is no time to look for them.
pub(crate) fn around(
    wanted: &HashSet<Spot>,
    recording: &Recording,
    interface: Interface,
    (spots, places): (&mut Spots, &mut impl Places),
    until: Work,
) -> Option<Found> {
    let mut found = Found::default();
    let mut threads: HashMap<(Rank, ThreadId), Recent> = HashMap::default();
    let mut windows: HashMap<WinId, Interface> = HashMap::default();
    let mut issued: HashMap<Rank, Issued> = HashMap::default();
    let mut targets: HashSet<(Spot, Rank, WinId, Rank, i64)> = HashSet::default();
    let mut calls: HashMap<Spot, Whole> = HashMap::default();
    for next in recording.events_until(until) {
        let (_, rank, event) = next?;
        if let EventKind::Window(window) = &event.kind {
            windows.insert(window.id, window.interface);
        }
        let recent = threads.entry((rank, event.thread)).or_default();
        let issued = issued.entry(rank).or_default();
        issued.note(&event.kind);
        for site in sites(rank, &event.kind) {
            let spot = spots.of(site, places);
            if wanted.contains(&spot) {
                recent.reach(spot, found.around.entry(spot).or_default());
                if let EventKind::Operation(operation) = &event.kind
                    && let Some(target) = operation.target
                    && !targets.insert((spot, rank, operation.win, target, operation.displacement))
                {
                    found.again.insert((spot, rank));
                }
            }
        }
        let site = |stack| Site {
            rank,
            pc: None,
            stack,
        };
        match &event.kind {
            EventKind::Enter { call, stack } => {
                let of_window = call.window().and_then(|win| windows.get(&win).copied());
                let name = Name::of(call, of_window.unwrap_or(interface)).0;
                let (at, idle) = (
                    At {
                        site: site(*stack),
                        name,
                    },
                    issued.idle(call),
                );
                let spot = spots.of(at.site, places);
                found.on_windows.extend(call.window().map(|win| (spot, win)));
                if matches!(call, Call::Flush { .. }) && idle.is_none() {
                    found.completing.insert(spot);
                }
                if let Some(begins) = begins_a_thread(call) {
                    recent.reach(spot, found.around.entry(spot).or_default());
                    let is_known = |known: &ThreadCall| known.spot == spot && known.rank == rank;
                    if !found.thread_calls.iter().any(is_known) {
                        found.thread_calls.push(ThreadCall {
                            rank,
                            thread: event.thread,
                            at: at.clone(),
                            spot,
                            begins,
                        });
                    }
                }
                let does = Does::of(call);
                let near = Near {
                    spot,
                    at,
                    kind: CallKind::of(call),
                    does: does.unwrap_or(Does::Orders),
                    idle,
                    barrier: barrier(call),
                };
                if does.is_some() {
                    recent.make(&near, &mut found.around, spots);
                }
                match calls.entry(spot) {
                    Entry::Occupied(mut known) => known.get_mut().step(&near, does),
                    Entry::Vacant(new) => {
                        new.insert(Whole {
                            near,
                            stays: does.is_none(),
                        });
                    }
                }
            }
            EventKind::Operation(operation) if tells(operation) => {
                let kind = CallKind::of_operation(operation);
                let of_window = windows.get(&operation.win).copied();
                let name = Name::CallOf(of_window.unwrap_or(interface), kind);
                let at = At {
                    site: site(operation.stack),
                    name,
                };
                let (spot, does) = (spots.of(at.site, places), Does::Tells);
                let near = Near {
                    spot,
                    at,
                    kind,
                    does,
                    idle: None,
                    barrier: None,
                };
                recent.make(&near, &mut found.around, spots);
            }
            _ => {}
        }
    }
    found
        .around
        .values_mut()
        .for_each(|around| around.tell_whole(&calls));
    Some(found)
}

/// The communicator of a barrier of MPI; `None` of another call.
fn barrier(call: &Call) -> Option<CommId> {
    match call {
        Call::Collective {
            comm,
            name,
            request: None,
            ..
        } if **name == *"MPI_Barrier" => Some(*comm),
        _ => None,
    }
}

/// Whether an operation tells others by what it leaves.
fn tells(operation: &Operation) -> bool {
    let is_atomic = !matches!(operation.kind, OperationKind::Put | OperationKind::Get);
    is_atomic || operation.flag().is_some()
}

/// Whether a call begins a thread, or waits for the end of one; `None` of another call.
fn begins_a_thread(call: &Call) -> Option<bool> {
    let Call::Completion { name } = call else {
        return None;
    };
    match &**name {
        "pthread_create" | "thrd_create" | "std::thread" => Some(true),
        "pthread_join" | "thrd_join" | "std::thread::join" => Some(false),
        _ => None,
    }
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

/// Whether a collective call of this name that makes nothing brings data of all: it is there for more than an order.
pub(crate) fn brings_data(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !["barrier", "sync", "fence"]
        .iter()
        .any(|part| name.contains(part))
}

/// Whether a call is there for an order, also for one that a message brings: not what makes something, ends it, asks
/// without waiting, or brings data of all.
fn is_movable(call: &Call) -> bool {
    let asks = |name: &str| ["test", "probe", "start"].iter().any(|part| name.contains(part));
    is_passable(call)
        && match call {
            Call::Wait { test, .. } => !test,
            Call::Collective { name, .. } => !brings_data(name),
            Call::Completion { name } | Call::Send { name, .. } | Call::Receive { name, .. } => {
                !asks(&name.to_ascii_lowercase())
            }
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
    use farside_events::{Direction, Event, Outcome, StackId};
    use farside_findings::{Frame, Place};
    use farside_race::WindowLabel;

    /// Stacks are lines of one function.
    struct Lines;

    impl Places for Lines {
        fn stack(&mut self, site: Site) -> Vec<Frame> {
            let place = Place {
                file: "main.c".into(),
                line: site.stack.0 as u32,
                column: None,
            };
            vec![Frame {
                place: Some(place),
                ..Frame::default()
            }]
        }

        fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
            None
        }

        fn window(&mut self, _: WinId) -> Option<WindowLabel> {
            None
        }
    }

    /// What one call does in several steps is told by the name of the call, and what frees memory is not told.
    #[test]
    fn a_call_is_told_whole() {
        let win = WinId(7);
        let flush = || Call::Flush {
            win,
            target: None,
            local: false,
            channel: None,
        };
        let barrier = collective("shmem_barrier_all");
        let mut recording = Recording::default();
        // Where few calls are kept, steps of one are not several.
        let steps = [
            (1, Call::Sync { win }),
            (2, flush()),
            (2, Call::UnlockAll { win }),
            (2, Call::WinFree { win }),
            (3, flush()),
            (3, barrier),
        ];
        for (line, call) in steps {
            let stack = StackId(line);
            for kind in [EventKind::Enter { call, stack }, EventKind::Leave(Outcome::Done)] {
                let (time, thread) = (line, ThreadId(0));
                recording.push(Rank(0), &Event { time, thread, kind });
            }
        }
        let (mut spots, mut places) = (Spots::default(), Lines);
        let (rank, pc, stack) = (Rank(0), None, StackId(1));
        let place = spots.of(Site { rank, pc, stack }, &mut places);
        let (wanted, text) = ([place].into_iter().collect(), (&mut spots, &mut places));
        let found = around(&wanted, &recording, Interface::Shmem, text, Work::ALL).expect("enough time");
        for which in [Which::Orders, Which::Passed, Which::OfTheFunction] {
            let calls = found.around(place).expect("a place").after(which).iter();
            let told: Vec<_> = calls.map(|near| near.told().1).collect();
            let names: Vec<_> = told.iter().map(|at| (at.site.stack.0, at.name.clone())).collect();
            assert_eq!(names, [(3, Name::Text("shmem_barrier_all".into()))], "{which:?}");
        }
    }

    fn collective(name: &str) -> Call {
        Call::Collective {
            comm: CommId(0),
            sequence: 0,
            direction: Direction::All,
            name: name.into(),
            request: None,
        }
    }

    #[test]
    fn what_makes_something_stays_where_it_is() {
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
        for name in ["barrier", "MPI_Barrier", "MPI_Ibarrier", "shmem_sync_all"] {
            assert!(is_movable(&collective(name)), "{name}");
        }
    }

    /// Its data may be made right before it.
    #[test]
    fn what_brings_data_of_all_stays_where_it_is() {
        for name in [
            "MPI_Allreduce",
            "MPI_Bcast",
            "shmem_int_sum_reduce",
            "gaspi_allreduce",
            "allgather",
        ] {
            assert!(
                !is_movable(&collective(name)) && is_passable(&collective(name)),
                "{name}"
            );
        }
    }
}
