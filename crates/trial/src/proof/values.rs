//! Values that come by the order that a call gives: a counter that all have added to before it is read. In the events
//! of the run they stay what they were; in the program they may be others, where the call is moved.
//!
//! So what is ordered has to stay so where neither values nor locks nor the atomicity of operations excuse that it is
//! not: of those that are unordered then, none is new.

use super::Trials;
use super::trial::{Goal, Trial};
use crate::edit::{Edit, Way};
use farside_race::Places;

/// How values depend on the place of calls, as far as that was asked.
#[derive(Default)]
pub(super) struct Values<'r> {
    /// The run as it was.
    base: Option<Box<Trial<'r>>>,
    /// Moves, and whether values may be others after each.
    known: Vec<(Vec<Edit>, bool)>,
}

/// Of what may be done yet, this part is enough for one move.
const SHARE: u64 = 8;

impl<P: Places> Trials<'_, P> {
    /// Whether values may be others where a call is moved, as far as there is time to see.
    pub(super) fn changes_values(&mut self, way: &Way) -> bool {
        let is_moved = |edits: &&Vec<Edit>| match edits.as_slice() {
            [Edit::Shift(shift)] => !shift.moves_data(),
            _ => false,
        };
        self.recording.has_excuses()
            && way
                .iter()
                .filter(is_moved)
                .any(|edits| self.changes_values_by(edits))
    }

    fn changes_values_by(&mut self, edits: &[Edit]) -> bool {
        let known = self.values.known.iter().find(|(other, _)| other == edits);
        if let Some((_, changes)) = known {
            return *changes;
        }
        let changes = self.brings_unexcused(edits).unwrap_or(false);
        self.values.known.push((edits.to_vec(), changes));
        changes
    }

    /// Whether something comes that is not there in the run as it was; `None` if there is no time to see, or processes
    /// cannot follow the change.
    fn brings_unexcused(&mut self, edits: &[Edit]) -> Option<bool> {
        let mut trial = self.begin_unexcused(edits)?.ok()?;
        let mut base = match self.values.base.take() {
            Some(base) => base,
            None => Box::new(self.begin_unexcused(&[])?.ok()?),
        };
        for trial in [&mut *base, &mut trial] {
            let now = self.recording.work();
            let enough = now + self.until.after(now) / SHARE;
            let until = if self.is_by_beginnings() {
                enough
            } else {
                self.until
            };
            self.advance(trial, &Goal::all(until));
        }
        let is_new = |(id, number): (&String, &u64)| {
            !base.found().contains_key(id) && (base.end().is_some() || *number < base.judged())
        };
        let brings = trial.found().iter().any(is_new);
        self.values.base = Some(base);
        Some(brings)
    }
}
