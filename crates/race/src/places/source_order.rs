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
use farside_findings::Frame;
use std::cmp::Ordering;

/// Whether the second of two accesses comes first.
pub(crate) fn is_turned(accesses: [Site; 2], turned: &Turned, places: &mut impl Places) -> bool {
    let accesses = accesses.map(|site| places.stack(site));
    let since = turned.since.map(|sites| sites.map(|site| places.stack(site)));
    let next_time_round = |index: usize| -> Option<bool> {
        let since = &since.as_ref()?[index];
        Some(order(&accesses[index], since)? == Ordering::Less)
    };
    // Without both, nothing is known of where the round begins.
    let rounds = next_time_round(0)
        .zip(next_time_round(1))
        .map_or(Ordering::Equal, |(first, second)| first.cmp(&second));
    let text = order(&accesses[0], &accesses[1]).unwrap_or(Ordering::Equal);
    rounds.then(text) == Ordering::Greater
}

/// The order of two places in the text, if a function in common has both: stacks are given innermost first.
pub(crate) fn order(first: &[Frame], second: &[Frame]) -> Option<Ordering> {
    let mut frames = first.iter().rev().zip(second.iter().rev());
    let (a, b) = frames.find(|(a, b)| a != b)?;
    if a.function != b.function || a.module != b.module {
        return None;
    }
    match (&a.place, &b.place) {
        (Some(x), Some(y)) if x.file == y.file => {
            let columns = x.column.cmp(&y.column);
            Some(x.line.cmp(&y.line).then(columns).then(a.address.cmp(&b.address)))
        }
        (None, None) if a.module.is_some() && a.function.is_some() => Some(a.address.cmp(&b.address)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::Place;

    fn stack(lines: &[(&str, u32)]) -> Vec<Frame> {
        let frame = |(function, line): &(&str, u32)| Frame {
            function: Some((*function).to_owned()),
            place: Some(Place {
                file: "x.c".to_owned(),
                line: *line,
                column: None,
            }),
            ..Frame::default()
        };
        lines.iter().map(frame).collect()
    }

    #[test]
    fn the_outermost_call_that_differs_decides() {
        let (put, load) = (stack(&[("exchange", 5), ("main", 20)]), stack(&[("main", 21)]));
        assert_eq!(order(&put, &load), Some(Ordering::Less));
        assert_eq!(order(&load, &put), Some(Ordering::Greater));
        assert_eq!(order(&put, &put), None);
        assert_eq!(order(&stack(&[("f", 1)]), &stack(&[("g", 2)])), None);
    }
}
