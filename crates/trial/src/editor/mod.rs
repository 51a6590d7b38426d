//! The events of a run, as they would be if the program were changed.

mod calls;
mod copies;
mod kept;
mod meet;
mod updates;

pub(crate) use kept::is_below;

use crate::covers::Covers;
use crate::cut::{Cut, Position, Side, Turn};
use crate::edit::{Change, Edit, Where};
use crate::exclusion::Exclusion;
use crate::meetings::Meetings;
use crate::notes::Notes;
use crate::replay::Item;
use crate::spots::{Spot, Spots, sites};
use crate::touched::Types;
use crate::unseen::Unseen;
use crate::updates::Updates;
use farside_events::{
    AccessRun, AccessSet, AccumulateOp, Call, CallKind, ChannelId, CommId, Event, EventKind, Flag,
    GaspiArgument, Interface, Notice, ObjectId, Operation, OperationKind, Outcome, Rank, RequestId, StackId,
    ThreadId, WinId,
};
use farside_race::{Argument, Code, Places, Site};
use kept::Kept;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// An object of threads that no program has.
const ADDED: ObjectId = ObjectId(u64::MAX >> 1);

/// Changes events, one after the other.
pub(crate) struct Editor<'e, P> {
    edits: &'e [Edit],
    /// By edit: the processes that take part, if not all do.
    comers: &'e [Option<BTreeSet<Rank>>],
    spots: &'e mut Spots,
    places: &'e mut P,
    known: &'e mut Known,
}

/// What an editor knows of the events before the next one.
#[derive(Default)]
pub(crate) struct Known {
    threads: HashMap<(Rank, ThreadId), Thread>,
    windows: HashMap<WinId, (CommId, Interface)>,
    /// Those of each process, as it made them.
    made: HashMap<Rank, Vec<WinId>>,
    notes: Notes,
    types: Types,
    exclusion: Exclusion,
    /// Where threads meet, if they are to.
    meetings: Option<Meetings>,
    /// How often those pass a place who are not seen there.
    unseen: Unseen,
    /// What comes in the place of stores.
    updates: Updates,
    /// What groups lack.
    covers: Covers,
    /// Events that have come.
    number: u64,
    size: usize,
    world: Option<CommId>,
    /// Barriers that were added to each process.
    barriers: HashMap<Rank, u64>,
    /// Requests of operations for which an added call has waited.
    waited: HashSet<(Rank, RequestId)>,
    out: Vec<Item>,
}

impl Known {
    /// Nothing, but where threads meet, how often processes pass places unseen, and what edits need to know of the run.
    pub(crate) fn with(
        meetings: Option<Meetings>,
        unseen: Unseen,
        (updates, covers): (Updates, Covers),
    ) -> Self {
        Self {
            meetings,
            unseen,
            updates,
            covers,
            ..Self::default()
        }
    }

    /// Whether each process waits for as many notifications as are posted to it, each section has come to its end, and
    /// no thread waits for others.
    pub(crate) fn is_balanced(&self) -> bool {
        let are_over = self.meetings.as_ref().is_none_or(Meetings::is_over);
        self.notes.are_balanced() && self.exclusion.is_over() && are_over
    }

    /// The number of the first event that is held back.
    pub(crate) fn first_held(&self) -> Option<u64> {
        let of_meetings = self.meetings.as_ref().and_then(Meetings::first_held);
        self.exclusion.first_held().into_iter().chain(of_meetings).min()
    }
}

/// What is known of a thread.
#[derive(Default)]
struct Thread {
    /// By edit: where it is, as to its cut.
    positions: Vec<Option<Position>>,
    /// The call that it is in, if it has a place.
    within: Option<Spot>,
    /// That call is left out.
    leaves_out: bool,
    /// A lock that it has, and that an edit gives back.
    kept: Option<Kept>,
    /// Where it was last, and what it has called there since it came.
    visit: Option<(Spot, Vec<CallKind>)>,
    /// What it issued last.
    operation: Option<Operation>,
    /// The window of what it issued last, by place.
    windows: HashMap<Spot, WinId>,
    /// That of its last call.
    window: Option<WinId>,
    /// What the call that it is in has seen.
    seen: Option<(WinId, u32)>,
    /// What a wait found that is for another notification now, until it is taken: in its place, that one is.
    found: Option<((WinId, u32), Flag)>,
}

impl<'e, P: Places> Editor<'e, P> {
    /// Goes on where `known` ends.
    pub(crate) fn new(
        (edits, comers): (&'e [Edit], &'e [Option<BTreeSet<Rank>>]),
        known: &'e mut Known,
        (spots, places): (&'e mut Spots, &'e mut P),
    ) -> Self {
        Self {
            edits,
            comers,
            spots,
            places,
            known,
        }
    }

    /// What comes in the place of an event.
    pub(crate) fn rewrite(&mut self, rank: Rank, event: Event) -> std::vec::Drain<'_, Item> {
        let number = self.known.number;
        self.known.number += 1;
        match () {
            () if self.excludes() => self.take_turns(rank, (number, event)),
            () if self.known.meetings.is_some() => self.meet_threads(rank, (number, event)),
            () => self.change(rank, event),
        }
        self.known.out.drain(..)
    }

    /// Whether there are sections that exclude each other.
    fn excludes(&self) -> bool {
        self.edits.iter().any(|edit| matches!(edit, Edit::Exclude { .. }))
    }

    /// An event, unless its thread has to wait, and what others may do then who have waited.
    fn take_turns(&mut self, rank: Rank, event: (u64, Event)) {
        let mut ready = vec![event];
        while !ready.is_empty() {
            for (number, event) in ready {
                let begins = self.begins_section(rank, &event.kind);
                if let Some(event) = self.known.exclusion.hold_back(rank, (number, event), begins) {
                    self.change(rank, event);
                }
            }
            ready = self.known.exclusion.free(rank);
        }
    }

    fn begins_section(&mut self, rank: Rank, kind: &EventKind) -> bool {
        let (spots, places) = (&mut *self.spots, &mut *self.places);
        let here: Vec<Spot> = sites(rank, kind)
            .into_iter()
            .map(|site| spots.of(site, places))
            .collect();
        let begins = |edit: &Edit| match edit {
            Edit::Exclude { sections, .. } => sections.iter().any(|[from, _]| here.contains(from)),
            _ => false,
        };
        self.edits.iter().any(begins)
    }

    fn change(&mut self, rank: Rank, event: Event) {
        self.learn(rank, &event.kind);
        self.known.types.take(rank, &event);
        let Event { time, thread, kind } = event;
        let at = Moment { rank, time, thread };
        match kind {
            EventKind::Enter { call, stack } => self.enter(at, call, stack),
            EventKind::Leave(outcome) => self.leave(at, outcome),
            EventKind::Operation(operation) => self.operation(at, operation),
            EventKind::Accesses(runs) => self.accesses(at, runs),
            EventKind::Scattered(sets) => self.scattered(at, sets),
            EventKind::Mistaken { stack, .. } if self.is_removed(rank, stack) => {}
            EventKind::FlagSeen { win, number, taken } => self.flag(at, (win, number), taken),
            EventKind::OperationRequestDone { request } if self.known.waited.contains(&(rank, request)) => {}
            kind => self.keep(at, kind),
        }
    }

    /// Whether the call of a place is left out.
    fn is_removed(&mut self, rank: Rank, stack: StackId) -> bool {
        let spot = self.spot(rank, None, stack);
        self.removes(spot)
    }

    /// Whether the statement of a place is left out.
    fn removes(&self, spot: Spot) -> bool {
        self.at_statement(spot, |edit| match edit {
            Edit::Remove(removed) => Some(*removed),
            _ => None,
        })
    }

    /// Whether one of these edits, by the place that it changes, changes the statement of another one.
    fn at_statement(&self, spot: Spot, changed: impl Fn(&Edit) -> Option<Spot>) -> bool {
        let mut places = self.edits.iter().filter_map(changed);
        places.any(|place| self.spots.are_one_statement(place, spot))
    }

    /// Whether the statement of a place is changed so.
    fn is_changed(&self, spot: Spot, change: Change) -> bool {
        self.at_statement(spot, |edit| match edit {
            Edit::Change(changed, other) if *other == change => Some(*changed),
            _ => None,
        })
    }

    fn learn(&mut self, rank: Rank, kind: &EventKind) {
        match kind {
            EventKind::Init { size, .. } => self.known.size = *size as usize,
            EventKind::Comm { id, members } if members.len() == self.known.size => {
                self.known.world.get_or_insert(*id);
            }
            EventKind::Window(window) => {
                self.known
                    .windows
                    .insert(window.id, (window.comm, window.interface));
                self.known.made.entry(rank).or_default().push(window.id);
            }
            _ => {}
        }
    }

    fn enter(&mut self, at: Moment, mut call: Call, stack: StackId) {
        let spot = self.spot(at.rank, None, stack);
        self.reach_call(at, spot, CallKind::of(&call));
        self.note_lock(at, spot, &call);
        for edit in self.edits {
            if let Edit::Change(changed, change) = edit
                && self.spots.are_one_statement(*changed, spot)
            {
                let issued = self.thread(at).operation.clone();
                alter(&mut call, *change, issued.as_ref());
                if let Change::Argument(Argument::Communicator(win)) = change {
                    self.widen(at.rank, &mut call, *win);
                }
            }
        }
        self.cover(at.rank, spot, &mut call);
        let leaves_out = self.removes(spot);
        let thread = self.thread(at);
        thread.window = call.window().or(thread.window);
        (thread.within, thread.leaves_out) = (Some(spot), leaves_out);
        if !leaves_out {
            self.keep(at, EventKind::Enter { call, stack });
        }
    }

    fn leave(&mut self, at: Moment, outcome: Outcome) {
        let thread = self.thread(at);
        let (within, leaves_out) = (thread.within.take(), std::mem::take(&mut thread.leaves_out));
        if let Some(flag) = within.and_then(|spot| self.awaits(spot)) {
            let Flag { win, number, .. } = flag;
            let taken = None;
            self.put(at, EventKind::FlagSeen { win, number, taken });
        }
        if !leaves_out {
            self.keep(at, EventKind::Leave(outcome));
        }
        let seen = self.thread(at).seen.take();
        if let (Some((win, number)), Some(spot)) = (seen, within)
            && self.at_statement(spot, |edit| match edit {
                Edit::SetBack(waiting) => Some(*waiting),
                _ => None,
            })
        {
            let taken = self.known.notes.set_back(at.rank, win, number);
            self.put(at, taken);
        }
        if let Some(spot) = within {
            self.add_after(at, spot);
        }
    }

    /// The notification that the wait of a place is for now, if it was for another one.
    fn awaits(&self, spot: Spot) -> Option<Flag> {
        self.edits.iter().find_map(|edit| match edit {
            Edit::Change(changed, Change::Awaits(flag)) if self.spots.are_one_statement(*changed, spot) => {
                Some(*flag)
            }
            _ => None,
        })
    }

    /// A thread sees a notification, or takes it.
    fn flag(&mut self, at: Moment, seen: (WinId, u32), taken: Option<u64>) {
        let within = self.thread(at).within;
        let (win, number) = seen;
        match (within.and_then(|spot| self.awaits(spot)), taken) {
            // What it sees now is told when it returns.
            (Some(flag), _) => self.thread(at).found = Some((seen, flag)),
            (None, Some(_)) => match self.thread(at).found.take_if(|(found, _)| *found == seen) {
                Some((_, flag)) => {
                    let taken = self.known.notes.take_posted(at.rank, flag);
                    self.put(at, taken);
                }
                None => self.keep(at, EventKind::FlagSeen { win, number, taken }),
            },
            (None, None) => {
                self.thread(at).seen = Some(seen);
                self.keep(at, EventKind::FlagSeen { win, number, taken });
            }
        }
    }

    fn operation(&mut self, at: Moment, mut operation: Operation) {
        let spot = self.spot(at.rank, None, operation.stack);
        if self.is_changed(spot, Change::WithoutRequest) {
            operation.request = None;
        }
        if self.is_changed(spot, Change::Atomically) && operation.kind == OperationKind::Put {
            operation.kind = OperationKind::Accumulate;
            operation.operator = Some(AccumulateOp::Replace);
        }
        for edit in self.edits {
            if let Edit::Change(changed, Change::Argument(right)) = edit
                && self.spots.are_one_statement(*changed, spot)
            {
                give(&mut operation, *right);
            }
        }
        self.copy(at, spot, &mut operation);
        self.known.notes.note(&operation);
        let statement = self.spots.statement(spot);
        let thread = self.thread(at);
        thread.operation = Some(operation.clone());
        thread.windows.insert(statement, operation.win);
        let (kind, request) = (operation.kind, operation.request.is_some());
        self.reach_call(at, spot, CallKind::Operation { kind, request });
        let thread = self.thread(at);
        let is_part = thread.within == Some(spot);
        self.keep(at, EventKind::Operation(operation));
        if !is_part {
            self.add_after(at, spot);
        }
    }

    fn accesses(&mut self, at: Moment, runs: Vec<AccessRun>) {
        let runs = self.update(at, runs);
        if runs.is_empty() {
            return;
        }
        let spot = |editor: &mut Self, run: &AccessRun| editor.spot(at.rank, Some(run.pc), run.stack);
        self.segment(at, runs, spot, EventKind::Accesses);
    }

    fn scattered(&mut self, at: Moment, sets: Vec<AccessSet>) {
        let spot = |editor: &mut Self, set: &AccessSet| editor.spot(at.rank, Some(set.pc), set.stack);
        self.segment(at, sets, spot, EventKind::Scattered);
    }

    /// Loads and stores of a segment: those before a cut and those after it, in the order in which the thread comes to
    /// them.
    fn segment<T>(
        &mut self,
        at: Moment,
        accesses: Vec<T>,
        spot: impl Fn(&mut Self, &T) -> Spot,
        kind: impl Fn(Vec<T>) -> EventKind,
    ) {
        let spots: Vec<Spot> = accesses.iter().map(|access| spot(self, access)).collect();
        let Some(turns) = self.turns(at, &spots) else {
            return self.stretch(at, &spots, kind(accesses));
        };
        let mut parts: BTreeMap<Turn, (Vec<T>, Vec<Spot>)> = BTreeMap::new();
        for ((access, spot), turn) in accesses.into_iter().zip(spots).zip(turns) {
            let part = parts.entry(turn).or_default();
            part.0.push(access);
            part.1.push(spot);
        }
        for (accesses, spots) in parts.into_values() {
            self.stretch(at, &spots, kind(accesses));
        }
    }

    /// When a thread comes to each of these places, if some lie before the cut of an edit and some after it.
    fn turns(&mut self, at: Moment, spots: &[Spot]) -> Option<Vec<Turn>> {
        let cuts = (0..).zip(self.edits);
        let cuts = cuts.filter_map(|(number, edit)| Some((number, edit.cut()?)));
        let mut cuts = cuts.map(|(number, cut)| {
            let positions = spots.iter().map(|spot| cut.position(self.spots.stack(*spot)));
            (number, positions.collect::<Vec<Option<Position>>>())
        });
        let (number, positions) = cuts.find(|(_, positions)| {
            let has = |side| positions.iter().flatten().any(|position| position.side() == side);
            has(Side::Before) && has(Side::After)
        })?;
        let from: Option<&Option<Position>> = self.thread(at).positions.get(number);
        let from = from.cloned().flatten().unwrap_or_else(Position::outside);
        let turn = |position: &Option<Position>| {
            position
                .as_ref()
                .map_or(Turn::Before, |position| position.turn(&from))
        };
        Some(positions.iter().map(turn).collect())
    }

    fn stretch(&mut self, at: Moment, spots: &[Spot], kind: EventKind) {
        self.thread(at).visit = None;
        self.reach(at, spots);
        self.keep(at, kind);
        let mut met: Vec<Spot> = Vec::new();
        for spot in spots {
            if !met.contains(spot) {
                met.push(*spot);
                self.add_after(at, *spot);
            }
        }
    }

    /// A thread comes to a call. What one call does in several steps (a barrier that completes first) is one.
    fn reach_call(&mut self, at: Moment, spot: Spot, kind: CallKind) {
        let visit = &mut self.thread(at).visit;
        match visit {
            Some((here, kinds)) if *here == spot && !kinds.contains(&kind) => return kinds.push(kind),
            _ => *visit = Some((spot, vec![kind])),
        }
        self.reach(at, &[spot]);
    }

    /// A thread comes to these places: what it passes on its way is called now.
    fn reach(&mut self, at: Moment, spots: &[Spot]) {
        self.give_back(at, spots);
        let edits = self.edits;
        for (number, edit) in edits.iter().enumerate() {
            let (code, window, place) = match edit {
                Edit::Add {
                    code,
                    window,
                    at: like,
                    place,
                } => (code, self.window(at, *like).or(*window), place),
                Edit::Tell {
                    target,
                    window,
                    place,
                    ..
                } => {
                    let is_told = at.rank == *target
                        && match place {
                            Where::Across(cut, _) => self.passes(at, number, cut, spots),
                            Where::Before(place) => self.spots.have_statement(spots, *place),
                            Where::After(_) | Where::Leaving(_) => false,
                        };
                    if is_told {
                        let seen = self.known.notes.take(at.rank, *window);
                        self.put(at, seen);
                    }
                    continue;
                }
                Edit::Order { before, .. } if self.spots.have_statement(spots, *before) => {
                    self.put(at, EventKind::Acquire { object: ADDED });
                    continue;
                }
                Edit::Exclude { sections, .. } => {
                    let who = (at.rank, at.thread);
                    if self.known.exclusion.takes(who, sections, spots) {
                        self.put(at, EventKind::Acquire { object: ADDED });
                    }
                    continue;
                }
                Edit::Attach {
                    before,
                    window,
                    regions,
                } if self.spots.have_statement(spots, *before) => {
                    self.attach(at, *window, regions);
                    continue;
                }
                Edit::Await { flag, before } if self.spots.have_statement(spots, *before) => {
                    let seen = self.known.notes.take_posted(at.rank, *flag);
                    self.put(at, seen);
                    continue;
                }
                Edit::Notify { before, window, .. } if self.spots.have_statement(spots, *before) => {
                    let seen = self.known.notes.take(at.rank, *window);
                    self.put(at, seen);
                    continue;
                }
                _ => continue,
            };
            match place {
                Where::Before(place) if self.spots.have_statement(spots, *place) => {
                    self.add(at, *code, window)
                }
                Where::Across(cut, _) => {
                    let takes_part = |comers: &BTreeSet<Rank>| comers.contains(&at.rank);
                    let takes_part = self.comers[number].as_ref().is_none_or(takes_part);
                    if *code == Code::Fence {
                        if self.passes(at, number, cut, spots) {
                            let times = match takes_part {
                                true => 1,
                                false => self.known.unseen.times(number, at.rank),
                            };
                            (0..times).for_each(|_| self.add(at, *code, window));
                        }
                        continue;
                    }
                    if !takes_part {
                        continue;
                    }
                    if self.passes(at, number, cut, spots) {
                        self.complete_first(at, *code, window);
                        match self.comers[number].clone() {
                            Some(comers) => self.meet(at, number, &comers),
                            None => self.add(at, *code, window),
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The window that is to a process what this one is to its members: of processes that are split, each part makes
    /// one. It is the window itself for a member, and where the process made no other as that many-th.
    fn counterpart(&self, rank: Rank, win: WinId) -> WinId {
        let of = |rank: &Rank| self.known.made.get(rank);
        let is_member = of(&rank).is_none_or(|made| made.contains(&win));
        if is_member {
            return win;
        }
        let number = |made: &Vec<WinId>| made.iter().position(|other| *other == win);
        let number = self.known.made.values().find_map(number);
        let own = number.and_then(|number| of(&rank)?.get(number));
        own.copied().unwrap_or(win)
    }

    /// The window of what a thread did at a place last; if it did nothing there, of its last call.
    fn window(&mut self, at: Moment, like: Option<Spot>) -> Option<WinId> {
        let like = self.spots.statement(like?);
        let thread = self.thread(at);
        thread.windows.get(&like).copied().or(thread.window)
    }

    /// Whether a thread passes the cut of an edit on its way to these places. Those of a segment come in no order: the
    /// first one that says where it is counts.
    fn passes(&mut self, at: Moment, edit: usize, cut: &Cut, spots: &[Spot]) -> bool {
        let Some(to) = spots
            .iter()
            .find_map(|spot| cut.position(self.spots.stack(*spot)))
        else {
            return false;
        };
        let number = self.edits.len();
        let positions = &mut self.thread(at).positions;
        positions.resize(number, None);
        let from = positions[edit].take().unwrap_or_else(Position::outside);
        let passes = cut.is_passed(&from, &to);
        positions[edit] = Some(to);
        passes
    }

    fn spot(&mut self, rank: Rank, pc: Option<u64>, stack: StackId) -> Spot {
        self.spots.of(Site { rank, pc, stack }, self.places)
    }

    fn thread(&mut self, at: Moment) -> &mut Thread {
        self.known.threads.entry((at.rank, at.thread)).or_default()
    }

    fn keep(&mut self, at: Moment, kind: EventKind) {
        self.push(at, kind, false);
    }

    fn put(&mut self, at: Moment, kind: EventKind) {
        self.push(at, kind, true);
    }

    fn push(&mut self, at: Moment, kind: EventKind, added: bool) {
        let (time, thread) = (at.time, at.thread);
        for edit in self.edits {
            if let Edit::Exclude { remotely, .. } = edit
                && kind != (EventKind::Acquire { object: ADDED })
            {
                self.known.exclusion.note((at.rank, thread), &kind, *remotely);
            }
        }
        let event = Event { time, thread, kind };
        self.known.out.push(Item::new(event, added));
    }
}

/// Who does something when.
#[derive(Clone, Copy)]
struct Moment {
    rank: Rank,
    time: u64,
    thread: ThreadId,
}

/// Gives an operation another argument, each time that it is issued: as a number that stands in the text.
fn give(operation: &mut Operation, right: Argument) {
    match right {
        Argument::Count(count) => {
            let old = std::mem::replace(&mut operation.target_count, count);
            let buffers = [&mut operation.origin, &mut operation.result];
            for buffer in buffers.into_iter().flatten().filter(|buffer| buffer.count == old) {
                buffer.count = count;
            }
        }
        Argument::Displacement(displacement) => operation.displacement = displacement,
        Argument::Target(target) => operation.target = Some(target),
        Argument::OfGaspi(GaspiArgument::Queue, number) => {
            operation.channel = ChannelId(1 + u32::try_from(number).unwrap_or_default());
        }
        Argument::OfGaspi(GaspiArgument::NotificationId, number) => {
            if let Some(Notice::Flag(flag)) = &mut operation.notice {
                flag.number = u32::try_from(number).unwrap_or_default();
            }
        }
        Argument::OfGaspi(..)
        | Argument::Window(_)
        | Argument::Communicator(_)
        | Argument::Pe(_)
        | Argument::Group(_)
        | Argument::Address
        | Argument::Beginning
        | Argument::Given
        | Argument::AsTheOther => {}
    }
}

/// Makes a call in another way; what completes operations is given what the thread's last one has.
fn alter(call: &mut Call, change: Change, issued: Option<&Operation>) {
    match (call, change) {
        (Call::Flush { local, .. }, Change::Local(wanted)) => *local = wanted,
        (Call::Wait { test, .. }, Change::Waits) => *test = false,
        (Call::Flush { target, .. }, Change::Argument(Argument::Target(right))) => {
            *target = issued.and_then(|issued| issued.target).or(Some(right));
        }
        (Call::Flush { win, .. }, Change::Argument(Argument::Window(right))) => {
            *win = issued.map_or(right, |issued| issued.win);
        }
        (Call::Lock { win, kind, .. }, Change::Locks(of, wanted)) if *win == of => *kind = wanted,
        (
            Call::Fence { assertions, .. }
            | Call::Post { assertions, .. }
            | Call::Start { assertions, .. }
            | Call::Lock { assertions, .. }
            | Call::LockAll { assertions, .. },
            Change::Assertions(wanted),
        ) => *assertions = wanted,
        (
            Call::Post { assertions, .. }
            | Call::Start { assertions, .. }
            | Call::Lock { assertions, .. }
            | Call::LockAll { assertions, .. },
            Change::Checked,
        ) => assertions.nocheck = false,
        _ => {}
    }
}
