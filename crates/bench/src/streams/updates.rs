//! Updates of random words of random ranks.

use super::job::{BUFFERS, Job, Random, WIN, Words};
use farside_events::{Assertions, Call, OperationKind};

/// Words of each rank that are updated.
const WORDS: u64 = 1024;
/// Updates between two flushes, and between two barriers.
const FLUSH: u32 = 8;
const BARRIER: u32 = 64;

/// Each iteration is one update by every rank.
pub(super) fn random(job: &mut Job<'_>, iterations: u32) {
    let mut random = Random::new(1);
    for rank in job.all() {
        job.call(
            rank,
            Call::LockAll {
                win: WIN,
                assertions: Assertions::default(),
            },
            30,
        );
    }
    for iteration in 1..=iterations {
        for rank in job.all() {
            let words = Words {
                kind: OperationKind::Accumulate,
                target: random.below(u64::from(job.ranks)) as u32,
                place: random.below(WORDS),
                count: 1,
                buffer: BUFFERS,
                stack: 31,
            };
            job.operation(rank, words);
            if iteration % FLUSH == 0 {
                job.call(
                    rank,
                    Call::Flush {
                        win: WIN,
                        target: None,
                        local: false,
                        channel: None,
                    },
                    32,
                );
            }
        }
        if iteration % BARRIER == 0 {
            job.together("MPI_Barrier", 33);
        }
    }
    for rank in job.all() {
        job.call(rank, Call::UnlockAll { win: WIN }, 34);
    }
}
