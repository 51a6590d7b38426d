//! What is wrong, in one sentence without places.

use super::{Phrasebook, Promise};
use crate::finding::{CallKind, Incomplete, Missing, Misuse, Open, RawParty};
use farside_conflicts::{Effect, Role};
use farside_events::Rank;
use farside_findings::{MissingOrder, Rule};

/// What a party does to the bytes in question: `reads`, `writes`, `updates`; empty for calls that touch none.
pub(crate) fn effect(party: &RawParty) -> &'static str {
    party.access.map_or("", |(_, effect)| Effect::verb(effect))
}

/// Two accesses that nothing orders.
pub(super) fn race(words: &Phrasebook, rule: Rule, parties: &[RawParty]) -> String {
    let side = |party: &RawParty| {
        let place = match party.access {
            Some((Role::Origin, _)) => " (origin buffer)",
            Some((Role::Target, _)) => " (target)",
            _ => "",
        };
        let name = words.name(&party.name);
        format!("{name}{place} by rank {} {}", party.site.rank.0, effect(party))
    };
    let tail = match rule {
        Rule::LocalRace => "the same bytes before the operation is complete at its origin",
        Rule::Polling => "the same bytes: the loop is defined only in the unified memory model",
        Rule::AccumulateMismatch => "the same bytes with another basic type, alignment or operator",
        _ => "the same bytes, and nothing orders the two",
    };
    let sides: Vec<String> = parties.iter().map(side).collect();
    format!("{} {tail}", sides.join(" and "))
}

impl Phrasebook {
    /// Why the parties of a race are unordered.
    pub(crate) fn missing(&self, missing: Missing, parties: &[RawParty]) -> MissingOrder {
        let name = |index: usize| parties.get(index).map_or("", |party| self.name(&party.name));
        let rank = |index: usize| parties.get(index).map_or(0, |party| party.site.rank.0);
        let ((first, from), (second, to)) = ((name(0), rank(0)), (name(1), rank(1)));
        let completion = missing.completion.map(|completion| match completion {
            Incomplete::UnknownAtTarget => "its completion at the target is not known to the second",
            Incomplete::OpenAtTarget => "it is still open at the target",
            Incomplete::UnknownAtOrigin => "its local completion is not known to the second",
            Incomplete::OpenAtOrigin => "it is still open at its origin",
        });
        let chain =
            format!("no chain of synchronisation leads from {first} on rank {from} to {second} on rank {to}");
        let explanation = match (missing.happens_before, completion) {
            (true, Some(completion)) => format!("{chain}, and {completion}"),
            (true, None) => chain,
            (false, completion) => {
                let completion = completion.unwrap_or_default();
                format!("{first} was issued before {second}, but {completion}")
            }
        };
        MissingOrder {
            happens_before: missing.happens_before,
            consistency_order: completion.is_some(),
            explanation,
        }
    }
}

/// A call that is used as it must not be.
pub(super) fn misuse(words: &Phrasebook, misuse: &Misuse, parties: &[RawParty]) -> String {
    let name = |index: usize| parties.get(index).map_or("", |party| words.name(&party.name));
    let rank = |index: usize| parties.get(index).map_or(0, |party| party.site.rank.0);
    let first_target = || {
        parties
            .first()
            .and_then(|party| party.target)
            .map_or(0, |Rank(rank)| rank)
    };
    let is_open = |open: &Open| match open {
        Open::Epoch => format!("the epoch opened by {} is open", name(0)),
        Open::Operation => format!("{} is pending", name(0)),
        Open::Request => format!("the request of {} was never completed", name(0)),
    };
    match misuse {
        Misuse::OutsideEpoch => format!(
            "{} of rank {} to rank {} outside any access epoch",
            name(0),
            rank(0),
            first_target()
        ),
        Misuse::RequestOutsidePassive => {
            format!("{} is allowed only between a lock and its unlock", name(0))
        }
        Misuse::WrongTarget => format!(
            "{} of rank {} to rank {}, which {} does not cover",
            name(0),
            rank(0),
            first_target(),
            name(1)
        ),
        Misuse::UnmatchedClose(open) => {
            let open: Vec<&str> = open.iter().map(|call| words.own.call(*call)).collect();
            format!(
                "{} of rank {} without {} before it",
                name(0),
                rank(0),
                open.join(" or ")
            )
        }
        Misuse::MixedEpochs => format!(
            "{} of rank {} while the epoch opened by {} is still open",
            name(0),
            rank(0),
            name(1)
        ),
        Misuse::LocksExposed { target } => format!(
            "{} of rank {} locks the window of rank {}, which is exposed by {}",
            name(1),
            rank(1),
            target.0,
            name(0)
        ),
        Misuse::ExposesLocked => format!(
            "rank {} exposes its window by {} while rank {} has locked it by {}",
            rank(1),
            name(1),
            rank(0),
            name(0)
        ),
        Misuse::DoubleLock => match parties.first().and_then(|party| party.target) {
            Some(target) => format!(
                "rank {} locks rank {} a second time before it unlocks it",
                rank(0),
                target.0
            ),
            None => format!(
                "rank {} calls {} a second time before {}",
                rank(0),
                words.own.call(CallKind::LockAll),
                words.own.call(CallKind::UnlockAll)
            ),
        },
        Misuse::NotSucceeded => format!(
            "{} follows a fence with {}, which promises that no operation follows",
            name(0),
            words.promise(Promise::Succeed)
        ),
        Misuse::NotPreceded => format!(
            "{} is pending at a fence with {}, which promises that nothing is to be completed",
            name(0),
            words.promise(Promise::Precede)
        ),
        Misuse::NotPut => format!(
            "rank {} promised with {} that its window is not updated in this epoch, \
             but {} of rank {} updates it",
            first_target(),
            words.promise(Promise::Put),
            name(0),
            rank(0)
        ),
        Misuse::NotStored => format!(
            "{} by rank {} wrote to its window since the last synchronisation, which {} denies",
            name(0),
            rank(1),
            words.promise(Promise::Store)
        ),
        Misuse::FencesDisagree => format!(
            "ranks {} and {} give different {} or {} to the same fence",
            rank(0),
            rank(1),
            words.promise(Promise::Precede),
            words.promise(Promise::Succeed)
        ),
        Misuse::NoCheckOfOne { by_post } => {
            let word = |gives: bool| if gives { "gives" } else { "does not give" };
            format!(
                "{} of rank {} {} MPI_MODE_NOCHECK, and the {} of rank {} that it meets {} it",
                name(1),
                rank(1),
                word(*by_post),
                name(0),
                rank(0),
                word(!by_post)
            )
        }
        Misuse::NoCheckTooEarly { target } => format!(
            "{} with MPI_MODE_NOCHECK, but the post of rank {} is not known to have been called before",
            name(parties.len().saturating_sub(1)),
            target.0
        ),
        Misuse::NoLocks => format!(
            "{} of rank {} on a window whose info says `no_locks`: that nobody locks it",
            name(0),
            rank(0)
        ),
        Misuse::Concurrent => format!(
            "two threads of rank {} are in {} and {} on one communicator at the same time: which of them others meet \
             first is left to chance",
            rank(0),
            name(0),
            name(1)
        ),
        Misuse::ByAnotherThread(level) => format!(
            "{} by rank {} is made by another thread than {}, which provides {}: only the thread that initialised MPI \
             may call it",
            name(0),
            rank(0),
            name(1),
            level.name()
        ),
        Misuse::NotSerialized => format!(
            "{} and {} by two threads of rank {} may be made at the same time: the library provides \
             MPI_THREAD_SERIALIZED, and nothing orders the two",
            name(0),
            name(1),
            rank(0)
        ),
        Misuse::UnlikeUnits(units) => format!(
            "ranks {} and {} give {} the units {} and {}, which the info `same_disp_unit` denies",
            rank(0),
            rank(1),
            name(0),
            units[0],
            units[1]
        ),
        Misuse::NoCheckOfLocks([one, other]) => format!(
            "ranks {} and {} may hold conflicting locks at the same time, which MPI_MODE_NOCHECK denies",
            one.0, other.0
        ),
        Misuse::FreedWhileOpen(open @ Open::Operation) => {
            format!("rank {} calls {} while {}", rank(1), name(1), is_open(open))
        }
        Misuse::UsedAfterFree => format!(
            "{} of rank {} touches memory that {} has freed",
            name(0),
            rank(0),
            name(1)
        ),
        Misuse::FreedWhileOpen(open) => {
            format!("rank {} frees the window while {}", rank(1), is_open(open))
        }
        Misuse::FinalizedWhileOpen(open) => {
            format!("rank {} calls {} while {}", rank(1), name(1), is_open(open))
        }
        Misuse::NotPosted { origin, target } => format!(
            "rank {} starts an access epoch to rank {}, which does not post to it",
            origin.0, target.0
        ),
        Misuse::NotStarted { origin, target } => format!(
            "rank {} posts to rank {}, which does not start an access epoch to it",
            target.0, origin.0
        ),
        Misuse::AttachedTwice => format!("rank {} attaches memory that is attached already", rank(0)),
        Misuse::NotAttached => {
            format!(
                "rank {} detaches memory that is not attached to the window",
                rank(0)
            )
        }
        Misuse::ToUnattached { start, end } => format!(
            "{} to [{start:#x}, {end:#x}) of rank {}, which is not attached to the window",
            name(0),
            first_target()
        ),
        Misuse::ToAttachedUnknown { start, end } => format!(
            "{} to [{start:#x}, {end:#x}) of rank {}, which rank {} attaches to the window: nothing orders that before it",
            name(0),
            first_target(),
            rank(1)
        ),
        Misuse::ToDetached { start, end } => format!(
            "{} to [{start:#x}, {end:#x}) of rank {}, which rank {} detaches from the window: nothing orders that after it",
            name(0),
            first_target(),
            rank(1)
        ),
        Misuse::AfterDetach { start, end } => format!(
            "{} to [{start:#x}, {end:#x}) of rank {}, which rank {} has detached from the window before",
            name(0),
            first_target(),
            rank(1)
        ),
        Misuse::BeyondWindow { start, end, size } => format!(
            "{} to bytes [{start}, {end}) of the window of rank {}, which has {size} bytes",
            name(0),
            first_target()
        ),
        Misuse::NegativeCount(count) => {
            format!("{} with a count of {count}: a count is not negative", name(0))
        }
        Misuse::LostNotification { number, of } => format!(
            "{} of rank {} sets notification {number} of rank {}, which {} of rank {} set before: \
             it is not known to be reset, and one of the two may be lost",
            name(1),
            rank(1),
            of.0,
            name(0),
            rank(0)
        ),
        Misuse::Mistaken(mistake) => super::mistakes::sentence(mistake, (name(0), rank(0)), name(1)),
        Misuse::Unequal { argument, values } => format!(
            "ranks {} and {} make the same call of {} with different arguments: {argument} is {} at the one and {} at \
             the other",
            rank(0),
            rank(1),
            name(0),
            values[0],
            values[1]
        ),
        Misuse::UnlikeCalls => format!(
            "rank {} calls {} where rank {} calls {}",
            rank(0),
            name(0),
            rank(1),
            name(1)
        ),
        Misuse::StartsWait { waits } => {
            let waits = waits.iter();
            let waits = waits.map(|[rank, whom]| format!("rank {} waits for rank {}", rank.0, whom.0));
            let waits: Vec<String> = waits.collect();
            let tail = if waits.len() == 1 {
                ", which posts only after that"
            } else {
                ""
            };
            format!(
                "where MPI_Win_start waits for MPI_Win_post, as it may, {}{tail}",
                waits.join(", ")
            )
        }
        Misuse::Deadlock { waits, ended, .. } => {
            let waits = waits.iter().map(|wait| {
                let call = words.name(&wait.call);
                format!("rank {} waits in {call} for rank {}", wait.rank.0, wait.whom.0)
            });
            let waits: Vec<String> = waits.collect();
            let tail = if *ended { ", which will not come" } else { "" };
            format!("{}{tail}", waits.join(", "))
        }
    }
}
