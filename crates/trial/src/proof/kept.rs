//! A lock that some way through a function keeps, as a suggestion: a `return`, `continue` or exception that comes
//! before the call which gives it back (MPI-4.1 §12.5.3).
//!
//! After the last call of the epoch is where that is told, in words: others may come by there who do give it back. What
//! is tried is that a thread gives back what it keeps where it leaves the function, or goes back to where it took it.

use super::Trials;
use crate::editor::is_below;
use farside_events::{Call, CallKind, EventKind, Interface};
use farside_race::{Code, Misuse, Name, Places, RawFinding, RawSuggestion, Site, Spot as At, What};

impl<P: Places> Trials<'_, P> {
    /// The first lock of two is given back on the ways that keep it.
    pub(super) fn kept(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let What::Misuse(Misuse::DoubleLock) = finding.what else {
            return Vec::new();
        };
        let ([second, first], Some(window)) = (finding.parties.as_slice(), finding.window) else {
            return Vec::new();
        };
        let Some(target) = first.target else {
            return Vec::new();
        };
        let [again, lock] = [second.site, first.site].map(|site| self.spots.of(site, self.places));
        let own = (first.site.rank, first.thread.thread());
        let mut last: Option<At> = None;
        for next in self.recording.events_until(self.others_until) {
            let Some((_, rank, event)) = next else {
                return Vec::new();
            };
            if (rank, event.thread) != own {
                continue;
            }
            let (name, stack) = match &event.kind {
                EventKind::Enter { call, stack } if call.window() == Some(window) => {
                    (Name::of(call, Interface::Mpi).0, *stack)
                }
                EventKind::Operation(operation) if operation.win == window => {
                    let (kind, request) = (operation.kind, operation.request.is_some());
                    let call = CallKind::Operation { kind, request };
                    (Name::Call(call), operation.stack)
                }
                _ => continue,
            };
            let site = Site {
                rank,
                pc: None,
                stack,
            };
            let spot = self.spots.of(site, self.places);
            match &event.kind {
                EventKind::Enter {
                    call: Call::Lock { target: of, .. },
                    ..
                } if *of == target => {
                    if last.is_some() && self.spots.are_one_statement(spot, again) {
                        break;
                    }
                    let is_it = self.spots.are_one_statement(spot, lock);
                    last = is_it.then_some(At { site, name });
                }
                EventKind::Enter {
                    call: Call::Unlock { target: of, .. },
                    ..
                } if *of == target => last = None,
                _ if last.is_some() && is_below(&self.spots, lock, spot) => last = Some(At { site, name }),
                _ => {}
            }
        }
        let kept = |last: At| RawSuggestion::on_ways_that_keep(Code::Unlock(Some(target)), last);
        last.map(kept).into_iter().collect()
    }
}
