//! Changes of a program, as they show in its events.

use crate::costs::kind;
use crate::cut::{Cut, Next, Reading};
use crate::meetings::Meeting;
use crate::shift::{Shift, Statement};
use crate::spots::{Spot, Spots};
use farside_events::{Assertions, CallKind, Flag, GaspiArgument, LockKind, Mistake, Rank, WinId};
use farside_findings::{Action, Frame, Proof, Rule};
use farside_race::{Argument, Code, Misuse, Name, Note, Places, RawFinding, RawSuggestion, Spot as At, What};
use std::ops::Range;

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// A call is made that was not made.
    Add {
        code: Code,
        /// Of the finding.
        window: Option<WinId>,
        /// One text is for several windows: a thread's is that of what it did here last, or of its last call.
        at: Option<Spot>,
        place: Where,
    },
    /// What a thread does after the first place comes after what another has done before the second.
    Order { after: Spot, before: Spot },
    /// Whoever has written at the first place notifies its target, which waits for that at the second (GASPI).
    Notify {
        after: Spot,
        before: Spot,
        /// Of the finding.
        window: WinId,
    },
    /// The same, where the target waits for that each time that it passes a place, and others do not.
    Tell {
        after: Spot,
        target: Rank,
        /// Of the finding.
        window: WinId,
        place: Where,
    },
    /// Whoever passes a place waits for a notification that is posted to it already, and sets it back (GASPI).
    Await { flag: Flag, before: Spot },
    /// One thread of a process at a time is in any of these sections, each from one place to another.
    Exclude {
        sections: Vec<[Spot; 2]>,
        /// What is issued there must be complete at its target in the end, and not at its origin alone.
        remotely: bool,
    },
    /// Threads of a process meet that did not.
    Meet(Meeting),
    /// Processes attach memory to a window each time that they are about to be at a place.
    Attach {
        before: Spot,
        /// Of the finding.
        window: WinId,
        regions: Vec<(Rank, Range<u64>)>,
    },
    /// What a wait for notifications finds is taken right after it (GASPI).
    SetBack(Spot),
    /// Each start of a statement has the targets in its group that its epoch needs, and they post for it.
    Cover { start: Spot },
    /// What a line stores in the memory of windows is an accumulate to the process itself, like those of another place.
    Update { at: Spot, like: Spot },
    /// The statement of a call makes a copy of what it sends each time, and sends that.
    Copy(Spot),
    /// A call is not made.
    Remove(Spot),
    /// A call is made in another way.
    Change(Spot, Change),
    /// A call is made on the other side of a place.
    Shift(Shift),
}

impl Edit {
    /// The place in the text that a process passes, if it is one.
    pub(crate) fn cut(&self) -> Option<&Cut> {
        match self {
            Self::Add {
                place: Where::Across(cut, _),
                ..
            }
            | Self::Tell {
                place: Where::Across(cut, _),
                ..
            } => Some(cut),
            Self::Meet(meeting) => Some(meeting.cut()),
            _ => None,
        }
    }

    /// The same, where a call that all processes pass is made right after another place of its function.
    pub(crate) fn right_after(&self, frame: &Frame) -> Self {
        match self {
            Self::Add {
                code,
                window,
                at,
                place: Where::Across(cut, ends),
            } => Self::Add {
                code: *code,
                window: *window,
                at: *at,
                place: Where::Across(cut.right_after(frame), *ends),
            },
            Self::Meet(meeting) => Self::Meet(meeting.right_after(frame)),
            other => other.clone(),
        }
    }

    /// The same, where all take part who pass the place.
    pub(crate) fn by_all(&self) -> Self {
        match self {
            Self::Add {
                code,
                window,
                at,
                place: Where::Across(cut, Some(_)),
            } => Self::Add {
                code: *code,
                window: *window,
                at: *at,
                place: Where::Across(cut.clone(), None),
            },
            other => other.clone(),
        }
    }

    /// Whether processes may have to wait for each other in calls of the program where they did not.
    pub(crate) fn delays(&self) -> bool {
        matches!(
            self,
            Self::Change(
                _,
                Change::Locks(..) | Change::Waits | Change::Argument(Argument::Communicator(_))
            ) | Self::Shift(_)
                | Self::Cover { .. }
                | Self::Exclude { .. }
                | Self::Meet(_)
        )
    }

    /// Whether it is the same change, those aside who take part.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Add {
                    code,
                    window,
                    at,
                    place: Where::Across(cut, Some(_)),
                },
                Self::Add {
                    code: other_code,
                    window: other_window,
                    at: other_at,
                    place: Where::Across(other_cut, Some(_)),
                },
            ) => (code, window, at, cut) == (other_code, other_window, other_at, other_cut),
            _ => self == other,
        }
    }

    /// Whoever takes part comes to one of these.
    pub(crate) fn ends(&self) -> Option<[Spot; 2]> {
        match self {
            Self::Add {
                place: Where::Across(_, ends),
                ..
            } => *ends,
            _ => None,
        }
    }
}

/// Where a call is added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Where {
    /// Each time that this was done.
    After(Spot),
    /// Each time that this is about to be done.
    Before(Spot),
    /// Each time that a thread which took its lock here leaves the function with it, or goes back to here.
    Leaving(Spot),
    /// Each time that this place is passed; by those alone who come to one of these two, if they are given.
    Across(Cut, Option<[Spot; 2]>),
}

/// How a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A flush completes at the origin only, or not.
    Local(bool),
    /// With these assertions.
    Assertions(Assertions),
    /// A test of an exposure epoch waits for its end.
    Waits,
    /// Without `MPI_MODE_NOCHECK`, whatever else is asserted.
    Checked,
    /// Without a request.
    WithoutRequest,
    /// A put that writes each element at once.
    Atomically,
    /// A lock of a window is of this kind.
    Locks(WinId, LockKind),
    /// An operation is given another argument.
    Argument(Argument),
    /// A wait is for this notification, and what takes what it found takes that.
    Awaits(Flag),
}

/// A place for a suggestion: the changes that it makes, in each reading of the text, of which the first one is
/// [`Reading::Outside`].
pub(crate) type Way = Vec<Vec<Edit>>;

/// The places for a suggestion; or why it cannot be tried.
pub(crate) fn edits(
    suggestion: &RawSuggestion,
    finding: &RawFinding,
    spots: &mut Spots,
    places: &mut impl Places,
) -> Result<Vec<Way>, Proof> {
    // An access to memory that was freed is no access in the events: they do not show where it is no mistake.
    let is_unfollowed = matches!(
        &finding.what,
        What::Misuse(Misuse::Mistaken(Mistake::Freed { .. }))
    );
    if is_unfollowed && suggestion.action == Action::Move {
        return Err(Proof::Untried);
    }
    let mut spot = |at: &Option<At>| at.as_ref().map(|at| spots.of(at.site, places));
    let stand = [&suggestion.at, &suggestion.after, &suggestion.before].map(&mut spot);
    let mut party = |nth: usize| finding.parties.get(nth).map(|party| spots.of(party.site, places));
    let parties = [party(0), party(1)];
    let sections = suggestion.sections.iter();
    let exclusion = Edit::Exclude {
        sections: sections
            .map(|ends| ends.each_ref().map(|end| spots.of(end.site, places)))
            .collect(),
        remotely: finding.rule != Rule::LocalRace,
    };
    let mut ways: Vec<Way> = Vec::new();
    for next in [Next::ToFirst, Next::ToSecond] {
        let mut way = Way::new();
        for reading in [Reading::Outside, Reading::Within] {
            let told = (finding.window, parties, &exclusion);
            let edits = in_one_way(suggestion, told, stand, spots, (next, reading)).ok_or(Proof::Untried)?;
            if !way.contains(&edits) {
                way.push(edits);
            }
        }
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    if let (Some(after), Some(before), Some(party)) = (stand[1], stand[2], finding.parties.first()) {
        let mut further = ways.clone();
        while let Some(outer) = outwards(&further, [after, before], |depth| {
            places.may_repeat(party.site, depth)
        }) {
            ways.extend(outer.iter().cloned());
            further = outer;
        }
    }
    Ok(ways)
}

/// The same ways with the calls of all processes one function further out, where a place leads to itself in the next
/// round, and each call of that function makes the access once: others may not call it.
fn outwards(ways: &[Way], ends: [Spot; 2], may_repeat: impl FnOnce(usize) -> bool) -> Option<Vec<Way>> {
    let outer = |edit: &Edit| match edit {
        Edit::Add {
            code: code @ (Code::Fence | Code::Barrier | Code::Meet),
            window,
            at,
            place: Where::Across(cut, _),
        } => Some(Edit::Add {
            code: *code,
            window: *window,
            at: *at,
            place: Where::Across(cut.outwards()?, Some(ends)),
        }),
        Edit::Add {
            place: Where::After(_) | Where::Before(_),
            ..
        } => Some(edit.clone()),
        _ => None,
    };
    let mut all: Vec<Way> = Vec::new();
    for way in ways {
        let mut outer_way = Way::new();
        for edits in way {
            let edits = edits.iter().map(outer).collect::<Option<Vec<Edit>>>()?;
            if !outer_way.contains(&edits) {
                outer_way.push(edits);
            }
        }
        all.push(outer_way);
    }
    let mut cuts = all.iter().flatten().flatten().filter_map(Edit::cut);
    let depth = cuts.next()?.depth();
    (!may_repeat(depth)).then_some(all)
}

/// Whether two changes are the same in the text: on which rank a call was found to be missing does not matter.
pub(crate) fn are_alike(some: &[Way], others: &[Way]) -> bool {
    let alike = |(a, b): (&Edit, &Edit)| match (a, b) {
        (
            Edit::Add { code: a, place, .. },
            Edit::Add {
                code: b,
                place: other,
                ..
            },
        ) => is_same_call(*a, *b) && place == other,
        _ => a == b,
    };
    let edits = |ways: &[Way]| ways.iter().flatten().flatten().count();
    let pairs = some
        .iter()
        .flatten()
        .flatten()
        .zip(others.iter().flatten().flatten());
    edits(some) == edits(others) && pairs.into_iter().all(alike)
}

/// Whether two calls do the same, whatever their targets.
fn is_same_call(a: Code, b: Code) -> bool {
    let what = |code| {
        let is_less = matches!(code, Code::Meet | Code::Order(_));
        (kind(code), is_less)
    };
    what(a) == what(b)
}

/// Whether a call ends an access epoch.
fn is_end_of_access(spot: &Option<At>) -> bool {
    let name = spot.as_ref().map(|spot| &spot.name);
    matches!(
        name,
        Some(Name::Call(CallKind::Complete) | Name::CallOf(_, CallKind::Complete))
    )
}

fn in_one_way(
    suggestion: &RawSuggestion,
    (window, [first, second], exclusion): (Option<WinId>, [Option<Spot>; 2], &Edit),
    [at, after, before]: [Option<Spot>; 3],
    spots: &Spots,
    way: (Next, Reading),
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    match suggestion.action {
        Action::Replace if matches!(suggestion.code.as_slice(), [Code::AtomicUpdate(_)]) => {
            let (at, like) = (at?, before?);
            return Some(vec![Edit::Update { at, like }]);
        }
        Action::Replace if suggestion.is_wider_group() => {
            return Some(vec![Edit::Cover { start: at? }]);
        }
        Action::Replace => {
            let change = match suggestion.code.as_slice() {
                [Code::Flush { local, .. }] => Change::Local(*local),
                [Code::Wait] => Change::Waits,
                [Code::Assertions(assertions)] => Change::Assertions(*assertions),
                [Code::Kind(kind)] => Change::Locks(window?, *kind),
                [Code::Call(CallKind::Operation { request: false, .. })] => Change::WithoutRequest,
                [Code::AtomicWrite] => Change::Atomically,
                [
                    Code::Argument(
                        argument @ (Argument::Count(_)
                        | Argument::Displacement(_)
                        | Argument::Target(_)
                        | Argument::Window(_)
                        | Argument::Communicator(_)),
                    ),
                ] => Change::Argument(*argument),
                [Code::Await(flag)] => Change::Awaits(*flag),
                [Code::Argument(argument @ Argument::OfGaspi(GaspiArgument::NotificationId, _))]
                    if !suggestion.is_if_meant() =>
                {
                    let (flag, before) = (suggestion.awaited_besides()?, before?);
                    edits.push(Edit::Await { flag, before });
                    Change::Argument(*argument)
                }
                // What the library refused is not in the events. What it took is, and may be on another queue.
                [Code::Argument(argument @ Argument::OfGaspi(GaspiArgument::Queue, _))]
                    if !suggestion.is_if_meant() =>
                {
                    Change::Argument(*argument)
                }
                _ => return None,
            };
            edits.push(Edit::Change(at?, change));
            if let Change::Locks(..) = change {
                edits.extend(before.map(|other| Edit::Change(other, change)));
            }
            let in_both = |note: &Note| matches!(note, Note::AndInOtherLock | Note::AndInPost);
            if suggestion.notes.iter().any(in_both) {
                edits.push(Edit::Change(first?, Change::Checked));
            }
            return Some(edits);
        }
        Action::Remove => return Some(vec![Edit::Remove(at?)]),
        Action::Move if matches!(suggestion.code.as_slice(), [Code::Call(_) | Code::Access]) => {
            let (place, next) = match (after, before) {
                (Some(after), None) => (after, Next::ToFirst),
                (None, Some(before)) => (before, Next::ToSecond),
                _ => return None,
            };
            let what = match suggestion.code.as_slice() {
                [Code::Access] => Statement::Access,
                [Code::Call(CallKind::Operation { .. })] => Statement::Operation,
                _ => Statement::Call,
            };
            let shift = Shift::new((at?, place), next, (way.1, what), spots)?;
            return Some(vec![Edit::Shift(shift)]);
        }
        Action::Move => edits.push(Edit::Remove(at?)),
        Action::Insert => {}
    }
    let cut = || {
        let (first, second) = (after.or(before)?, before.or(after)?);
        Cut::between(spots.stack(first), spots.stack(second), way)
    };
    for code in &suggestion.code {
        if let Code::Notify(target) = code {
            let tells = |note: &Note| match note {
                Note::SeenBeforeCall(_) => before.map(Where::Before),
                Note::SeenBeforeBarrier(_) => Some(Where::Across(cut()?, None)),
                _ => None,
            };
            if let Some(place) = suggestion.notes.iter().find_map(tells) {
                edits.push(Edit::Tell {
                    after: after?,
                    target: *target,
                    window: window?,
                    place,
                });
                continue;
            }
        }
        if let Code::Await(flag) = code {
            edits.push(Edit::Await {
                flag: *flag,
                before: before?,
            });
            continue;
        }
        if let Code::Notify(_) = code {
            edits.push(Edit::Notify {
                after: after?,
                before: before.or(second)?,
                window: window?,
            });
            continue;
        }
        if let Code::TeamBarrier | Code::TaskWait = code {
            let stacks = (spots.stack(after?), spots.stack(before?));
            let of_tasks = *code == Code::TaskWait;
            edits.push(Edit::Meet(Meeting::between(stacks.0, stacks.1, way.0, of_tasks)?));
            continue;
        }
        if let Code::SetBack = code {
            edits.push(Edit::SetBack(after?));
            continue;
        }
        if let Code::Attach = code {
            edits.push(Edit::Attach {
                before: before?,
                window: window?,
                regions: suggestion.regions.clone(),
            });
            continue;
        }
        if let Code::SecondBuffer(_) = code {
            edits.push(Edit::Copy(before?));
            continue;
        }
        if let Code::Exclusion = code {
            edits.push(exclusion.clone());
            continue;
        }
        let place = match code {
            Code::Barrier | Code::Meet if way.1 == Reading::Within => {
                // Who is not seen there may pass it unseen.
                Where::Across(cut()?, Some([after.or(before)?, before.or(after)?]))
            }
            Code::Fence => {
                let cut = cut()?;
                let ends = [after.or(before)?, before.or(after)?];
                let others_pass_unseen = cut.leads_round();
                Where::Across(cut, others_pass_unseen.then_some(ends))
            }
            Code::Barrier | Code::Meet => Where::Across(cut()?, None),
            // Others may wait for the end of the own access epoch, and so does the end of the exposure.
            Code::Wait if is_end_of_access(&suggestion.after) => Where::After(after?),
            Code::Unlock(_) if suggestion.is_on_ways_that_keep() => Where::Leaving(second?),
            // Needed first by what comes next.
            Code::Complete | Code::Wait | Code::Unlock(_) | Code::UnlockAll | Code::Detach => {
                before.map(Where::Before).or(after.map(Where::After))?
            }
            Code::Flush { .. } | Code::Order(_) | Code::WaitForRequest | Code::Lock(_) => {
                after.map(Where::After).or(before.map(Where::Before))?
            }
            _ => return None,
        };
        let code = *code;
        // A barrier or a flush asks for no window that the operation does not tell.
        let at = after.filter(|_| code == Code::Fence);
        edits.push(Edit::Add {
            code,
            window,
            at,
            place,
        });
    }
    for note in &suggestion.notes {
        match note {
            Note::OrderThreads | Note::AndOrderThreads => edits.push(Edit::Order {
                after: after?,
                before: before?,
            }),
            Note::AndUnlock(target) => edits.push(Edit::Add {
                code: Code::Unlock(Some(*target)),
                window,
                at: None,
                place: Where::After(before?),
            }),
            _ => {}
        }
    }
    Some(edits).filter(|edits| !edits.is_empty())
}
