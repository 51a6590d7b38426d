//! What the threads of an OpenMP team share: tasks, loops, what one gives to all.

use rustc_hash::FxHashMap as HashMap;

/// What a thread is in its team; of no team, the only one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership {
    /// The number of the team.
    id: u64,
    /// The number that `omp_get_thread_num` gives.
    number: u32,
    /// How many threads there are in the team.
    size: u32,
}

impl Default for Membership {
    fn default() -> Self {
        Self::new(0, 0, 1)
    }
}

impl Membership {
    /// One of `size` threads of a team.
    pub(crate) fn new(id: u64, number: u32, size: u32) -> Self {
        Self { id, number, size }
    }

    pub(crate) fn id(self) -> u64 {
        self.id
    }

    pub(crate) fn number(self) -> u32 {
        self.number
    }

    pub(crate) fn size(self) -> u32 {
        self.size
    }

    /// Alone again, in what it was in.
    pub(super) fn alone(self) -> Self {
        Self::new(self.id, 0, 1)
    }
}

/// What the threads of a team share.
#[derive(Debug, Default)]
pub(crate) struct Team {
    /// Tasks that it has made and not yet waited for.
    tasks: Vec<usize>,
    /// The next round of an ordered region, by the number of the loop.
    ordered: HashMap<u64, i64>,
    /// What the thread of a `single` region gives to the others by `copyprivate`.
    given: u64,
}

impl Team {
    /// The threads that are its tasks.
    pub(crate) fn tasks(&self) -> &[usize] {
        &self.tasks
    }

    pub(crate) fn add_task(&mut self, thread: usize) {
        self.tasks.push(thread);
    }

    /// What the thread of a single region gives.
    pub(crate) fn give(&mut self, address: u64) {
        self.given = address;
    }

    pub(crate) fn given(&self) -> u64 {
        self.given
    }

    /// A thread begins a loop.
    pub(crate) fn begin_loop(&mut self, rounds: &Rounds) {
        self.ordered.entry(rounds.number).or_insert(rounds.current);
    }

    /// Whether the rounds before the current one are over.
    pub(crate) fn is_turn(&self, rounds: &Rounds) -> bool {
        let turn = self.ordered.get(&rounds.number);
        turn.is_none_or(|turn| *turn == rounds.current)
    }

    /// The current round has its turn.
    pub(crate) fn give_turn(&mut self, rounds: &Rounds) {
        self.ordered.insert(rounds.number, rounds.current);
    }
}

/// A loop whose rounds are handed out chunk by chunk: what a thread gets of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    /// Its number among the loops of the team.
    number: u64,
    next: i64,
    upper: i64,
    step: i64,
    chunk: i64,
    /// The round that the thread is in.
    current: i64,
    /// Bytes of the variable that counts.
    size: u64,
}

impl Rounds {
    /// The rounds from `lower` to `upper` of thread `own`.
    pub(crate) fn new(number: u64, own: u32, bounds: (i64, i64), step: i64, chunk: i64, size: u64) -> Self {
        let (lower, upper) = bounds;
        let before = i64::from(own).wrapping_mul(chunk).wrapping_mul(step);
        Self {
            number,
            next: lower.wrapping_add(before),
            upper,
            step,
            chunk,
            current: lower,
            size,
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn step(&self) -> i64 {
        self.step
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    fn is_beyond(&self, value: i64) -> bool {
        match self.step > 0 {
            true => value > self.upper,
            false => value < self.upper,
        }
    }

    /// The thread's next chunk, in a team of so many: its first and last round, and whether that is the last of the
    /// loop; `None` if there is none. Chunks go round among the threads.
    pub(crate) fn next_chunk(&mut self, team: u32) -> Option<(i64, i64, bool)> {
        if self.step == 0 || self.is_beyond(self.next) {
            return None;
        }
        let first = self.next;
        let end = first.wrapping_add((self.chunk - 1).wrapping_mul(self.step));
        let last = if self.is_beyond(end) { self.upper } else { end };
        self.current = first;
        let chunk = self.chunk.wrapping_mul(self.step);
        self.next = first.wrapping_add(i64::from(team).wrapping_mul(chunk));
        Some((first, last, self.is_beyond(last.wrapping_add(self.step))))
    }

    /// The thread goes on to the round after the current one.
    pub(crate) fn go_on(&mut self) {
        self.current = self.current.wrapping_add(self.step);
    }
}

/// The tasks that a later one with a dependence on a variable comes after.
#[derive(Clone, Debug, Default)]
struct Dependents {
    writer: Option<usize>,
    readers: Vec<usize>,
}

/// By the thread whose children the tasks are, and the address of the variable.
#[derive(Debug, Default)]
pub(crate) struct Dependences(HashMap<(usize, u64), Dependents>);

impl Dependences {
    /// A child of a thread names a variable in a `depend` clause; which tasks it comes after by that.
    pub(crate) fn enter(&mut self, parent: usize, variable: u64, task: usize, reads: bool) -> Vec<usize> {
        let known = self.0.entry((parent, variable)).or_default();
        let mut after: Vec<usize> = known.writer.into_iter().collect();
        if reads {
            known.readers.push(task);
        } else {
            after.append(&mut known.readers);
            known.writer = Some(task);
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_go_round_among_the_threads() {
        let mut all: Vec<(i64, i64, bool)> = Vec::new();
        for own in 0..2 {
            let mut rounds = Rounds::new(1, own, (0, 6), 1, 2, 4);
            all.extend(std::iter::from_fn(|| rounds.next_chunk(2)));
        }
        all.sort_unstable();
        assert_eq!(all, [(0, 1, false), (2, 3, false), (4, 5, false), (6, 6, true)]);
    }

    #[test]
    fn a_task_that_writes_comes_after_all_that_read() {
        let mut dependences = Dependences::default();
        assert!(dependences.enter(0, 8, 1, false).is_empty());
        assert_eq!(dependences.enter(0, 8, 2, true), [1]);
        assert_eq!(dependences.enter(0, 8, 3, true), [1]);
        assert_eq!(dependences.enter(0, 8, 4, false), [1, 2, 3]);
        assert!(dependences.enter(1, 8, 5, true).is_empty());
    }
}
