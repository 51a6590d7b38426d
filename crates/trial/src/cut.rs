//! A place in the program's text that a process passes: where a call for all ranks is added.
//!
//! The call stands in the function in which the ways to two accesses part: right after the first of them, or right
//! before the second. Which processes pass it and how often is told by their events before and after it in the text:
//! also by those of processes that make neither access.
//!
//! Limit: events do not tell a loop that has the place within from one that lies on one side of it. So there are two
//! readings, [`Reading`]; what helps must help in each that the processes can follow.

use farside_findings::{Frame, shown_frame, source_order};
use farside_race::runs_in_parallel;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Which of the two accesses a cut is next to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    ToFirst,
    ToSecond,
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The place lies outside of loops that have no event on its other side.
    Outside,
    /// It lies in the block of the access, and is passed in each round.
    Within,
}

/// See the module's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    next: Next,
    reading: Reading,
    /// The calls that lead to the function, outermost first.
    outer: Vec<Frame>,
    /// In the function: what the cut is next to.
    anchor: Frame,
    /// Only a round leads from the first access to the second.
    round: bool,
    /// The anchor alone makes a round: it stands in the text before and after the cut.
    each: bool,
    /// If the anchor is a call that makes the access somewhere within: what leads from there to it, outermost first.
    inner: Vec<Frame>,
}

/// On which side of a cut something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// In another function, or before or after the function was called.
    Outside,
    Before,
    After,
}

/// When a thread does what is in a segment, whose accesses come in no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    /// On its way down from where it was, after the cut.
    Onwards,
    Before,
    After,
}

/// Where a thread is, as to a cut.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    side: Side,
    /// In the function.
    frame: Option<Frame>,
    /// In the call that makes the access: before the access, at it, or after it.
    inner: Ordering,
}

impl Cut {
    /// Between two stacks; innermost frames come first.
    pub(crate) fn between(
        first: &[Frame],
        second: &[Frame],
        (next, reading): (Next, Reading),
    ) -> Option<Self> {
        let frames = |stack: &[Frame]| stack.iter().rev().cloned().collect::<Vec<_>>();
        let (mut first, second) = (frames(first), frames(second));
        let shared = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
        let each = first == second;
        let depth = if each { first.len().checked_sub(1)? } else { shared };
        let (of_first, of_second) = (first.get(depth)?.clone(), second.get(depth)?.clone());
        // Two functions: no text has both.
        let round = !each && order(&of_first, &of_second)? == Ordering::Greater;
        let anchor = match next {
            Next::ToFirst => of_first,
            Next::ToSecond => of_second,
        };
        first.truncate(depth);
        Some(Self {
            next,
            reading,
            outer: first,
            anchor,
            each,
            round,
            inner: Vec::new(),
        })
    }

    /// The same one in the function that calls the one which has it, if only a round leads from an access to itself:
    /// beside that call.
    pub(crate) fn outwards(&self) -> Option<Self> {
        let (anchor, outer) = self.outer.split_last().filter(|_| self.each)?;
        let inner = std::iter::once(&self.anchor).chain(&self.inner);
        Some(Self {
            outer: outer.to_vec(),
            anchor: anchor.clone(),
            inner: inner.cloned().collect(),
            ..self.clone()
        })
    }

    /// How many calls lead from what it is next to to the access.
    pub(crate) fn depth(&self) -> usize {
        self.inner.len()
    }

    /// Whether only a round leads from the first access to the second.
    pub(crate) fn leads_round(&self) -> bool {
        self.round || self.each
    }

    /// Beside a place, in the function that makes a call itself; with the call in that function. `None` if the function
    /// has not both.
    pub(crate) fn beside(call: &[Frame], place: &[Frame], next: Next) -> Option<(Self, Frame)> {
        let shared = call.iter().rev().zip(place.iter().rev());
        let depth = shared.take_while(|(a, b)| a == b).count();
        let (own, anchor) = (call.iter().rev().nth(depth)?, place.iter().rev().nth(depth)?);
        order(own, anchor)?;
        // What is moved is the call, not that of a function which makes it.
        let is_own = shown_frame(call)? + depth + 1 == call.len();
        let cut = Self {
            next,
            reading: Reading::Outside,
            outer: call.iter().rev().take(depth).cloned().collect(),
            anchor: anchor.clone(),
            round: false,
            each: false,
            inner: Vec::new(),
        };
        is_own.then(|| (cut, own.clone()))
    }

    /// The same one right after another place in its function.
    pub(crate) fn right_after(&self, anchor: &Frame) -> Self {
        Self {
            next: Next::ToFirst,
            anchor: anchor.clone(),
            ..self.clone()
        }
    }

    /// Which of the two accesses it is next to.
    pub(crate) fn next(&self) -> Next {
        self.next
    }

    /// What it is next to, in its function.
    pub(crate) fn anchor(&self) -> &Frame {
        &self.anchor
    }

    /// Whether something is passed between the two accesses before the function ends: no round leads there.
    pub(crate) fn leads_down(&self) -> bool {
        !self.round && !self.each
    }

    /// Where a stack leads through the function.
    pub(crate) fn frame<'s>(&self, stack: &'s [Frame]) -> Option<&'s Frame> {
        let mut frames = self.seen(stack).iter().rev();
        let leads_there = self.outer.iter().all(|outer| frames.next() == Some(outer));
        let frame = frames.next().filter(|_| leads_there)?;
        (*frame == self.anchor || order(frame, &self.anchor).is_some()).then_some(frame)
    }

    /// What it sees of a stack: where its text begins with a region of OpenMP, what called that is left out.
    fn seen<'s>(&self, stack: &'s [Frame]) -> &'s [Frame] {
        match runs_in_parallel(self.outer.first().unwrap_or(&self.anchor)) {
            true => from_region(stack),
            false => stack,
        }
    }

    /// Where a stack is; `None` if it says nothing: there is none, or it begins in a function that the program's text
    /// does not begin in, as what an interpreter does between two accesses of a line, and code whose callers are not
    /// known.
    pub(crate) fn position(&self, stack: &[Frame]) -> Option<Position> {
        let begins_with = self.outer.first().unwrap_or(&self.anchor);
        let stack = self.seen(stack);
        let root = stack.last()?;
        if root != begins_with && order(root, begins_with).is_none() {
            return None;
        }
        let mut frames = stack.iter().rev();
        let outside = Some(Position::outside());
        if !self.outer.iter().all(|outer| frames.next() == Some(outer)) {
            return outside;
        }
        let Some(frame) = frames.next() else {
            return outside;
        };
        let side = match order(frame, &self.anchor) {
            _ if *frame == self.anchor => match self.next {
                Next::ToFirst => Side::Before,
                Next::ToSecond => Side::After,
            },
            Some(Ordering::Greater) => Side::After,
            Some(_) => Side::Before,
            None => return outside,
        };
        let mut within = frames.zip(&self.inner);
        let inner = within.find(|(own, other)| own != other);
        Some(Position {
            side,
            frame: Some(frame.clone()),
            inner: inner.map_or(Ordering::Equal, |(own, other)| {
                order(own, other).unwrap_or(Ordering::Greater)
            }),
        })
    }

    /// Where a thread is, one after the other, that comes from a position and does things at these stacks: the accesses
    /// of a segment may lie on both sides.
    pub(crate) fn stops<'s>(
        &self,
        from: &Position,
        stacks: impl Iterator<Item = &'s [Frame]>,
    ) -> Vec<Position> {
        let positions: Vec<Position> = stacks.filter_map(|stack| self.position(stack)).collect();
        let has = |side: Side| positions.iter().any(|one| one.side() == side);
        if !has(Side::Before) || !has(Side::After) {
            return positions.into_iter().take(1).collect();
        }
        let mut by_turn: BTreeMap<Turn, Position> = BTreeMap::new();
        for position in positions.into_iter().filter(|one| one.side() != Side::Outside) {
            by_turn.entry(position.turn(from)).or_insert(position);
        }
        by_turn.into_values().collect()
    }

    /// Whether a thread that goes from one position to the next passes the cut.
    pub(crate) fn is_passed(&self, from: &Position, to: &Position) -> bool {
        let goes_up = || match (&from.frame, &to.frame) {
            (Some(from), Some(to)) => from == to || order(to, from) == Some(Ordering::Less),
            _ => false,
        };
        let at_anchor = |position: &Position| position.frame.as_ref() == Some(&self.anchor);
        if self.depth() > 0 && at_anchor(from) && at_anchor(to) {
            // The access is made once in each call.
            return from.inner != Ordering::Less && to.inner != Ordering::Greater;
        }
        match (from.side, to.side) {
            (Side::Before, Side::After | Side::Outside) | (Side::Outside, Side::After) => true,
            // The place lies in the loop that has both.
            (Side::Before, Side::Before) | (Side::After, Side::After) if self.round => goes_up(),
            // Round and round, with nothing on the other side.
            (Side::Before, Side::Before) if self.is_within() => match self.next {
                Next::ToFirst => at_anchor(from),
                Next::ToSecond => goes_up(),
            },
            (Side::After, Side::After) if self.is_within() => match self.next {
                Next::ToFirst => goes_up(),
                Next::ToSecond => at_anchor(to),
            },
            _ => false,
        }
    }

    fn is_within(&self) -> bool {
        self.each || self.reading == Reading::Within
    }
}

/// The stacks of two threads of a team from the same function on. In a run, that of a thread which the library has
/// started begins in the function of the region, and that of the one which came to the region in what called it.
pub(crate) fn of_team<'s>(one: &'s [Frame], other: &'s [Frame]) -> [&'s [Frame]; 2] {
    let begins_there = [one, other].map(|stack| stack.last().is_some_and(runs_in_parallel));
    match begins_there[0] != begins_there[1] {
        true => [one, other].map(from_region),
        false => [one, other],
    }
}

/// A stack from the first region of OpenMP on that it leads through.
fn from_region(stack: &[Frame]) -> &[Frame] {
    let at = stack.iter().rposition(runs_in_parallel);
    at.map_or(stack, |at| &stack[..=at])
}

impl Position {
    /// Where a thread is that has done nothing yet.
    pub(crate) fn outside() -> Self {
        Self {
            side: Side::Outside,
            frame: None,
            inner: Ordering::Equal,
        }
    }

    /// On which side.
    pub(crate) fn side(&self) -> Side {
        self.side
    }

    /// When a thread does what is at this position, if it comes from another one and does things on both sides. One
    /// that is after the cut first goes on from there: what lies before the cut is of the next round.
    pub(crate) fn turn(&self, from: &Position) -> Turn {
        let is_below = || match (&from.frame, &self.frame) {
            (Some(from), Some(own)) => own == from || order(own, from) == Some(Ordering::Greater),
            _ => false,
        };
        match (from.side, self.side) {
            (Side::After, Side::After) if is_below() => Turn::Onwards,
            (_, Side::After) => Turn::After,
            (_, Side::Before | Side::Outside) => Turn::Before,
        }
    }
}

/// The order of two places in the text of a function.
pub(crate) fn order(a: &Frame, b: &Frame) -> Option<Ordering> {
    source_order(std::slice::from_ref(a), std::slice::from_ref(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::Place;

    fn frame(file: &str, function: &str, line: u32) -> Frame {
        Frame {
            function: Some(function.to_owned()),
            place: Some(Place {
                file: file.to_owned(),
                line,
                column: None,
            }),
            ..Frame::default()
        }
    }

    /// A sum over a window in a line of Python: loads by the line, and between them what the interpreter does, whose
    /// stack has its functions in C.
    #[test]
    fn what_an_interpreter_does_leads_nowhere() {
        let line = |number| vec![frame("sum.py", "<module>", number)];
        let cut = Cut::between(&line(15), &line(18), (Next::ToSecond, Reading::Outside)).unwrap();
        let own = [frame("ceval.c", "eval", 7), frame("main.c", "main", 3)];
        assert!(cut.position(&own).is_none());
        let [before, after] = [line(13), line(18)].map(|stack| cut.position(&stack).unwrap());
        assert!(cut.is_passed(&before, &after) && !cut.is_passed(&after, &after));
    }

    #[test]
    fn another_function_of_the_program_is_outside() {
        let main = |line| frame("x.c", "main", line);
        let [put, load] = [5, 6].map(|line| vec![frame("x.c", "exchange", line), main(20)]);
        let cut = Cut::between(&put, &load, (Next::ToFirst, Reading::Outside)).unwrap();
        let elsewhere = [frame("x.c", "advance", 2), main(21)];
        let [before, outside] = [&put[..], &elsewhere].map(|stack| cut.position(stack).unwrap());
        assert_eq!(outside.side(), Side::Outside);
        assert!(cut.is_passed(&before, &outside));
    }
}
