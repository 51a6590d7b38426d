//! Halo exchange on a ring, three ways of synchronising.

use super::job::{BUFFERS, Job, WIN, WINDOW_BASE, WORLD, Words};
use farside_events::{
    AccessKind::{Load, Store},
    Assertions, Call, EventKind, OperationKind, Outcome, PostId, Rank, SendMode,
};

/// Words of one side's halo. The window holds two sides, twice (the messages variant alternates).
const SIDE: u64 = 64;
const TAG: i32 = 7;

fn neighbors(job: &Job<'_>, rank: u32) -> [u32; 2] {
    [(rank + job.ranks - 1) % job.ranks, (rank + 1) % job.ranks]
}

/// Reads the halos that came, and packs new edges.
fn compute(job: &mut Job<'_>, rank: u32, half: u64) {
    let halo = WINDOW_BASE + 8 * 2 * SIDE * half;
    let edges = BUFFERS + 8 * 2 * SIDE * half;
    job.accesses(
        rank,
        &[(Load, halo, 2 * SIDE, 0x1000), (Store, edges, 2 * SIDE, 0x1010)],
    );
}

/// Puts the two edges: what goes to the left neighbour fills its right halo.
fn put_edges(job: &mut Job<'_>, rank: u32, half: u64) {
    for (side, target) in neighbors(job, rank).into_iter().enumerate() {
        let side = side as u64;
        let words = Words {
            kind: OperationKind::Put,
            target,
            place: 2 * SIDE * half + SIDE * (1 - side),
            count: SIDE,
            buffer: BUFFERS + 8 * (2 * SIDE * half + SIDE * side),
            stack: 20 + side,
        };
        job.operation(rank, words);
    }
}

/// Fence, put, fence.
pub(super) fn fence(job: &mut Job<'_>, iterations: u32) {
    let fence = || Call::Fence {
        win: WIN,
        assertions: Assertions::default(),
    };
    for _ in 0..iterations {
        for rank in job.all() {
            compute(job, rank, 0);
            job.enter(rank, fence(), 10);
        }
        job.all().for_each(|rank| job.leave(rank));
        for rank in job.all() {
            put_edges(job, rank, 0);
            job.enter(rank, fence(), 11);
        }
        job.all().for_each(|rank| job.leave(rank));
    }
}

/// Post, start, put, complete, wait.
pub(super) fn pscw(job: &mut Job<'_>, iterations: u32) {
    let assertions = Assertions::default();
    for _ in 0..iterations {
        for rank in job.all() {
            compute(job, rank, 0);
            let group = neighbors(job, rank).map(Rank).to_vec();
            job.call(
                rank,
                Call::Post {
                    win: WIN,
                    group,
                    assertions,
                },
                12,
            );
        }
        for rank in job.all() {
            let group = neighbors(job, rank).map(Rank).to_vec();
            job.call(
                rank,
                Call::Start {
                    win: WIN,
                    group,
                    assertions,
                },
                13,
            );
            put_edges(job, rank, 0);
            job.call(rank, Call::Complete { win: WIN }, 14);
        }
        for rank in job.all() {
            job.call(
                rank,
                Call::Wait {
                    win: WIN,
                    test: false,
                },
                15,
            );
        }
    }
}

/// Put, flush, message; the halves of window and buffers alternate, so that nobody waits for a reader.
pub(super) fn messages(job: &mut Job<'_>, iterations: u32) {
    for rank in job.all() {
        job.call(
            rank,
            Call::LockAll {
                win: WIN,
                assertions: Assertions::default(),
            },
            16,
        );
    }
    let mut posted = 0;
    for iteration in 0..iterations {
        let half = u64::from(iteration % 2);
        for rank in job.all() {
            put_edges(job, rank, half);
            job.call(
                rank,
                Call::Flush {
                    win: WIN,
                    target: None,
                    local: false,
                    channel: None,
                },
                17,
            );
            for dest in neighbors(job, rank) {
                job.call(rank, send(dest), 18);
            }
        }
        for rank in job.all() {
            for (side, source) in neighbors(job, rank).into_iter().enumerate() {
                let post = PostId(posted + side as u64);
                job.enter(rank, receive(post, source), 19);
                job.emit(
                    rank,
                    EventKind::Leave(Outcome::Received {
                        source: Some(Rank(source)),
                        tag: TAG,
                    }),
                );
            }
            compute(job, rank, half);
        }
        posted += 2;
    }
    for rank in job.all() {
        job.call(rank, Call::UnlockAll { win: WIN }, 16);
    }
}

fn send(dest: u32) -> Call {
    Call::Send {
        comm: WORLD,
        dest: Some(Rank(dest)),
        tag: TAG,
        mode: SendMode::Standard,
        request: None,
        name: "MPI_Send".into(),
    }
}

fn receive(post: PostId, source: u32) -> Call {
    Call::Receive {
        post,
        comm: WORLD,
        source: Some(Rank(source)),
        tag: Some(TAG),
        request: None,
        name: "MPI_Recv".into(),
    }
}
