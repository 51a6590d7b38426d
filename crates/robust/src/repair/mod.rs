//! Changes that make a program robust, and synchronisation that it does not need.
//!
//! Promise: [`repair`] gives a cheapest set of changes, of those that [`farside_pgas::change::offers`] lists, with
//! which [`decide()`] says that the program is robust; no subset of it does. Or it says that there is none of at most
//! [`MOST_CHANGES`], and what was tried, or that it gave up. (An operation whose own two effects are on a cycle has no
//! repair.) With a repair come the waits and fences of the program that it does not need any more.
//! [`superfluous`] lists what can be taken out alone, and a set that can be taken out together.
//!
//! The sets are looked at in order of their cost. A violation of one set rules out all larger sets that differ from it
//! in waits and fences only and under none of which it ceases to be a computation (`survival`): each of these holds it
//! up or does not, whatever others do. So few sets are decided: an implicit hitting set, as in diagnosis. What barriers
//! and other queues do to a violation is not predicted.
//!
//! Limits: a barrier may keep a program from ending; so it counts only if the program ends and does not get stuck under
//! sequential consistency as before (`sequential`), which must be seen within [`MOST_SEQUENTIAL`] states.

mod search;
mod survival;

use crate::{Answer, Options, Verdict, decide};
use farside_pgas::ast;
use farside_pgas::calculus::{Origin, Program};
use farside_pgas::change::{Change, Kind, apply, takings};
use farside_pgas::lower::{Settings, lower};

/// Largest set of changes that is tried.
pub const MOST_CHANGES: usize = 6;
/// Most sets that are kept before the search gives up.
pub const MOST_SETS: usize = 1 << 20;
/// Most states of sequential consistency that are looked at for a barrier.
pub const MOST_SEQUENTIAL: usize = 200_000;

/// What a kind of change costs; [`Costs::NONE`] if there is no such change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A wait for a queue or a handle.
    pub wait: u32,
    /// A fence.
    pub fence: u32,
    /// A barrier.
    pub barrier: u32,
    /// To order a queue, or to put an operation into an ordered one.
    pub ordered: u32,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            wait: 2,
            fence: 1,
            barrier: 4,
            ordered: 1,
        }
    }
}

impl Costs {
    /// The cost of a kind that cannot be had, and is not offered.
    pub const NONE: u32 = u32::MAX;

    /// Whether a change can be had.
    pub(crate) fn has(&self, change: &Change) -> bool {
        change.kind().is_none_or(|kind| self.of_kind(kind) != Self::NONE)
    }

    /// What a change costs; what takes something out is free. What replaces something costs what it costs more than
    /// that, and no less than 1.
    #[must_use]
    pub fn of(&self, change: &Change) -> u32 {
        let of = |kind: Option<Kind>| kind.map_or(0, |kind| self.of_kind(kind));
        match change {
            Change::Strengthen { kind, instead, .. } => of(Some(*kind)).saturating_sub(of(*instead)).max(1),
            other => of(other.kind()),
        }
    }

    fn of_kind(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Wait => self.wait,
            Kind::Fence => self.fence,
            Kind::Barrier => self.barrier,
            Kind::Ordered => self.ordered,
        }
    }
}

/// What came of a search for a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// These changes, of this cost together; none if the program is robust as it is.
    Found {
        /// The changes.
        changes: Vec<Change>,
        /// Their cost.
        cost: u32,
        /// Waits and fences of the program that it does not need any more with them: all can be left out.
        needless: Vec<Change>,
    },
    /// No set of at most [`MOST_CHANGES`] does.
    Impossible(Tried),
    /// A limit was reached, for a set of changes or for the search.
    GaveUp,
}

/// What a search without success has tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// How many changes of each kind there are.
    pub offered: Vec<(Kind, usize)>,
    /// How many sets of them were decided; a violation of one rules out others.
    pub sets: usize,
    /// With all waits and fences at once, the statements of the program on a happens-before cycle that is left. None if
    /// the program is robust then, but for what six changes can do, or if a limit was reached.
    pub left: Vec<Origin>,
    /// A statement of the text that stands for two which follow each other on that cycle, so that nothing can be put
    /// between them.
    pub within: Option<Origin>,
}

/// The cheapest changes that make a program robust.
///
/// A program with errors has no repair.
pub fn repair(
    program: &ast::Program,
    settings: Settings,
    costs: &Costs,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Repair {
    let options = &any_violation(options);
    let mut found = search::search(program, settings, costs, options, stop);
    if let Repair::Found {
        changes, needless, ..
    } = &mut found
    {
        *needless = left_over(program, settings, changes, options, stop);
    }
    found
}

/// Waits and fences of the program itself that can all be left out with these changes.
fn left_over(
    program: &ast::Program,
    settings: Settings,
    changes: &[Change],
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Change> {
    if changes.is_empty() {
        return Vec::new();
    }
    let mut all = changes.to_vec();
    let mut needless = Vec::new();
    for change in takings(program) {
        let is_changed = changes
            .iter()
            .any(|other| other.at() == change.at() && !is_insertion(other));
        if is_changed || !matches!(change, Change::Remove { .. }) {
            continue;
        }
        all.push(change.clone());
        let answer = decided(program, settings, &all, options, stop);
        if answer.is_some_and(|(_, answer)| matches!(answer.verdict, Verdict::Robust)) {
            needless.push(change);
        } else {
            all.pop();
        }
    }
    needless
}

fn is_insertion(change: &Change) -> bool {
    matches!(change, Change::Insert { .. })
}

/// Synchronisation that a robust program does not need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Superfluous {
    /// Each can be taken out alone.
    pub alone: Vec<Change>,
    /// Those of them that can be taken out together, by their index; no other one can be taken out besides.
    pub together: Vec<usize>,
}

/// Waits and fences, and what barriers wait for, without which the program is still robust.
pub fn superfluous(
    program: &ast::Program,
    settings: Settings,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Superfluous {
    let options = &any_violation(options);
    let mut robust = |changes: &[Change]| {
        changed(program, settings, changes)
            .is_some_and(|without| matches!(decide(&without, options, stop).verdict, Verdict::Robust))
    };
    let mut found = Superfluous::default();
    for change in takings(program) {
        if robust(std::slice::from_ref(&change)) {
            found.alone.push(change);
        }
    }
    let mut taken = Vec::new();
    for (index, change) in found.alone.iter().enumerate() {
        taken.push(change.clone());
        if taken.len() == 1 || robust(&taken) {
            found.together.push(index);
        } else {
            taken.pop();
        }
    }
    found
}

/// Any violation will do, not a shortest one.
fn any_violation(options: &Options) -> Options {
    Options {
        shortest: false,
        ..*options
    }
}

/// The program with changes, in the calculus.
fn changed(program: &ast::Program, settings: Settings, changes: &[Change]) -> Option<Program> {
    lower(&apply(program, changes), settings).ok()
}

/// Decides with changes; `None` if the program has errors then.
fn decided(
    program: &ast::Program,
    settings: Settings,
    changes: &[Change],
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Option<(Program, Answer)> {
    let program = changed(program, settings, changes)?;
    let answer = decide(&program, options, stop);
    Some((program, answer))
}
