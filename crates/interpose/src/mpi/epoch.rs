//! Synchronisation calls (MPI-4.1 §12.5).

use super::communicator::world_ranks;
use super::leave;
use super::window::{self, Window};
use crate::abi::{HandleKind, constants};
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_events::{Assertions, Call, EventKind, LockKind, Outcome, Rank};
use std::sync::Arc;

/// `MPI_Win_fence(assert, win)`
pub(crate) fn fence(view: &mut CallView) -> After {
    let window = window::argument(view, 1)?;
    let call = Call::Fence {
        win: window.id,
        assertions: assertions(view.int(0)),
    };
    completing(view, call, window, None)
}

/// `MPI_Win_post(group, assert, win)`
pub(crate) fn post(view: &mut CallView) -> After {
    let window = window::argument(view, 2)?;
    plain(
        view,
        Call::Post {
            win: window.id,
            group: group(view),
            assertions: assertions(view.int(1)),
        },
    )
}

/// `MPI_Win_start(group, assert, win)`
pub(crate) fn start(view: &mut CallView) -> After {
    let window = window::argument(view, 2)?;
    plain(
        view,
        Call::Start {
            win: window.id,
            group: group(view),
            assertions: assertions(view.int(1)),
        },
    )
}

/// `MPI_Win_complete(win)`
pub(crate) fn complete(view: &mut CallView) -> After {
    let window = window::argument(view, 0)?;
    let call = Call::Complete { win: window.id };
    completing(view, call, window, None)
}

/// `MPI_Win_wait(win)`
pub(crate) fn wait(view: &mut CallView) -> After {
    let window = window::argument(view, 0)?;
    plain(
        view,
        Call::Wait {
            win: window.id,
            test: false,
        },
    )
}

/// `MPI_Win_test(win, flag)`. It cannot block and programs call it in loops, so it is recorded after it returned, and
/// only if the epoch ended or the call failed.
pub(crate) fn test(view: &mut CallView) -> After {
    let window = window::argument(view, 0)?;
    Some(Box::new(move |view| {
        if view.failure().is_none() && view.out_int(1) == 0 {
            return;
        }
        enter(
            view,
            Call::Wait {
                win: window.id,
                test: true,
            },
        );
        if view.failure().is_some() {
            leave(view);
        } else {
            record(EventKind::Leave(Outcome::Flag(true)));
        }
    }))
}

/// `MPI_Win_lock(lock_type, rank, assert, win)`
pub(crate) fn lock(view: &mut CallView) -> After {
    let window = window::argument(view, 3)?;
    let kind = if view.int(0) == constants().lock_exclusive {
        LockKind::Exclusive
    } else {
        LockKind::Shared
    };
    let target = window.comm.peer(view.int(1))?;
    plain(
        view,
        Call::Lock {
            win: window.id,
            target,
            kind,
            assertions: assertions(view.int(2)),
        },
    )
}

/// `MPI_Win_unlock(rank, win)`
pub(crate) fn unlock(view: &mut CallView) -> After {
    let window = window::argument(view, 1)?;
    let rank = view.int(0);
    let call = Call::Unlock {
        win: window.id,
        target: window.comm.peer(rank)?,
    };
    completing(view, call, window, Some(rank))
}

/// `MPI_Win_lock_all(assert, win)`
pub(crate) fn lock_all(view: &mut CallView) -> After {
    let window = window::argument(view, 1)?;
    plain(
        view,
        Call::LockAll {
            win: window.id,
            assertions: assertions(view.int(0)),
        },
    )
}

/// `MPI_Win_unlock_all(win)`
pub(crate) fn unlock_all(view: &mut CallView) -> After {
    let window = window::argument(view, 0)?;
    let call = Call::UnlockAll { win: window.id };
    completing(view, call, window, None)
}

/// `MPI_Win_flush(rank, win)`, `MPI_Win_flush_local`
pub(crate) fn flush(view: &mut CallView) -> After {
    let window = window::argument(view, 1)?;
    let rank = view.int(0);
    let call = Call::Flush {
        win: window.id,
        target: Some(window.comm.peer(rank)?),
        local: view.name() == "MPI_Win_flush_local",
    };
    completing(view, call, window, Some(rank))
}

/// `MPI_Win_flush_all(win)`, `MPI_Win_flush_local_all`
pub(crate) fn flush_all(view: &mut CallView) -> After {
    let window = window::argument(view, 0)?;
    let call = Call::Flush {
        win: window.id,
        target: None,
        local: view.name() == "MPI_Win_flush_local_all",
    };
    completing(view, call, window, None)
}

/// `MPI_Win_sync(win)`
pub(crate) fn sync(view: &mut CallView) -> After {
    let window = window::argument(view, 0)?;
    plain(view, Call::Sync { win: window.id })
}

/// A call that completes no operation of this process.
fn plain(view: &CallView, call: Call) -> After {
    enter(view, call);
    Some(Box::new(|view| leave(view)))
}

/// A call that completes this process' operations to `target`, or all of them, at least locally.
fn completing(view: &CallView, call: Call, window: Arc<Window>, target: Option<i32>) -> After {
    enter(view, call);
    Some(Box::new(move |view| {
        if view.failure().is_none() {
            let fetches = window.pending().complete(target);
            for fetch in fetches {
                fetch.report();
            }
        }
        leave(view);
    }))
}

fn enter(view: &CallView, call: Call) {
    record(EventKind::Enter {
        call,
        stack: view.stack(),
    });
}

/// The group at argument 0.
fn group(view: &CallView) -> Vec<Rank> {
    world_ranks(view.handle(0, HandleKind::Group))
        .into_iter()
        .map(Rank)
        .collect()
}

fn assertions(bits: i32) -> Assertions {
    let constants = constants();
    Assertions {
        nocheck: bits & constants.mode_nocheck != 0,
        nostore: bits & constants.mode_nostore != 0,
        noput: bits & constants.mode_noput != 0,
        noprecede: bits & constants.mode_noprecede != 0,
        nosucceed: bits & constants.mode_nosucceed != 0,
    }
}
