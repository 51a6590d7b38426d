//! Ranks that are lost.

use super::process::State;
use super::{Happening, Key, World};
use crate::time::Time;
use farside_fabric::{Error, Rank};

impl World {
    /// A rank dies now: its operations leave its buffers alone, what is under way to it is lost, and the others will
    /// learn of it. `false`: it had ended before.
    pub(crate) fn kill(&mut self, rank: Rank) -> bool {
        if matches!(self.process(rank).state, State::Dead | State::Ended) {
            return false;
        }
        let process = self.process(rank);
        process.state = State::Dead;
        process.turn += 1;
        self.alive -= 1;
        self.forsake(rank);
        let known = self.now + Time::of(self.network.detection);
        self.agenda.push(known, Happening::Detect(rank));
        true
    }

    /// All operations of a rank leave its buffers alone: its stack goes.
    pub(crate) fn forsake(&mut self, rank: Rank) {
        for key in self.keys_of(|origin, _, _| origin == rank) {
            self.fail(key, Error::PeerLost { rank });
        }
    }

    /// The others learn that a rank is lost.
    pub(crate) fn detect(&mut self, rank: Rank) {
        self.lost.get_or_insert(rank);
        for key in self.keys_of(|_, target, _| target == rank) {
            self.fail(key, Error::PeerLost { rank });
        }
        (0..self.ranks()).for_each(|rank| self.wake(rank));
    }

    /// A rank is lost, and another gives up the operations that it waits for.
    pub(crate) fn abandon(&mut self, origin: Rank, scope: u32, target: Option<Rank>, lost: Rank) {
        let given_up = self.keys_of(|from, to, of| {
            from == origin && of == scope && target.is_none_or(|target| target == to)
        });
        for key in given_up {
            self.fail(key, Error::PeerLost { rank: lost });
        }
    }

    /// Operations, by origin, target and scope.
    fn keys_of(&self, is_meant: impl Fn(Rank, Rank, u32) -> bool) -> Vec<Key> {
        let mut keys = self.operations.keys();
        keys.retain(|key| {
            self.operations
                .get(*key)
                .is_some_and(|operation| is_meant(operation.origin, operation.target, operation.scope))
        });
        keys
    }
}
