//! Work stealing: every rank has a queue of tasks; owners and thieves take from its head by compare-and-swap.

use super::job::{BUFFERS, Job, Random, WIN, Words};
use farside_events::{Assertions, Call, EventKind, OperationKind, Rank};

/// Word 0 of a window is the head of its queue, word 1 of rank 0 counts finished tasks, tasks begin at word 16.
const COUNTER: u64 = 1;
const TASKS: u64 = 16;
const TASK: u64 = 8;
const QUEUE: u64 = 256;

/// Each iteration is one task taken by every rank: one in four from another rank's queue.
pub(super) fn steal(job: &mut Job<'_>, iterations: u32) {
    let mut random = Random::new(2);
    let mut heads = vec![0_u64; job.ranks as usize];
    let mut finished = 0_u64;
    for rank in job.all() {
        job.call(
            rank,
            Call::LockAll {
                win: WIN,
                assertions: Assertions::default(),
            },
            40,
        );
    }
    for iteration in 0..iterations {
        for rank in job.all() {
            let victim = if random.below(4) == 0 {
                random.below(u64::from(job.ranks)) as u32
            } else {
                rank
            };
            let head = &mut heads[victim as usize];
            let task = TASKS + TASK * (*head % QUEUE);
            let before = *head;
            *head += 1;
            fetch(job, rank, OperationKind::CompareAndSwap, victim, 0, before);
            let get = Words {
                kind: OperationKind::Get,
                target: victim,
                place: task,
                count: TASK,
                buffer: BUFFERS + 512,
                stack: 42,
            };
            job.operation(rank, get);
            flush(job, rank, victim);
            if iteration % 16 == 15 {
                fetch(job, rank, OperationKind::FetchAndOp, 0, COUNTER, finished);
                finished += 1;
            }
        }
    }
    for rank in job.all() {
        job.call(rank, Call::UnlockAll { win: WIN }, 44);
    }
}

/// An atomic operation that is completed at once, and what it brought.
fn fetch(job: &mut Job<'_>, rank: u32, kind: OperationKind, target: u32, place: u64, value: u64) {
    let words = Words {
        kind,
        target,
        place,
        count: 1,
        buffer: BUFFERS,
        stack: 41,
    };
    let operation = job.operation(rank, words);
    job.enter(
        rank,
        Call::Flush {
            win: WIN,
            target: Some(Rank(target)),
            local: false,
            channel: None,
        },
        43,
    );
    job.emit(rank, EventKind::Fetched { operation, value });
    job.leave(rank);
}

fn flush(job: &mut Job<'_>, rank: u32, target: u32) {
    job.call(
        rank,
        Call::Flush {
            win: WIN,
            target: Some(Rank(target)),
            local: false,
            channel: None,
        },
        43,
    );
}
