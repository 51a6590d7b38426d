//! Where in a program's text a call is missing between two accesses, and what it must give.

use crate::place::Frame;
use std::cmp::Ordering;

/// What a synchronising call gives to accesses before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guarantee {
    /// Operations before it are complete at their origin.
    LocalCompletion,
    /// Operations before it are complete at their target.
    RemoteCompletion,
    /// What is before it in one process happens before what is after it in another.
    HappensBefore,
}

/// Where a call is missing between two accesses, and what it must give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What is missing; sorted.
    pub needs: Vec<Guarantee>,
    /// The call that gives it, for every target: `MPI_Win_flush_all(win)`.
    pub call: String,
    /// Whether nothing but that call is enough, whatever else gives the same: what is missing is no order, but the end
    /// of an epoch.
    pub only: bool,
    /// The stack of what it must come after, innermost first.
    pub from: Vec<Frame>,
    /// The stack of what it must come before, innermost first.
    pub to: Vec<Frame>,
}

impl Gap {
    /// Whether a call right after `place` stands in the gap.
    pub(crate) fn holds(&self, place: &[Frame]) -> bool {
        if place == self.from {
            return true;
        }
        let after = || source_order(&self.from, place) == Some(Ordering::Less);
        let before = || place != self.to && source_order(place, &self.to) == Some(Ordering::Less);
        if self.from == self.to {
            // Of two processes that execute one statement none comes first, whatever follows it. In one process, each
            // call of the round stands between it and the next round.
            !self.needs.contains(&Guarantee::HappensBefore)
                && is_in_function(place, &self.from)
                && source_order(&self.from, place).is_some()
        } else if self.leads_round() {
            self.is_in_loop(place) && (after() || before())
        } else {
            after() && before()
        }
    }

    /// Whether only a loop leads from its first place to its second.
    pub(crate) fn leads_round(&self) -> bool {
        round(&self.from, &self.to)
    }

    /// Whether a place is reached through the call of the function that has both ends.
    fn is_in_loop(&self, place: &[Frame]) -> bool {
        let outermost = |stack| <[Frame]>::iter(stack).rev();
        let ends = outermost(&self.from).zip(outermost(&self.to));
        let shared = ends.take_while(|(from, to)| from == to).count();
        place.len() > shared
            && outermost(&self.from)
                .zip(outermost(place))
                .take(shared)
                .all(|(a, b)| a == b)
    }

    /// Ends it before `to`, if that is nearer to its beginning.
    pub(crate) fn end_before(&mut self, to: &[Frame]) {
        let nearer = match (round(&self.from, to), self.leads_round()) {
            (false, true) => true,
            (true, false) => false,
            _ => source_order(to, &self.to) == Some(Ordering::Less),
        };
        if nearer {
            to.clone_into(&mut self.to);
        }
    }

    /// Whether its call is enough for another one.
    pub(crate) fn gives(&self, other: &Self) -> bool {
        let is_it = || procedure(&self.call) == procedure(&other.call);
        other.needs.iter().all(|need| self.needs.contains(need)) && (!other.only || is_it())
    }
}

/// Whether a place is reached through the call of the function that another place is in.
fn is_in_function(place: &[Frame], other: &[Frame]) -> bool {
    let callers = other.len().saturating_sub(1);
    let outermost = place.iter().rev().zip(other.iter().rev()).take(callers);
    place.len() > callers && outermost.into_iter().all(|(a, b)| a == b)
}

/// What a call calls, for one target or for all.
pub(crate) fn procedure(call: &str) -> &str {
    let name = call.split('(').next().unwrap_or_default();
    name.strip_suffix("_all").unwrap_or(name)
}

/// Whether `to` stands above `from`, so that it is reached in the next round.
fn round(from: &[Frame], to: &[Frame]) -> bool {
    source_order(from, to) == Some(Ordering::Greater)
}

/// The order of two places in the text, if a function in common has both; stacks are given innermost first.
///
/// `None` for equal stacks, and where the two lead through different functions. What a compiler makes of a parallel
/// region of OpenMP belongs to the function around that; the stack of a thread of a team may begin there.
pub fn source_order(first: &[Frame], second: &[Frame]) -> Option<Ordering> {
    let (first, second) = (within(first, second), within(second, first));
    let mut frames = first.iter().rev().zip(second.iter().rev());
    let (a, b) = frames.find(|(a, b)| a != b)?;
    if text_of(a) != text_of(b) || a.module != b.module {
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

/// A stack from the function on in which the other one begins, if that is a region which it leads through.
fn within<'s>(stack: &'s [Frame], other: &[Frame]) -> &'s [Frame] {
    let region = other.last().filter(|frame| region_in(frame).is_some());
    let is_region = |frame: &Frame| region.is_some_and(|region| region.function == frame.function);
    let at = stack.iter().rposition(is_region);
    at.map_or(stack, |at| &stack[..=at])
}

/// The function whose text a frame is in.
fn text_of(frame: &Frame) -> Option<&str> {
    region_in(frame).or(frame.function.as_deref())
}

/// The function around a region of OpenMP, of which a compiler has made the frame's: clang, gcc, flang.
fn region_in(frame: &Frame) -> Option<&str> {
    let name = frame.function.as_deref()?;
    let ends = [".omp_outlined", "._omp_fn.", "..omp_par"].into_iter();
    let end = ends.filter_map(|end| name.find(end)).min()?;
    (end > 0).then(|| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;

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

    #[test]
    fn a_region_belongs_to_the_function_around_it() {
        let put = stack(&[("main._omp_fn.0", 19), ("GOMP_parallel", 0), ("main", 16)]);
        let load = stack(&[("main._omp_fn.1", 26)]);
        assert_eq!(source_order(&put, &load), Some(Ordering::Less));
        assert_eq!(source_order(&load, &put), Some(Ordering::Greater));
        // Of two threads, one has not been started by the library.
        let of_other = stack(&[("main._omp_fn.0", 19)]);
        assert_eq!(source_order(&put, &of_other), None);
        let below = stack(&[("main._omp_fn.0", 22)]);
        assert_eq!(source_order(&put, &below), Some(Ordering::Less));
        assert_eq!(source_order(&below, &put), Some(Ordering::Greater));
        let of_another = stack(&[("work.omp_outlined", 30)]);
        assert_eq!(source_order(&load, &of_another), None);
    }
}
