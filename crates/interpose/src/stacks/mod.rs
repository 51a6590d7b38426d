//! Call stacks: of loads and stores from a shadow stack, of MPI calls from the unwinder.
//!
//! A stack is its return addresses, innermost first; its id is their hash. Each distinct stack is defined once, through
//! [`crate::recorder::define`].
//! Limit: ids of two stacks coincide with a probability of n²/2⁶⁵ for n stacks; the report would then show a wrong
//! caller.

mod python;
pub(crate) mod shadow;
mod unwind;

pub(crate) use python::find_now as find_interpreter;
pub(crate) use python::{is_known_interpreter, is_locked_interpreter};
pub(crate) use shadow::{current, thread_end};

use crate::machine;
use crate::recorder;
use farside_events::{EventKind, StackFrame, StackId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard};

/// Frames that a report shows at most.
const DEPTH: usize = 128;

/// The stacks that were defined.
static DEFINED: LazyLock<Mutex<FxHashSet<u64>>> = LazyLock::new(Mutex::default);

/// Where a call comes from: return address, stack pointer, and the hash of the shadow stack.
type Site = (usize, usize, u64);
/// In the place of the hash for what [`callers`] keeps, whose stacks are without their innermost frame.
const CALLERS: u64 = 0;

/// Stacks by call site; several where the frames between them differ. They are kept for good.
type Sites = FxHashMap<Site, Vec<&'static Known>>;

/// A stack that was met at a call site.
struct Known {
    site: Site,
    id: StackId,
    returns: Box<[unwind::Return]>,
}

/// The stacks of call sites.
static SITES: LazyLock<Mutex<Sites>> = LazyLock::new(Mutex::default);

/// Places in [`LATEST`]; a power of two.
const LATEST_SITES: usize = 64;
/// The stacks that were met last, by a part of their call sites: programs make most of their calls at few. Each is the
/// first of its call site.
static LATEST: [AtomicPtr<Known>; LATEST_SITES] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; LATEST_SITES];

/// The place in [`LATEST`] for a call site.
fn latest(site: &Site) -> &'static AtomicPtr<Known> {
    let mixed = (site.0 ^ site.1.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    &LATEST[(mixed >> 48) & (LATEST_SITES - 1)]
}

/// The stack of the call that returns to `return_address` (which becomes its innermost frame). Defines each distinct
/// stack once, through [`crate::recorder::define`].
///
/// Unwinds when it sees a call site (return address, depth of the stack, the instrumented callers, and the return
/// addresses of all callers on the stack) for the first time. The last matter where a library calls MPI: lines of one
/// function call it in the same way.
#[inline(never)]
pub(crate) fn capture(return_address: usize) -> StackId {
    let here = machine::stack_pointer();
    let lines = python::frames();
    let hash = lines
        .iter()
        .fold(shadow::hash(), |hash, &line| shadow::extend(hash, line));
    let site = (return_address, here, hash);
    // SAFETY: null, or a stack that is kept for good and that nobody changes; it was stored when it was whole.
    let met_last = unsafe { latest(&site).load(Ordering::Acquire).as_ref() };
    if let Some(known) = met_last
        && known.site == site
        && unwind::is_present(&known.returns, here)
    {
        return known.id;
    }
    find(site, here, &lines)
}

/// The stack of a call site that is not among the latest.
fn find(site: Site, here: usize, lines: &[u64]) -> StackId {
    if let Some(met) = lock(&SITES).get(&site)
        && let Some(place) = met
            .iter()
            .position(|known| unwind::is_present(&known.returns, here))
    {
        if place == 0 {
            latest(&site).store(std::ptr::from_ref(met[0]).cast_mut(), Ordering::Release);
        }
        return met[place].id;
    }
    let (mut frames, returns) = frames(site.0);
    if !lines.is_empty() {
        // The program's lines stand for what the interpreter does.
        let own = frames
            .iter()
            .position(|&pc| python::is_interpreter(pc as usize))
            .unwrap_or(frames.len());
        frames.truncate(own);
        frames.extend_from_slice(lines);
    }
    keep(site, define(&frames), returns).id
}

/// Keeps a stack that was met at a call site; one that lay elsewhere on the stack stays as it is.
fn keep(site: Site, id: StackId, returns: Vec<unwind::Return>) -> &'static Known {
    let mut sites = lock(&SITES);
    let met = sites.entry(site).or_default();
    if let Some(known) = met.iter().find(|known| known.id == id) {
        return known;
    }
    let returns = returns.into_boxed_slice();
    let known: &'static Known = Box::leak(Box::new(Known { site, id, returns }));
    met.push(known);
    known
}

/// The line of Python at which code at `pc` works for the program, by the address that stands for it, and the calls
/// that led there; `None` if no interpreter runs the program, or the code is the interpreter's.
pub(crate) fn line_of(pc: usize) -> Option<(u64, StackId)> {
    if !python::is_interpreter(pc)
        && let [line, callers @ ..] = &python::frames()[..]
    {
        return Some((*line, define(callers)));
    }
    None
}

/// The callers of the program's code at `pc`, which is on the calling thread's stack: it called a function of ours that
/// returns there, or a signal interrupted it there. Its frame's stack ends at `stack_pointer`. Unwinds when it meets
/// these callers for the first time.
pub(crate) fn callers(pc: usize, stack_pointer: usize) -> StackId {
    let site = (pc, stack_pointer, CALLERS);
    let met = lock(&SITES).get(&site).and_then(|met| {
        met.iter()
            .find(|known| unwind::is_present(&known.returns, stack_pointer))
            .copied()
    });
    met.unwrap_or_else(|| {
        let returns = unwind::from(pc as u64, DEPTH);
        let callers: Vec<u64> = returns.iter().skip(1).map(unwind::Return::pc).collect();
        let id = if callers.is_empty() {
            StackId::UNKNOWN
        } else {
            define(&callers)
        };
        keep(site, id, returns)
    })
    .id
}

/// A stack of this call alone, which was over before anything was recorded.
pub(crate) fn of_address(return_address: usize) -> StackId {
    define(&[return_address as u64])
}

/// The part of the calling thread's own stack from an address in it on, which its earlier callers use; empty where the
/// stack is not known.
pub(crate) fn from(address: usize) -> std::ops::Range<usize> {
    let end = unwind::own_stack().end;
    address.min(end)..end
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
