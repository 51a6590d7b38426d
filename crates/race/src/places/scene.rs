//! What took part in a race, with its repair, and without places.

use crate::finding::{Code, RawScene, RawSuggestion, Spot};
use farside_events::Interface;
use farside_findings::{Act, Action, Api, Scene, SceneLane, SceneRepair};

/// The scene of a race; its repair is that of `advice`, or the first of its alternatives that can be told as acts: a
/// call that is moved cannot.
pub(super) fn scene(raw: RawScene, advice: Option<&RawSuggestion>) -> Box<Scene> {
    let mut told = advice
        .into_iter()
        .flat_map(|own| std::iter::once(own).chain(&own.others));
    let repair = told.find_map(|advice| repair(&raw, advice));
    let lanes = raw.lanes.into_iter().map(|lane| SceneLane {
        rank: lane.rank.0,
        acts: lane.acts.into_iter().map(|(_, act)| act).collect(),
    });
    Box::new(Scene {
        api: match raw.interface {
            Interface::Mpi | Interface::Farside => Api::Mpi,
            Interface::Shmem => Api::Shmem,
            Interface::Gaspi => Api::Gaspi,
        },
        accesses: raw.accesses,
        lanes: lanes.collect(),
        repair,
    })
}

/// What is to be done, as acts; none if it is told in words, or is no matter of order.
fn repair(raw: &RawScene, advice: &RawSuggestion) -> Option<SceneRepair> {
    let acts = advice.code.iter().map(|code| act(raw, *code));
    let acts = acts
        .collect::<Option<Vec<Act>>>()
        .filter(|acts| !acts.is_empty())?;
    let spot = |spot: &Option<Spot>| find(raw, spot.as_ref()?);
    let at = spot(&advice.at);
    let second = raw.accesses[1].rank;
    let before_second = advice.after.is_none()
        && advice
            .before
            .as_ref()
            .is_some_and(|before| before.site.rank.0 == second);
    Some(SceneRepair {
        acts,
        gone: at.filter(|_| advice.action != Action::Insert),
        after: match advice.action {
            Action::Replace => at,
            _ => spot(&advice.after),
        },
        at_second: before_second,
    })
}

/// Where in the lanes a place is: an access if one is there, else the last.
fn find(raw: &RawScene, spot: &Spot) -> Option<(usize, usize)> {
    let mut found = None;
    for (number, lane) in raw.lanes.iter().enumerate() {
        for (index, (site, act)) in lane.acts.iter().enumerate() {
            if lane.rank == spot.site.rank && *site == spot.site {
                if matches!(act, Act::Access(_)) {
                    return Some((number, index));
                }
                found = Some((number, index));
            }
        }
    }
    found
}

fn act(raw: &RawScene, code: Code) -> Option<Act> {
    Some(match code {
        Code::Fence => Act::Fence {
            meeting: u32::MAX,
            noprecede: false,
        },
        Code::Barrier | Code::Meet => Act::Barrier(u32::MAX),
        Code::Flush {
            target,
            local,
            channel,
        } => Act::Flush {
            target: target.map(|rank| rank.0),
            local,
            queue: (raw.interface != Interface::Mpi).then_some(channel.0),
        },
        Code::WaitForRequest => Act::Completion(0),
        Code::Complete => Act::Complete,
        Code::CompleteAndStart => Act::CompleteAndStart,
        Code::Wait => Act::Wait,
        Code::CompleteAndWait => Act::CompleteAndWait,
        Code::Notify(rank) => Act::Notify(rank.0),
        Code::AtomicRead => Act::AtomicRead,
        Code::Assertions(assertions) if !assertions.noprecede => Act::WaitingFences,
        Code::Unlock(target) => Act::Unlock(target.map(|rank| rank.0)),
        Code::UnlockAll => Act::Unlock(None),
        Code::Order(_)
        | Code::Await(_)
        | Code::Exclusion
        | Code::SecondBuffer(_)
        | Code::Static
        | Code::CopyBefore
        | Code::CopyAfter
        | Code::RepeatWhenFull
        | Code::RepeatWhenTimedOut
        | Code::Argument(_)
        | Code::TeamBarrier
        | Code::TaskWait
        | Code::AtomicWrite
        | Code::AtomicUpdate(_)
        | Code::Lock(_)
        | Code::Attach
        | Code::SetBack
        | Code::Detach
        | Code::Call(_)
        | Code::Access
        | Code::Assertions(_)
        | Code::Kind(_) => return None,
    })
}
