//! Operations that are not known to be complete: which objects they use, and which buffers.

use super::{enter, leave};
use crate::{memory, recorder};
use farside_events::{Call as Entered, ChannelId, StackId, ThreadId, WinId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was used on a channel since its last quiet.
#[derive(Debug, Default)]
struct Open {
    /// And by which threads: a quiet of one completes what it knows to have been issued, and so maybe not what another
    /// did (§9.11.2).
    wins: BTreeMap<WinId, BTreeSet<ThreadId>>,
    /// Buffers that are in use until then, which are watched.
    buffers: Vec<(usize, usize)>,
}

static OPEN: Mutex<BTreeMap<ChannelId, Open>> = Mutex::new(BTreeMap::new());

fn open() -> MutexGuard<'static, BTreeMap<ChannelId, Open>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An operation was issued on a channel and a window, and uses a buffer until a quiet.
pub(super) fn used(channel: ChannelId, win: WinId, buffer: Option<(usize, usize)>) {
    let mut open = open();
    let open = open.entry(channel).or_default();
    open.wins.entry(win).or_default().insert(recorder::thread_id());
    if let Some((address, length)) = buffer {
        memory::track(address, length);
        open.buffers.push((address, length));
    }
}

/// The operations of this process on a channel, or all of them, are complete, as far as this thread knows of them.
pub(super) fn complete(channel: Option<ChannelId>, stack: StackId) {
    let (mut wins, mut buffers) = (BTreeSet::new(), Vec::new());
    {
        let thread = recorder::thread_id();
        let mut open = open();
        open.retain(|of, open| {
            if channel.is_some_and(|channel| *of != channel) {
                return true;
            }
            buffers.append(&mut open.buffers);
            open.wins.retain(|win, threads| {
                wins.insert(*win);
                threads.remove(&thread);
                !threads.is_empty()
            });
            !open.wins.is_empty()
        });
    }
    for win in wins {
        enter(
            Entered::Flush {
                win,
                target: None,
                local: false,
                channel,
            },
            stack,
        );
        leave();
    }
    for (address, length) in buffers {
        memory::untrack(address, length);
    }
}

/// An object is no more: no later quiet is one of it.
pub(super) fn forget(win: WinId) {
    open().retain(|_, open| {
        open.wins.remove(&win);
        !open.wins.is_empty() || !open.buffers.is_empty()
    });
}

/// Whether there are any on a channel.
pub(super) fn any(channel: ChannelId) -> bool {
    open().contains_key(&channel)
}
