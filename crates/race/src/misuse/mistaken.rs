//! Calls whose arguments are wrong: by themselves, or beside those of the other members of a collective call.
//!
//! Source: OpenSHMEM 1.5 §3, §4.2, §9.3, §9.9, §9.12, annex C. What one process can see, its recorder has seen.

use crate::finding::{Misuse, Name, Note, RawFinding, RawParty, RawSuggestion, Site, Spot};
use crate::job::Caller;
use farside_events::{Mistake, StackId, ThreadId};
use std::sync::Arc;

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
        Mistake::NotSymmetric { .. } => Some(RawSuggestion::symmetric(call)),
        Mistake::BeforeInit => Some(RawSuggestion::inside(call, Note::AfterInit)),
        Mistake::AfterFinalize => Some(RawSuggestion::inside(call, Note::BeforeFinalize)),
        _ => None,
    };
    let finding = RawFinding::misuse(Misuse::Mistaken(mistake.clone()), None, parties);
    match advice {
        Some(advice) => finding.with(advice),
        None => finding,
    }
}

/// The members of a collective call give an argument different values.
pub(crate) fn unequal(argument: &str, members: [(&str, Site, u64); 2]) -> RawFinding {
    let misuse = Misuse::Unequal {
        argument: argument.to_owned(),
        values: members.map(|(_, _, value)| value),
    };
    let parties = members.map(|(name, site, _)| member(name, site));
    RawFinding::misuse(misuse, None, parties.into())
}

/// The members of a set make different calls.
pub(crate) fn unlike_calls(members: [(&str, Site); 2]) -> RawFinding {
    let parties = members.map(|(name, site)| member(name, site));
    RawFinding::misuse(Misuse::UnlikeCalls, None, parties.into())
}

fn member(name: &str, site: Site) -> RawParty {
    RawParty::call(Name::Text(Arc::from(name)), site, ThreadId(0), None)
}
