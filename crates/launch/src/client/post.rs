//! Where the thread that reads lays answers down, and those that asked find them.

use super::NOBODY;
use crate::protocol::{Answer, Frames, Reply};
use crate::socket::Socket;
use farside_fabric::Rank;
use std::collections::HashMap;
use std::io::Read as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where answers are laid down.
#[derive(Debug)]
pub(super) struct Post {
    pub(super) desk: Mutex<Desk>,
    pub(super) arrived: Condvar,
    pub(super) lost: AtomicU32,
    /// The rank that runs the rendezvous, or [`NOBODY`]: then it is the launcher.
    pub(super) host: Rank,
}

#[derive(Debug, Default)]
pub(super) struct Desk {
    /// By number; `None`: asked, not answered.
    pub(super) answers: HashMap<u64, Option<Answer>>,
    /// Why no more answers will come.
    pub(super) closed: Option<String>,
    pub(super) finished: bool,
}

impl Post {
    pub(super) fn desk(&self) -> MutexGuard<'_, Desk> {
        // Nothing panics while it holds the lock in the middle of a change.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn lose(&self, rank: Rank) {
        // The first one counts.
        let _ = self
            .lost
            .compare_exchange(NOBODY, rank, Ordering::AcqRel, Ordering::Relaxed);
    }
}

/// Lays answers down until the connection ends.
pub(super) fn read(mut socket: Socket, mut frames: Frames, post: &Post) {
    let mut buffer = vec![0; 64 << 10];
    let why = loop {
        match frames.next::<Reply>() {
            Ok(Some(Reply { number: 0, answer })) => {
                if let Answer::Lost(rank) = answer {
                    post.lose(rank);
                }
                continue;
            }
            Ok(Some(Reply { number, answer })) => {
                // Answers that nobody asked for are not kept.
                if let Some(place) = post.desk().answers.get_mut(&number) {
                    *place = Some(answer);
                }
                post.arrived.notify_all();
                continue;
            }
            Ok(None) => {}
            Err(error) => break error,
        }
        match socket.read(&mut buffer) {
            Ok(0) => break "it closed the connection".to_owned(),
            Ok(bytes) => frames.push(&buffer[..bytes]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => break error.to_string(),
        }
    };
    let mut desk = post.desk();
    if !desk.finished && post.host != NOBODY {
        post.lose(post.host);
    }
    desk.closed = Some(why);
    drop(desk);
    post.arrived.notify_all();
}
