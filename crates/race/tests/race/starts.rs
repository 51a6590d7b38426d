//! Starts that would wait for ever where they wait for their posts, against random programs that are run with starts
//! that wait and with starts that do not.

use crate::script::Script;
use farside_built::cases;
use farside_findings::Rule;
use proptest::prelude::*;
use std::collections::HashMap;

const RANKS: usize = 3;

/// A call of one process.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Start(Vec<u32>),
    Complete(Vec<u32>),
    Post(Vec<u32>),
    Wait(Vec<u32>),
    Send(u32),
    Receive(u32),
    Barrier,
}

impl Step {
    /// Whether the two must stay in their order: calls of one epoch or of one kind of epoch, and of one communicator.
    fn holds(&self, other: &Self) -> bool {
        let kind = |step: &Self| match step {
            Self::Start(_) | Self::Complete(_) => 0,
            Self::Post(_) | Self::Wait(_) => 1,
            Self::Send(_) | Self::Receive(_) => 2,
            Self::Barrier => 3,
        };
        kind(self) == kind(other)
    }
}

/// What processes do with each other.
#[derive(Clone, Debug)]
enum Item {
    /// One starts an epoch for those that the mask has.
    Epoch(u32, u32),
    Message(u32, u32),
    Barrier,
}

fn item() -> impl Strategy<Value = Item> {
    let rank = || 0..RANKS as u32;
    prop_oneof![
        5 => (rank(), 1..1_u32 << RANKS).prop_map(|(origin, mask)| Item::Epoch(origin, mask)),
        2 => (rank(), rank()).prop_map(|(from, to)| Item::Message(from, to)),
        1 => Just(Item::Barrier),
    ]
}

/// The programs of all processes: what the items say, with calls that were swapped where that is allowed.
fn programs(items: &[Item], swaps: &[(usize, usize)]) -> Vec<Vec<Step>> {
    let mut programs = vec![Vec::new(); RANKS];
    for item in items {
        match item {
            Item::Epoch(origin, mask) => {
                let others = (0..RANKS as u32).filter(|rank| rank != origin && mask & (1 << rank) != 0);
                let group: Vec<u32> = others.collect();
                for &target in &group {
                    programs[target as usize].push(Step::Post(vec![*origin]));
                }
                if !group.is_empty() {
                    programs[*origin as usize]
                        .extend([Step::Start(group.clone()), Step::Complete(group.clone())]);
                }
                for &target in &group {
                    programs[target as usize].push(Step::Wait(vec![*origin]));
                }
            }
            Item::Message(from, to) if from != to => {
                programs[*from as usize].push(Step::Send(*to));
                programs[*to as usize].push(Step::Receive(*from));
            }
            Item::Message(..) => {}
            Item::Barrier => programs
                .iter_mut()
                .for_each(|program| program.push(Step::Barrier)),
        }
    }
    for &(rank, at) in swaps {
        let program = &mut programs[rank % RANKS];
        let at = at % program.len().max(2);
        if at + 1 < program.len() && !program[at].holds(&program[at + 1]) {
            program.swap(at, at + 1);
        }
    }
    programs
}

/// A run: how far each process has come, and what it has done for others.
#[derive(Default)]
struct Run {
    done: [usize; RANKS],
    /// By origin and target.
    started: HashMap<(u32, u32), u64>,
    completed: HashMap<(u32, u32), u64>,
    posted: HashMap<(u32, u32), u64>,
    waited: HashMap<(u32, u32), u64>,
    sent: HashMap<(u32, u32), u64>,
    received: HashMap<(u32, u32), u64>,
    barriers: [u64; RANKS],
}

impl Run {
    fn count(counts: &HashMap<(u32, u32), u64>, pair: (u32, u32)) -> u64 {
        counts.get(&pair).copied().unwrap_or(0)
    }

    /// Whether a process can make this call and return from it.
    fn may(&self, programs: &[Vec<Step>], rank: u32, step: &Step, starts_wait: bool) -> bool {
        match step {
            Step::Start(group) => {
                let met = |target: &u32| {
                    let pair = (rank, *target);
                    Self::count(&self.posted, pair) > Self::count(&self.started, pair)
                };
                !starts_wait || group.iter().all(met)
            }
            Step::Wait(group) => group.iter().all(|origin| {
                let pair = (*origin, rank);
                Self::count(&self.completed, pair) > Self::count(&self.waited, pair)
            }),
            Step::Receive(from) => {
                let pair = (*from, rank);
                Self::count(&self.sent, pair) > Self::count(&self.received, pair)
            }
            // All have come to it.
            Step::Barrier => (0..RANKS).all(|other| {
                let here = programs[other].get(self.done[other]) == Some(&Step::Barrier)
                    && self.barriers[other] == self.barriers[rank as usize];
                here || self.barriers[other] > self.barriers[rank as usize]
            }),
            Step::Complete(_) | Step::Post(_) | Step::Send(_) => true,
        }
    }

    fn make(&mut self, rank: u32, step: &Step) {
        let mut raise = |counts: fn(&mut Self) -> &mut HashMap<(u32, u32), u64>, pair| {
            *counts(self).entry(pair).or_default() += 1;
        };
        match step {
            Step::Start(group) => group
                .iter()
                .for_each(|to| raise(|run| &mut run.started, (rank, *to))),
            Step::Complete(group) => group
                .iter()
                .for_each(|to| raise(|run| &mut run.completed, (rank, *to))),
            Step::Post(group) => group
                .iter()
                .for_each(|from| raise(|run| &mut run.posted, (*from, rank))),
            Step::Wait(group) => group
                .iter()
                .for_each(|from| raise(|run| &mut run.waited, (*from, rank))),
            Step::Send(to) => raise(|run| &mut run.sent, (rank, *to)),
            Step::Receive(from) => raise(|run| &mut run.received, (*from, rank)),
            Step::Barrier => self.barriers[rank as usize] += 1,
        }
        self.done[rank as usize] += 1;
    }
}

/// Runs the programs, whoever can go on in the order that is chosen; gives the calls, or `None` if it hangs.
fn run(programs: &[Vec<Step>], starts_wait: bool, choices: &[usize]) -> Option<Vec<(u32, Step)>> {
    let mut run = Run::default();
    let mut made = Vec::new();
    let mut choices = choices.iter().cycle();
    loop {
        let next = |rank: &u32| {
            let step = programs[*rank as usize].get(run.done[*rank as usize])?;
            run.may(programs, *rank, step, starts_wait)
                .then(|| (*rank, step.clone()))
        };
        let able: Vec<(u32, Step)> = (0..RANKS as u32).filter_map(|rank| next(&rank)).collect();
        if able.is_empty() {
            let ended = (0..RANKS).all(|rank| run.done[rank] == programs[rank].len());
            return ended.then_some(made);
        }
        let (rank, step) = able[choices.next().unwrap_or(&0) % able.len()].clone();
        if step == Step::Barrier {
            // They meet, and all of them go on.
            for other in 0..RANKS as u32 {
                run.make(other, &step);
            }
        } else {
            run.make(rank, &step);
        }
        made.push((rank, step));
    }
}

/// What the detector says of a run.
fn would_hang(made: &[(u32, Step)]) -> bool {
    let mut script = Script::new(RANKS as u32);
    for (nth, (rank, step)) in made.iter().enumerate() {
        let line = 10 + nth as u64;
        match step {
            Step::Start(group) => script.start(*rank, line, group),
            Step::Complete(_) => script.complete(*rank),
            Step::Post(group) => script.post(*rank, line, group),
            Step::Wait(_) => script.wait(*rank),
            Step::Send(to) => script.send(*rank, *to, 0),
            Step::Receive(from) => script.receive(*rank, *from, 0),
            Step::Barrier => script.barrier(),
        }
    }
    let found = script.finish();
    assert!(
        found.iter().all(|finding| finding.rule == Rule::Deadlock),
        "{found:?}"
    );
    !found.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(400)) })]

    #[test]
    fn starts_would_wait_for_ever_where_they_do(
        items in prop::collection::vec(item(), 1..7),
        swaps in prop::collection::vec((0..RANKS, 0..12_usize), 0..12),
        choices in prop::collection::vec(0..12_usize, 1..40),
    ) {
        let programs = programs(&items, &swaps);
        let Some(made) = run(&programs, false, &choices) else {
            return Ok(());
        };
        let hangs = run(&programs, true, &choices).is_none();
        prop_assert_eq!(would_hang(&made), hangs, "{:?}", made);
    }
}

#[test]
fn the_random_programs_hang_and_do_not() {
    let epochs = [Item::Epoch(0, 2), Item::Epoch(1, 1)];
    // Both post, and then start: nobody hangs; both start first.
    let good = programs(&epochs, &[]);
    let both = |steps: [Step; 4]| steps.to_vec();
    let first = |peer: u32| {
        both([
            Step::Start(vec![peer]),
            Step::Post(vec![peer]),
            Step::Complete(vec![peer]),
            Step::Wait(vec![peer]),
        ])
    };
    let bad = vec![first(1), first(0), Vec::new()];
    for (programs, hangs) in [(good, false), (bad, true)] {
        let made = run(&programs, false, &[0, 1]).expect("an end");
        assert_eq!(run(&programs, true, &[0]).is_none(), hangs);
        assert_eq!(would_hang(&made), hangs);
    }
}

/// Which of two has a lock first is chance: had the other one had it, the start would meet its post.
#[test]
fn an_order_by_locks_is_chance() {
    use farside_events::LockKind;
    for locks in [false, true] {
        let mut s = Script::new(2);
        s.window_of(farside_events::WinId(5), 3, &[]);
        s.start(0, 1, &[1]);
        if locks {
            s.lock(0, 2, 0, LockKind::Exclusive);
            s.put(0, 3, crate::script::private(0), 0, 8);
            s.unlock(0, 0);
            s.lock(1, 4, 0, LockKind::Exclusive);
            s.get(1, 5, crate::script::private(8), 0, 8);
            s.unlock(1, 0);
        } else {
            s.send(0, 1, 5);
            s.receive(1, 0, 5);
        }
        s.post(1, 6, &[0]);
        s.complete(0);
        s.wait(1);
        let found = s.finish();
        let deadlocks = found
            .iter()
            .filter(|finding| finding.rule == Rule::Deadlock)
            .count();
        assert_eq!(deadlocks, usize::from(!locks), "{found:?}");
    }
}
