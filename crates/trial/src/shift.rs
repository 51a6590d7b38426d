//! A call, or a statement that makes an access, that is moved in its own function, to the other side of a place: before
//! it or after it.
//!
//! The call is one statement, which moves on all ranks that make it. Code that it is moved over is told by its frames
//! in that function, as places of the text: what is called from there belongs to it.

use crate::cut::{Cut, Next, Reading, order};
use crate::spots::{Spot, Spots};
use farside_findings::Frame;
use std::cmp::Ordering;

/// See the module's head.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shift {
    call: Spot,
    /// The call in its function.
    own: Frame,
    /// Where it goes.
    cut: Cut,
    reading: Reading,
    what: Statement,
}

/// What a statement makes that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// A call that gives an order, a notification included.
    Call,
    /// An operation.
    Operation,
    /// An access: all that is accessed in its line is moved.
    Access,
}

impl Shift {
    /// Moves a call right after a place, or right before it; `None` if no text has both, or both stand in one line.
    pub(crate) fn new(
        (call, place): (Spot, Spot),
        next: Next,
        (reading, what): (Reading, Statement),
        spots: &Spots,
    ) -> Option<Self> {
        let (cut, own) = Cut::beside(spots.stack(call), spots.stack(place), next)?;
        let shift = Self {
            call,
            own,
            cut,
            reading,
            what,
        };
        (shift.in_text()? != Ordering::Equal).then_some(shift)
    }

    /// The same in the other reading.
    pub(crate) fn within(&self) -> Self {
        Self {
            reading: Reading::Within,
            ..self.clone()
        }
    }

    /// What is moved.
    pub(crate) fn call(&self) -> Spot {
        self.call
    }

    /// Whether what it brings or takes along may be needed where it is.
    pub(crate) fn moves_data(&self) -> bool {
        self.what != Statement::Call
    }

    /// Whether something that a stack leads to is moved as a part of the statement, which makes an access.
    pub(crate) fn takes(&self, stack: &[Frame]) -> bool {
        let frame = self.cut.frame(stack).filter(|_| self.what == Statement::Access);
        frame.is_some_and(|frame| self.is_own_line(frame))
    }

    /// Whether something that a stack leads to is accessed in the line of the call: its arguments, and what its result
    /// goes to.
    pub(crate) fn is_beside_call(&self, stack: &[Frame]) -> bool {
        let frame = self.cut.frame(stack).filter(|_| self.what != Statement::Access);
        frame.is_some_and(|frame| self.is_own_line(frame))
    }

    fn is_own_line(&self, frame: &Frame) -> bool {
        line_order(frame, &self.own) == Some(Ordering::Equal)
    }

    /// Where it goes.
    pub(crate) fn cut(&self) -> &Cut {
        &self.cut
    }

    /// How loops in the code are read that it is moved over.
    pub(crate) fn reading(&self) -> Reading {
        self.reading
    }

    /// Whether it is made earlier then.
    pub(crate) fn goes_up(&self) -> bool {
        self.in_text() == Some(Ordering::Greater)
    }

    /// Where a stack leads through the code that the call is moved over; `None` if it does not.
    pub(crate) fn jumps<'s>(&self, stack: &'s [Frame]) -> Option<&'s Frame> {
        let frame = self.cut.frame(stack)?;
        let (to_call, to_place) = (
            line_order(frame, &self.own)?,
            line_order(frame, self.cut.anchor())?,
        );
        let beside = match self.cut.next() {
            Next::ToSecond => Ordering::Greater,
            Next::ToFirst => Ordering::Less,
        };
        // The place itself is on the far side of the call that goes before it from below, or after it from above.
        let is_there = match self.goes_up() {
            true => {
                to_call == Ordering::Less
                    && (to_place == Ordering::Greater || to_place.is_eq() && beside.is_gt())
            }
            false => {
                to_call == Ordering::Greater
                    && (to_place == Ordering::Less || to_place.is_eq() && beside.is_lt())
            }
        };
        is_there.then_some(frame)
    }

    /// The call as to the place, in the text.
    fn in_text(&self) -> Option<Ordering> {
        line_order(&self.own, self.cut.anchor())
    }
}

/// The order of two places in the text of a function, by lines where these are known: a statement is moved as a whole.
pub(crate) fn line_order(a: &Frame, b: &Frame) -> Option<Ordering> {
    if a == b {
        return Some(Ordering::Equal);
    }
    let order = order(a, b)?;
    let line = |frame: &Frame| frame.place.as_ref().map(|place| place.line);
    match (line(a), line(b)) {
        (Some(a), Some(b)) if a == b => Some(Ordering::Equal),
        _ => Some(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::Place;

    fn frame(function: &str, line: u32, address: u64) -> Frame {
        Frame {
            function: Some(function.into()),
            module: Some("program".into()),
            place: Some(Place {
                file: "program.c".into(),
                line,
                column: None,
            }),
            address,
            ..Frame::default()
        }
    }

    /// Lines of `main` over which a call in line `call` is moved.
    fn jumped(call: u32, place: u32, next: Next) -> Vec<u32> {
        let (own, anchor) = (frame("main", call, 1), frame("main", place, 2));
        let (cut, own) = Cut::beside(&[own], &[anchor], next).expect("one function");
        let shift = Shift {
            call: Spot::default(),
            own,
            cut,
            reading: Reading::Outside,
            what: Statement::Call,
        };
        let stack = |line: &u32| [frame("f", 7, 9), frame("main", *line, 3)];
        (1..=9)
            .filter(|line| shift.jumps(&stack(line)).is_some())
            .collect()
    }

    #[test]
    fn what_a_call_is_moved_over() {
        assert_eq!(jumped(6, 3, Next::ToSecond), [3, 4, 5]);
        assert_eq!(jumped(6, 3, Next::ToFirst), [4, 5]);
        assert_eq!(jumped(3, 6, Next::ToFirst), [4, 5, 6]);
        assert_eq!(jumped(3, 6, Next::ToSecond), [4, 5]);
    }

    #[test]
    fn a_call_stays_in_its_function() {
        let (main, inner) = (frame("main", 4, 1), frame("exchange", 9, 2));
        let call = [inner, main.clone()];
        assert_eq!(Cut::beside(&call, &[frame("main", 8, 3)], Next::ToFirst), None);
        assert!(Cut::beside(&call, &[frame("exchange", 5, 4), main], Next::ToFirst).is_some());
    }
}
