//! What might give the order that is missing in a race, besides what the engine advises: cheapest first.

use super::{CallKind, Code, Name, Note, RawFinding, RawParty, RawSuggestion, Spot, What};
use farside_events::ChannelId;

/// Calls that might be added between the two accesses of a race, cheapest first. None of another finding.
///
/// They are not advice: whether one of them helps, a trial has to show.
#[must_use]
pub fn candidates(finding: &RawFinding) -> Vec<RawSuggestion> {
    let ([first, second], What::Race(_)) = (finding.parties.as_slice(), &finding.what) else {
        return Vec::new();
    };
    let completing = completing(first);
    let (from, to) = (first.site.rank, second.site.rank);
    let insert = |code| RawSuggestion::insert(code, Some(Spot::of(first)), Some(Spot::of(second)));
    let mut all: Vec<RawSuggestion> = completing.iter().map(|code| insert(vec![*code])).collect();
    if from == to {
        return all;
    }
    all.push(insert(vec![Code::Barrier]).noting(Note::OnAllRanksOrMessage { from, to }));
    let with_barrier = completing.iter().map(|code| {
        insert(vec![*code, Code::Barrier]).noting(Note::OnRankThenBarrierOrMessage { from, to })
    });
    all.extend(with_barrier);
    if finding.window.is_some() {
        all.push(insert(vec![Code::Fence]).noting(Note::OnAllRanksOfWindow));
    }
    all
}

/// What completes an access of a call to a target; nothing if it is none.
fn completing(party: &RawParty) -> Vec<Code> {
    let request = match party.name {
        Name::Call(CallKind::Operation { request, .. })
        | Name::CallOf(_, CallKind::Operation { request, .. }) => request,
        _ => return Vec::new(),
    };
    let flush = |local| Code::Flush {
        target: party.target,
        local,
        channel: ChannelId::DEFAULT,
    };
    let wait = request.then_some(Code::WaitForRequest);
    wait.into_iter().chain([flush(true), flush(false)]).collect()
}
