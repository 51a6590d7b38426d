//! Call stacks: of loads and stores from a shadow stack, of MPI calls from the unwinder.
//!
//! A stack is its return addresses, innermost first; its id is their hash. Each distinct stack is defined once, through
//! [`crate::recorder::define`].
//! Limit: ids of two stacks coincide with a probability of n²/2⁶⁵ for n stacks; the report would then show a wrong
//! caller.

pub(crate) mod shadow;
mod unwind;

pub(crate) use shadow::{current, thread_end};

use crate::recorder;
use farside_events::{EventKind, StackFrame, StackId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{LazyLock, Mutex, MutexGuard};

/// Frames that a report shows at most.
const DEPTH: usize = 128;

/// The stacks that were defined.
static DEFINED: LazyLock<Mutex<FxHashSet<u64>>> = LazyLock::new(Mutex::default);

/// Stacks by return address, stack pointer, and the shadow stack at the call; several where the frames between them
/// differ.
type Sites = FxHashMap<(usize, usize, u64), Vec<Known>>;

/// A stack that was met at a call site.
struct Known {
    id: StackId,
    returns: Vec<unwind::Return>,
}

/// The stacks of call sites.
static SITES: LazyLock<Mutex<Sites>> = LazyLock::new(Mutex::default);

/// The stack of the call that returns to `return_address` (which becomes its innermost frame). Defines each distinct
/// stack once, through [`crate::recorder::define`].
///
/// Unwinds when it sees a call site (return address, depth of the stack, the instrumented callers, and the return
/// addresses of all callers on the stack) for the first time. The last matter where a library calls MPI: lines of one
/// function call it in the same way.
#[inline(never)]
pub(crate) fn capture(return_address: usize) -> StackId {
    let here = unwind::stack_pointer();
    let site = (return_address, here, shadow::hash());
    let present = |known: &&Known| unwind::is_present(&known.returns, here);
    if let Some(known) = lock(&SITES).get(&site).and_then(|met| met.iter().find(present)) {
        return known.id;
    }
    let (frames, returns) = frames(return_address);
    let id = define(&frames);
    let mut sites = lock(&SITES);
    let met = sites.entry(site).or_default();
    if !met.iter().any(|known| known.id == id) {
        met.push(Known { id, returns });
    }
    id
}

/// The frame that an address lies in, if it lies on the stack of the call that returns to `return_address`. Unwinds.
pub(crate) fn frame_with(address: usize, return_address: usize) -> Option<StackFrame> {
    unwind::frame_with(address, return_address as u64)
}

/// The frames of the call that returns to `return_address`, and where those lie that the unwinder found.
fn frames(return_address: usize) -> (Vec<u64>, Vec<unwind::Return>) {
    let returns = unwind::from(return_address as u64, DEPTH);
    let unwound: Vec<u64> = returns.iter().map(|frame| frame.pc()).collect();
    let mut shadow = vec![return_address as u64];
    shadow::frames(DEPTH, &mut shadow);
    // The unwinder sees callers that are not instrumented, too; but code without unwind tables stops it.
    let complete =
        unwound.len() >= shadow.len() || shadow.get(1).is_some_and(|caller| unwound.contains(caller));
    let frames = if complete && !unwound.is_empty() {
        unwound
    } else {
        shadow
    };
    (frames, returns)
}

/// The id of a stack, which is defined now if it never was.
fn define(frames: &[u64]) -> StackId {
    let hash = frames
        .iter()
        .rev()
        .fold(shadow::SEED, |hash, &frame| shadow::extend(hash, frame));
    define_as(hash, || frames.to_vec())
}

/// Defines the stack with this id if that was never done.
fn define_as(id: u64, frames: impl FnOnce() -> Vec<u64>) -> StackId {
    let id = StackId(id);
    if recorder::active() && lock(&DEFINED).insert(id.0) {
        recorder::define(EventKind::Stack { id, frames: frames() });
    }
    id
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
