//! Changes of a program, as they show in its events.

use crate::cut::Cut;
use crate::spots::{Spot, Spots};
use farside_events::{Assertions, WinId};
use farside_findings::{Action, Proof};
use farside_race::{Code, Places, RawSuggestion, Spot as At};

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// A call is made that was not made.
    Add {
        code: Code,
        /// Of the finding.
        window: Option<WinId>,
        place: Where,
    },
    /// A call is not made.
    Remove(Spot),
    /// A call is made in another way.
    Change(Spot, Change),
}

/// Where a call is added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Where {
    /// Each time that this was done.
    After(Spot),
    /// Each time that this is about to be done.
    Before(Spot),
    /// Each time that this place is passed.
    Across(Cut),
}

/// How a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A flush completes at the origin only, or not.
    Local(bool),
    /// With these assertions.
    Assertions(Assertions),
}

/// The changes that a suggestion makes; or why it cannot be tried.
pub(crate) fn edits(
    suggestion: &RawSuggestion,
    window: Option<WinId>,
    spots: &mut Spots,
    places: &mut impl Places,
) -> Result<Vec<Edit>, Proof> {
    let mut spot = |at: &Option<At>| at.as_ref().map(|at| spots.of(at.site, places));
    let [at, after, before] = [&suggestion.at, &suggestion.after, &suggestion.before].map(&mut spot);
    let untried = || Proof::Untried;
    match suggestion.action {
        Action::Insert | Action::Move => {
            let cut = || {
                let (first, second) = (after.or(before)?, before.or(after)?);
                Cut::between(spots.stack(first), spots.stack(second))
            };
            let place = |code: &Code| match code {
                Code::Barrier | Code::Fence => cut().map(Where::Across),
                Code::Flush { .. }
                | Code::WaitForRequest
                | Code::Complete
                | Code::Wait
                | Code::Unlock(_)
                | Code::UnlockAll => after.map(Where::After).or(before.map(Where::Before)),
                _ => None,
            };
            let mut edits = Vec::new();
            if suggestion.action == Action::Move {
                edits.push(Edit::Remove(at.ok_or_else(untried)?));
            }
            if suggestion.code.is_empty() {
                return Err(untried());
            }
            for code in &suggestion.code {
                edits.push(Edit::Add {
                    code: *code,
                    window,
                    place: place(code).ok_or_else(untried)?,
                });
            }
            Ok(edits)
        }
        Action::Replace => {
            let change = match suggestion.code.as_slice() {
                [Code::Flush { local, .. }] => Change::Local(*local),
                [Code::Assertions(assertions)] => Change::Assertions(*assertions),
                _ => return Err(untried()),
            };
            Ok(vec![Edit::Change(at.ok_or_else(untried)?, change)])
        }
    }
}
