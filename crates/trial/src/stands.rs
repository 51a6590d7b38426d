//! Where in the text the calls of a suggestion that helps were tried.
//!
//! A call of one process stands right beside the place after or before which it was added. A call of all processes
//! stands between two places of a function, between which the run recorded nothing: wherever it is written there, the
//! run is the same. The function may have several such stretches between the two accesses; each is a trial of its own.
//!
//! Limits: a place in a function of a system header or a library, which the report shows by the call that leads there,
//! is not told. Of a call that helps only where it stands within a loop around one of the accesses, no place is told.

use crate::cut::{Cut, Next, order};
use crate::edit::{Edit, Where};
use crate::shift::line_order;
use crate::spots::{Spot, Spots};
use farside_findings::{Frame, Place, Stretch, shown_frame};
use farside_race::runs_in_parallel;
use rustc_hash::FxHashSet as HashSet;
use std::cmp::Ordering;

/// Stretches that are tried besides the ones next to the accesses.
const OTHERS: usize = 8;

/// The places of a function that a run came to.
pub(crate) struct Text {
    /// In the order of the text.
    frames: Vec<Frame>,
    /// Those from which threads began regions of OpenMP: of the construct, the place is the line of the directive, and
    /// what comes after that line is within the region.
    constructs: HashSet<Frame>,
}

impl Text {
    /// Of the function that has a cut; `executed` are all places that the run came to.
    pub(crate) fn around(cut: &Cut, executed: impl Iterator<Item = Spot>, spots: &Spots) -> Self {
        let (mut frames, mut constructs) = (HashSet::default(), HashSet::default());
        for spot in executed {
            let stack = spots.stack(spot);
            let Some(frame) = cut.frame(stack) else { continue };
            let mut inner = stack.iter().take_while(|inner| !std::ptr::eq(*inner, frame));
            if inner.any(runs_in_parallel) {
                constructs.insert(frame.clone());
            }
            frames.insert(frame);
        }
        let mut frames: Vec<Frame> = frames.into_iter().cloned().collect();
        frames.sort_by(|a, b| order(a, b).unwrap_or(Ordering::Equal));
        Self { frames, constructs }
    }

    /// The stretch that a cut is in.
    fn of(&self, cut: &Cut) -> Option<Stretch> {
        let at = self.frames.iter().position(|frame| frame == cut.anchor())?;
        let place = |at: Option<usize>| self.frames.get(at?)?.place.clone();
        // What is not known to be a place is no end of a stretch.
        let anchor = self.frames[at].place.clone()?;
        // After a construct is after its regions.
        let is_construct = self.constructs.contains(&self.frames[at]);
        let later = self.frames.iter().skip(at + 1);
        let next = later
            .into_iter()
            .find(|frame| !is_construct || !runs_in_parallel(frame));
        Some(match cut.next() {
            Next::ToFirst => Stretch {
                after: Some(anchor),
                before: next.and_then(|frame| frame.place.clone()),
                at_end: is_construct && next.is_some(),
            },
            Next::ToSecond => Stretch {
                after: place(at.checked_sub(1)),
                before: Some(anchor),
                at_end: true,
            },
        })
    }

    /// The stretch that a moved call goes to: from the line of its place to the next one on that side.
    fn of_shift(&self, cut: &Cut) -> Option<Stretch> {
        let anchor = cut.anchor();
        let at = self.frames.iter().position(|frame| frame == anchor)?;
        let other = |frame: &&Frame| line_order(frame, anchor) != Some(Ordering::Equal);
        let place = |frame: Option<&Frame>| frame?.place.clone();
        Some(match cut.next() {
            Next::ToFirst => Stretch {
                after: Some(anchor.place.clone()?),
                before: place(self.frames[at..].iter().find(other)),
                at_end: false,
            },
            Next::ToSecond => Stretch {
                after: place(self.frames[..at].iter().rev().find(other)),
                before: Some(anchor.place.clone()?),
                at_end: true,
            },
        })
    }

    /// The places between the two that cuts are next to, after which a line ends: where else a call may stand.
    pub(crate) fn between(&self, first: &Cut, second: &Cut) -> Vec<Frame> {
        let place = |cut: &Cut| self.frames.iter().position(|frame| frame == cut.anchor());
        let (Some(from), Some(to)) = (place(first), place(second)) else {
            return Vec::new();
        };
        let line = |at: usize| self.frames[at].place.as_ref().map(|place: &Place| place.line);
        // The last stretch is the one right before the second access.
        let inner = (from + 1..to.saturating_sub(1)).filter(|at| line(*at) != line(at + 1));
        inner.take(OTHERS).map(|at| self.frames[at].clone()).collect()
    }
}

/// Where an edit adds a call, or first one and then another one; nothing if that is no place in the program's own text.
pub(crate) fn stretches(edit: &Edit, text: &dyn Fn(&Cut) -> Text, spots: &Spots) -> Vec<Stretch> {
    let place = |spot: Spot| {
        let stack = spots.stack(spot);
        let is_own = shown_frame(stack) == Some(0);
        stack.first().filter(|_| is_own)?.place.clone()
    };
    let of_place = |place_of: &Where| match place_of {
        Where::After(spot) => place(*spot).map(Stretch::after),
        Where::Before(spot) => place(*spot).map(Stretch::before),
        Where::Across(cut, _) => text(cut).of(cut),
        Where::Leaving(_) => None,
    };
    let both = match edit {
        Edit::Add { place, .. } => of_place(place).map(|stretch| vec![stretch]),
        Edit::Meet(meeting) => text(meeting.cut()).of(meeting.cut()).map(|stretch| vec![stretch]),
        Edit::Shift(shift) => text(shift.cut())
            .of_shift(shift.cut())
            .map(|stretch| vec![stretch]),
        Edit::SetBack(wait) => of_place(&Where::After(*wait)).map(|stretch| vec![stretch]),
        Edit::Notify { after, before, .. } => {
            let ends = [Where::After(*after), Where::Before(*before)];
            ends.iter().map(of_place).collect()
        }
        Edit::Attach { before, .. } | Edit::Await { before, .. } => {
            of_place(&Where::Before(*before)).map(|stretch| vec![stretch])
        }
        Edit::Tell { after, place, .. } => {
            let ends = [of_place(&Where::After(*after)), of_place(place)];
            ends.into_iter().collect()
        }
        _ => None,
    };
    both.unwrap_or_default()
}
