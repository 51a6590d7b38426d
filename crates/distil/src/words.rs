//! What the threads of a race did besides their accesses, in the words of the interface.

use crate::item::{Group, Item};
use crate::sketch::Sketch;
use farside_findings::{Act, Api, Scene};
use farside_litmus::ast::{Access, Assertion, Notification, Rank, StatementKind};

/// Acts that are looked at on either side of an access: what is farther away decides nothing.
const NEAR: usize = 12;

/// Puts the acts of a scene around the accesses that the lanes have.
pub(crate) fn fill(sketch: &mut Sketch, scene: &Scene) {
    let told = sketch.group();
    let mut flag = None;
    for (number, lane) in scene.lanes.iter().enumerate() {
        let accesses = std::mem::take(sketch.lane_mut(number));
        let is_near = |index: usize| {
            let mut all = lane.acts.iter().enumerate();
            all.any(|(at, act)| matches!(act, Act::Access(_)) && at.abs_diff(index) <= NEAR)
        };
        for (index, act) in lane.acts.iter().enumerate() {
            if let Act::Access(access) = *act {
                let own = accesses
                    .iter()
                    .filter(|item| item.group() == Group::Access(access));
                let own: Vec<Item> = own.cloned().collect();
                sketch.lane_mut(number).extend(own);
                continue;
            }
            if !is_near(index) {
                continue;
            }
            let group = match act {
                Act::Barrier(meeting) | Act::Fence { meeting, .. } => Group::Order(1000 + meeting),
                Act::Tell | Act::Hear => Group::Order(told),
                _ => Group::Other(sketch.group()),
            };
            let other = scene.lanes.get(1 - number.min(1)).map(|lane| lane.rank);
            let kinds = kinds(sketch, *act, (number, other), &mut flag, scene);
            sketch
                .lane_mut(number)
                .extend(kinds.into_iter().map(|kind| Item::new(kind, group).of_act(index)));
        }
    }
}

/// The statements of an act of a lane; none if it has none. `other` is the rank of the other lane.
pub(crate) fn kinds(
    sketch: &mut Sketch,
    act: Act,
    (lane, other): (usize, Option<u32>),
    flag: &mut Option<Access>,
    scene: &Scene,
) -> Vec<StatementKind> {
    let process = |rank: u32| sketch.process(rank).map(|process| Rank(process as u32));
    let other = other.and_then(process);
    let known = |target: Option<u32>| target.map(process);
    match (sketch.api(), act) {
        (_, Act::Barrier(_)) => vec![StatementKind::Barrier],
        (Api::Mpi, Act::Fence { noprecede, .. }) => {
            let assertions = noprecede.then_some(Assertion::NoPrecede);
            vec![StatementKind::Fence(assertions.into_iter().collect())]
        }
        (Api::Mpi, Act::Flush { target, local, .. }) => match (known(target), local) {
            (None, false) => vec![StatementKind::FlushAll],
            (None, true) => vec![StatementKind::FlushLocalAll],
            (Some(Some(rank)), false) => vec![StatementKind::Flush(rank)],
            (Some(Some(rank)), true) => vec![StatementKind::FlushLocal(rank)],
            (Some(None), _) => Vec::new(),
        },
        (Api::Mpi, Act::Sync) => vec![StatementKind::Sync],
        (Api::Mpi, Act::Tell) => other.map(StatementKind::Send).into_iter().collect(),
        (Api::Mpi, Act::Hear) => other.map(StatementKind::Receive).into_iter().collect(),
        (Api::Mpi, Act::Complete) => vec![StatementKind::Complete],
        (Api::Mpi, Act::Wait) => vec![StatementKind::Wait],
        (Api::Mpi, Act::Unlock(target)) => match known(target) {
            None => vec![StatementKind::UnlockAll],
            Some(rank) => rank.map(StatementKind::Unlock).into_iter().collect(),
        },
        (Api::Mpi, Act::Completion(access)) => {
            let access = scene.accesses.get(usize::from(access));
            let target = access
                .and_then(|access| access.transfer)
                .map(|transfer| transfer.target);
            let target = target.and_then(process);
            target.map(StatementKind::FlushLocal).into_iter().collect()
        }
        (Api::Shmem | Api::Gaspi, Act::Flush { queue, .. }) => {
            let queues = match queue {
                Some(queue) => vec![sketch.queue(queue)],
                None => sketch.queues(),
            };
            queues.into_iter().map(StatementKind::WaitQueue).collect()
        }
        (Api::Shmem, Act::Tell | Act::Hear) => {
            // It is told by the first lane to the second.
            let flag = *flag.get_or_insert_with(|| {
                let owner = sketch.process_of(1.min(sketch.lanes() - 1));
                sketch.variable("F", owner, 0)
            });
            vec![match (act, lane) {
                (Act::Tell, _) => StatementKind::Notify(Notification {
                    flag: flag.variable,
                    value: 1,
                }),
                _ => StatementKind::Await(flag.variable),
            }]
        }
        (Api::Gaspi, Act::Tell | Act::Hear) => vec![StatementKind::Barrier],
        _ => Vec::new(),
    }
}
