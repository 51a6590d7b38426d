//! Changes of a program, as they show in its events.

use crate::cut::{Cut, Next, Rounds};
use crate::spots::{Spot, Spots};
use farside_events::{Assertions, CallKind, ObjectId, WinId};
use farside_findings::{Action, Proof};
use farside_race::{Code, Note, Places, RawSuggestion, Spot as At};

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
    /// What a thread does after the first place comes after what another has done before the second.
    Order { object: ObjectId, after: Spot, before: Spot },
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
    /// Without a request.
    WithoutRequest,
}

/// An object of threads that no program has.
const ADDED: ObjectId = ObjectId(u64::MAX >> 1);

/// The ways in which a suggestion can be understood, each with the changes that it makes; or why it cannot be tried.
pub(crate) fn edits(
    suggestion: &RawSuggestion,
    window: Option<WinId>,
    spots: &mut Spots,
    places: &mut impl Places,
) -> Result<Vec<Vec<Edit>>, Proof> {
    let mut spot = |at: &Option<At>| at.as_ref().map(|at| spots.of(at.site, places));
    let stand = [&suggestion.at, &suggestion.after, &suggestion.before].map(&mut spot);
    let all = [
        (Next::ToFirst, Rounds::Within),
        (Next::ToSecond, Rounds::Within),
        (Next::ToFirst, Rounds::OfAll),
        (Next::ToSecond, Rounds::OfAll),
    ];
    let mut ways: Vec<Vec<Edit>> = Vec::new();
    for way in all {
        let edits = in_one_way(suggestion, window, stand, spots, way).ok_or(Proof::Untried)?;
        if !ways.contains(&edits) {
            ways.push(edits);
        }
    }
    Ok(ways)
}

fn in_one_way(
    suggestion: &RawSuggestion,
    window: Option<WinId>,
    [at, after, before]: [Option<Spot>; 3],
    spots: &Spots,
    way: (Next, Rounds),
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    match suggestion.action {
        Action::Replace => {
            let change = match suggestion.code.as_slice() {
                [Code::Flush { local, .. }] => Change::Local(*local),
                [Code::Assertions(assertions)] => Change::Assertions(*assertions),
                [Code::Call(CallKind::Operation { request: false, .. })] => Change::WithoutRequest,
                _ => return None,
            };
            edits.push(Edit::Change(at?, change));
            return Some(edits);
        }
        Action::Move => edits.push(Edit::Remove(at?)),
        Action::Insert => {}
    }
    let cut = || {
        let (first, second) = (after.or(before)?, before.or(after)?);
        Cut::between(spots.stack(first), spots.stack(second), way)
    };
    for code in &suggestion.code {
        let place = match code {
            Code::Barrier | Code::Fence => Where::Across(cut()?),
            // Needed first by what comes next.
            Code::Complete | Code::Wait | Code::Unlock(_) | Code::UnlockAll | Code::Detach => {
                before.map(Where::Before).or(after.map(Where::After))?
            }
            Code::Flush { .. } | Code::WaitForRequest | Code::Lock(_) => {
                after.map(Where::After).or(before.map(Where::Before))?
            }
            _ => return None,
        };
        let code = *code;
        edits.push(Edit::Add { code, window, place });
    }
    for note in &suggestion.notes {
        match note {
            Note::OrderThreads | Note::AndOrderThreads => edits.push(Edit::Order {
                object: ADDED,
                after: after?,
                before: before?,
            }),
            Note::AndUnlock(target) => edits.push(Edit::Add {
                code: Code::Unlock(Some(*target)),
                window,
                place: Where::After(before?),
            }),
            _ => {}
        }
    }
    Some(edits).filter(|edits| !edits.is_empty())
}
