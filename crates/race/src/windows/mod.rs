//! Where the memory of windows lies: parts, attached regions, neighbours' parts of shared windows, and the type maps by
//! which calls address them.

mod regions;
mod space;
mod types;

use crate::finding::{Argument, Reach, Site};
use crate::interface::Rules as _;
use crate::job::Caller;
use crate::record::Op;
use farside_clocks::{ByteSet, VectorClock};
use farside_conflicts::{Effect, Update};
use farside_events::{
    AccumulateHints, Call, Interface, ObjectId, Operation, OperationKind, Rank, SharedSegment, StackId,
    ThreadId, TypeId, TypeMap, WinId, Window, WindowFlavor, WindowPromises,
};
use farside_findings::ByteRange;
pub(crate) use regions::Moment;
use regions::{Origin, Regions, Sights};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use smallvec::{SmallVec, smallvec};
pub(crate) use space::GivenBack;
use space::{Owned, Space};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
pub(crate) use types::KnownType;
use types::Types;

/// All windows, and the address spaces in which they lie.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    all: HashMap<WinId, OneWindow>,
    /// Names of windows that were freed.
    retired: HashMap<WinId, WindowLabel>,
    /// By rank.
    spaces: Vec<Space>,
    /// Of all windows that ever were.
    interfaces: Vec<Interface>,
    types: Types,
    sights: Sights,
    /// Neighbours' parts of shared windows whose owner has not told its address yet.
    pending: HashMap<(WinId, Rank), Vec<(Rank, SharedSegment)>>,
}

/// What a report calls a window by.
#[derive(Clone, Debug, Default)]
pub struct WindowLabel {
    /// The last name given by `MPI_Win_set_name`.
    pub name: Option<String>,
    /// The variable that its handle was put into when it was made, as the sources write it.
    pub variable: Option<String>,
    /// How and where it was made.
    pub created: Option<(WindowFlavor, Site)>,
    /// Whose calls it is used by.
    pub interface: Interface,
}

/// A window of the job.
#[derive(Debug, Default)]
struct OneWindow {
    interface: Interface,
    members: Option<Arc<[Rank]>>,
    name: Option<String>,
    parts: HashMap<Rank, Part>,
    /// What is attached, by process.
    regions: HashMap<Rank, Regions>,
    /// Processes that have freed it.
    left: HashSet<Rank>,
    /// Processes that free it, and by which calls.
    frees: HashMap<Rank, (Site, ThreadId)>,
}

/// One process' part.
#[derive(Clone, Debug)]
struct Part {
    base: u64,
    size: u64,
    disp_unit: u32,
    flavor: WindowFlavor,
    accumulates: AccumulateHints,
    promises: WindowPromises,
    stack: StackId,
}

/// A process that makes its part of a window: how and where, and its unit.
pub(crate) type Maker = (WindowFlavor, Site, u32);

/// A part of the target's memory with what happens to it.
pub(crate) type TargetPart = (Range<u64>, Effect);

/// All of them; most calls have one.
pub(crate) type TargetParts = SmallVec<[TargetPart; 1]>;

/// How an operation reaches outside its window.
#[derive(Clone, Debug)]
pub(crate) enum Outside {
    /// To memory that is not attached.
    Unattached(Range<u64>),
    /// To memory that is attached, at this place by this thread, which the origin does not know of.
    AttachedUnknown(Range<u64>, Site, ThreadId),
    /// To memory that was attached, as the origin knows, and was detached at this place by this thread; whether the
    /// origin knows that too.
    Detached(Range<u64>, Site, ThreadId, bool),
    /// Beyond the target's part: bytes of the operation, base and size of the part.
    Beyond(Range<u64>, u64, u64),
}

impl Windows {
    /// Whose calls a window is used by; MPI's, if it is not known.
    pub(crate) fn interface(&self, win: WinId) -> Interface {
        self.all
            .get(&win)
            .map(|window| window.interface)
            .unwrap_or_default()
    }

    /// Whose call it is.
    pub(crate) fn interface_of(&self, call: &Call) -> Interface {
        call.window().map(|win| self.interface(win)).unwrap_or_default()
    }

    /// Whether the program uses an interface that has this rule.
    pub(crate) fn any(&self, rule: impl Fn(Interface) -> bool) -> bool {
        self.interfaces.iter().any(|interface| rule(*interface))
    }

    /// A process tells its part of a window, of which the group is known or not.
    pub(crate) fn expose(&mut self, rank: Rank, window: &Window, members: Option<&Arc<[Rank]>>) {
        if !self.interfaces.contains(&window.interface) {
            self.interfaces.push(window.interface);
        }
        let state = self.all.entry(window.id).or_default();
        state.interface = window.interface;
        if state.members.is_none() {
            state.members = members.cloned();
        }
        let part = Part {
            base: window.base,
            size: window.size,
            disp_unit: window.disp_unit,
            flavor: window.flavor,
            accumulates: window.accumulates,
            promises: WindowPromises::default(),
            stack: window.stack,
        };
        state.parts.insert(rank, part);
        if window.size > 0 {
            let end = window.base.saturating_add(window.size);
            self.space(rank).expose(window.base..end, window.id);
        }
        self.map_known(window.id, rank);
        for segment in &window.shared {
            self.map(rank, window.id, *segment);
        }
    }

    /// A neighbour's part lies in this process' address space.
    pub(crate) fn map(&mut self, rank: Rank, win: WinId, segment: SharedSegment) {
        if segment.owner == rank || segment.size == 0 {
            return;
        }
        let pending = self.pending.entry((win, segment.owner)).or_default();
        pending.push((rank, segment));
        self.map_known(win, segment.owner);
    }

    /// The window has this name.
    pub(crate) fn name(&mut self, win: WinId, name: &str) {
        if let Some(window) = self.all.get_mut(&win) {
            window.name = Some(name.to_owned());
        }
    }

    /// The process says something of accumulates to its part.
    pub(crate) fn hint(&mut self, rank: Rank, win: WinId, hints: AccumulateHints) {
        let window = self.all.get_mut(&win);
        if let Some(part) = window.and_then(|window| window.parts.get_mut(&rank)) {
            part.accumulates.update(hints);
        }
    }

    /// The info of a process promises something of the window that it has made, from now on. Two who promise that their
    /// units are the same, which they are not.
    pub(crate) fn promise(&mut self, rank: Rank, win: WinId, promises: WindowPromises) -> Option<[Maker; 2]> {
        let window = self.all.get_mut(&win)?;
        let part = window.parts.get_mut(&rank)?;
        part.promises.update(promises);
        let promises = part.promises;
        let maker = |rank: Rank, part: &Part| (part.flavor, Site::of_call(rank, part.stack), part.disp_unit);
        let own = maker(rank, part);
        let is_unlike = |(_, part): &(&Rank, &Part)| {
            promises.same_disp_unit() && part.promises.same_disp_unit() && part.disp_unit != own.2
        };
        let others = window.parts.iter().filter(is_unlike);
        let (other, part) = others.min_by_key(|(rank, _)| **rank)?;
        let mut both = [maker(*other, part), own];
        both.sort_unstable_by_key(|(_, site, _)| site.rank);
        Some(both)
    }

    /// What the info of a process promises of a window.
    pub(crate) fn promises(&self, win: WinId, rank: Rank) -> WindowPromises {
        let part = self.all.get(&win).and_then(|window| window.parts.get(&rank));
        part.map(|part| part.promises).unwrap_or_default()
    }

    /// A thread of a process calls what frees the window.
    pub(crate) fn free(&mut self, win: WinId, caller: &Caller) {
        if let Some(window) = self.all.get_mut(&win) {
            window
                .frees
                .insert(caller.rank(), (caller.site(), caller.thread()));
        }
    }

    /// The process has freed the window: its memory is none of it any more.
    pub(crate) fn leave(&mut self, rank: Rank, win: WinId) {
        self.space(rank).leave(win);
        let Some(window) = self.all.get_mut(&win) else {
            return;
        };
        window.left.insert(rank);
        let is_allocation =
            |part: &&Part| part.flavor == WindowFlavor::Allocate && window.interface.gives_memory_back();
        let part = window.parts.get(&rank).filter(is_allocation);
        let range = part.map(|part| part.base..part.base.saturating_add(part.size));
        if let (Some(range), Some((site, thread))) = (range, window.frees.remove(&rank)) {
            self.space(rank).give_back(range, (win, site, thread));
        }
    }

    /// Whether a process has given memory back that was not handed out again.
    pub(crate) fn has_given_back(&self, rank: Rank) -> bool {
        self.spaces
            .get(rank.0 as usize)
            .is_some_and(Space::has_given_back)
    }

    /// The call by which a process gave back some of these bytes of its memory.
    pub(crate) fn given_back(&self, rank: Rank, bytes: &ByteSet) -> Option<GivenBack> {
        self.spaces.get(rank.0 as usize)?.given_back(bytes)
    }

    /// The library of a process ends, and its memory with it.
    pub(crate) fn finalize(&mut self, rank: Rank) {
        self.space(rank).forget_given_back();
    }

    /// The process' part of a window is no more; gives the memory that it was.
    pub(crate) fn withdraw(&mut self, rank: Rank, win: WinId) -> Option<Range<u64>> {
        self.space(rank).leave(win);
        let part = self.all.get_mut(&win)?.parts.remove(&rank)?;
        Some(part.base..part.base.saturating_add(part.size))
    }

    /// All processes have freed the window.
    pub(crate) fn retire(&mut self, win: WinId) {
        if let Some(window) = self.all.remove(&win) {
            let label = window.label();
            self.retired.insert(win, label);
        }
    }

    /// All windows that are not freed, in order.
    pub(crate) fn all(&self) -> Vec<WinId> {
        let mut all: Vec<WinId> = self.all.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// All windows that this process has not freed, in order.
    pub(crate) fn all_of(&self, rank: Rank) -> Vec<WinId> {
        let mut all = self.all();
        all.retain(|win| {
            self.all
                .get(win)
                .is_some_and(|window| !window.left.contains(&rank))
        });
        all
    }

    /// What a report calls a window.
    pub(crate) fn label(&self, win: WinId) -> Option<WindowLabel> {
        match self.all.get(&win) {
            Some(window) => Some(window.label()),
            None => self.retired.get(&win).cloned(),
        }
    }

    /// The group of a window, if it is known.
    pub(crate) fn members(&self, win: WinId) -> Option<&[Rank]> {
        self.all.get(&win)?.members.as_deref()
    }

    /// The number of processes in the group; 0 if it is not known.
    pub(crate) fn group_size(&self, win: WinId) -> usize {
        self.members(win).map_or(0, <[Rank]>::len)
    }

    /// Memory that other processes may reach: its owner, and the group that may, if that is known.
    pub(crate) fn exposed(&self) -> impl Iterator<Item = (Rank, Option<&Arc<[Rank]>>)> {
        self.all.values().flat_map(|window| {
            // Memory may be attached to a dynamic window at any time; with the crate `farside` to any window, and it
            // is new then.
            let is_exposed = |(owner, part): &(&Rank, &Part)| {
                let regions = window.regions.get(owner);
                part.size > 0
                    || part.flavor == WindowFlavor::Dynamic
                    || regions.is_some_and(|regions| !regions.is_empty())
            };
            let parts = window.parts.iter().filter(is_exposed);
            parts.map(|(owner, _)| (*owner, window.members.as_ref()))
        })
    }

    /// Whether neighbours' memory lies in a process' address space.
    pub(crate) fn has_neighbours(&self, rank: Rank) -> bool {
        self.spaces
            .get(rank.0 as usize)
            .is_some_and(Space::has_neighbours)
    }

    /// Whose memory a range of a process' addresses is, by the owners' addresses.
    pub(crate) fn owners(&self, rank: Rank, range: Range<u64>) -> Owned {
        match self.spaces.get(rank.0 as usize) {
            Some(space) if space.has_neighbours() => space.owners(rank, range),
            _ => smallvec![(rank, range)],
        }
    }

    /// The object of a process that a number names: one in memory that neighbours have mapped is the same for all of
    /// them, that of its owner.
    pub(crate) fn object(&self, rank: Rank, object: ObjectId) -> (Rank, ObjectId) {
        let owned = self.owners(rank, object.0..object.0.saturating_add(1));
        let owner = owned.first().filter(|_| !object.is_acquired_once());
        owner.map_or((rank, object), |(owner, range)| (*owner, ObjectId(range.start)))
    }

    /// Whether all of a range of a process' addresses is memory of a window, its own or a neighbour's.
    pub(crate) fn hold(&self, rank: Rank, range: &Range<u64>) -> bool {
        self.spaces
            .get(rank.0 as usize)
            .is_some_and(|space| space.holds(range))
    }

    /// The windows that a range of their owner's memory lies in.
    pub(crate) fn touched(&self, owner: Rank, range: Range<u64>) -> impl Iterator<Item = WinId> {
        let space = self.spaces.get(owner.0 as usize).into_iter();
        space.flat_map(move |space| space.windows(range.clone()))
    }

    /// The windows that some of these bytes of their owner's memory lie in.
    pub(crate) fn touched_by(&self, owner: Rank, bytes: &ByteSet) -> impl Iterator<Item = WinId> {
        let space = self.spaces.get(owner.0 as usize).into_iter();
        space.flat_map(move |space| space.windows_of(bytes))
    }

    /// Bytes of the memory of `owner` as a report names them: in a window, if they lie in one; and which.
    pub(crate) fn bytes(
        &self,
        owner: Rank,
        range: &Range<u64>,
        op: Option<&Op>,
    ) -> (Option<WinId>, ByteRange) {
        let found = || {
            self.touched(owner, range.start..range.start.saturating_add(1))
                .next()
        };
        let win = op.map(Op::win).or_else(found);
        let part = win.and_then(|win| self.all.get(&win)?.parts.get(&owner));
        let inside = part.filter(|part| {
            part.size > 0 && part.base <= range.start && range.start < part.base.saturating_add(part.size)
        });
        let base = inside.map_or(0, |part| part.base);
        let bytes = ByteRange {
            rank: owner.0,
            start: range.start - base,
            end: range.end - base,
            in_window: inside.is_some(),
            variable: None,
        };
        (win, bytes)
    }

    /// Type maps are kept by process.
    pub(crate) fn define_type(&mut self, rank: Rank, id: TypeId, map: &TypeMap) {
        self.types.define(rank, id, map);
    }

    /// The type map of a process.
    pub(crate) fn type_map(&self, rank: Rank, id: TypeId) -> Option<&Rc<KnownType>> {
        self.types.get(rank, id)
    }

    /// What a call does at its target, at the target's addresses. Empty if the target's part is not known.
    pub(crate) fn target_parts(&self, rank: Rank, call: &Operation, target: Rank) -> TargetParts {
        let window = self.all.get(&call.win);
        let Some(part) = window.and_then(|window| window.parts.get(&target)) else {
            return TargetParts::new();
        };
        let Some(of_call) = self.types.get(rank, call.target_type) else {
            return TargetParts::new();
        };
        let start = match part.flavor {
            WindowFlavor::Dynamic => call.displacement as u64,
            _ => part
                .base
                .wrapping_add_signed(call.displacement.wrapping_mul(i64::from(part.disp_unit))),
        };
        let effect = |address: u64, basic: usize| match call.kind {
            OperationKind::Put => Effect::Write,
            OperationKind::Get => Effect::Read,
            _ => {
                let (basic, size) = of_call.basic(basic);
                Effect::Update(Update {
                    win: call.win,
                    basic,
                    size,
                    phase: (address % u64::from(size)) as u32,
                    operator: match call.kind {
                        OperationKind::CompareAndSwap => None,
                        _ => call.operator,
                    },
                    hint: part.accumulates.ops(),
                    ordered: part.accumulates.ordered(),
                    order_shows: false,
                })
            }
        };
        let mut parts = TargetParts::new();
        crate::footprint::of_buffer(of_call.map(), start, call.target_count, |range, basic| {
            let effect = effect(range.start, basic);
            parts.push((range, effect));
        });
        parts
    }

    /// The first part of an operation that lies outside the target's window. Of a dynamic one, memory must be known to
    /// be attached by those who know what `clock` does; without a clock that is not looked at.
    pub(crate) fn outside(
        &self,
        win: WinId,
        (rank, target): (Rank, Rank),
        parts: &[TargetPart],
        clock: Option<&VectorClock>,
    ) -> Option<Outside> {
        let window = self.all.get(&win)?;
        let part = window.parts.get(&target)?;
        let mut pieces = parts.iter().map(|(piece, _)| piece);
        let regions = window.regions.get(&target);
        if part.flavor == WindowFlavor::Dynamic {
            return window.unattached(target, pieces, self.sights.origin(rank, clock?));
        }
        let end = part.base.saturating_add(part.size);
        let is_attached = |piece: &Range<u64>| regions.is_some_and(|regions| regions.hold(piece));
        let inside = |piece: &Range<u64>| part.base <= piece.start && piece.end <= end || is_attached(piece);
        let piece = pieces.find(|piece| !inside(piece))?;
        Some(Outside::Beyond(piece.clone(), part.base, part.size))
    }

    /// The first of these bytes of a dynamic window that are not attached, or are not known to be attached by those who
    /// know what `clock` does.
    pub(crate) fn unattached<'p>(
        &self,
        win: WinId,
        (rank, target): (Rank, Rank),
        pieces: impl IntoIterator<Item = &'p Range<u64>>,
        clock: &VectorClock,
    ) -> Option<Outside> {
        let window = self.all.get(&win)?;
        let is_dynamic = window.parts.get(&target)?.flavor == WindowFlavor::Dynamic;
        is_dynamic.then(|| window.unattached(target, pieces, self.sights.origin(rank, clock)))?
    }

    /// The argument of an operation that reaches outside the target's window, and what it would be.
    pub(crate) fn right_argument(&self, rank: Rank, call: &Operation, target: Rank) -> Option<[Argument; 2]> {
        let part = self.all.get(&call.win)?.parts.get(&target)?;
        let map = self.types.get(rank, call.target_type)?.map();
        let reach = Reach::new(
            map,
            (call.target_count, call.displacement),
            (part.disp_unit, part.size),
        );
        let right = reach.right()?;
        // Others name elements by their addresses, or by indices of slices.
        let is_named = match (self.interface(call.win), right[1]) {
            (Interface::Mpi, _) => true,
            (interface, Argument::Count(_)) => interface == Interface::Shmem,
            _ => false,
        };
        (is_named && part.flavor != WindowFlavor::Dynamic).then_some(right)
    }

    /// A process attaches memory to a window, at a place and a moment; if it is attached already, gives the place where
    /// that was done.
    pub(crate) fn attach(
        &mut self,
        rank: Rank,
        win: WinId,
        address: u64,
        size: u64,
        at: Moment,
    ) -> Option<Site> {
        self.sights.begin();
        let regions = self.all.get_mut(&win)?.regions.entry(rank).or_default();
        let attached = regions.attach(address, size, at);
        if attached.is_ok() && size > 0 {
            self.space(rank)
                .expose(address..address.saturating_add(size), win);
        }
        attached.err()
    }

    /// An operation is issued by an origin that knows what `clock` does.
    pub(crate) fn carry(&mut self, [rank, target]: [Rank; 2], call: &Operation, clock: &VectorClock) {
        let touches = [call.result.is_some(), call.kind != OperationKind::Get];
        self.sights.carry([rank, target], clock, touches);
    }

    /// A process completes its operations to a target, or to all.
    pub(crate) fn complete(&mut self, rank: Rank, target: Option<Rank>) {
        self.sights.complete(rank, target);
    }

    /// The bytes that are attached to a window from an address of a process on.
    pub(crate) fn attached_at(&self, rank: Rank, win: WinId, address: u64) -> Option<Range<u64>> {
        self.all.get(&win)?.regions.get(&rank)?.at(address)
    }

    /// A process detaches memory from a window, at a place and a moment; whether it was attached, or the window is
    /// unknown.
    pub(crate) fn detach(&mut self, rank: Rank, win: WinId, address: u64, at: Moment) -> bool {
        let Some(window) = self.all.get_mut(&win) else {
            return true;
        };
        if !window.regions.entry(rank).or_default().detach(address, at) {
            return false;
        }
        self.space(rank).withdraw(address, win);
        true
    }

    fn space(&mut self, rank: Rank) -> &mut Space {
        let index = rank.0 as usize;
        if index >= self.spaces.len() {
            self.spaces.resize_with(index + 1, Space::default);
        }
        &mut self.spaces[index]
    }

    /// Maps the part of `owner` wherever that waits for its address there.
    fn map_known(&mut self, win: WinId, owner: Rank) {
        let window = self.all.get(&win);
        let Some(base) = window.and_then(|window| Some(window.parts.get(&owner)?.base)) else {
            return;
        };
        for (rank, segment) in self.pending.remove(&(win, owner)).unwrap_or_default() {
            let end = segment.base.saturating_add(segment.size);
            self.space(rank).map(segment.base..end, owner, base, win);
        }
    }
}

impl OneWindow {
    /// Its name, and where it was created on its lowest rank.
    fn label(&self) -> WindowLabel {
        let lowest = self.parts.iter().min_by_key(|(rank, _)| **rank);
        WindowLabel {
            interface: self.interface,
            name: self.name.clone(),
            variable: None,
            created: lowest.map(|(&rank, part)| (part.flavor, Site::of_call(rank, part.stack))),
        }
    }

    /// As [`Windows::unattached`], of this window, which is a dynamic one.
    fn unattached<'p>(
        &self,
        target: Rank,
        pieces: impl IntoIterator<Item = &'p Range<u64>>,
        origin: Origin<'_>,
    ) -> Option<Outside> {
        let none = Regions::default();
        let regions = self.regions.get(&target).unwrap_or(&none);
        pieces
            .into_iter()
            .find_map(|piece| regions.unattached(piece, origin))
    }
}
