//! What a thread has loaded and stored since its last call, as runs.

use farside_events::AccessRun;

/// Runs that are looked at for one that goes on: the body of a loop has few accesses.
const LAST: usize = 8;

/// Loads and stores that are not announced yet.
///
/// Promise: accesses make the same runs one after the other as when rounds of a loop bring many at once.
#[derive(Debug, Default)]
pub(super) struct Accesses(Vec<AccessRun>);

impl Accesses {
    /// Adds a run, which goes on with an earlier one of its instruction if it can.
    pub(super) fn add(&mut self, run: AccessRun) {
        let same = |old: &&mut AccessRun| {
            old.pc == run.pc
                && old.kind == run.kind
                && old.size == run.size
                && old.stack == run.stack
                && old.source == run.source
        };
        let is_flat = |run: &AccessRun| run.outer_count == 1;
        let old = self.0.iter_mut().rev().take(LAST).find(same);
        if let Some(old) = old.filter(|old| is_flat(old) && is_flat(&run)) {
            let last = old
                .base
                .wrapping_add_signed(old.inner_stride * (old.inner_count as i64 - 1));
            let step = run.base.wrapping_sub(last) as i64;
            let (first, single) = (old.inner_count == 1, run.inner_count == 1);
            if step == 0 && first && single {
                old.repeats += run.repeats + 1;
                return;
            }
            let goes_on = step != 0 && (first && step.unsigned_abs() < 1 << 20 || step == old.inner_stride);
            // Repeats are of all that a run has.
            let once = old.repeats == 0 && run.repeats == 0;
            if goes_on && once && (single || run.inner_stride == step) {
                old.inner_stride = step;
                old.inner_count += run.inner_count;
                return;
            }
        }
        self.0.push(run);
    }

    /// All of them, to be announced.
    pub(super) fn take(&mut self) -> Vec<AccessRun> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{AccessKind, StackId};

    fn single(address: u64) -> AccessRun {
        AccessRun::single(AccessKind::Load, address, 4, 7, StackId::UNKNOWN)
    }

    /// The runs of a loop's rounds, the first ones one by one and the rest together.
    fn runs(rest: AccessRun, first: impl IntoIterator<Item = u64>) -> Vec<AccessRun> {
        let mut accesses = Accesses::default();
        first
            .into_iter()
            .for_each(|address| accesses.add(single(address)));
        accesses.add(rest);
        accesses.take()
    }

    #[test]
    fn rounds_on_one_place_are_one_run() {
        let rest = AccessRun {
            repeats: 1,
            ..single(16)
        };
        let all = AccessRun {
            repeats: 3,
            ..single(16)
        };
        assert_eq!(runs(rest, [16, 16]), [all]);
    }

    #[test]
    fn what_comes_after_a_repeated_access_is_not_repeated() {
        let twice = AccessRun {
            repeats: 1,
            ..single(8)
        };
        assert_eq!(runs(single(16), [8, 8]), [twice, single(16)]);
    }

    #[test]
    fn rounds_in_a_row_are_one_run() {
        let strided = |base, inner_count| AccessRun {
            inner_count,
            inner_stride: 8,
            ..single(base)
        };
        assert_eq!(runs(strided(24, 5), [8, 16]), [strided(8, 7)]);
        assert_eq!(runs(strided(32, 5), [8, 16]), [strided(8, 2), strided(32, 5)]);
    }
}
