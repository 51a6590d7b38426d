//! The order of two places in the text of a program.

use crate::Frame;
use std::cmp::Ordering;

/// The order of two places in the text, if a function in common has both; stacks are given innermost first.
///
/// `None` for equal stacks, and where the two lead through different functions.
pub fn source_order(first: &[Frame], second: &[Frame]) -> Option<Ordering> {
    let mut frames = first.iter().rev().zip(second.iter().rev());
    let (a, b) = frames.find(|(a, b)| a != b)?;
    if a.function != b.function || a.module != b.module {
        return None;
    }
    match (&a.place, &b.place) {
        (Some(x), Some(y)) if x.file == y.file => {
            // In a line the code tells, where it is known: in `f(g())` the second call comes first.
            let addresses = a.address.cmp(&b.address);
            let columns = x.column.cmp(&y.column);
            Some(x.line.cmp(&y.line).then(addresses).then(columns))
        }
        (None, None) if a.module.is_some() && a.function.is_some() => Some(a.address.cmp(&b.address)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

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
        assert_eq!(source_order(&put, &load), Some(Ordering::Less));
        assert_eq!(source_order(&load, &put), Some(Ordering::Greater));
        assert_eq!(source_order(&put, &put), None);
        assert_eq!(source_order(&stack(&[("f", 1)]), &stack(&[("g", 2)])), None);
    }
}
