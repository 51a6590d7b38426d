//! Loops with a static schedule (`schedule(static)`, `schedule(static, n)`, none), whose iterations compilers give to
//! threads in place. The plugins of `farside cc` call the functions below; without them, a thread's part of such a
//! loop is one piece of its implicit task.
//!
//! The unit is a chunk, where the program says how large chunks are, otherwise an iteration. The first [`SINGLE`] units
//! of a thread are a strand each, each further strand has twice as many as the one before. So a loop has few strands,
//! however many iterations, and what neighbouring iterations of the same strand do to each other is not seen.
//!
//! Two such loops of one parallel region give an iteration to the same thread, if they have the same schedule and as
//! many iterations (OpenMP 5.2, §11.5.3): then the iteration of the first comes before that of the second, also with
//! `nowait`. Where the program gives the size of chunks, the number of iterations does not matter. The first chunk is
//! the primary thread's.

use super::position::{Position, StaticLoop};
use super::{strand, worksharing};
use crate::interposed::interpose;
use crate::mix::mix;
use std::ffi::c_int;

/// Units of a thread that are a strand each.
const SINGLE: u32 = 16;
/// Strands do not grow beyond two to this power of units.
const LARGEST: u32 = 40;

/// Units of the strand with this number, from 1 on.
fn units(strand: u32) -> u64 {
    1 << strand.saturating_sub(SINGLE).min(LARGEST)
}

/// The calling thread enters a loop with chunks of `chunk` iterations, 0 if the program does not say; `iterations` are
/// those of all threads, if they are known.
fn enter(chunk: u64, iterations: Option<u64>) {
    if !strand::wanted() {
        return;
    }
    worksharing::ends();
    let schedule = match chunk {
        0 => iterations.map(|iterations| mix(0, [0, iterations])),
        _ => Some(mix(0, [chunk])),
    };
    worksharing::enter(Some(StaticLoop::new(schedule)));
}

/// The next strand of the loop that the calling thread is in begins: its units. `None` if it is in none.
fn next() -> Option<u64> {
    let mut position = Position::get();
    position.static_loop()?;
    Some(units(worksharing::next_of_static_loop()))
}

/// Called by the plugins before a loop: the size of its chunks or 0, and the product of the iterations of its
/// dimensions or 0 if it is not known.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_static_loop(chunk: u64, iterations: u64) {
    enter(chunk, (iterations != 0).then_some(iterations));
}

/// Called by the plugins where a chunk begins, of a loop whose program says how large they are.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_static_chunk() {
    let mut position = Position::get();
    let Some(it) = position.static_loop() else { return };
    if !it.take_chunk() {
        let units = next().unwrap_or(1);
        position = Position::get();
        if let Some(it) = position.static_loop() {
            it.expect_chunks(units - 1);
        }
    }
    position.set();
}

/// Called by the plugins before the next iteration of a thread, which has the number `at`: where a strand ends that
/// begins there, of the iterations from there to `end` by `step`. The end is not part of it.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_static_strand(at: u64, end: u64, step: i64) -> u64 {
    match next() {
        Some(units) => strand_end(at, end, step, units),
        None => end,
    }
}

/// `units` steps from `at` on, or `end`. The numbers may be signed or not.
fn strand_end(at: u64, end: u64, step: i64, units: u64) -> u64 {
    let distance = if step < 0 {
        at.wrapping_sub(end)
    } else {
        end.wrapping_sub(at)
    };
    match units.checked_mul(step.unsigned_abs()) {
        Some(length) if length < distance => at.wrapping_add(units.wrapping_mul(step as u64)),
        _ => end,
    }
}

/// Called by the plugins where a thread is through with its part of a construct.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_work_ends() {
    worksharing::ends();
}

/// Kinds of schedules (`enum sched_type` of LLVM's kmp.h).
mod schedule {
    pub(super) const STATIC_CHUNKED: i32 = 33;
    pub(super) const STATIC: i32 = 34;
    /// Two bits say whether chunks are taken in order.
    pub(super) const ORDER: i32 = 3 << 29;
}

/// The beginning of LLVM's `ident_t`, which says what a place in the program is.
#[repr(C)]
struct Place {
    reserved: i32,
    flags: i32,
}

impl Place {
    /// `KMP_IDENT_WORK_SECTIONS`: the loop is made of sections.
    const OF_SECTIONS: i32 = 0x400;
}

/// clang's loops begin by this: it writes the thread's part into the bounds of all iterations.
macro_rules! starts {
    ($($name:ident: $integer:ty, $signed:ty;)*) => {interpose! {$(
        fn $name(
            place: *const Place,
            thread: c_int,
            schedule: c_int,
            last: *mut c_int,
            lower: *mut $integer,
            upper: *mut $integer,
            stride: *mut $signed,
            step: $signed,
            chunk: $signed,
        ) |real| {
            let kind = schedule & !schedule::ORDER;
            // SAFETY: the compiler's description of the place, if there is one.
            let is_loop = unsafe { place.as_ref() }.is_none_or(|place| place.flags & Place::OF_SECTIONS == 0);
            if is_loop && matches!(kind, schedule::STATIC | schedule::STATIC_CHUNKED) {
                // SAFETY: the compiler passes its variables, which hold the bounds of all iterations.
                let (lower, upper) = unsafe { (*lower, *upper) };
                let chunk = if kind == schedule::STATIC { 0 } else { chunk as u64 };
                enter(chunk, Some((upper.wrapping_sub(lower) as u64).wrapping_add(1)));
            }
            real();
            if is_loop && kind == schedule::STATIC_CHUNKED && Position::get().is_alone() {
                // SAFETY: the compiler's variables, which hold the first chunk of this thread.
                let (lower, upper, stride) = unsafe { (*lower, &mut *upper, &mut *stride) };
                // A team of one gets all chunks as one: the compiler goes on by the stride.
                let length = chunk.wrapping_mul(step);
                if step == 1 && chunk > 0 && (chunk as u64) <= upper.wrapping_sub(lower) as u64 {
                    *upper = lower.wrapping_add((length - step) as $integer);
                    *stride = length;
                }
            }
        }
    )*}};
}

starts! {
    __kmpc_for_static_init_4: i32, i32;
    __kmpc_for_static_init_4u: u32, i32;
    __kmpc_for_static_init_8: i64, i64;
    __kmpc_for_static_init_8u: u64, i64;
}

#[cfg(test)]
mod tests {
    use super::{strand_end, units};

    #[test]
    fn strands_grow_and_end_with_the_loop() {
        assert_eq!([1, 16, 17, 18, 20, 90].map(units), [1, 1, 2, 4, 16, 1 << 40]);
        assert_eq!(strand_end(3, 9, 2, 1), 5);
        assert_eq!(strand_end(3, 9, 2, 3), 9);
        assert_eq!(strand_end(3, 9, 2, u64::MAX), 9);
        assert_eq!(strand_end(3_u64.wrapping_neg(), 3, 1, 4), 1);
        assert_eq!(strand_end(9, 3_u64.wrapping_neg(), -2, 2), 5);
        assert_eq!(strand_end(1, 3_u64.wrapping_neg(), -2, 2), 3_u64.wrapping_neg());
        assert_eq!(strand_end(0, u64::MAX, 1, 7), 7);
    }
}
