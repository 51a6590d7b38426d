//! Notifications that are lost because the process that sees them does not set them back (GASPI 17.1 §8.3), as
//! suggestions: what a wait finds is taken right after it.

use super::Trials;
use farside_events::{Call, EventKind, Rank, ThreadId};
use farside_race::{Misuse, Name, Places, RawFinding, RawSuggestion, Site, Spot as At, What};
use rustc_hash::FxHashMap as HashMap;

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

impl<P: Places> Trials<'_, P> {
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
