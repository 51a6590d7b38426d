//! One trial: the events of the run with a change, judged.

use super::{Outcome, Trials};
use crate::edit::Edit;
use crate::editor::Editor;
use crate::moved::Moved;
use crate::replay::{Item, Replay, Stuck};
use crate::shift::Shift;
use crate::spots::{Spot, sites};
use farside_events::Rank;
use farside_race::{Detector, Ending, Options, Places, settled};
use std::collections::BTreeSet;
use std::time::Instant;

/// Events of a trial after which the time is looked at: one may stand for many accesses.
const PATIENCE: usize = 16;

impl<P: Places> Trials<'_, P> {
    /// What is found then; `None` if there is no time to see it to its end.
    pub(super) fn judge(&mut self, edits: &[Edit]) -> Option<Outcome> {
        let clocks = self.recording.clocks();
        let mut detector = Detector::new(Options {
            first: false,
            ..self.options
        });
        for (rank, clock) in clocks {
            detector.set_clock(*rank, *clock);
        }
        let mut replay = Replay::new(clocks, |rank, event: &_| detector.event(rank, event))
            .strict(edits.iter().any(Edit::delays));
        let mut push = |rank, item| replay.push(rank, item);
        let changed = match edits {
            [Edit::Shift(shift)] => self.move_call(shift, &mut push)?,
            _ => self.edit(edits, &mut push)?,
        };
        if changed.is_err() || replay.finish().is_err() {
            return Some(Err(Stuck));
        }
        drop(replay);
        let (raw, _) = detector.finish(Ending::Complete);
        let raw = settled(raw, self.places);
        Some(Ok(raw.iter().map(|finding| self.id(finding)).collect()))
    }

    /// The events of the run with edits; `None` if there is no time.
    fn edit(&mut self, edits: &[Edit], push: &mut dyn FnMut(Rank, Item)) -> Option<Result<(), Stuck>> {
        let comers = self.comers(edits);
        let mut editor = Editor::new(edits, comers, &mut self.spots, self.places);
        for (number, (rank, event)) in self.recording.events().enumerate() {
            if number % PATIENCE == 0 && Instant::now() >= self.until {
                return None;
            }
            for item in editor.rewrite(rank, event) {
                push(rank, item);
            }
        }
        Some(editor.is_balanced().then_some(()).ok_or(Stuck))
    }

    /// The events of the run with a call on the other side of a place; `None` if there is no time.
    fn move_call(&mut self, shift: &Shift, push: &mut dyn FnMut(Rank, Item)) -> Option<Result<(), Stuck>> {
        let text = (&mut self.spots, &mut *self.places);
        let mut moved = match Moved::of(shift, self.recording, text, self.until)? {
            Ok(moved) => moved,
            Err(stuck) => return Some(Err(stuck)),
        };
        self.is_read_in_two_ways = moved.is_read_in_two_ways();
        for (number, (rank, event)) in (0..).zip(self.recording.events()) {
            if number % (PATIENCE as u64) == 0 && Instant::now() >= self.until {
                return None;
            }
            let text = (&mut self.spots, &mut *self.places);
            for event in moved.rewrite(shift, (number, rank, event), text) {
                push(rank, Item::new(event, true));
            }
        }
        for (rank, events) in moved.last() {
            events
                .into_iter()
                .for_each(|event| push(rank, Item::new(event, true)));
        }
        Some(Ok(()))
    }

    /// By edit: the processes that take part, if not all do.
    fn comers(&mut self, edits: &[Edit]) -> Vec<Option<BTreeSet<Rank>>> {
        let ends: Vec<Option<[Spot; 2]>> = edits.iter().map(Edit::ends).collect();
        if ends.iter().all(Option::is_none) {
            return vec![None; edits.len()];
        }
        let executed = self.executed();
        let of = |ends: [Spot; 2]| {
            let here = executed.iter().filter(|(spot, _)| ends.contains(spot));
            here.map(|(_, rank)| *rank).collect()
        };
        ends.into_iter().map(|ends| ends.map(of)).collect()
    }

    /// Which process came to which place.
    pub(super) fn executed(&mut self) -> &BTreeSet<(Spot, Rank)> {
        self.executed.get_or_insert_with(|| {
            let mut executed: BTreeSet<(Spot, Rank)> = BTreeSet::new();
            for (rank, event) in self.recording.events() {
                for site in sites(rank, &event.kind) {
                    executed.insert((self.spots.of(site, self.places), rank));
                }
            }
            executed
        })
    }
}
