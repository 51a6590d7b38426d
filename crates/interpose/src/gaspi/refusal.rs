//! What the library did not do: calls that it refused, and calls that it asked to repeat, and that were not repeated.
//!
//! Limit: a program may try a call in order to see what the library says. Of codes that tell of a lost rank or of
//! missing memory nothing is told, for programs are right to meet those.

use super::{Call, QUEUE_FULL, SUCCESS, TIMEOUT, segment};
use crate::abi::symbol;
use crate::call::MAX_WORDS;
use crate::recorder::{self, record};
use crate::stacks;
use farside_calls::gaspi::{Function, Limits, Meaning, Side, nearest, refusal};
use farside_events::{EventKind, Mistake, Nearest, StackId};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a call is for: its function, and its arguments but for the queue and the timeout.
type What = (&'static str, [u64; MAX_WORDS]);

/// Calls that are to be repeated: where they were made, and what they returned.
static LEFT: Mutex<BTreeMap<What, (StackId, i32)>> = Mutex::new(BTreeMap::new());
/// How many there are.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Calls before `gaspi_proc_init`: functions, and where they return to.
static EARLY: Mutex<Vec<(&'static str, usize)>> = Mutex::new(Vec::new());
/// The program has come to its `gaspi_proc_term`.
static ENDED: AtomicBool = AtomicBool::new(false);
/// Calls before `gaspi_proc_init` of which it is told.
const MOST_EARLY: usize = 16;

/// Whether calls are looked at for being too early, or too late.
pub(super) fn looks_outside() -> bool {
    recorder::wanted()
}

/// The program takes no part any more.
pub(super) fn ends() {
    ENDED.store(true, Ordering::Relaxed);
}

fn left() -> MutexGuard<'static, BTreeMap<What, (StackId, i32)>> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn early() -> MutexGuard<'static, Vec<(&'static str, usize)>> {
    EARLY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call returned this code before the job was initialised, or after its end.
pub(super) fn outside(call: &Call, code: i32) {
    let function = call.function();
    if code == SUCCESS || function.meaning() == Meaning::Init {
        return;
    }
    if ENDED.load(Ordering::Relaxed) {
        let told = || tell(function.name(), (not_initialised(), None), call.stack());
        match recorder::active() {
            true => told(),
            false => recorder::resume(told),
        }
        return;
    }
    let mut early = early();
    if early.len() < MOST_EARLY {
        early.push((function.name(), call.return_address()));
    }
}

/// Tells of calls that came too early. Where they were called from is known, and not by whom.
pub(super) fn tell_early(_init: &Call) {
    for (name, return_address) in std::mem::take(&mut *early()) {
        let reason = (not_initialised(), None);
        tell(name, reason, stacks::of_address(return_address));
    }
}

fn not_initialised() -> String {
    reason(6).unwrap_or_default()
}

/// A call returned this code.
pub(super) fn look_at(call: &Call, code: i32) {
    let function = call.function();
    match code {
        SUCCESS => {
            if COUNT.load(Ordering::Relaxed) > 0 && function.meaning().must_be_repeated() {
                let mut left = left();
                left.remove(&what(call));
                COUNT.store(left.len(), Ordering::Relaxed);
            }
        }
        TIMEOUT | QUEUE_FULL => {
            if function.meaning().must_be_repeated() {
                let mut left = left();
                left.entry(what(call)).or_insert_with(|| (call.stack(), code));
                COUNT.store(left.len(), Ordering::Relaxed);
            }
        }
        _ => {
            if let Some(reason) = reason(code) {
                let nearest = nearest(function, code, &|place| call.word(place), &Library);
                tell(function.name(), (reason, nearest), call.stack());
            }
        }
    }
}

/// Tells of calls that were never repeated. Those of one place are one.
pub(super) fn tell_what_is_left() {
    let mut told = Vec::new();
    for ((name, _), (stack, code)) in std::mem::take(&mut *left()) {
        if told.contains(&(name, stack)) {
            continue;
        }
        told.push((name, stack));
        let word = if code == TIMEOUT {
            "GASPI_TIMEOUT"
        } else {
            "GASPI_QUEUE_FULL"
        };
        let nothing = "and the call was never repeated: what it is for was not done";
        tell(name, (format!("returned {word}, {nothing}"), None), stack);
    }
}

/// The library, asked by calls that only tell something, none of which sends a message.
struct Library;

impl Limits for Library {
    fn segment(&self, side: Side, number: u8) -> Option<u64> {
        match side {
            Side::Local => segment::size(number),
            Side::Remote(rank) => segment::size_at(number, rank),
        }
    }

    fn last_queue(&self) -> Option<u64> {
        ask(c"gaspi_queue_num")?.checked_sub(1)
    }

    fn last_notification(&self) -> Option<u64> {
        ask(c"gaspi_notification_num")?.checked_sub(1)
    }
}

/// The number that a function of the library gives.
fn ask(name: &CStr) -> Option<u64> {
    let function = symbol::next(name)?;
    let mut number = 0_u32;
    // SAFETY: `name(gaspi_number_t *)` is the signature of the functions asked for (§8.5.1, §12.3.1), with room for
    // what it writes.
    let code = unsafe {
        let function: unsafe extern "C-unwind" fn(*mut u32) -> i32 = std::mem::transmute(function);
        function(&raw mut number)
    };
    (code == SUCCESS).then_some(number.into())
}

fn what(call: &Call) -> What {
    let function: &Function = call.function();
    let mut words = [0; MAX_WORDS];
    for (place, word) in words
        .iter_mut()
        .enumerate()
        .filter(|(place, _)| function.is_what(*place))
    {
        *word = call.word(place);
    }
    // The buffers of a collective operation may be others when it is repeated.
    if let Meaning::Collective(_) | Meaning::GroupCommit = function.meaning() {
        words = [0; MAX_WORDS];
        let group = (0..function.words()).rev().nth(1).unwrap_or(0);
        words[0] = call.word(group);
    }
    (function.name(), words)
}

fn reason(code: i32) -> Option<String> {
    refusal(code).map(|(word, why)| format!("returned {word}, and did nothing: {why}"))
}

fn tell(name: &'static str, (reason, nearest): (String, Option<Nearest>), stack: StackId) {
    record(EventKind::Mistaken {
        mistake: Mistake::Refused {
            reason: reason.into(),
            nearest,
        },
        name: name.into(),
        stack,
        earlier: None,
    });
}
