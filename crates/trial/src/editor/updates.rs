//! What processes do in another way, as far as the run tells: accumulates in the place of the stores of a line, and
//! groups that have all targets of their epochs.

use super::{Editor, Moment};
use crate::edit::Edit;
use crate::spots::Spot;
use crate::updates::is_line;
use farside_events::{AccessRun, Call, EventKind, Rank};
use farside_race::Places;

impl<P: Places> Editor<'_, P> {
    /// A start has the targets in its group that its epoch needs, and a post those that start towards it.
    pub(super) fn cover(&mut self, rank: Rank, spot: Spot, call: &mut Call) {
        let mut covered = self.edits.iter().filter_map(|edit| match edit {
            Edit::Cover { start } => Some(*start),
            _ => None,
        });
        let Some(statement) = covered.next() else {
            return;
        };
        match call {
            Call::Start { win, group, .. } if self.spots.are_one_statement(spot, statement) => {
                self.known.covers.widen((rank, *win), group);
            }
            Call::Post { win, group, .. } => self.known.covers.post((rank, *win), group),
            _ => {}
        }
    }

    /// The accesses that stay; accumulates that come in the place of others are made.
    pub(super) fn update(&mut self, at: Moment, runs: Vec<AccessRun>) -> Vec<AccessRun> {
        let mut places = self.edits.iter().filter_map(|edit| match edit {
            Edit::Update { at, .. } => Some(*at),
            _ => None,
        });
        let Some(line) = places.next() else {
            return runs;
        };
        let (mut left, mut made) = (Vec::new(), Vec::new());
        for run in runs {
            let spot = self.spot(at.rank, Some(run.pc), run.stack);
            let instead = match is_line(self.spots, spot, line) {
                true => self.known.updates.instead(at.rank, &run),
                false => None,
            };
            match instead {
                Some(operations) => made.extend(operations),
                None => left.push(run),
            }
        }
        for operation in made {
            self.put(at, EventKind::Operation(operation));
        }
        left
    }
}
