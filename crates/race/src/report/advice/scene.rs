//! What took part in a race: both accesses, and the steps of their threads that may order them.
//!
//! Where the second access knew of the first, these are the steps of the first's thread until the one that told, and
//! those of the second's thread from then on; where it did not, the steps between the meetings of both before and
//! after. How it learned is a meeting of both, or else *some* message: by way of whom it went is left out.
//!
//! Limit: other processes are left out, and so is what is of another window, but for meetings.

use super::super::trail::{Meeting, Step, StepKind};
use super::{Race, Side};
use crate::finding::{RawScene, RawSceneLane};
use crate::record::{AccessEpoch, Op};
use farside_conflicts::{Effect, Role};
use farside_events::{Interface, OperationKind, WinId};
use farside_findings::{Act, Epoch, SceneAccess, Transfer, TransferKind};

/// A meeting of both threads: its marks in both.
struct Common {
    marks: [u64; 2],
    meeting: [Meeting; 2],
}

impl Common {
    /// Whether nobody leaves before all have come.
    fn orders(&self) -> bool {
        let waits = |meeting: &Meeting| match meeting {
            Meeting::Fence { assertions, .. } => !assertions.noprecede,
            _ => true,
        };
        self.meeting.iter().all(waits)
    }
}

/// The scene of a race, told in the order in which its accesses were seen.
pub(super) fn scene(race: &Race) -> RawScene {
    let sides = &race.sides;
    let op = sides.iter().find_map(|side| side.record.operation());
    let interface = op.map_or(race.interface, |op| op.interface());
    let lanes = match race.is_of_one_thread() {
        true => vec![alone(race)],
        false => both(race),
    };
    RawScene {
        interface,
        accesses: [access(&sides[0]), access(&sides[1])],
        lanes,
    }
}

fn access(side: &Side) -> SceneAccess {
    let record = &side.record;
    SceneAccess {
        rank: record.rank().0,
        transfer: record.operation().map(|op| transfer(op)),
        at_target: record.role() == Role::Target,
        writes: record.access().effect != Effect::Read,
        atomic: record.role() == Role::LocalAtomic,
    }
}

fn transfer(op: &Op) -> Transfer {
    Transfer {
        kind: match op.kind() {
            OperationKind::Put => TransferKind::Put,
            OperationKind::Get => TransferKind::Get,
            OperationKind::Accumulate => TransferKind::Accumulate,
            OperationKind::GetAccumulate => TransferKind::GetAccumulate,
            OperationKind::FetchAndOp => TransferKind::FetchAndOp,
            OperationKind::CompareAndSwap => TransferKind::CompareAndSwap,
        },
        target: op.target().0,
        epoch: match op.epoch() {
            AccessEpoch::Fence => Epoch::Fence,
            AccessEpoch::Start => Epoch::Start,
            AccessEpoch::Lock => Epoch::Lock,
            AccessEpoch::LockAll => Epoch::LockAll,
        },
        queue: op.channel().0,
        // Of OpenSHMEM, a request that is complete at once.
        blocking: op.interface() == Interface::Shmem && op.request().is_some(),
        only_reads: op.only_reads(),
    }
}

/// One thread's accesses, and what it did between them.
fn alone(race: &Race) -> RawSceneLane {
    let [old, new] = &race.sides;
    let order: [usize; 2] = if new.mark < old.mark { [1, 0] } else { [0, 1] };
    let [first, second] = order.map(|side| &race.sides[side]);
    let between = race.steps(old.issued.component).iter();
    let between = between.filter(|step| first.mark < step.mark() && step.mark() < second.mark);
    let mut acts = vec![(first.record.site(), Act::Access(order[0] as u8))];
    acts.extend(between.filter_map(|step| Some((step.site(), act(race, step, None)?))));
    acts.push((second.record.site(), Act::Access(order[1] as u8)));
    RawSceneLane {
        rank: old.record.rank(),
        acts,
    }
}

fn both(race: &Race) -> Vec<RawSceneLane> {
    let steps = [0, 1].map(|side| race.steps(race.sides[side].issued.component));
    let marks = [race.sides[0].mark, race.sides[1].mark];
    let mut common = Vec::new();
    for own in steps[0] {
        let Some(meeting) = own.meeting() else { continue };
        let same = |step: &&Step| step.meeting().is_some_and(|other| other.is(&meeting));
        if let Some(other) = steps[1].iter().find(same)
            && let Some(theirs) = other.meeting()
        {
            common.push(Common {
                marks: [own.mark(), other.mark()],
                meeting: [meeting, theirs],
            });
        }
    }
    let before = |one: &Common| one.orders() && (0..2).all(|lane| one.marks[lane] < marks[lane]);
    let after = |one: &Common| one.orders() && (0..2).all(|lane| one.marks[lane] > marks[lane]);
    let between = |one: &&Common| one.marks[0] > marks[0] && one.marks[1] < marks[1];
    let since = common
        .iter()
        .rfind(|one| before(one))
        .map_or([0, 0], |one| one.marks);
    let until = common
        .iter()
        .find(|one| after(one))
        .map_or([u64::MAX; 2], |one| one.marks);
    let told = common.iter().filter(between).any(Common::orders);
    let from = common
        .iter()
        .find(between)
        .map_or(since[1], |one| one.marks[1] - 1);
    let in_lane = |lane: usize, step: &&Step| match (race.ordered, lane) {
        (true, 0) => step.mark() > marks[0] && step.time() <= race.known,
        (true, _) => (from + 1..marks[1]).contains(&step.mark()),
        (false, _) => step.mark() > since[lane] && step.mark() < until[lane],
    };
    let number = |lane: usize, step: &Step| {
        let mut all = common.iter();
        all.position(|one| one.marks[lane] == step.mark())
            .map(|index| index as u32)
    };
    let lane = |lane: usize| {
        let side = &race.sides[lane];
        let mut acts: Vec<(u64, _)> = steps[lane]
            .iter()
            .filter(|step| in_lane(lane, step))
            .filter_map(|step| Some((step.mark(), (step.site(), act(race, step, number(lane, step))?))))
            .collect();
        let here = |act| (side.mark, (side.record.site(), act));
        let at = acts.partition_point(|(mark, _)| *mark <= side.mark);
        acts.insert(at, here(Act::Access(lane as u8)));
        if race.ordered && !told {
            match lane {
                0 => acts.push(here(Act::Tell)),
                _ => acts.insert(at, here(Act::Hear)),
            }
        }
        RawSceneLane {
            rank: side.record.rank(),
            acts: acts.into_iter().map(|(_, act)| act).collect(),
        }
    };
    vec![lane(0), lane(1)]
}

/// What a step is in a scene; nothing if it has no part in it. `meeting` is its number, if both threads meet in it.
fn act(race: &Race, step: &Step, meeting: Option<u32>) -> Option<Act> {
    let is_own = |win: WinId| {
        let ops = race.sides.iter().filter_map(|side| side.record.operation());
        ops.into_iter().any(|op| op.win() == win)
    };
    let alone = race.is_of_one_thread().then_some(0);
    Some(match step.kind() {
        StepKind::Meeting(Meeting::Fence { win, assertions, .. }) if is_own(win) => Act::Fence {
            meeting: meeting.or(alone)?,
            noprecede: assertions.noprecede,
        },
        StepKind::Meeting(_) => Act::Barrier(meeting?),
        StepKind::Flush {
            win,
            target,
            local,
            channel,
        } if is_own(win) => Act::Flush {
            target: target.map(|rank| rank.0),
            local,
            queue: channel.map(|channel| channel.0),
        },
        StepKind::Sync(win) if is_own(win) => Act::Sync,
        StepKind::Complete(win) if is_own(win) => Act::Complete,
        StepKind::Wait(win) if is_own(win) => Act::Wait,
        StepKind::Unlock(win, target) if is_own(win) => Act::Unlock(target.map(|rank| rank.0)),
        StepKind::Other => Act::Completion(completed(race, step)? as u8),
        _ => return None,
    })
}

/// The access whose request this step waited for.
fn completed(race: &Race, step: &Step) -> Option<usize> {
    race.sides.iter().position(|side| {
        let waited = side.record.operation().is_some_and(|op| op.request().is_some());
        let own = race.steps(side.issued.component);
        let done = side.record.completed();
        let last = done.filter(|_| waited).and_then(|done| {
            let mut steps = own.iter();
            steps.rfind(|step| step.time() < done.time && step.mark() > side.mark)
        });
        last.is_some_and(|last| last.mark() == step.mark())
    })
}
