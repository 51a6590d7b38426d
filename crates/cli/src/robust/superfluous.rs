//! Which of the calls that robustness does not need can be left out of a C or C++ program.
//!
//! A call may complete what the calculus does not have: a buffer that is used again, or an operation whose value
//! another process waits for. So what `farside lint` simulates must not need the call either
//! (`docs/design/superfluous.md`); where that does not say so, the call stays.

use super::joined::Joined;
use farside_findings::{Lessening, Place, Superfluous as Simulated};
use farside_robustness::{Change, Superfluous};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Calls that do nothing but synchronise.
const SYNCHRONISATION: [&str; 8] = [
    "shmem_quiet",
    "shmem_fence",
    "shmem_ctx_quiet",
    "shmem_ctx_fence",
    "shmem_barrier_all",
    "gaspi_wait(",
    "MPI_Win_flush",
    "MPI_Win_fence",
];

/// Whether a statement does nothing but synchronise.
fn only_synchronises(source: &str) -> bool {
    SYNCHRONISATION.iter().any(|call| source.contains(call))
}

/// Keeps what is about calls that only synchronise, for what `shmem_malloc` waits for cannot be left out, and that no
/// simulation needs.
pub(super) fn keep_what_can_go(
    superfluous: &mut Superfluous,
    simulated: impl FnOnce() -> Option<Simulated>,
    places: &Places<'_>,
) {
    keep(superfluous, |change| only_synchronises(&change.source.text));
    if superfluous.alone.is_empty() {
        return;
    }
    let unneeded = simulated().map(|simulated| Unneeded::of(&simulated, places));
    let mut stays = Vec::new();
    keep(superfluous, |change| {
        let goes = unneeded
            .as_ref()
            .is_some_and(|unneeded| unneeded.has(change, places));
        if !goes {
            stays.push(change.source.line_in_words());
        }
        goes
    });
    if let Some(unneeded) = unneeded {
        let together = |index: &usize| unneeded.has_together(&superfluous.alone[*index], places);
        superfluous.together = superfluous.together.iter().copied().filter(together).collect();
        if superfluous.together.is_empty() && !superfluous.alone.is_empty() {
            superfluous.together.push(0);
        }
    }
    if !stays.is_empty() {
        superfluous.reason = Some(format!(
            "not needed to be robust, but it stays, for a process may use again or wait for what it completes: {}",
            stays.join(", ")
        ));
    }
}

/// Keeps some of the changes.
fn keep(superfluous: &mut Superfluous, mut keeps: impl FnMut(&Change) -> bool) {
    let kept: Vec<usize> = (0..superfluous.alone.len())
        .filter(|&index| keeps(&superfluous.alone[index]))
        .collect();
    superfluous.together = (0..kept.len())
        .filter(|&index| superfluous.together.contains(&kept[index]))
        .collect();
    let mut index = 0;
    superfluous.alone.retain(|_| {
        index += 1;
        kept.contains(&(index - 1))
    });
}

/// The sources, as both sides name them.
pub(super) struct Places<'c> {
    /// As the compiler was told them.
    compiled: &'c [PathBuf],
    /// As a report names them.
    sources: &'c Joined,
}

/// A place: the number of its file, and the line.
type Spot = (usize, u32);

impl<'c> Places<'c> {
    /// Of sources that the compiler was told by these names.
    pub(super) fn of(compiled: &'c [PathBuf], sources: &'c Joined) -> Self {
        Self { compiled, sources }
    }

    fn spot(&self, place: &Place) -> Option<Spot> {
        let whole = Path::new(&place.file);
        let at = self.compiled.iter().position(|path| path == whole)?;
        Some((at, place.line))
    }

    fn spot_of(&self, change: &Change) -> Option<Spot> {
        let number = match &change.source.file {
            None => Some(0),
            Some(file) => (0..self.compiled.len()).find(|&number| self.sources.name_of(number) == *file),
        };
        Some((number?, change.source.line))
    }
}

/// Lines with calls that no simulation needs.
struct Unneeded {
    /// Each call on them can go, all together.
    together: BTreeSet<Spot>,
    /// Each can go, if another one stays.
    alone: BTreeSet<Spot>,
    /// What is left of barriers there need not complete anything.
    weaker: BTreeSet<Spot>,
}

impl Unneeded {
    fn of(simulated: &Simulated, places: &Places<'_>) -> Self {
        let mut unneeded = Self {
            together: BTreeSet::new(),
            alone: BTreeSet::new(),
            weaker: BTreeSet::new(),
        };
        if simulated.refused.is_some() {
            return unneeded;
        }
        let calls = |calls: &[farside_findings::Unneeded], change: fn(&Lessening) -> bool| {
            let whole = calls
                .iter()
                .filter(|call| call.everywhere && change(&call.change));
            let mut found = BTreeSet::new();
            for call in whole {
                let spots: BTreeSet<Place> = call.stacks.iter().filter_map(|stack| place_in(stack)).collect();
                // What belongs together cannot go one by one.
                if let [place] = spots.into_iter().collect::<Vec<_>>().as_slice() {
                    found.insert(place.clone());
                }
            }
            found
        };
        // A line has what can go if all calls on it can.
        let lines = |found: &BTreeSet<Place>| -> BTreeSet<Spot> {
            let spots = found.iter().filter_map(|place| places.spot(place));
            let other = |spot: &Spot| {
                let mut met = simulated.met.iter();
                met.any(|place| places.spot(place) == Some(*spot) && !found.contains(place))
            };
            spots.filter(|spot| !other(spot)).collect()
        };
        let goes: fn(&Lessening) -> bool = |change| matches!(change, Lessening::Remove);
        let is_weaker: fn(&Lessening) -> bool =
            |change| matches!(change, Lessening::Weaken(call) if call.contains("sync"));
        let together = calls(&simulated.calls, goes);
        let mut alone = calls(&simulated.instead, goes);
        alone.extend(together.iter().cloned());
        let mut weaker = calls(&simulated.calls, is_weaker);
        weaker.extend(calls(&simulated.instead, is_weaker));
        weaker.extend(alone.iter().cloned());
        unneeded.together = lines(&together);
        unneeded.alone = lines(&alone);
        unneeded.weaker = lines(&weaker);
        unneeded
    }

    fn has(&self, change: &Change, places: &Places<'_>) -> bool {
        let of = match is_left_out(change) {
            true => &self.alone,
            false => &self.weaker,
        };
        places.spot_of(change).is_some_and(|spot| of.contains(&spot))
    }

    fn has_together(&self, change: &Change, places: &Places<'_>) -> bool {
        let of = match is_left_out(change) {
            true => &self.together,
            false => &self.weaker,
        };
        places.spot_of(change).is_some_and(|spot| of.contains(&spot))
    }
}

/// Whether all of a call goes, and not only what a barrier waits for.
fn is_left_out(change: &Change) -> bool {
    change.what.ends_with("can be left out")
}

/// The place of the innermost call.
fn place_in(stack: &[farside_findings::Frame]) -> Option<Place> {
    stack.first()?.place.clone()
}
