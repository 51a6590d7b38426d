//! Where the repair of a finding goes in its test.

use crate::epochs::Need;
use crate::item::{Group, Item, Variant};
use crate::reason::Reason;
use crate::sketch::Sketch;
use crate::words;
use farside_findings::{Act, Api, Scene, SceneRepair, TransferKind};
use farside_litmus::ast::{Notification, Operation, Queue, Rank, StatementKind};

/// Adds what the repair adds, and marks what it takes away. The lanes have the acts of the scene.
pub(crate) fn add(sketch: &mut Sketch, scene: &Scene) -> Result<(), Reason> {
    let repair = scene.repair.as_ref().ok_or(Reason::NoRepair)?;
    if let Some(gone) = repair.gone {
        take_away(sketch, scene, gone);
    }
    let mut places = Places::of(sketch, repair)?;
    for act in &repair.acts {
        places.add(sketch, scene, *act)?;
    }
    Ok(())
}

/// The `number`th act of a lane is there without the repair only.
fn take_away(sketch: &mut Sketch, scene: &Scene, (lane, number): (usize, usize)) {
    let act = scene.lanes.get(lane).and_then(|lane| lane.acts.get(number));
    if matches!(act, None | Some(Act::Access(_))) {
        return;
    }
    if let Some(place) = place_of(sketch, (lane, number)) {
        let item = &mut sketch.lane_mut(lane)[place];
        *item = item.clone().only_in(Variant::Broken);
    }
}

/// The last item of an act.
fn place_of(sketch: &Sketch, (lane, number): (usize, usize)) -> Option<usize> {
    let mut items = sketch.lane(lane).iter();
    items.rposition(|item| item.is_of_act(number))
}

/// Where code goes, as places before items.
struct Places {
    /// Lane and place of what one process does.
    own: (usize, usize),
    /// The lane of the first access, and that of the second.
    lanes: [usize; 2],
    /// What all do goes here, in the lane of the first.
    meeting: usize,
}

impl Places {
    fn of(sketch: &Sketch, repair: &SceneRepair) -> Result<Self, Reason> {
        let at = |number: u8| {
            let lane = (0..sketch.lanes()).find(|lane| {
                let mut items = sketch.lane(*lane).iter();
                items.any(|item| item.group() == Group::Access(number))
            });
            let lane = lane.ok_or(Reason::Repair)?;
            let items = sketch.lane(lane);
            let first = items
                .iter()
                .position(|item| item.group() == Group::Access(number));
            let last = items
                .iter()
                .rposition(|item| item.group() == Group::Access(number));
            Ok((lane, first.unwrap_or(0), last.map_or(0, |last| last + 1)))
        };
        let (first, _, past) = at(0)?;
        let (second, before, _) = at(1)?;
        let after = repair
            .after
            .and_then(|after| Some((after.0, place_of(sketch, after)? + 1)));
        let own = match (after, repair.at_second) {
            (Some(after), _) => after,
            (None, true) => (second, before),
            (None, false) => (first, past),
        };
        let mut meeting = match own {
            (lane, place) if lane == first => place.max(past),
            _ => past,
        };
        if first != second {
            // As many meetings before it here as there.
            let meets = |items: &[Item]| {
                items
                    .iter()
                    .filter(|item| matches!(item.group(), Group::Order(_)))
                    .count()
            };
            let there = meets(&sketch.lane(second)[..before]);
            let items = sketch.lane(first);
            while meets(&items[..meeting]) < there && meeting < items.len() {
                meeting += 1;
            }
        }
        Ok(Self {
            own,
            lanes: [first, second],
            meeting,
        })
    }

    fn add(&mut self, sketch: &mut Sketch, scene: &Scene, act: Act) -> Result<(), Reason> {
        let [first, second] = self.lanes;
        let mpi = sketch.api() == Api::Mpi;
        match act {
            Act::Barrier(_) | Act::Fence { .. } => {
                let kind = match act {
                    Act::Fence { .. } if mpi => StatementKind::Fence(Vec::new()),
                    // Other interfaces have no fence that orders processes: a barrier is what is suggested.
                    _ => StatementKind::Barrier,
                };
                // What is suggested is shmem_barrier_all, which completes the default context first.
                let quiet = (sketch.api() == Api::Shmem).then_some(StatementKind::WaitQueue(Queue(0)));
                for kind in quiet.into_iter().chain([kind]) {
                    self.insert(sketch, (first, self.meeting), kind.clone());
                    if first != second {
                        self.before_second(sketch, kind);
                    }
                }
            }
            Act::CompleteAndWait if mpi => {
                self.insert(sketch, self.own, StatementKind::Complete);
                match first == second {
                    true => {}
                    false => self.before_second(sketch, StatementKind::Wait),
                }
            }
            Act::CompleteAndStart if mpi => {
                self.insert(sketch, self.own, StatementKind::Complete);
                sketch.expose_each();
            }
            Act::WaitingFences if mpi => waiting(sketch),
            Act::AtomicRead if mpi => read_atomically(sketch, scene)?,
            Act::Notify(rank) => {
                let process = sketch.process(rank).ok_or(Reason::Repair)?;
                if process != sketch.process_of(second) || first == second {
                    return Err(Reason::Repair);
                }
                let flag = sketch.variable("N", process, 0).variable;
                let queue = scene.accesses[0].transfer.map_or(0, |transfer| transfer.queue);
                let queue = sketch.queue(queue);
                let notify = StatementKind::Notify(Notification { flag, value: 1 });
                let notify = match queue.0 {
                    0 => notify,
                    _ => StatementKind::On {
                        queue,
                        operation: Box::new(notify),
                    },
                };
                self.insert(sketch, self.own, notify);
                self.before_second(sketch, StatementKind::Await(flag));
            }
            act => {
                let act = match act {
                    Act::Completion(_) => Act::Completion(self.waited(sketch, scene)),
                    act => act,
                };
                let kinds = words::kinds(sketch, act, (self.own.0, None), &mut None, scene);
                // A call of OpenSHMEM that brings a value has returned with it.
                let done = sketch.api() == Api::Shmem && matches!(act, Act::Completion(_));
                if kinds.is_empty() && !done {
                    return Err(Reason::Repair);
                }
                for kind in kinds {
                    self.insert(sketch, self.own, kind);
                }
            }
        }
        Ok(())
    }

    /// The operation that is waited for: that of the lane.
    fn waited(&self, sketch: &Sketch, scene: &Scene) -> u8 {
        let own = |number: &u8| {
            let mut items = sketch.lane(self.own.0).iter();
            let transfers = scene.accesses[usize::from(*number)].transfer.is_some();
            transfers && items.any(|item| item.group() == Group::Access(*number))
        };
        (0..2).find(own).unwrap_or(0)
    }

    fn before_second(&mut self, sketch: &mut Sketch, kind: StatementKind) {
        let lane = self.lanes[1];
        let items = sketch.lane(lane);
        let place = items.iter().position(|item| item.group() == Group::Access(1));
        self.insert(sketch, (lane, place.unwrap_or(0)), kind);
    }

    /// What comes after it moves.
    fn insert(&mut self, sketch: &mut Sketch, (lane, place): (usize, usize), kind: StatementKind) {
        let item = Item::new(kind, Group::Repair).only_in(Variant::Repaired);
        sketch.lane_mut(lane).insert(place, item);
        if self.own.0 == lane && self.own.1 >= place {
            self.own.1 += 1;
        }
        if self.lanes[0] == lane && self.meeting >= place {
            self.meeting += 1;
        }
    }
}

/// All fences wait for the others.
fn waiting(sketch: &mut Sketch) {
    for lane in 0..sketch.lanes() {
        let mut items = Vec::new();
        for item in std::mem::take(sketch.lane_mut(lane)) {
            match item.kind() {
                StatementKind::Fence(assertions) if !assertions.is_empty() => {
                    let waits = StatementKind::Fence(Vec::new());
                    items.push(item.clone().only_in(Variant::Broken));
                    items.push(item.saying(waits).only_in(Variant::Repaired));
                }
                _ => items.push(item),
            }
        }
        *sketch.lane_mut(lane) = items;
    }
}

/// A load becomes an operation that fetches, on the process' own memory.
fn read_atomically(sketch: &mut Sketch, scene: &Scene) -> Result<(), Reason> {
    for lane in 0..sketch.lanes() {
        let process = sketch.process_of(lane);
        let items = sketch.lane(lane);
        let Some(place) = items
            .iter()
            .position(|item| matches!(item.kind(), StatementKind::Load { .. }))
        else {
            continue;
        };
        let (item, other) = (items[place].clone(), sketch.lanes() - 1 - lane);
        let group = item.group();
        let StatementKind::Load { from, into } = *item.kind() else {
            continue;
        };
        // The other operation says what epochs the program has.
        let epoch = scene.accesses.iter().find_map(|access| access.transfer);
        let epoch = epoch.filter(|transfer| transfer.kind != TransferKind::Put || other != lane);
        let epoch = epoch.ok_or(Reason::Repair)?.epoch;
        let Group::Access(number) = group else {
            continue;
        };
        sketch.need(Need::of_repair(number, Rank(process as u32), epoch));
        let result = sketch.variable("A", process, 0);
        let operand = sketch.variable("Z", process, 0);
        let fetch = StatementKind::FetchAndOp {
            into: result,
            target: from,
            operand,
            operation: Operation::NoOp,
        };
        let only = |kind, only| Item::new(kind, group).only_in(only);
        let flush = StatementKind::FlushLocal(Rank(process as u32));
        let load = StatementKind::Load { into, from: result };
        let lane = sketch.lane_mut(lane);
        lane[place] = lane[place].clone().only_in(Variant::Broken);
        lane.splice(
            place + 1..place + 1,
            [fetch, flush, load].map(|kind| only(kind, Variant::Repaired)),
        );
        return Ok(());
    }
    Err(Reason::Repair)
}
