//! Notifications that are lost (GASPI 17.1 §8.3), as suggestions: where the process that sees the first one does not
//! set it back, what a wait finds is taken right after it; where it has not seen it by then, the second one has another
//! number, for which its target waits besides.
//!
//! Limit: the other number is one that nothing in the run has; whether a wait for a range of numbers would find it, the
//! run does not tell. It is among the last ones that every segment has.

use super::Trials;
use farside_events::{Call, EventKind, Flag, Rank, ThreadId};
use farside_race::{Misuse, Name, Places, RawFinding, RawSuggestion, Site, Spot as At, What};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// Waits that are tried.
const WAITS: usize = 2;
/// What waits for a notification.
const WAIT: &str = "gaspi_notify_waitsome";

/// The number of a lost notification, and whose it is.
fn lost(finding: &RawFinding) -> Option<(u32, Rank)> {
    match finding.what {
        What::Misuse(Misuse::LostNotification { number, of }) => Some((number, of)),
        _ => None,
    }
}

/// Whether a notification is lost, which its process may have seen by then.
pub(super) fn may_be_set_back(finding: &RawFinding) -> bool {
    lost(finding).is_some()
}

/// The last notification that every segment has (GASPI 17.1 §8.1).
const LAST: u32 = 65_535;

impl<P: Places> Trials<'_, P> {
    /// The second notification with another number, and the waits of its target that find the first one.
    pub(super) fn numbers(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let (Some((lost, of)), [_, second]) = (lost(finding), finding.parties.as_slice()) else {
            return Vec::new();
        };
        // Two findings have two numbers.
        let seed = u32::from_str_radix(self.id(finding).get(..4).unwrap_or_default(), 16).unwrap_or(0);
        let post = self.spots.of(second.site, self.places);
        let mut within: HashMap<ThreadId, Site> = HashMap::default();
        let (mut posted, mut used, mut found) = (None::<Flag>, BTreeSet::new(), Vec::new());
        for next in self.recording.events_until(self.others_until) {
            let Some((_, rank, event)) = next else {
                return Vec::new();
            };
            match &event.kind {
                EventKind::Operation(operation) => {
                    let Some(flag) = operation.flag() else { continue };
                    used.insert(flag.number);
                    let (pc, stack) = (None, operation.stack);
                    let is_second = operation.target == Some(of) && flag.number == lost && flag.last;
                    if is_second && self.spots.of(Site { rank, pc, stack }, self.places) == post {
                        posted = Some(*flag);
                    }
                }
                EventKind::Enter { call, stack } if rank == of => {
                    let (pc, stack) = (None, *stack);
                    within.remove(&event.thread);
                    if matches!(call, Call::Await { name, .. } if **name == *WAIT) {
                        within.insert(event.thread, Site { rank, pc, stack });
                    }
                }
                EventKind::FlagSeen { number, .. } if rank == of && *number == lost => {
                    let wait = within.get(&event.thread).copied();
                    found.extend(wait.filter(|wait| !found.contains(wait)));
                }
                _ => {}
            }
        }
        let number = (LAST / 2..=LAST - seed % (LAST / 8))
            .rev()
            .find(|number| !used.contains(number));
        let (Some(posted), Some(number)) = (posted, number) else {
            return Vec::new();
        };
        let flag = Flag { number, ..posted };
        let post = At {
            site: second.site,
            name: second.name.clone(),
        };
        let waits = found.into_iter().take(WAITS).map(|site| At {
            site,
            name: Name::Text(WAIT.into()),
        });
        waits
            .map(|wait| RawSuggestion::of_another_number(lost, flag, post.clone(), wait))
            .collect()
    }

    /// The waits that find a notification which nobody takes before the next one.
    pub(super) fn resets(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let Some((lost, of)) = lost(finding) else {
            return Vec::new();
        };
        let mut within: HashMap<ThreadId, Site> = HashMap::default();
        let mut found: Vec<Site> = Vec::new();
        // The wait that has seen it since it was taken last.
        let mut open: Option<Site> = None;
        for next in self.recording.events_until(self.others_until) {
            let Some((_, rank, event)) = next else {
                return Vec::new();
            };
            match &event.kind {
                EventKind::Operation(operation) if operation.target == Some(of) => {
                    let again = operation.flag().filter(|flag| flag.number == lost);
                    found.extend(again.and(open.take()));
                }
                EventKind::Enter { call, stack } if rank == of => {
                    let (pc, stack) = (None, *stack);
                    within.remove(&event.thread);
                    if matches!(call, Call::Await { name, .. } if **name == *WAIT) {
                        within.insert(event.thread, Site { rank, pc, stack });
                    }
                }
                EventKind::FlagSeen { number, taken, .. } if rank == of && *number == lost => {
                    open = match taken {
                        Some(_) => None,
                        None => within.get(&event.thread).copied().or(open),
                    };
                }
                _ => {}
            }
        }
        let mut waits: Vec<RawSuggestion> = Vec::new();
        for site in found {
            let name = Name::Text(WAIT.into());
            let wait = RawSuggestion::set_back(At { site, name });
            if !waits.contains(&wait) && waits.len() < WAITS {
                waits.push(wait);
            }
        }
        waits
    }
}
