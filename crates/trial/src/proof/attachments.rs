//! Memory of a dynamic window that operations reach while it is not attached (MPI-4.1 §12.2.4), as suggestions.
//!
//! Memory that its process attaches later is attached before a call of that process by which the origin learns of it;
//! what is detached before is detached after one that comes after the operation is complete; and what is never attached
//! is attached before such a call, by whoever has it.
//!
//! Memory that is not there from the beginning is there where its process has touched it, and where its address is
//! told. If it was not touched, that is taken to be the last of those calls that carries data, or the last one.
//!
//! Such calls are collective ones, which have one text on all processes, and those by which the owner alone tells
//! others: messages, and the post of an exposure epoch; and those by which it is told: receives, and the wait that ends
//! such an epoch.
//!
//! Limit: what is attached is all from the first byte to the last that the statement reaches: of memory without a name,
//! that it is one piece is told by the text alone.

use super::Trials;
use crate::near::brings_data;
use crate::touched::Types;
use farside_events::{
    Buffer, Call, CallKind, CommId, Direction, EventKind, Interface, Operation, Rank, WinId,
};
use farside_findings::Rule;
use farside_race::{Name, Places, RawFinding, RawSuggestion, Site, Spot as At};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Calls before the operation, and after it, that are tried.
const CALLS: usize = 3;

/// A collective call by its communicator and its number there.
type Meeting = (CommId, u64);

/// A call by which its process tells others.
#[derive(Clone)]
struct Telling {
    /// If it is a collective one.
    meeting: Option<Meeting>,
    /// The number of its event.
    number: u64,
    /// Data of the program may go with it.
    carries: bool,
    at: At,
}

/// An attachment.
struct Region {
    bytes: Range<u64>,
    /// Where it begins, and where it has ended.
    attached: At,
    detached: Option<At>,
    /// How many calls its process had made by then by which others are told.
    since: usize,
}

/// What a run tells of a statement and of the memory that it reaches.
#[derive(Default)]
struct Found {
    types: Types,
    /// By process: what it has attached, the latest last.
    regions: HashMap<Rank, Vec<Region>>,
    /// By process: what is reached of it while it is not attached.
    reached: BTreeMap<Rank, Range<u64>>,
    /// Something lies between that is not reached, or was not at first.
    apart: bool,
    /// Whoever has made which call where by which others are told.
    meetings: HashMap<Rank, Vec<Telling>>,
    /// Those of the owner by which the origin knows of what came before them.
    told: Vec<Telling>,
    /// The number of the event with which the origin issues the operation first.
    began: u64,
    /// The origin has issued the operation, and completed it.
    issued: bool,
    completed: bool,
    /// Calls of the origin afterwards by which all know of that.
    telling: Vec<Meeting>,
    /// Calls of the owner by which it is told alone, after it has detached something.
    hearing: Vec<At>,
}

impl Found {
    /// The origin issues the operation, of which memory of `target` is not attached.
    fn issue(&mut self, (origin, number): (Rank, u64), operation: &Operation, owner: Rank) {
        let Some(target) = operation.target else { return };
        let buffer = Buffer {
            address: operation.displacement.cast_unsigned(),
            datatype: operation.target_type,
            count: operation.target_count,
        };
        let bytes = self.types.range(origin, &buffer);
        let meetings = |rank| self.meetings.get(&rank).into_iter().flatten();
        let of_origin: BTreeSet<Meeting> = meetings(origin).filter_map(|made| made.meeting).collect();
        let is_common = |made: &&Telling| made.meeting.is_none_or(|meeting| of_origin.contains(&meeting));
        // What was attached, and nobody told of, may not be there in another run.
        let holds = |region: &Region| {
            let is_open = region.detached.is_none();
            let is_told = || {
                target == origin
                    || meetings(target)
                        .skip(region.since)
                        .any(|telling| is_common(&telling))
            };
            is_open && region.bytes.start <= bytes.start && bytes.end <= region.bytes.end && is_told()
        };
        let regions = self.regions.get(&target);
        if bytes.is_empty() || regions.is_some_and(|regions| regions.iter().any(holds)) {
            return;
        }
        let reached = self.reached.entry(target).or_insert(bytes.clone());
        self.apart |= bytes.end < reached.start || reached.end < bytes.start;
        *reached = reached.start.min(bytes.start)..reached.end.max(bytes.end);
        if target != owner || std::mem::replace(&mut self.issued, true) {
            return;
        }
        self.began = number;
        for made in meetings(owner).filter(is_common) {
            self.told.retain(|known| known.at != made.at);
            self.told.push(made.clone());
        }
        let late = self.told.len().saturating_sub(CALLS);
        self.told.drain(..late);
    }

    /// Where the owner makes the calls by which it may know that the operation is complete.
    fn after(&self, owner: Rank) -> impl Iterator<Item = &At> {
        let made = self.meetings.get(&owner).into_iter().flatten();
        let all = made
            .filter(|made| {
                made.meeting
                    .is_some_and(|meeting| self.telling.contains(&meeting))
            })
            .map(|made| &made.at);
        self.hearing.iter().take(CALLS).chain(all.take(CALLS))
    }
}

impl<P: Places> Trials<'_, P> {
    /// How the memory that an operation reaches may be attached then.
    pub(super) fn attachments(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let is_of_mpi = finding.interface().unwrap_or(self.interface) == Interface::Mpi;
        let operations = || finding.parties.iter().filter(|party| party.target.is_some());
        let (Some(party), Some(window)) = (operations().next(), finding.window) else {
            return Vec::new();
        };
        let Some(owner) = party
            .target
            .filter(|_| is_of_mpi && finding.rule == Rule::UnmatchedAttach)
        else {
            return Vec::new();
        };
        let Some(found) = self.reached(party.site, window, owner) else {
            return Vec::new();
        };
        let Some(bytes) = found.reached.get(&owner) else {
            return Vec::new();
        };
        let regions = found.regions.get(&owner).into_iter().flatten();
        let own = regions.filter(|region| region.bytes.start <= bytes.start && bytes.end <= region.bytes.end);
        let mut all = Vec::new();
        for region in own {
            if let Some(detached) = &region.detached {
                let moved =
                    |at: &At| RawSuggestion::moved(CallKind::Detach, detached.clone(), at.clone(), true);
                all.extend(found.after(owner).map(moved));
            }
            let moved =
                |at: &At| RawSuggestion::moved(CallKind::Attach, region.attached.clone(), at.clone(), false);
            all.extend(found.told.iter().rev().map(|told| moved(&told.at)));
        }
        let is_static = found
            .reached
            .iter()
            .all(|(rank, bytes)| self.places.is_static(*rank, bytes.start));
        // Two pieces of allocated memory may have anything between them.
        if all.is_empty() && self.is_one_piece(&found) && (is_static || !found.apart) {
            let reached = || found.reached.iter().map(|(rank, bytes)| (*rank, bytes.clone()));
            let attached = |at: &At| RawSuggestion::attached(reached().collect(), at.clone());
            let told: Vec<&Telling> = match is_static {
                true => found.told.iter().collect(),
                false => self.told_of_it(&found, owner),
            };
            all.extend(told.into_iter().map(|told| attached(&told.at)));
        }
        all
    }

    /// Of the calls that tell of memory which is not there from the beginning, those that come when it is there.
    fn told_of_it<'f>(&self, found: &'f Found, owner: Rank) -> Vec<&'f Telling> {
        let touched = found.reached.get(&owner).and_then(|bytes| {
            let meets = |touched: &Range<u64>| touched.start < bytes.end && bytes.start < touched.end;
            let mut events = (0..found.began).zip(self.recording.events());
            let (number, _) = events.find(|(_, (rank, event))| {
                let is_touched = || match &event.kind {
                    EventKind::Accesses(runs) => runs.iter().any(|run| meets(&run.span())),
                    _ => false,
                };
                *rank == owner && is_touched()
            })?;
            Some(number)
        });
        match touched {
            Some(number) => found.told.iter().filter(|told| told.number > number).collect(),
            None => {
                let mut latest = found.told.iter().rev();
                let carrying = latest.clone().find(|told| told.carries);
                carrying.or_else(|| latest.next()).into_iter().collect()
            }
        }
    }

    /// Whether what is reached is memory of one name on all processes, which none of those that nothing reaches has
    /// attached: they come to the same call.
    fn is_one_piece(&mut self, found: &Found) -> bool {
        let mut name = |rank: Rank, address: u64| {
            let name = self.places.variable(rank, address)?;
            let base = name.split(['+', '[']).next().unwrap_or_default();
            Some(base.to_owned())
        };
        let mut names = BTreeSet::new();
        for (rank, bytes) in &found.reached {
            names.extend([bytes.start, bytes.end - 1].map(|address| name(*rank, address)));
        }
        let others = found
            .regions
            .iter()
            .filter(|(rank, _)| !found.reached.contains_key(rank));
        let mut attached =
            others.flat_map(|(rank, regions)| regions.iter().map(move |region| (*rank, region)));
        names.len() == 1 && !attached.any(|(rank, region)| names.contains(&name(rank, region.bytes.start)))
    }

    /// Looks through the run; `None` if there is no time for that.
    fn reached(&mut self, site: Site, window: WinId, owner: Rank) -> Option<Found> {
        let origin = site.rank;
        let statement = self.spots.of(site, self.places);
        let mut found = Found::default();
        for next in self.recording.events_until(self.others_until) {
            let (number, rank, event) = next?;
            found.types.take(rank, &event);
            match &event.kind {
                EventKind::Operation(operation) if operation.win == window => {
                    let (pc, stack) = (None, operation.stack);
                    if self.spots.of(Site { rank, pc, stack }, self.places) == statement {
                        found.issue((rank, number), operation, owner);
                    }
                }
                EventKind::Enter { call, stack } => {
                    let (pc, stack) = (None, *stack);
                    let name = Name::of(call, Interface::Mpi).0;
                    let site = Site { rank, pc, stack };
                    found.make((rank, At { site, name }, number), call, (window, origin, owner));
                }
                _ => {}
            }
        }
        Some(found)
    }
}

impl Found {
    /// A process makes a call.
    fn make(
        &mut self,
        (rank, at, number): (Rank, At, u64),
        call: &Call,
        (window, origin, owner): (WinId, Rank, Rank),
    ) {
        let telling = |meeting, carries, at| Telling {
            meeting,
            number,
            carries,
            at,
        };
        match call {
            Call::Attach { win, address, size } if *win == window => {
                let since = self.meetings.get(&rank).map_or(0, Vec::len);
                let region = Region {
                    since,
                    bytes: *address..address.saturating_add(*size),
                    attached: at,
                    detached: None,
                };
                self.regions.entry(rank).or_default().push(region);
            }
            Call::Detach { win, address } if *win == window => {
                let regions = self.regions.entry(rank).or_default();
                let is_it =
                    |region: &&mut Region| region.bytes.start == *address && region.detached.is_none();
                if let Some(region) = regions.iter_mut().rfind(is_it) {
                    region.detached = Some(at);
                }
            }
            Call::Flush {
                win, local: false, ..
            }
            | Call::Unlock { win, .. }
            | Call::UnlockAll { win }
            | Call::Fence { win, .. }
            | Call::Complete { win }
                if *win == window && rank == origin =>
            {
                self.completed = self.issued;
            }
            Call::Collective {
                comm,
                sequence,
                direction,
                request: None,
                name,
            } => {
                let meeting = (*comm, *sequence);
                let tells = match direction {
                    Direction::All => true,
                    Direction::FromRoot(root) => *root == owner && !self.issued,
                    _ => false,
                };
                if tells {
                    let made = telling(Some(meeting), carries_data(name), at);
                    self.meetings.entry(rank).or_default().push(made);
                }
                if *direction == Direction::All && rank == origin && self.completed {
                    self.telling.push(meeting);
                }
            }
            Call::Send { dest: Some(_), .. } if rank == owner && !self.issued => {
                let made = telling(None, true, at);
                self.meetings.entry(rank).or_default().push(made);
            }
            Call::Post { win, .. } if *win == window && rank == owner && !self.issued => {
                let made = telling(None, false, at);
                self.meetings.entry(rank).or_default().push(made);
            }
            Call::Receive { .. } if rank == owner => self.hear(owner, at),
            Call::Wait { win, .. } if *win == window && rank == owner => self.hear(owner, at),
            _ => {}
        }
    }

    /// The owner makes a call by which it is told.
    fn hear(&mut self, owner: Rank, at: At) {
        let regions = self.regions.get(&owner);
        if regions.is_some_and(|regions| regions.iter().any(|region| region.detached.is_some())) {
            self.hearing.push(at);
        }
    }
}

/// Whether data of the program go with a collective call.
fn carries_data(name: &str) -> bool {
    let makes = ["MPI_Win_", "MPI_Comm_", "MPI_File_"];
    brings_data(name) && !makes.iter().any(|start| name.starts_with(start))
}
