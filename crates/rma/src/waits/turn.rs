//! Turns of futures that an executor polls in rounds: one leads, and waits a moment for all of them (see
//! [`crate::future`]).

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// For so long a poll may keep its executor: what timers of executors resolve.
pub(crate) const LONGEST: Duration = Duration::from_millis(1);

/// The future that leads the rounds of a rank's executor: its number, or 0.
#[derive(Default)]
pub(crate) struct Leader(Rc<Cell<u64>>, Cell<u64>);

/// The part of a future in rounds.
#[derive(Default)]
pub(crate) struct Turn {
    number: u64,
    leader: Option<Rc<Cell<u64>>>,
}

/// What a future that was polled in vain is to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// Another one leads.
    Goes,
    /// It leads from here on.
    Begins,
    /// It leads, and all others have had their turn.
    IsOver,
}

impl Turn {
    /// A poll was in vain.
    pub(crate) fn take(&mut self, leader: &Leader) -> Round {
        let Leader(current, last) = leader;
        if self.leader.is_none() {
            last.set(last.get() + 1);
            self.number = last.get();
            self.leader = Some(Rc::clone(current));
        }
        match current.get() {
            0 => {
                current.set(self.number);
                Round::Begins
            }
            number if number == self.number => Round::IsOver,
            _ => Round::Goes,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // What is left of the others begins a round of its own: something has happened.
        if let Some(leader) = &self.leader {
            leader.set(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_future_of_a_round_waits() {
        let leader = Leader::default();
        let (mut first, mut second) = (Turn::default(), Turn::default());
        assert_eq!(first.take(&leader), Round::Begins);
        assert_eq!(second.take(&leader), Round::Goes);
        assert_eq!(first.take(&leader), Round::IsOver);
        assert_eq!(second.take(&leader), Round::Goes);
        drop(first);
        assert_eq!(second.take(&leader), Round::Begins);
        assert_eq!(second.take(&leader), Round::IsOver);
    }
}
