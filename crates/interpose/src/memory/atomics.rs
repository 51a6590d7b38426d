//! The atomic callbacks of `-fsanitize=thread`: they perform the operation, record it, and order threads by it.
//!
//! An operation is an access with [`farside_events::AccessSource::Atomic`]; one that reads and writes is a store, which conflicts with
//! everything that a load conflicts with; a failed compare-exchange is a load.
//! While several threads run, an operation that releases records a `Release` of the object at its address (before it
//! is performed), and one that acquires an `Acquire` (after it), if anything was released there since this thread
//! last acquired: a loop that spins records one event, not millions. Addresses share a cell of that bookkeeping by hash, which
//! only adds events. In window memory, they order processes, too ([`shared_words`]).
//! Limit: fences order through the atomic operations around them in C11; here a fence is an operation on one object of
//! its own, which orders more than the standard promises, and so may hide a race between threads.

use super::run::Code;
use super::thread::{self, hit};
use super::{page_table, shared_words, slots::entrance};
use crate::{recorder, speeds};
use farside_atomics::{Atomic, atomic_callbacks, order};
use farside_events::AccessKind::{self, Load, Store};
use farside_events::{EventKind, ObjectId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// How often something was released at the addresses of a cell.
static RELEASED: [AtomicU32; CELLS] = [const { AtomicU32::new(0) }; CELLS];
const CELLS: usize = 1024;

thread_local! {
    /// The state of [`RELEASED`] when this thread last acquired at an address.
    static ACQUIRED: RefCell<HashMap<u64, u32>> = RefCell::new(HashMap::new());
}

/// The object of all fences.
const FENCE: u64 = 1;

fn cell(object: u64) -> &'static AtomicU32 {
    &RELEASED[(object.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % CELLS]
}

/// An atomic operation is about to happen.
fn before(object: u64, order: i32) {
    if speeds::are_told() && recorder::active() {
        recorder::observe(speeds::wait);
    }
    if shared_words::are_at(object) {
        match order::releases(order) {
            true => shared_words::release(object),
            false => shared_words::release_fenced(object),
        }
        return;
    }
    if thread::multithreaded() && order::releases(order) && recorder::active() {
        recorder::observe(|| {
            recorder::record(EventKind::Release {
                object: ObjectId(object),
            });
        });
        cell(object).fetch_add(1, Ordering::SeqCst);
    }
}

/// An atomic operation happened, and found a value.
fn after(object: u64, order: i32, found: u128) {
    if shared_words::are_at(object) {
        match order::acquires(order) {
            true => shared_words::acquire(object, found),
            false => shared_words::loaded(object, found),
        }
        return;
    }
    if thread::multithreaded() && order::acquires(order) && recorder::active() {
        let now = cell(object).load(Ordering::SeqCst);
        recorder::observe(|| {
            let news = ACQUIRED
                .try_with(|acquired| acquired.borrow_mut().insert(object, now) != Some(now))
                .unwrap_or(true);
            if news && now != 0 {
                recorder::record(EventKind::Acquire {
                    object: ObjectId(object),
                });
            }
        });
    }
}

/// The operation is an access, if its memory is watched.
fn access<T>(kind: AccessKind, at: *mut T) {
    if page_table::watched(at as usize, size_of::<T>()) {
        let code = Code::new(kind, size_of::<T>() as u64, Code::ATOMIC);
        hit(at as u64, thread::call_pc(), code);
    }
}

macro_rules! export {
    (load $int:ty, $name:ident) => {
        entrance!($name, load::<$int>);
    };
    (store $int:ty, $name:ident) => {
        entrance!($name, store::<$int>);
    };
    (update $int:ty, $name:ident $operation:ident) => {
        const _: () = {
            unsafe extern "C" fn perform(at: *mut $int, value: $int, order: i32) -> $int {
                // SAFETY: The program's own operation, with its own arguments.
                update(at, order, || unsafe { <$int>::$operation(at, value) })
            }
            entrance!($name, perform);
        };
    };
    (compare $int:ty, $name:ident) => {
        entrance!($name, compare::<$int>);
    };
    (compare_value $int:ty, $name:ident) => {
        entrance!($name, compare_value::<$int>);
    };
}

atomic_callbacks!(export);

unsafe extern "C" fn load<T: Atomic>(at: *mut T, order: i32) -> T {
    access(Load, at);
    // SAFETY: The program's own operation, with its own arguments.
    let value = unsafe { T::load(at) };
    after(at as u64, order, bits(value));
    value
}

unsafe extern "C" fn store<T: Atomic>(at: *mut T, value: T, order: i32) {
    access(Store, at);
    before(at as u64, order);
    // SAFETY: The program's own operation, with its own arguments.
    unsafe { T::store(at, value, order) };
    shared_words::changed();
}

fn update<T: Atomic>(at: *mut T, order: i32, operation: impl FnOnce() -> T) -> T {
    access(Store, at);
    let object = at as u64;
    // Who spins by exchanges changes nothing, and so releases nothing.
    // SAFETY: The program's own operation is about to read it.
    let spins = shared_words::are_at(object) && shared_words::is_known(object, bits(unsafe { T::load(at) }));
    if !spins {
        before(object, order);
    }
    let value = operation();
    if spins && shared_words::is_known(object, bits(value)) {
        return value;
    }
    if spins {
        before(object, order);
    }
    shared_words::changed();
    after(object, order, bits(value));
    value
}

/// The bytes of a value, as a number.
fn bits<T: Atomic>(value: T) -> u128 {
    let mut bits = 0_u128;
    // SAFETY: an integer of at most 16 bytes is read as what it is.
    unsafe { (&raw mut bits).cast::<T>().write_unaligned(value) };
    bits
}

unsafe extern "C" fn compare<T: Atomic>(
    at: *mut T,
    expected: *mut T,
    value: T,
    order: i32,
    failure: i32,
) -> i32 {
    // Whether it stores is known only afterwards, and only a store releases. A release that turns out not to be one
    // would hide races, a missing one invents them: so it is recorded if the exchange may succeed.
    // SAFETY: The program's own operation reads both, so both are valid, and `at` is accessed by an atomic load.
    let may_succeed = unsafe { T::load(at) == expected.read_unaligned() };
    if may_succeed {
        before(at as u64, order);
    }
    // SAFETY: The program's own operation, with its own arguments.
    let done = unsafe { T::compare_exchange_c(at, expected, value) };
    // SAFETY: the program's own place, which the operation has just read and may have written.
    let found = unsafe { expected.read_unaligned() };
    compared(at, (done != 0, found), order, failure);
    done
}

unsafe extern "C" fn compare_value<T: Atomic>(
    at: *mut T,
    expected: T,
    value: T,
    order: i32,
    failure: i32,
) -> T {
    // SAFETY: The program's own operation reads it, so it is valid; it is accessed by an atomic load.
    if unsafe { T::load(at) } == expected {
        before(at as u64, order);
    }
    // SAFETY: The program's own operation, with its own arguments.
    let found = unsafe { T::compare_exchange(at, expected, value) };
    compared(at, (found == expected, found), order, failure);
    found
}

fn compared<T: Atomic>(at: *mut T, (done, found): (bool, T), order: i32, failure: i32) {
    access(if done { Store } else { Load }, at);
    if done {
        shared_words::changed();
    }
    after(at as u64, if done { order } else { failure }, bits(found));
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_atomic_thread_fence(order: i32) {
    shared_words::fence(order::releases(order), order::acquires(order));
    before(FENCE, order);
    fence(Ordering::SeqCst);
    after(FENCE, order, 0);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_atomic_signal_fence(_order: i32) {
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
}
