//! What might give the order that is missing in a race, besides what the engine advises: cheapest first.

use super::{
    CallKind, Code, Misuse, Name, Note, RawFinding, RawLaneEvent, RawParty, RawSuggestion, Spot, What,
};
use farside_events::{ChannelId, Interface, LockKind, Mistake, OperationKind};
use farside_findings::{Action, Rule};

/// Calls that might be added between the two accesses of a race, or between an operation and the end of an attachment
/// of what it reaches, cheapest first. None of another finding.
///
/// They are not advice: whether one of them helps, a trial has to show. `interface` is that of the program, where the
/// finding names no other.
#[must_use]
pub fn candidates(finding: &RawFinding, interface: Interface) -> Vec<RawSuggestion> {
    let is_race = matches!(finding.what, What::Race(_));
    let is_detached = matches!(finding.what, What::Misuse(Misuse::ToDetached { .. }));
    let [first, second] = finding.parties.as_slice() else {
        return Vec::new();
    };
    if !is_race && !is_detached {
        return Vec::new();
    }
    let channel = channel(finding);
    let completing = completing(first, channel);
    let is_shmem = finding.interface().unwrap_or(interface) == Interface::Shmem;
    let (from, to) = (first.site.rank, second.site.rank);
    let insert = |code| RawSuggestion::insert(code, Some(Spot::of(first)), Some(Spot::of(second)));
    let mut all: Vec<RawSuggestion> = Vec::new();
    if is_shmem && !completing.is_empty() {
        all.push(insert(vec![Code::Order(channel)]));
    }
    all.extend(completing.iter().map(|code| insert(vec![*code])));
    let is_gaspi = finding.interface().unwrap_or(interface) == Interface::Gaspi;
    if let Some(target) = first.target.filter(|_| is_gaspi && !completing.is_empty()) {
        // No call of GASPI completes a write at its target, but that one can say that it is there.
        let told = insert(vec![Code::Notify(target), Code::Barrier]);
        all.push(told.noting(Note::SeenBeforeBarrier(target)));
    }
    if from == to {
        return all;
    }
    let meeting = match is_shmem {
        true => Code::Meet,
        false => Code::Barrier,
    };
    all.push(insert(vec![meeting]).noting(Note::OnAllRanksOrMessage { from, to }));
    // The barrier of OpenSHMEM completes what was issued without a context.
    let completes = is_shmem && channel == ChannelId::DEFAULT;
    if completes {
        all.push(insert(vec![Code::Barrier]).noting(Note::OnAllRanksOrMessage { from, to }));
    } else {
        let with_meeting = completing
            .iter()
            .map(|code| insert(vec![*code, meeting]).noting(Note::OnRankThenBarrierOrMessage { from, to }));
        all.extend(with_meeting);
    }
    if is_detached {
        return all;
    }
    let has_fences = finding.interface().is_none_or(Interface::has_fences);
    all.extend(atomic_write(finding, [first, second], interface));
    if finding.window.is_some() && has_fences {
        all.push(insert(vec![Code::Fence]).noting(Note::OnAllRanksOfWindow));
        all.extend(exclusive(finding));
    }
    all
}

/// Calls that might be added after the second access of a race and before the first one of the next round, cheapest
/// first: where two generations of data take turns, what is written in one round is read in the next.
///
/// They are not advice: whether one of them helps, a trial has to show.
#[must_use]
pub fn candidates_between_rounds(finding: &RawFinding, interface: Interface) -> Vec<RawSuggestion> {
    let [first, second] = finding.parties.as_slice() else {
        return Vec::new();
    };
    if first.site.rank == second.site.rank {
        return Vec::new();
    }
    let turned = RawFinding {
        parties: vec![second.clone(), first.clone()],
        ..finding.clone()
    };
    let mut all = candidates(&turned, interface);
    all.retain(|one| one.action == Action::Insert);
    all
}

/// Where one statement of several processes puts to the same bytes, no call lies between: it may write each element at
/// once (MPI-4.1 §12.3.4), and one of the values is there then. So may a put beside accumulates that replace, too.
fn atomic_write(
    finding: &RawFinding,
    [first, second]: [&RawParty; 2],
    interface: Interface,
) -> Option<RawSuggestion> {
    let (kind, request) = (OperationKind::Put, false);
    let put = CallKind::Operation { kind, request };
    let kind_of = |party: &RawParty| match &party.name {
        Name::Call(kind) | Name::CallOf(_, kind) => Some(*kind),
        _ => None,
    };
    let is_put = |party: &RawParty| kind_of(party) == Some(put);
    let is_written = |party: &RawParty| match kind_of(party) {
        Some(CallKind::Operation { kind, .. }) => kind != OperationKind::Get,
        _ => false,
    };
    let is_mpi = finding.interface().unwrap_or(interface) == Interface::Mpi;
    let is_race = is_mpi && finding.rule == Rule::RemoteRace && is_written(first) && is_written(second);
    let written = [first, second]
        .into_iter()
        .find(|party| is_put(party))
        .filter(|_| is_race)?;
    Some(RawSuggestion::replace(
        Code::AtomicWrite,
        Some(Code::Call(put)),
        Spot::of(written),
    ))
}

/// Calls that might be left out where what they begin or end is not as they need it, or who frees or gives back what is
/// not there to be freed. None of another finding.
///
/// They are not advice: whether one of them helps, a trial has to show.
#[must_use]
pub fn superfluous_calls(finding: &RawFinding) -> Vec<RawSuggestion> {
    let What::Misuse(misuse) = &finding.what else {
        return Vec::new();
    };
    let kind_of = |name: &Name| match name {
        Name::Call(kind) | Name::CallOf(_, kind) => Some(*kind),
        Name::Making(_) | Name::Text(_) => Some(CallKind::Other),
        Name::Load | Name::Store => None,
    };
    // Memory that is attached must not be freed (MPI-4.1 §12.2.4), which the events do not show: what ends an
    // attachment stays where there is one.
    let is_of_epochs = |kind: CallKind| {
        use CallKind::{Complete, Detach, Flush, Lock, LockAll, Post, Start, Unlock, UnlockAll, Wait};
        matches!(
            kind,
            Post | Start | Complete | Wait | Lock | LockAll | Unlock | UnlockAll | Flush { .. }
        ) || kind == Detach && *misuse == Misuse::NotAttached
    };
    let is_named = |name: &Name, part: &str| matches!(name, Name::Text(text) if text.contains(part));
    let may_go = |party: &&RawParty| match misuse {
        Misuse::Mistaken(Mistake::NotAllocated | Mistake::FreedTwice) => is_named(&party.name, "free"),
        Misuse::Mistaken(Mistake::LockHeld | Mistake::LockNotHeld) => is_named(&party.name, "_lock"),
        _ => {
            matches!(
                misuse.rule(),
                Rule::UnmatchedClose
                    | Rule::MixedEpochs
                    | Rule::DoubleLock
                    | Rule::GroupMismatch
                    | Rule::UnmatchedAttach
            ) && kind_of(&party.name).is_some_and(is_of_epochs)
        }
    };
    let removed = |party: &RawParty| Some(RawSuggestion::remove(kind_of(&party.name)?, Spot::of(party)));
    // What an earlier call has freed was freed rightly.
    let most = match misuse {
        Misuse::Mistaken(_) => 1,
        _ => finding.parties.len(),
    };
    let parties = finding.parties.iter().take(most).filter(may_go);
    parties.filter_map(removed).collect()
}

/// Whether an epoch or an attachment is there, but not where an operation or another epoch needs it: to move a call may
/// be enough.
#[must_use]
pub fn is_misplaced(finding: &RawFinding) -> bool {
    match &finding.what {
        What::Misuse(misuse) => matches!(
            misuse.rule(),
            Rule::WrongTarget | Rule::UnmatchedAttach | Rule::MixedEpochs
        ),
        What::Race(_) => false,
    }
}

/// The lock of its target, or of its own process, that a party is under, as far as the timeline goes.
fn lock(finding: &RawFinding, number: u32) -> Option<Spot> {
    let party = finding.parties.get(number as usize)?;
    let target = party.target.unwrap_or(party.site.rank);
    let lanes = &finding.timeline.as_ref()?.lanes;
    lanes.iter().find_map(|(_, events)| {
        let at = events.iter().position(|event| event.party == Some(number))?;
        let of_target = |event: &&RawLaneEvent| event.target.is_none_or(|of| of == target);
        let under = events[..at]
            .iter()
            .filter(of_target)
            .fold(None, |under, event| match event.name {
                Name::Call(CallKind::Lock) | Name::CallOf(_, CallKind::Lock) => Some(event),
                Name::Call(CallKind::Unlock) | Name::CallOf(_, CallKind::Unlock) => None,
                _ => under,
            })?;
        Some(Spot::of_call(CallKind::Lock, under.site))
    })
}

/// Both have their locks alone.
fn exclusive(finding: &RawFinding) -> Option<RawSuggestion> {
    let mut locks = (0..2).filter_map(|number| lock(finding, number));
    let (one, other) = (locks.next()?, locks.next());
    let [shared, exclusive] = [LockKind::Shared, LockKind::Exclusive].map(Code::Kind);
    let mut suggestion = RawSuggestion::replace(exclusive, Some(shared), one);
    suggestion.before = other;
    Some(suggestion)
}

/// What the first operation was issued on, as far as the engine's advice tells.
fn channel(finding: &RawFinding) -> ChannelId {
    let mut codes = finding.suggestion.iter().flat_map(|own| &own.code);
    let told = codes.find_map(|code| match code {
        Code::Flush { channel, .. } => Some(*channel),
        _ => None,
    });
    told.unwrap_or(ChannelId::DEFAULT)
}

/// What completes an access of a call to a target; nothing if it is none.
fn completing(party: &RawParty, channel: ChannelId) -> Vec<Code> {
    let request = match party.name {
        Name::Call(CallKind::Operation { request, .. })
        | Name::CallOf(_, CallKind::Operation { request, .. }) => request,
        _ => return Vec::new(),
    };
    let flush = |local| Code::Flush {
        target: party.target,
        local,
        channel,
    };
    let wait = request.then_some(Code::WaitForRequest);
    wait.into_iter().chain([flush(true), flush(false)]).collect()
}
