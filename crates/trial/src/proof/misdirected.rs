//! What the run tells already, and nobody hears, or hears too early: notifications of GASPI for which nobody waits,
//! calls that meet others before the data are there, and flushes that complete nothing.
//!
//! Each is a change that costs less than a notification and a barrier of its own.

use super::Trials;
use crate::near::{Near, Which};
use farside_events::{Call, CallKind, ChannelId, CommId, EventKind, Flag, Interface, Rank, WinId};
use farside_race::{Name, Places, RawFinding, RawParty, RawSuggestion, Site, Spot as At, What};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Events after which the time is looked at.
const PATIENCE: u64 = 64;

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
            Interface::Mpi => self.flushes(first, target, finding.window),
            Interface::Gaspi => self.notifications([first, second], target),
            Interface::Shmem | Interface::Farside => Vec::new(),
        }
    }

    /// Flushes after the operation that have nothing to complete where they are directed to.
    fn flushes(&mut self, first: &RawParty, target: Rank, window: Option<WinId>) -> Vec<RawSuggestion> {
        self.find_near();
        let operation = self.spots.of(first.site, self.places);
        let around = self.near.as_ref().and_then(|near| near.around(operation));
        let after = around
            .map(|around| around.after(Which::Orders))
            .unwrap_or_default();
        let directed = |call: &Near| {
            let ((win, given), window, (_, at)) = (call.idle_flush()?, window?, call.told());
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
        after.iter().filter_map(directed).collect()
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
        let Some(found) = self.after_operation((origin, first.site), target) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        if second.site.rank == target {
            let posted = found.posted.iter().filter(|(flag, _)| !found.seen.contains(flag));
            let awaited = posted.filter_map(|(_, (site, flag))| {
                let name = Name::Call(CallKind::Notify);
                Some(RawSuggestion::awaited(
                    (*flag)?,
                    At { site: *site, name },
                    access.clone(),
                ))
            });
            all.extend(awaited);
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
    fn after_operation(&mut self, (origin, site): (Rank, Site), target: Rank) -> Option<Found> {
        let write = self.spots.of(site, self.places);
        let mut found = Found::default();
        for (number, (rank, event)) in (0..).zip(self.recording.events()) {
            if number % PATIENCE == 0 && Instant::now() >= self.others_until {
                return None;
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
