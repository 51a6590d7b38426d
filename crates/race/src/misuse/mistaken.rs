//! Calls whose arguments are wrong: by themselves, or beside those of the other members of a collective call.
//!
//! Source: OpenSHMEM 1.5 §3, §4.2, §9.3 to §9.5, §9.9, §9.12, annex C. What one process can see, its recorder has seen.

use crate::finding::{
    Argument, CallKind, Code, Misuse, Name, Note, RawFinding, RawParty, RawSuggestion, Site, Spot, nearest_pe,
};
use crate::job::Caller;
use crate::windows::GivenBack;
use farside_events::{Mistake, StackId, ThreadId};
use std::sync::Arc;

/// What frees memory, and does not give other memory for it.
const FREE: &str = "shmem_free";
/// What GASPI returns before its beginning and after its end, as the reason of a refusal names it.
const NOT_INITIALISED: &str = "GASPI_ERR_NOINIT";
const FULL: &str = "GASPI_QUEUE_FULL";
const TIMED_OUT: &str = "GASPI_TIMEOUT";

/// A call of this name is wrong, by itself or for an earlier one of the same process.
pub(crate) fn mistaken(
    caller: &Caller,
    name: &str,
    mistake: &Mistake,
    earlier: Option<(&str, StackId)>,
) -> RawFinding {
    let party = |(name, stack): (&str, StackId)| {
        let site = Site::of_call(caller.rank(), stack);
        RawParty::call(Name::Text(Arc::from(name)), site, caller.thread(), None)
    };
    let mut parties = vec![party((name, caller.site().stack))];
    parties.extend(earlier.map(party));
    let call = Spot::of(&parties[0]);
    let advice = match mistake {
        Mistake::NotSymmetric { .. } => RawSuggestion::symmetric(call),
        Mistake::BeforeInit => RawSuggestion::inside(call, Note::AfterInit),
        Mistake::AfterFinalize => RawSuggestion::inside(call, Note::BeforeFinalize),
        Mistake::NotAllocated => RawSuggestion::argument(Argument::Address, Argument::Beginning, call),
        Mistake::Overlap { arguments } => {
            match arguments.iter().all(|name| ["dest", "source"].contains(&&**name)) {
                // What is got comes from another process, where it cannot be copied.
                true if name.contains("_get") || name.contains("_iget") => {
                    RawSuggestion::apart(Code::CopyAfter, call)
                }
                true => RawSuggestion::apart(Code::CopyBefore, call),
                false => RawSuggestion::note(Note::OtherMemory),
            }
        }
        Mistake::Freed { .. } => match parties
            .get(1)
            .filter(|earlier| earlier.name == Name::Text(Arc::from(FREE)))
        {
            Some(earlier) => RawSuggestion::moved(CallKind::Free, Spot::of(earlier), call, true),
            None => RawSuggestion::note(Note::NotAfterItsEnd),
        },
        Mistake::OfWindow => RawSuggestion::note(Note::NotBeforeItsWindow),
        Mistake::Destroyed { .. } => RawSuggestion::note(Note::DestroyedLater),
        Mistake::Refused { reason, .. } if reason.contains(NOT_INITIALISED) => {
            RawSuggestion::inside(call, Note::BetweenInitAndTerm)
        }
        Mistake::Refused { reason, .. } if reason.contains(FULL) => {
            RawSuggestion::repeat(Code::RepeatWhenFull, call)
        }
        Mistake::Refused { reason, .. } if reason.contains(TIMED_OUT) => {
            RawSuggestion::repeat(Code::RepeatWhenTimedOut, call)
        }
        Mistake::Refused {
            nearest: Some(nearest),
            ..
        } => {
            let of = |value| Argument::OfGaspi(nearest.argument(), value);
            RawSuggestion::argument(of(nearest.given()), of(nearest.right()), call)
        }
        Mistake::OnLock { .. } => RawSuggestion::note(Note::LocksByTheirCalls),
        Mistake::LockHeld | Mistake::LockNotHeld | Mistake::FreedTwice => RawSuggestion::default(),
        // Which of its processes is meant, MPI's names do not tell.
        Mistake::Target { .. } if name.starts_with("MPI_") => RawSuggestion::note(Note::MeaningNotKnown),
        Mistake::Target { number, processes } => match nearest_pe(*number, *processes) {
            Some([given, right]) => RawSuggestion::argument(given, right, call),
            None => RawSuggestion::note(Note::MeaningNotKnown),
        },
        Mistake::Beyond { .. } | Mistake::Refused { .. } | Mistake::Argument { .. } => {
            RawSuggestion::note(Note::MeaningNotKnown)
        }
    };
    let finding = RawFinding::misuse(Misuse::Mistaken(mistake.clone()), None, parties);
    match advice.is_empty() {
        true => finding,
        false => finding.with(advice),
    }
}

/// Memory is loaded or stored to after the call that gave it back.
pub(crate) fn used_after_free(access: RawParty, (win, site, thread): GivenBack) -> RawFinding {
    let freed = RawParty::call(CallKind::Free, site, thread, None);
    RawFinding::misuse(Misuse::UsedAfterFree, Some(win), vec![access, freed])
        .with(RawSuggestion::note(Note::NotAfterItsEnd))
}

/// The first of two calls is as the second, which is another process's, or the other way round.
fn as_the_other(parties: &[RawParty]) -> RawSuggestion {
    RawSuggestion::argument(Argument::Given, Argument::AsTheOther, Spot::of(&parties[0]))
}

/// The members of a collective call give an argument different values.
pub(crate) fn unequal(argument: &str, members: [(&str, Site, u64); 2]) -> RawFinding {
    let misuse = Misuse::Unequal {
        argument: argument.to_owned(),
        values: members.map(|(_, _, value)| value),
    };
    let parties = members.map(|(name, site, _)| member(name, site));
    let advice = as_the_other(&parties);
    RawFinding::misuse(misuse, None, parties.into()).with(advice)
}

/// The members of a set make different calls.
pub(crate) fn unlike_calls(members: [(&str, Site); 2]) -> RawFinding {
    let parties = members.map(|(name, site)| member(name, site));
    let advice = as_the_other(&parties);
    RawFinding::misuse(Misuse::UnlikeCalls, None, parties.into()).with(advice)
}

fn member(name: &str, site: Site) -> RawParty {
    RawParty::call(Name::Text(Arc::from(name)), site, ThreadId(0), None)
}
