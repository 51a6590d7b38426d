//! Random MPI programs: 2 to 3 ranks, up to 8 memory operations, all synchronisation kinds.
//!
//! A program is made as a sequence of global pieces (an access, a message, a barrier, a lock epoch, ...), so that most
//! are valid; then some statements are dropped, doubled or swapped, so that many are not. Some programs poll, count, or
//! turn for ever, so that there are executions in which a loop comes to its bound.

use crate::build::*;
use farside_litmus::ast::{Assertion, Operation, Program, Rank, StatementKind};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Equal seeds give equal programs.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// Two variables a rank: `2r`, `2r + 1`.
struct Writer<'r> {
    random: &'r mut Random,
    ranks: usize,
    processes: Vec<Vec<StatementKind>>,
    left: usize,
}

/// How a program synchronises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    LockAll,
    Locks,
    Fences,
    General,
    Mixed,
}

/// The program of a seed.
pub fn generate(seed: u64, operations: usize) -> Program {
    let mut random = Random::new(seed);
    let ranks = if random.chance(60) { 2 } else { 3 };
    let style = random.pick(&[
        Style::LockAll,
        Style::LockAll,
        Style::Locks,
        Style::Locks,
        Style::Fences,
        Style::General,
        Style::General,
        Style::Mixed,
    ]);
    let left = 2 + random.below(operations - 1);
    let mut writer = Writer {
        random: &mut random,
        ranks,
        processes: vec![Vec::new(); ranks],
        left,
    };
    writer.fill(style);
    let mut processes = writer.processes;
    if random.chance(20) {
        disturb(&mut random, &mut processes);
    }
    let variables: Vec<(u32, i64)> = (0..2 * ranks as u32)
        .map(|v| (v / 2, i64::from(v) + 10))
        .collect();
    let shown: Vec<u32> = (0..2 * ranks as u32).collect();
    showing(program(&variables, processes), &shown)
}

impl Writer<'_> {
    fn rank(&mut self) -> usize {
        self.random.below(self.ranks)
    }

    fn other(&mut self, rank: usize) -> usize {
        (rank + 1 + self.random.below(self.ranks - 1)) % self.ranks
    }

    fn add(&mut self, rank: usize, kind: StatementKind) {
        self.processes[rank].push(kind);
    }

    fn everywhere(&mut self, kind: &StatementKind) {
        for process in &mut self.processes {
            process.push(kind.clone());
        }
    }

    /// A variable of the rank; mostly the second, so that operations meet.
    fn own(&mut self, rank: usize) -> u32 {
        2 * rank as u32 + u32::from(self.random.chance(60))
    }

    fn shared(&mut self, rank: usize) -> u32 {
        2 * rank as u32 + u32::from(self.random.chance(15))
    }

    fn access(&mut self, rank: usize) {
        self.left = self.left.saturating_sub(1);
        let variable = if self.random.chance(50) {
            self.shared(rank)
        } else {
            self.own(rank)
        };
        let kind = if self.random.chance(50) {
            let register = self.random.below(2) as u32;
            load(register, variable)
        } else {
            store(variable, 20 + self.left as i64)
        };
        self.add(rank, kind);
    }

    fn operation(&mut self, rank: usize, target: usize) {
        self.left = self.left.saturating_sub(1);
        let (there, here) = (self.shared(target), self.own(rank));
        let operation = self.random.pick(&[
            Operation::Sum,
            Operation::Replace,
            Operation::NoOp,
            Operation::Product,
        ]);
        let spare = 2 * rank as u32 + u32::from(here.is_multiple_of(2));
        let kind = match self.random.below(6) {
            0 | 1 => put(there, here),
            2 => get(here, there),
            3 if operation != Operation::NoOp => accumulate(there, here, operation),
            3 | 4 => get_accumulate(here, there, spare, operation),
            _ => match self.random.chance(40) {
                true => compare_and_swap(here, there, spare, spare),
                false => get_accumulate(here, there, spare, Operation::NoOp),
            },
        };
        self.add(rank, kind);
    }

    fn target(&mut self, rank: usize) -> usize {
        if self.random.chance(15) {
            rank
        } else {
            self.other(rank)
        }
    }

    fn complete(&mut self, rank: usize, target: usize) {
        let target = Rank(target as u32);
        let kind = self.random.pick(&[
            StatementKind::Flush(target),
            StatementKind::Flush(target),
            StatementKind::FlushLocal(target),
            StatementKind::FlushAll,
            StatementKind::FlushLocalAll,
            StatementKind::Sync,
        ]);
        self.add(rank, kind);
    }

    fn message(&mut self) {
        let from = self.rank();
        let to = self.other(from);
        self.add(from, send(to as u32));
        self.add(to, receive(from as u32));
    }

    /// A load that decides what comes next.
    fn decision(&mut self, rank: usize) {
        let variable = self.own(rank);
        self.left = self.left.saturating_sub(2);
        let value = 10 + self.random.below(2 * self.ranks) as i64;
        let there = self.own(rank);
        let inner = if self.random.chance(50) {
            load(1, there)
        } else {
            store(there, 5)
        };
        self.add(rank, load(0, variable));
        let choice = if self.random.chance(30) {
            choose(0, value, vec![inner], vec![store(there, 6)])
        } else {
            when(0, value, vec![inner])
        };
        self.add(rank, choice);
    }

    /// A loop: until a value is seen, so many times, or for ever.
    fn repetition(&mut self, rank: usize, style: Style) {
        const POLLED: u32 = 2;
        const TURNS: u32 = 3;
        self.left = self.left.saturating_sub(1);
        let variable = self.own(rank);
        // A first value, one that another process may put there, or what nobody writes.
        let value = match self.random.below(4) {
            0 => 99,
            1 => 20 + self.random.below(4) as i64,
            _ => 10 + self.random.below(2 * self.ranks) as i64,
        };
        let bound = 1 + self.random.below(2) as u32;
        let repeated = match self.random.below(6) {
            0 | 1 => until(POLLED, value, bound, vec![load(POLLED, variable)]),
            2 => {
                let body = self.fetching(rank, style);
                until(POLLED, value, bound, body)
            }
            3 => {
                let turns = i64::from(bound) + i64::from(self.random.chance(30));
                let body = vec![store(variable, 7), count(TURNS)];
                self.add(rank, assign(TURNS, 0));
                until(TURNS, turns, bound, body)
            }
            4 => {
                let body = vec![
                    load(POLLED, variable),
                    when(POLLED, value, vec![store(self.own(rank), 8)]),
                ];
                until(TURNS, 1, 1, body)
            }
            _ => until(TURNS, 1, 1, Vec::new()),
        };
        self.add(rank, repeated);
    }

    /// Reads a word of another process, in an epoch of its own where there is none.
    fn fetching(&mut self, rank: usize, style: Style) -> Vec<StatementKind> {
        const POLLED: u32 = 2;
        let target = self.other(rank);
        let (there, here) = (self.shared(target), self.own(rank));
        let spare = 2 * rank as u32 + u32::from(here.is_multiple_of(2));
        let fetch = match self.random.chance(50) {
            true => get(here, there),
            false => get_accumulate(here, there, spare, Operation::NoOp),
        };
        match style {
            Style::LockAll => vec![fetch, flush(target as u32), load(POLLED, here)],
            _ => vec![
                lock_exclusive(target as u32),
                fetch,
                unlock(target as u32),
                load(POLLED, here),
            ],
        }
    }

    fn lock_epoch(&mut self, rank: usize) {
        let target = self.target(rank);
        let kind = if self.random.chance(70) {
            lock_exclusive(target as u32)
        } else {
            lock_shared(target as u32)
        };
        self.add(rank, kind);
        for _ in 0..1 + self.random.below(2) {
            match self.random.below(5) {
                0 => self.access(rank),
                1 => {
                    self.operation(rank, target);
                    self.complete(rank, target);
                }
                _ => self.operation(rank, target),
            }
        }
        self.add(rank, unlock(target as u32));
    }

    fn general_epoch(&mut self) {
        let target = self.rank();
        let mut origins: Vec<usize> = (0..self.ranks).filter(|&rank| rank != target).collect();
        if self.random.chance(40) {
            origins.truncate(1);
        }
        if self.random.chance(30) {
            self.access(target);
        }
        let group = origins.iter().map(|&rank| Rank(rank as u32)).collect();
        self.add(target, StatementKind::Post(group));
        if self.random.chance(20) {
            self.access(target);
        }
        for &origin in &origins {
            self.add(origin, StatementKind::Start(vec![Rank(target as u32)]));
            for _ in 0..self.random.below(3) {
                self.operation(origin, target);
            }
            if self.random.chance(20) {
                self.access(origin);
            }
            self.add(origin, StatementKind::Complete);
            if self.random.chance(30) {
                self.access(origin);
            }
        }
        self.add(target, StatementKind::Wait);
        if self.random.chance(50) {
            self.access(target);
        }
    }

    fn fence(&mut self) {
        let all = [
            Assertion::NoPrecede,
            Assertion::NoSucceed,
            Assertion::NoStore,
            Assertion::NoPut,
        ];
        let common = match self.random.below(6) {
            0 => vec![Assertion::NoPrecede],
            1 => vec![Assertion::NoSucceed],
            _ => Vec::new(),
        };
        for rank in 0..self.ranks {
            let mut assertions = common.clone();
            if self.random.chance(7) {
                let more = self.random.pick(&all);
                if !assertions.contains(&more) {
                    assertions.push(more);
                }
            }
            self.add(rank, StatementKind::Fence(assertions));
        }
    }

    fn fill(&mut self, style: Style) {
        if style == Style::LockAll {
            self.everywhere(&StatementKind::LockAll);
        }
        if style == Style::Fences && self.random.chance(80) {
            self.fence();
        }
        let mut pieces = 0;
        let mut loops = usize::from(self.random.chance(30));
        while self.left > 0 && pieces < 9 {
            pieces += 1;
            let style = match style {
                Style::Mixed => self.random.pick(&[Style::Locks, Style::Fences, Style::General]),
                style => style,
            };
            let rank = self.rank();
            if loops > 0 && self.random.chance(40) {
                loops -= 1;
                self.repetition(rank, style);
                continue;
            }
            match (style, self.random.below(12)) {
                (_, 0 | 1) => self.access(rank),
                (_, 2 | 3) => self.message(),
                (_, 4) => self.everywhere(&StatementKind::Barrier),
                (_, 5) if self.random.chance(40) => self.decision(rank),
                (_, 5) => self.add(rank, StatementKind::Sync),
                (Style::LockAll, kind) => {
                    let target = self.target(rank);
                    if kind < 10 {
                        self.operation(rank, target);
                    }
                    if kind >= 8 {
                        self.complete(rank, target);
                    }
                }
                (Style::Locks, _) => self.lock_epoch(rank),
                (Style::General, _) => self.general_epoch(),
                (Style::Fences, 6..=8) => self.fence(),
                _ => {
                    let target = self.target(rank);
                    self.operation(rank, target);
                }
            }
        }
        match style {
            Style::LockAll => self.everywhere(&StatementKind::UnlockAll),
            Style::Fences => self.everywhere(&fence()),
            _ => {}
        }
    }
}

/// Drops, doubles or swaps a statement.
fn disturb(random: &mut Random, processes: &mut [Vec<StatementKind>]) {
    let rank = random.below(processes.len());
    let process = &mut processes[rank];
    if process.len() < 2 {
        return;
    }
    let index = random.below(process.len());
    match random.below(3) {
        0 => {
            process.remove(index);
        }
        1 => {
            let again = process[index].clone();
            let place = random.below(process.len());
            process.insert(place, again);
        }
        _ => {
            let other = random.below(process.len());
            process.swap(index, other);
        }
    }
}

/// How many programs a test looks at: as many as `FARSIDE_RANDOM_PROGRAMS` says.
pub fn programs(usually: u64) -> u64 {
    std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usually)
}

/// A program as text for people, until something better is asked for.
pub fn describe(program: &Program) -> String {
    let mut text = String::new();
    for (rank, process) in program.processes.iter().enumerate() {
        text.push_str(&format!("P{rank}:\n"));
        for statement in &process.statements {
            text.push_str(&format!(
                "    {}\n",
                farside_litmus::print_statement(
                    program,
                    farside_litmus::ast::Rank(rank as u32),
                    &statement.kind
                )
            ));
        }
    }
    text
}
