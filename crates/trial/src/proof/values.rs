//! Values that come by the order that a call gives: a counter that all have added to before it is read. In the events
//! of the run they stay what they were; in the program they may be others, where the call is moved.
//!
//! So what is ordered has to stay so where neither values nor locks nor the atomicity of operations excuse that it is
//! not: of those that are unordered then, none is new.

use super::Trials;
use super::trial::{Goal, Trial};
use crate::edit::{Edit, Way};
use crate::left_open::LeftOpen;
use crate::moved::Moved;
use crate::shift::Shift;
use farside_events::Interface;
use farside_race::Places;

/// How values depend on the place of calls, as far as that was asked.
#[derive(Default)]
pub(super) struct Values<'r> {
    /// The run as it was.
    base: Option<Box<Trial<'r>>>,
    /// Moves, and whether values may be others after each.
    known: Vec<(Vec<Edit>, bool)>,
    /// What processes of the run as it was had not completed where they waited.
    open: Option<LeftOpen>,
    /// Moves, and whether each leaves more open.
    leaves_open: Vec<(Shift, bool)>,
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

    /// Whether a call is moved so that its process waits for others before it completed what somebody may be waiting
    /// for, which it had. Libraries of OpenSHMEM and GASPI bring operations to their end without a call.
    pub(super) fn leaves_open(&mut self, way: &Way) -> bool {
        let is_asked = matches!(self.interface, Interface::Mpi | Interface::Farside);
        let shifts = way.iter().filter_map(|edits| match edits.as_slice() {
            [Edit::Shift(shift)] if !shift.moves_data() => Some(shift),
            _ => None,
        });
        is_asked && self.recording.has_excuses() && shifts.into_iter().any(|shift| self.leaves_open_by(shift))
    }

    fn leaves_open_by(&mut self, shift: &Shift) -> bool {
        let mut known = self.values.leaves_open.iter();
        if let Some((_, leaves)) = known.find(|(other, _)| other == shift) {
            return *leaves;
        }
        if self.values.open.is_none() {
            self.values.open = self.left_open(None);
        }
        let changed = self.left_open(Some(shift));
        let leaves = match (&self.values.open, &changed) {
            (Some(base), Some(changed)) => changed.is_more_than(base),
            _ => false,
        };
        self.values.leaves_open.push((shift.clone(), leaves));
        leaves
    }

    /// What processes have not completed where they wait; `None` if there is no time to see, or what becomes of the
    /// events is not known.
    fn left_open(&mut self, shift: Option<&Shift>) -> Option<LeftOpen> {
        let mut open = LeftOpen::default();
        let mut moved = match shift {
            Some(shift) => {
                let text = (&mut self.spots, &mut *self.places);
                Some((shift, Moved::of(shift, self.recording, text, self.until)?.ok()?))
            }
            None => None,
        };
        for next in self.recording.events_until(self.until) {
            let (number, rank, event) = next?;
            match &mut moved {
                Some((shift, moved)) => {
                    let text = (&mut self.spots, &mut *self.places);
                    let events = moved.rewrite(shift, (number, rank, event), text);
                    events.iter().for_each(|event| open.take(rank, event));
                }
                None => open.take(rank, &event),
            }
        }
        for (rank, events) in moved.iter_mut().flat_map(|(_, moved)| moved.last()) {
            events.iter().for_each(|event| open.take(rank, event));
        }
        Some(open)
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
