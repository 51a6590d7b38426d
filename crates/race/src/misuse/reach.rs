//! Operations that reach outside the target's window, or whose counts are negative.
//!
//! Source: MPI-4.1 §12.3 (displacements, counts), §12.2.4 (attached memory).

use super::endings::detached_early;
use crate::finding::{Argument, Misuse, Note, RawFinding, RawParty, RawSuggestion, Spot};
use crate::windows::Outside;
use farside_events::{CallKind, Rank, WinId};
use farside_findings::ByteRange;

/// MPI refuses the call, and ends the program unless an error handler says otherwise: nothing is transferred.
pub(crate) fn negative_count(win: WinId, party: RawParty, count: i64) -> RawFinding {
    RawFinding::misuse(Misuse::NegativeCount(count), Some(win), vec![party])
        .with(RawSuggestion::note(Note::MeaningNotKnown))
}

/// An operation reaches outside the window of its target. `right` is the argument that is wrong, and what it would be,
/// if that is known.
pub(crate) fn outside(
    win: WinId,
    target: Rank,
    party: RawParty,
    (outside, right): (&Outside, Option<[Argument; 2]>),
) -> RawFinding {
    match outside {
        Outside::Unattached(range) => {
            let misuse = Misuse::ToUnattached {
                start: range.start,
                end: range.end,
            };
            RawFinding::misuse(misuse, Some(win), vec![party]).with(RawSuggestion::note(Note::AttachFirst))
        }
        Outside::AttachedUnknown(range, site, thread) => {
            let misuse = Misuse::ToAttachedUnknown {
                start: range.start,
                end: range.end,
            };
            let attaches = RawParty::call(CallKind::Attach, *site, *thread, None);
            RawFinding::misuse(misuse, Some(win), vec![party, attaches])
                .with(RawSuggestion::note(Note::AttachFirst))
        }
        Outside::Detached(range, site, thread, is_known) => {
            let detaches = RawParty::call(CallKind::Detach, *site, *thread, None);
            if !is_known {
                return detached_early(win, party, detaches, range);
            }
            let misuse = Misuse::AfterDetach {
                start: range.start,
                end: range.end,
            };
            RawFinding::misuse(misuse, Some(win), vec![party, detaches])
                .with(RawSuggestion::note(Note::DetachLater))
        }
        Outside::Beyond(range, base, size) => {
            let offset = |address: u64| address.wrapping_sub(*base) as i64;
            let misuse = Misuse::BeyondWindow {
                start: offset(range.start),
                end: offset(range.end),
                size: *size,
            };
            let bytes = ByteRange {
                rank: target.0,
                start: range.start,
                end: range.end,
                in_window: false,
                variable: None,
            };
            let advice = match right {
                Some([given, right]) => RawSuggestion::argument(given, right, Spot::of(&party)),
                None => RawSuggestion::note(Note::MeaningNotKnown),
            };
            RawFinding {
                bytes: Some(bytes),
                suggestion: Some(advice),
                ..RawFinding::misuse(misuse, Some(win), vec![party])
            }
        }
    }
}
