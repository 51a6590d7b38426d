//! Which of two accesses of a round comes first in the sources.
//!
//! Processes of one program run the same text. Where one process reaches an access, and another process another one,
//! after a call in which both met, the text says which of the two a reader meets first: read from that call on, and
//! round again at the end, as a loop is.
//!
//! Limit: the text is taken for one loop. Where control goes back otherwise (`goto`, calls that return here
//! in another order), the answer may be wrong; either order is a repair.

use super::Places;
use crate::finding::{Site, Turned};
use farside_findings::source_order;
use std::cmp::Ordering;

/// Whether the second of two accesses comes first.
pub(crate) fn is_turned(accesses: [Site; 2], turned: &Turned, places: &mut impl Places) -> bool {
    let accesses = accesses.map(|site| places.stack(site));
    let since = turned.since.map(|sites| sites.map(|site| places.stack(site)));
    let next_time_round = |index: usize| -> Option<bool> {
        let since = &since.as_ref()?[index];
        Some(source_order(&accesses[index], since)? == Ordering::Less)
    };
    // Without both, nothing is known of where the round begins.
    let rounds = next_time_round(0)
        .zip(next_time_round(1))
        .map_or(Ordering::Equal, |(first, second)| first.cmp(&second));
    let text = source_order(&accesses[0], &accesses[1]).unwrap_or(Ordering::Equal);
    rounds.then(text) == Ordering::Greater
}
