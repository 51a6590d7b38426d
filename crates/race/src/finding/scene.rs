//! What took part in a race, for a smaller program that has it too; with places, by which repairs find their own.

use super::Site;
use farside_events::{Interface, Rank};
use farside_findings::{Act, SceneAccess};
use serde::{Deserialize, Serialize};

/// What took part in a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawScene {
    /// Whose calls they are.
    pub interface: Interface,
    /// The accesses, in the order of the parties.
    pub accesses: [SceneAccess; 2],
    /// The threads of the accesses: one, or first that of the access that was seen first.
    pub lanes: Vec<RawSceneLane>,
}

/// What a thread did around its access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawSceneLane {
    /// Its process.
    pub rank: Rank,
    /// One after the other, each with its place.
    pub acts: Vec<(Site, Act)>,
}

impl RawScene {
    /// The same for the parties in the other order.
    pub(crate) fn turn(&mut self) {
        self.accesses.swap(0, 1);
        for (_, act) in self.lanes.iter_mut().flat_map(|lane| &mut lane.acts) {
            match act {
                Act::Access(party) | Act::Completion(party) => *party = 1 - (*party).min(1),
                _ => {}
            }
        }
    }
}
