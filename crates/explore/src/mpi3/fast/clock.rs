//! Vector clocks, a component a process.

use farside_litmus::ast::Rank;

/// A moment of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Moment {
    pub(super) rank: Rank,
    time: u16,
}

/// What is known of each process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Clock(Vec<u16>);

impl Clock {
    /// Of so many processes, nothing known.
    pub(super) fn new(processes: usize) -> Self {
        Self(vec![0; processes])
    }

    /// The process does something.
    pub(super) fn tick(&mut self, rank: Rank) -> Moment {
        let time = &mut self.0[rank.0 as usize];
        *time += 1;
        Moment { rank, time: *time }
    }

    /// Learns what the other knows.
    pub(super) fn join(&mut self, other: &Self) {
        for (own, known) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*known);
        }
    }

    /// Whether the moment is known.
    pub(super) fn knows(&self, moment: Moment) -> bool {
        self.0[moment.rank.0 as usize] >= moment.time
    }
}
