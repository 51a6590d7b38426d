//! Receives from any source that are to take the message of a given process: `farside check --replay`.
//!
//! Promise: the program is never harmed. Such a receive waits for the message for a while; if it does not come, the
//! receive takes whatever comes first, and so do all that follow in this process: the run has become another one.
//!
//! Limits: persistent receives, and receives of messages that a probe has found, are as the library has them.

use super::communicator::{self, Communicator};
use crate::abi::{constants, pmpi};
use crate::call::CallView;
use farside_calls::communicator::Communicator as _;
use farside_calls::signature::Role;
use farside_events::{PostId, Rank};
use farside_spool::replay::Replay;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a receive waits for its message.
const PATIENCE: Duration = Duration::from_secs(10);

/// The receives of this process that are to take a given message, by their numbers.
static WANTED: OnceLock<HashMap<PostId, Rank>> = OnceLock::new();
/// A message did not come: nothing is forced any more.
static LOST: AtomicBool = AtomicBool::new(false);

/// The call posts this receive from any source: if it is to take a given message, it waits for that, and asks for it
/// alone. `tag` is that of the call.
pub(super) fn choose(view: &mut CallView, comm: &Communicator, post: PostId) {
    let Some(source) = wanted().get(&post) else { return };
    if LOST.load(Ordering::Relaxed) {
        return;
    }
    let Some(source) = comm.peers().iter().position(|peer| *peer == source.0) else {
        return;
    };
    let (source, tag) = (source as i32, view.int(Role::ReceiveTag));
    let limit = Instant::now() + PATIENCE;
    loop {
        let mut flag = 0;
        if pmpi::iprobe(
            source,
            tag,
            comm.handle,
            &raw mut flag,
            constants().status_ignore(),
        ) != 0
        {
            break;
        }
        if flag != 0 {
            return view.replace_int(Role::Source, source);
        }
        if Instant::now() > limit {
            break;
        }
        std::thread::yield_now();
    }
    LOST.store(true, Ordering::Relaxed);
}

fn wanted() -> &'static HashMap<PostId, Rank> {
    WANTED.get_or_init(|| {
        let own = communicator::world().map(|(rank, _)| rank);
        let given = Replay::given();
        let mine = given.matches().filter(|given| Some(given.receiver) == own);
        mine.map(|given| (PostId(given.post), Rank(given.source)))
            .collect()
    })
}
