//! The finished runs of a segment, which grow together where one goes on where another ended.
//!
//! A matrix that is walked through tile by tile comes as one run a tile. Tiles side by side become a strip, strips one below the
//! other the whole matrix: what is sent and judged is a run then, however small the tiles are.
//!
//! Promise: the runs of a log cover exactly what was pushed.
//! Pure: no FFI, no globals.

use super::run::Run;

/// Places of the last two runs of one instruction in a [`Log`]. They may be out of date: a run grows only by what goes on
/// exactly there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recent([u16; 2]);

impl Recent {
    /// No run yet.
    pub(super) const NONE: Self = Self([u16::MAX; 2]);
}

/// Runs in the order in which they began. Runs of no lines are left-overs of some that became part of others.
#[derive(Default)]
pub(super) struct Log {
    runs: Vec<Run>,
}

impl Log {
    /// Places, left-overs included.
    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds a run of an instruction whose last runs are `recent`.
    pub(super) fn push(&mut self, run: Run, recent: &mut Recent) {
        if let Some(last) = self.runs.last_mut()
            && last.same_places(&run)
        {
            last.passes += run.passes + 1;
            return;
        }
        let [_, last] = recent.0;
        if let Some(place) = self.runs.get_mut(usize::from(last)) {
            if place.append(&run) {
                return;
            }
            if self.settle(*recent) {
                self.runs[usize::from(last)] = run;
                return;
            }
        }
        recent.0 = [last, u16::try_from(self.runs.len()).unwrap_or(u16::MAX)];
        self.runs.push(run);
    }

    /// Makes the last run of an instruction part of the one before it, if it can be. Says whether it did.
    pub(super) fn settle(&mut self, recent: Recent) -> bool {
        let [earlier, last] = recent.0.map(usize::from);
        let Some(&run) = self.runs.get(last) else {
            return false;
        };
        let joined = earlier != last
            && self
                .runs
                .get_mut(earlier)
                .is_some_and(|earlier| earlier.append(&run));
        if joined {
            self.runs[last].lines = 0;
        }
        joined
    }

    /// Its runs.
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Empties the log.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Run> {
        self.runs.drain(..).filter(|run| run.lines != 0)
    }

    /// Puts runs into an empty log.
    pub(super) fn fill(&mut self, runs: Vec<Run>) {
        self.runs = runs;
    }
}
