//! What orders: epochs, completion, collective calls and messages.

use super::{Script, WIN, WORLD};
use farside_events::*;

impl Script {
    pub fn lock_all(&mut self, rank: u32) {
        self.call(
            rank,
            900,
            Call::LockAll {
                win: WIN,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn unlock_all(&mut self, rank: u32) {
        self.call(rank, 901, Call::UnlockAll { win: WIN });
    }

    pub fn everyone_locks_all(&mut self) {
        for rank in 0..self.size {
            self.lock_all(rank);
        }
    }

    pub fn lock(&mut self, rank: u32, line: u64, target: u32, kind: LockKind) {
        self.call(
            rank,
            line,
            Call::Lock {
                win: WIN,
                target: Rank(target),
                kind,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn unlock(&mut self, rank: u32, target: u32) {
        self.call(
            rank,
            903,
            Call::Unlock {
                win: WIN,
                target: Rank(target),
            },
        );
    }

    pub fn flush(&mut self, rank: u32, target: u32) {
        self.call(
            rank,
            904,
            Call::Flush {
                win: WIN,
                target: Some(Rank(target)),
                local: false,
                channel: None,
            },
        );
    }

    pub fn flush_local(&mut self, rank: u32, target: u32) {
        self.call(
            rank,
            905,
            Call::Flush {
                win: WIN,
                target: Some(Rank(target)),
                local: true,
                channel: None,
            },
        );
    }

    /// A fence by all ranks.
    pub fn fence(&mut self, line: u64, assertions: Assertions) {
        for rank in 0..self.size {
            self.enter(rank, line, Call::Fence { win: WIN, assertions });
        }
        for rank in 0..self.size {
            self.leave(rank);
        }
    }

    /// A collective by all ranks, entered and left in rank order.
    pub fn collective(&mut self, direction: impl Fn(u32) -> Direction) {
        self.collective_by(0, direction);
    }

    /// The same, called by the given thread of each rank.
    pub fn collective_by(&mut self, thread: u32, direction: impl Fn(u32) -> Direction) {
        for rank in 0..self.size {
            let sequence = self.collectives[rank as usize];
            self.collectives[rank as usize] += 1;
            let (direction, name) = (direction(rank), "MPI_Collective".into());
            let call = Call::Collective {
                comm: WORLD,
                sequence,
                direction,
                name,
                request: None,
            };
            self.kind(
                rank,
                thread,
                EventKind::Enter {
                    call,
                    stack: StackId(906),
                },
            );
        }
        for rank in 0..self.size {
            self.kind(rank, thread, EventKind::Leave(Outcome::Done));
        }
    }

    pub fn barrier(&mut self) {
        self.collective(|_| Direction::All);
    }

    pub fn send(&mut self, rank: u32, dest: u32, tag: i32) {
        let call = Call::Send {
            comm: WORLD,
            dest: Some(Rank(dest)),
            tag,
            mode: SendMode::Standard,
            request: None,
            name: "MPI_Send".into(),
        };
        self.call(rank, 907, call);
    }

    pub fn receive(&mut self, rank: u32, source: u32, tag: i32) {
        self.next += 1;
        let call = Call::Receive {
            post: PostId(self.next),
            comm: WORLD,
            source: Some(Rank(source)),
            tag: Some(tag),
            request: None,
            name: "MPI_Recv".into(),
        };
        self.enter(rank, 908, call);
        self.kind(
            rank,
            0,
            EventKind::Leave(Outcome::Received {
                source: Some(Rank(source)),
                tag,
            }),
        );
    }

    pub fn post(&mut self, rank: u32, line: u64, group: &[u32]) {
        let group = group.iter().copied().map(Rank).collect();
        self.call(
            rank,
            line,
            Call::Post {
                win: WIN,
                group,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn start(&mut self, rank: u32, line: u64, group: &[u32]) {
        let group = group.iter().copied().map(Rank).collect();
        self.call(
            rank,
            line,
            Call::Start {
                win: WIN,
                group,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn complete(&mut self, rank: u32) {
        self.call(rank, 909, Call::Complete { win: WIN });
    }

    pub fn wait(&mut self, rank: u32) {
        self.call(
            rank,
            910,
            Call::Wait {
                win: WIN,
                test: false,
            },
        );
    }
}
