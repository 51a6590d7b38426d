//! Random sequences of safe calls of two to four ranks, and beside them a model of memory that knows no epochs, queues
//! or packets: what was put is there when the step is over, all of it, and nothing else. In between, each rank looks at
//! every slice that it is lent, twice: what is lent does not change.
//!
//! A program is steps that all ranks take. So that the model knows every value, no two ranks access one element in one
//! step, but by sums. `PROPTEST_CASES` sets the number of programs.

mod support;

use farside::sim::Simulation;
use farside::{Attached, Connected, Error, Fence, Layout, Lock, Operation, Result, Token, Window, World};
use proptest::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;
use support::{networks, programs};

/// Elements of a window at each rank: as many lanes as ranks, of so many elements, and one for sums.
const LANE: usize = 5;
const RANKS: usize = 4;
const SUM: usize = RANKS * LANE;
const ELEMENTS: usize = SUM + 1;

/// How ranks synchronise in a step.
#[derive(Clone, Copy, Debug)]
enum Epoch {
    Fence,
    /// A sequence of fences.
    Fences,
    /// All post to all, and access.
    Exposure,
    Lock(Lock),
    LockAll,
}

/// What a rank does in a step, to a rank: in the lane there that is its own.
#[derive(Clone, Copy, Debug)]
enum Action {
    Put(usize, usize),
    PutValue(usize),
    /// Every other element.
    PutLayout,
    Get(usize, usize),
    Sum,
    Fetch(usize),
    /// Compare-and-swap of an element with what it is, or is not.
    Swap(usize, bool),
    /// With a request that is waited for, dropped, or forgotten.
    Request(usize, Fate),
    GetRequest(usize, Fate),
    Notify(usize),
    /// To memory that is attached.
    Attached(usize),
    /// In an inner epoch.
    Inner(usize),
    /// Out of bounds: refused.
    Outside,
}

#[derive(Clone, Copy, Debug)]
enum Fate {
    Wait,
    Drop,
    Forget,
}

#[derive(Clone, Debug)]
enum Step {
    /// Actions of each rank: target and what.
    Epoch(Epoch, Vec<Vec<(usize, Action)>>),
    Barrier,
    Reduce,
    /// Each to the next one.
    Message(usize),
    /// Attaches memory at a rank.
    Attach(usize),
    /// The window ends, and another one begins.
    Renew,
    /// A window that is dropped, forgotten, or freed early.
    Stray(Fate),
    /// A rank panics in an epoch of a window that is left then.
    Panic(usize),
}

fn any_fate() -> impl Strategy<Value = Fate> {
    prop_oneof![Just(Fate::Wait), Just(Fate::Drop), Just(Fate::Forget)]
}

fn any_action() -> impl Strategy<Value = Action> {
    let part = || (0..LANE, 0..LANE).prop_map(|(from, more)| (from, more.min(LANE - from)));
    prop_oneof![
        3 => part().prop_map(|(from, length)| Action::Put(from, length)),
        1 => (0..LANE).prop_map(Action::PutValue),
        1 => Just(Action::PutLayout),
        2 => part().prop_map(|(from, length)| Action::Get(from, length)),
        2 => Just(Action::Sum),
        1 => (0..LANE).prop_map(Action::Fetch),
        1 => (0..LANE, any::<bool>()).prop_map(|(at, is)| Action::Swap(at, is)),
        1 => (0..LANE, any_fate()).prop_map(|(at, fate)| Action::Request(at, fate)),
        1 => (0..LANE, any_fate()).prop_map(|(at, fate)| Action::GetRequest(at, fate)),
        1 => (0..LANE).prop_map(Action::Notify),
        2 => (0..LANE).prop_map(Action::Attached),
        1 => (0..LANE).prop_map(Action::Inner),
        1 => Just(Action::Outside),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    let epoch = prop_oneof![
        3 => Just(Epoch::Fence),
        1 => Just(Epoch::Fences),
        2 => Just(Epoch::Exposure),
        1 => Just(Epoch::Lock(Lock::Exclusive)),
        1 => Just(Epoch::Lock(Lock::Shared)),
        2 => Just(Epoch::LockAll),
    ];
    let actions = prop::collection::vec(prop::collection::vec((0..RANKS, any_action()), 0..4), RANKS);
    prop_oneof![
        8 => (epoch, actions).prop_map(|(epoch, actions)| Step::Epoch(epoch, actions)),
        1 => Just(Step::Barrier),
        1 => Just(Step::Reduce),
        1 => (0usize..400).prop_map(Step::Message),
        2 => (0..RANKS).prop_map(Step::Attach),
        1 => Just(Step::Renew),
        1 => any_fate().prop_map(Step::Stray),
        1 => (0..RANKS).prop_map(Step::Panic),
    ]
}

/// The values of a rank's windows, as they should be.
#[derive(Clone)]
struct Memory {
    window: [u64; ELEMENTS],
    attached: [u64; SUM],
}

/// What a rank knows: the memory of all, for every rank knows the program.
struct Model {
    ranks: Vec<Memory>,
    /// A value that was not there yet.
    next: u64,
}

impl Model {
    fn new(ranks: usize) -> Self {
        let memory = Memory {
            window: [0; ELEMENTS],
            attached: [0; SUM],
        };
        Self {
            ranks: vec![memory; ranks],
            next: 1,
        }
    }

    fn values(&mut self, number: usize) -> Vec<u64> {
        let first = self.next;
        self.next += number as u64;
        (first..self.next).collect()
    }
}

/// The lane of a rank.
fn lane(rank: usize) -> usize {
    rank * LANE
}

/// An action of which the values are chosen, and what gets should bring.
#[derive(Clone)]
struct Planned {
    target: usize,
    action: Action,
    origin: Vec<u64>,
    /// What is read: of what was there before the step.
    before: Vec<u64>,
}

/// What one of a rank's actions does to the model. An action that would meet an earlier one of the step is left out:
/// `None`.
fn plan(
    model: &mut Model,
    rank: usize,
    target: usize,
    action: Action,
    used: &mut Vec<(usize, usize, usize)>,
    has_attached: bool,
) -> Option<Planned> {
    let first = lane(rank);
    // Attached memory comes after that of the window.
    let (from, length, at) = match action {
        Action::Put(from, length) | Action::Get(from, length) => (from, length, first),
        Action::PutLayout => (0, LANE, first),
        Action::Sum | Action::Outside => (0, 0, first),
        Action::Attached(at) => (at, 1, ELEMENTS + first),
        Action::PutValue(at)
        | Action::Fetch(at)
        | Action::Swap(at, _)
        | Action::Request(at, _)
        | Action::GetRequest(at, _)
        | Action::Notify(at)
        | Action::Inner(at) => (at, 1, first),
    };
    let (begin, end) = (at + from, at + from + length);
    let meets = |&(other, low, high): &(usize, usize, usize)| other == target && low < end && begin < high;
    if used.iter().any(meets) || matches!(action, Action::Attached(_)) && !has_attached {
        return None;
    }
    used.push((target, begin, end));
    let origin = model.values(LANE);
    let memory = &mut model.ranks[target];
    let place = if at >= ELEMENTS {
        &mut memory.attached[begin - ELEMENTS..end - ELEMENTS]
    } else {
        &mut memory.window[begin..end]
    };
    let before = place.to_vec();
    match action {
        Action::Put(..) => place.copy_from_slice(&origin[..length]),
        Action::PutLayout => (0..LANE).step_by(2).for_each(|at| place[at] = origin[at]),
        Action::PutValue(_)
        | Action::Request(..)
        | Action::Notify(_)
        | Action::Attached(_)
        | Action::Inner(_) => {
            place[0] = origin[0];
        }
        Action::Fetch(_) => place[0] += origin[0],
        Action::Swap(_, true) => place[0] = origin[0],
        Action::Sum => memory.window[SUM] += origin[0],
        Action::Get(..) | Action::GetRequest(..) | Action::Swap(_, false) | Action::Outside => {}
    }
    Some(Planned {
        target,
        action,
        origin,
        before,
    })
}

/// Does the actions of a rank, and looks at what they bring.
macro_rules! act {
    ($epoch:expr, $rank:expr, $connected:expr, $planned:expr, $got:expr, $notices:expr) => {{
        for (planned, got) in $planned.iter().zip($got.iter_mut()) {
            let (to, first, origin) = (planned.target as u32, lane($rank), &planned.origin[..]);
            match planned.action {
                Action::Put(from, length) => $epoch.put(&origin[..length], to, first + from)?,
                Action::PutValue(at) => $epoch.put_value(origin[0], to, first + at)?,
                Action::PutLayout => {
                    let layout = Layout::vector(LANE.div_ceil(2), 1, 2)?;
                    $epoch.put_layout(origin, &layout, to, first, &layout)?;
                }
                Action::Get(from, _) => $epoch.get(got, to, first + from)?,
                Action::Sum => $epoch.accumulate(Operation::Sum, &origin[..1], to, SUM)?,
                Action::Fetch(at) => {
                    $epoch.fetch_and_op(Operation::Sum, origin[0], &mut got[0], to, first + at)?
                }
                Action::Swap(at, is) => {
                    let expected = planned.before[0].wrapping_add(u64::from(!is));
                    $epoch.compare_and_swap(expected, origin[0], &mut got[0], to, first + at)?;
                }
                Action::Request(at, fate) => {
                    let request = $epoch.rput(origin[..1].to_vec(), to, first + at)?;
                    match fate {
                        Fate::Wait => assert_eq!(request.wait()?, origin[..1]),
                        Fate::Drop => drop(request),
                        Fate::Forget => std::mem::forget(request),
                    }
                }
                Action::GetRequest(at, fate) => {
                    let request = $epoch.rget(vec![0; 1], to, first + at)?;
                    match fate {
                        Fate::Wait => got.copy_from_slice(&request.wait()?),
                        Fate::Drop => drop(request),
                        Fate::Forget => std::mem::forget(request),
                    }
                }
                Action::Notify(at) => {
                    if $notices {
                        $epoch.put_notify(&origin[..1], to, first + at, 3)?;
                    } else {
                        $epoch.put(&origin[..1], to, first + at)?;
                    }
                }
                Action::Attached(at) => {
                    let memory = $connected[planned.target]
                        .as_ref()
                        .expect("it is planned if it is there");
                    $epoch.put(&origin[..1], memory, first + at)?;
                }
                Action::Inner(at) => {
                    let value = [origin[0]];
                    $epoch.local(|batch| batch.put(&value, to, first + at))?;
                }
                Action::Outside => {
                    for (displacement, length) in [(ELEMENTS, 1), (SUM, 2), (usize::MAX, 2)] {
                        let refused = $epoch.put(&origin[..length], to, displacement);
                        assert!(matches!(refused, Err(Error::OutOfBounds { .. })), "{refused:?}");
                    }
                }
            }
        }
        farside::Result::<()>::Ok(())
    }};
}

/// Memory that was attached to the window: the own, and connections to that of others.
type Extra = (Option<Attached<u64>>, Vec<Option<Connected<u64>>>);

/// Compares what a rank is lent with the model, twice.
fn compare(world: &World, window: &mut Window<u64>, extra: &mut Extra, model: &Model) -> Result<()> {
    let expected = &model.ranks[world.rank() as usize];
    for pause in [0, 200] {
        let lent = window.local()?;
        assert_eq!(lent, expected.window);
        world.compute(Duration::from_micros(pause));
        assert_eq!(lent, expected.window, "it was lent");
        if let Some(own) = &extra.0 {
            assert_eq!(window.attached(own)?, expected.attached);
        }
    }
    assert_eq!(window.local_mut()?, expected.window);
    Ok(())
}

fn epoch(
    world: &World,
    mut window: Window<u64>,
    extra: &Extra,
    kind: Epoch,
    planned: &[Planned],
) -> Result<Window<u64>> {
    let (me, size) = (world.rank() as usize, world.size());
    let all: Vec<u32> = (0..size).collect();
    let notices = window.greatest_notice().is_some();
    let connected = &extra.1;
    let mut got: Vec<Vec<u64>> = planned
        .iter()
        .map(|planned| vec![0; planned.before.len().max(1)])
        .collect();
    for (planned, got) in planned.iter().zip(&mut got) {
        got.truncate(if let Action::Get(_, length) = planned.action {
            length
        } else {
            1
        });
    }
    match kind {
        Epoch::Fence => window.fence(|epoch| act!(epoch, me, connected, planned, got, notices))?,
        Epoch::Fences => {
            let half = planned.len() / 2;
            let (first, second) = got.split_at_mut(half);
            window.fences(|fences| {
                fences.epoch(|epoch| act!(epoch, me, connected, planned[..half], first, notices))?;
                fences.epoch(|epoch| act!(epoch, me, connected, planned[half..], second, notices))
            })?;
        }
        Epoch::Exposure => window.post(&all, |exposure| {
            exposure.start(&all, |epoch| act!(epoch, me, connected, planned, got, notices))
        })?,
        Epoch::Lock(lock) => {
            let passive = window.into_passive()?;
            for (planned, got) in planned.iter().zip(&mut got) {
                let (planned, got) = (std::slice::from_ref(planned), std::slice::from_mut(got));
                passive.lock(planned[0].target as u32, lock, |epoch| {
                    act!(epoch, me, connected, planned, got, notices)
                })?;
            }
            window = passive.into_active()?;
        }
        Epoch::LockAll => {
            let mut passive = window.into_passive()?;
            passive.lock_all(|epoch| {
                act!(epoch, me, connected, planned, got, notices)?;
                epoch.flush_all()
            })?;
            window = passive.into_active()?;
        }
    }
    for (planned, got) in planned.iter().zip(&got) {
        let waited = matches!(
            planned.action,
            Action::Get(..) | Action::Fetch(_) | Action::Swap(..) | Action::GetRequest(_, Fate::Wait)
        );
        assert!(!waited || *got == planned.before, "{:?}: {got:?}", planned.action);
    }
    world.barrier()?;
    Ok(window)
}

/// Runs the steps at a rank, and compares after each.
fn run(world: &World, steps: &[Step], fence: Fence) -> Result<()> {
    let (me, size) = (world.rank() as usize, world.size() as usize);
    let make = || {
        let mut window = Window::<u64>::allocate(world, ELEMENTS)?;
        programs::choose(&mut window, fence)?;
        Ok::<_, Error>(window)
    };
    let mut model = Model::new(size);
    let mut window = make()?;
    let nothing = || -> Extra { (None, vec![None; size]) };
    let mut extra = nothing();
    for step in steps {
        match step {
            Step::Epoch(kind, actions) => {
                let mut used = Vec::new();
                let mut own = Vec::new();
                for (rank, actions) in actions.iter().take(size).enumerate() {
                    for &(target, action) in actions {
                        let target = target % size;
                        let has_attached = extra.1[target].is_some();
                        let planned = plan(&mut model, rank, target, action, &mut used, has_attached);
                        own.extend(planned.filter(|_| rank == me));
                    }
                }
                window = epoch(world, window, &extra, *kind, &own)?;
            }
            Step::Barrier => world.barrier()?,
            Step::Reduce => {
                let mut sums = [me as u64, 1];
                world.allreduce(Operation::Sum, &mut sums)?;
                assert_eq!(sums, [(size * (size - 1) / 2) as u64, size as u64]);
            }
            Step::Message(length) => {
                let next = (me + 1) % size;
                world.send(next as u32, 5, &vec![me as u64; *length])?;
                let message = world.receive::<u64>(None, Some(5))?;
                assert_eq!(message.values, vec![((me + size - 1) % size) as u64; *length]);
            }
            Step::Attach(rank) => {
                let rank = rank % size;
                if extra.1[rank].is_some() {
                    continue;
                }
                let own = (rank == me).then(|| window.attach(SUM)).transpose()?;
                let mut token: [Token; 1] = [bytemuck::Zeroable::zeroed()];
                if let Some(own) = &own {
                    token = [own.token()];
                }
                world.broadcast(rank as u32, &mut token)?;
                extra.1[rank] = Some(window.connect(&token[0])?);
                extra.0 = own.or(extra.0);
            }
            Step::Renew => {
                let expected = model.ranks[me].window;
                assert_eq!(window.free_into()?, expected);
                window = make()?;
                (model, extra) = (Model::new(size), nothing());
            }
            Step::Stray(fate) => {
                let stray = Window::<u64>::create(world, vec![7; 9])?;
                match fate {
                    Fate::Wait => stray.free()?,
                    Fate::Drop => drop(stray),
                    Fate::Forget => std::mem::forget(stray),
                }
            }
            Step::Panic(rank) => {
                let mut stray = Window::<u64>::allocate(world, 4)?;
                let buffer = [1, 2, 3, 4];
                let mut panics = || stray.start(&[], |_| -> Result<()> { resume_unwind(Box::new(buffer)) });
                if rank % size == me {
                    assert!(catch_unwind(AssertUnwindSafe(&mut panics)).is_err());
                    assert!(stray.local().is_err());
                }
            }
        }
        compare(world, &mut window, &mut extra, &model)?;
    }
    world.barrier()?;
    window.free()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn memory_is_what_the_model_says(
        ranks in 2..=RANKS as u32,
        steps in prop::collection::vec(any_step(), 1..12),
        design in 0..Fence::ALL.len(),
        network in 0..8usize,
    ) {
        let fence = Fence::ALL[design];
        let networks = networks();
        let program = |world: &World| {
            let fence = if world.fence_refusal(fence).is_some() { Fence::Flush } else { fence };
            run(world, &steps, fence)
        };
        let simulation = Simulation::new(&networks[network % networks.len()], ranks);
        let result = farside::simulate_with(simulation, program);
        prop_assert!(result.is_ok(), "{fence}, network {network}: {result:?}");
        let result = farside::threads(ranks, program);
        prop_assert!(result.is_ok(), "{fence}, threads: {result:?}");
    }
}

/// Some programs at each change, more at night.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(64)
}
