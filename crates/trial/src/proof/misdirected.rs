//! What the run tells already, and nobody hears, or hears too early: notifications of GASPI for which nobody waits,
//! beside waits that bring nothing; calls that meet others before the data are there, barriers that not all meet in who
//! would have to, and flushes that complete nothing.
//!
//! Each is a change that costs less than a notification and a barrier of its own.

use super::Trials;
use crate::near::{Near, Which};
use crate::spots::{Spot, sites};
use farside_events::{
    Call, CallKind, ChannelId, CommId, EventKind, Flag, Interface, Operation, Rank, ThreadId, WinId,
};
use farside_race::{Name, Places, RawFinding, RawParty, RawSuggestion, Site, Spot as At, What};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Waits before an access that may be for another notification.
const WAITS: usize = 2;
/// What waits for a notification.
const WAIT: &str = "gaspi_notify_waitsome";

/// What a run has of the statement of an operation and of what comes after it.
#[derive(Default)]
struct Found {
    /// It was issued.
    issued: bool,
    channels: BTreeSet<ChannelId>,
    /// By notification of the target: where it is posted, and what it is set to, if that is one value.
    posted: BTreeMap<(WinId, u32), (Site, Option<Flag>)>,
    /// Notifications that the target sees.
    seen: BTreeSet<(WinId, u32)>,
    /// The first collective call that the origin makes afterwards.
    meeting: Option<(CommId, u64)>,
    /// Where each process makes which collective call.
    meetings: BTreeMap<(Rank, CommId, u64), (Site, Call)>,
    /// What has been sent with a notification, or on its queue since the last one.
    sent: HashMap<(Rank, Rank, ChannelId), bool>,
    /// Notifications of the target that data came with.
    full: BTreeSet<(WinId, u32)>,
    waits: Waits,
}

/// The waits for notifications of a thread.
#[derive(Default)]
struct Waits {
    /// The one that it is in.
    open: Option<Spot>,
    /// Where they are, and what each has found.
    all: HashMap<Spot, (Site, BTreeSet<(WinId, u32)>)>,
    /// The last ones, the latest last.
    latest: Vec<Spot>,
    /// Those before the access, the nearest first.
    before: Vec<Spot>,
}

impl Waits {
    /// An event of the thread, done at these places; the access is at `second`.
    fn take(&mut self, kind: &EventKind, here: &[(Site, Spot)], second: Spot) {
        match kind {
            EventKind::Enter {
                call: Call::Await { name, .. },
                ..
            } if **name == *WAIT => {
                if let [(site, spot)] = here {
                    self.all.entry(*spot).or_insert((*site, BTreeSet::new()));
                    self.latest.retain(|other| other != spot);
                    self.latest.push(*spot);
                    self.open = Some(*spot);
                }
            }
            EventKind::FlagSeen {
                win,
                number,
                taken: None,
            } => {
                let open = self.open.and_then(|spot| self.all.get_mut(&spot));
                if let Some((_, found)) = open {
                    found.insert((*win, *number));
                }
            }
            EventKind::Leave(_) => self.open = None,
            _ if here.iter().any(|(_, spot)| *spot == second) => {
                for spot in self.latest.iter().rev().take(WAITS) {
                    if !self.before.contains(spot) {
                        self.before.push(*spot);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Found {
    /// Takes note of what data come with a notification of the target.
    fn send(&mut self, from: Rank, operation: &Operation, target: Rank) {
        let Some(to) = operation.target else { return };
        let sent = self.sent.entry((from, to, operation.channel)).or_default();
        *sent |= !operation.is_bare();
        if let Some(flag) = operation.flag().filter(|flag| flag.last)
            && std::mem::take(sent)
            && to == target
        {
            self.full.insert((flag.win, flag.number));
        }
    }

    /// Waits before the access that bring nothing, and might be for a notification of this segment.
    fn idle_waits(&self, win: WinId) -> impl Iterator<Item = Site> {
        let waits = self
            .waits
            .before
            .iter()
            .filter_map(|spot| self.waits.all.get(spot));
        let is_idle = move |found: &(WinId, u32)| found.0 == win && !self.full.contains(found);
        waits
            .filter(move |(_, found)| found.iter().all(is_idle))
            .map(|(site, _)| *site)
    }
}

impl<P: Places> Trials<'_, P> {
    /// Changes of what is there: cheapest first.
    pub(super) fn misdirected(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let ([first, second], What::Race(_)) = (finding.parties.as_slice(), &finding.what) else {
            return Vec::new();
        };
        let Some(target) = first.target else {
            return Vec::new();
        };
        match finding.interface().unwrap_or(self.interface) {
            Interface::Mpi => {
                let mut all = self.flushes(first, target, finding.window);
                all.extend(self.barriers([first, second], finding.window));
                all
            }
            Interface::Gaspi => self.notifications([first, second], target),
            Interface::Shmem | Interface::Farside => Vec::new(),
        }
    }

    /// Flushes after the operation that have nothing to complete where they are directed to.
    fn flushes(&mut self, first: &RawParty, target: Rank, window: Option<WinId>) -> Vec<RawSuggestion> {
        self.find_near();
        let operation = self.spots.of(first.site, self.places);
        let Some(near) = &self.near else { return Vec::new() };
        let after = near
            .around(operation)
            .map(|around| around.after(Which::Orders))
            .unwrap_or_default();
        let idle = |call: &Near| Some((near.idle_flush(call)?, call.told().1));
        let idle: Vec<_> = after.iter().filter_map(idle).collect();
        let own: Vec<_> = idle
            .into_iter()
            .filter_map(|(given, at)| self.as_called_by(first.site.rank, given, at))
            .collect();
        let directed = |((win, given), at): ((WinId, Option<Rank>), At)| {
            let window = window?;
            match given {
                Some(given) if win == window && given != target => {
                    Some(RawSuggestion::of_another_target([given, target], at))
                }
                given if win != window && given.is_none_or(|given| given == target) => {
                    Some(RawSuggestion::of_window(window, at))
                }
                _ => None,
            }
        };
        own.into_iter().filter_map(directed).collect()
    }

    /// A flush as a process calls it that another one may have called first: what it is given there. `None` if that
    /// process does not call it.
    fn as_called_by(
        &mut self,
        rank: Rank,
        given: (WinId, Option<Rank>),
        at: At,
    ) -> Option<((WinId, Option<Rank>), At)> {
        if at.site.rank == rank {
            return Some((given, at));
        }
        let place = self.spots.of(at.site, self.places);
        for next in self.recording.events_until(self.others_until) {
            let (_, who, event) = next?;
            if let (
                true,
                EventKind::Enter {
                    call: Call::Flush { win, target, .. },
                    stack,
                },
            ) = (who == rank, &event.kind)
            {
                let (pc, stack) = (None, *stack);
                let site = Site { rank, pc, stack };
                if self.spots.of(site, self.places) == place {
                    return Some(((*win, *target), At { site, ..at }));
                }
            }
        }
        None
    }

    /// Barriers after the first access, on communicators that not all processes of the window have.
    fn barriers(&mut self, [first, second]: [&RawParty; 2], window: Option<WinId>) -> Vec<RawSuggestion> {
        let Some(window) = window.filter(|_| first.site.rank != second.site.rank) else {
            return Vec::new();
        };
        let (mut own, mut members) = (None, BTreeMap::new());
        for next in self.recording.events_until(self.others_until) {
            let Some((_, _, event)) = next else {
                return Vec::new();
            };
            match &event.kind {
                EventKind::Window(made) if made.id == window => own = Some(made.comm),
                EventKind::Comm { id, members: all } => {
                    members.insert(*id, all.clone());
                }
                _ => {}
            }
        }
        let Some(all) = own.and_then(|comm| members.get(&comm)) else {
            return Vec::new();
        };
        self.find_near();
        let operation = self.spots.of(first.site, self.places);
        let around = self.near.as_ref().and_then(|near| near.around(operation));
        let after = around
            .map(|around| around.after(Which::Orders))
            .unwrap_or_default();
        let is_of_some = |comm: CommId| {
            let some = members.get(&comm);
            some.is_some_and(|some| some.len() < all.len() && some.iter().all(|rank| all.contains(rank)))
        };
        let of_some = |call: &&Near| call.barrier().is_some_and(is_of_some);
        after
            .iter()
            .filter(of_some)
            .map(|call| RawSuggestion::of_all(window, call.told().1))
            .collect()
    }

    /// Notifications that nobody awaits, and calls of the target that tell too early.
    fn notifications(&mut self, [first, second]: [&RawParty; 2], target: Rank) -> Vec<RawSuggestion> {
        let (origin, write) = (
            first.site.rank,
            At {
                site: first.site,
                name: first.name.clone(),
            },
        );
        let access = At {
            site: second.site,
            name: second.name.clone(),
        };
        let Some(found) = self.after_operation((origin, first.site), target, second) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        if second.site.rank == target {
            let posted = found.posted.iter().filter(|(flag, _)| !found.seen.contains(flag));
            for (site, flag) in posted.filter_map(|(_, (site, flag))| Some((*site, (*flag)?))) {
                let name = Name::Call(CallKind::Notify);
                let posted = At { site, name };
                let wait = |site| At {
                    site,
                    name: Name::Text(WAIT.into()),
                };
                let idle = found.idle_waits(flag.win).map(wait);
                all.extend(idle.map(|wait| RawSuggestion::awaited_instead(flag, posted.clone(), wait)));
                all.push(RawSuggestion::awaited(flag, posted, access.clone()));
            }
        } else if let Some((comm, sequence)) = found.meeting
            && let Some((site, call)) = found.meetings.get(&(target, comm, sequence))
        {
            let name = Name::of(call, Interface::Gaspi).0;
            all.push(RawSuggestion::told_before_call(
                target,
                write,
                At { site: *site, name },
            ));
        }
        all
    }

    /// Looks through the run; `None` if there is no time for that.
    fn after_operation(
        &mut self,
        (origin, site): (Rank, Site),
        target: Rank,
        second: &RawParty,
    ) -> Option<Found> {
        let write = self.spots.of(site, self.places);
        let access = self.spots.of(second.site, self.places);
        let accesses: (Rank, ThreadId) = (second.site.rank, second.thread);
        let mut found = Found::default();
        for next in self.recording.events_until(self.others_until) {
            let (_, rank, event) = next?;
            if let EventKind::Operation(operation) = &event.kind {
                found.send(rank, operation, target);
            }
            if (rank, event.thread) == accesses {
                let here: Vec<(Site, Spot)> = sites(rank, &event.kind)
                    .into_iter()
                    .map(|site| (site, self.spots.of(site, self.places)))
                    .collect();
                found.waits.take(&event.kind, &here, access);
            }
            match &event.kind {
                EventKind::Operation(operation) if rank == origin && operation.target == Some(target) => {
                    let (pc, stack) = (None, operation.stack);
                    let site = Site { rank, pc, stack };
                    if self.spots.of(site, self.places) == write {
                        found.issued = true;
                        found.channels.insert(operation.channel);
                    }
                    let tells = |flag: &&Flag| flag.last && found.channels.contains(&operation.channel);
                    if let Some(flag) = operation.flag().filter(tells) {
                        let same = |(_, known): &(Site, Option<Flag>)| {
                            known.filter(|known| known.value == flag.value)
                        };
                        let key = (flag.win, flag.number);
                        let value = found.posted.get(&key).map_or(Some(*flag), same);
                        found.posted.insert(key, (site, value));
                    }
                }
                EventKind::FlagSeen { win, number, .. } if rank == target => {
                    found.seen.insert((*win, *number));
                }
                EventKind::Enter { call, stack } => {
                    let site = Site {
                        rank,
                        pc: None,
                        stack: *stack,
                    };
                    if let Call::Collective { comm, sequence, .. } = call {
                        let key = (*comm, *sequence);
                        if rank == origin && found.issued {
                            found.meeting.get_or_insert(key);
                        }
                        found
                            .meetings
                            .insert((rank, *comm, *sequence), (site, call.clone()));
                    }
                }
                _ => {}
            }
        }
        Some(found)
    }
}
