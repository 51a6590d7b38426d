//! `pthread_barrier_wait`: all that wait come before all that leave.
//!
//! An arrival at the barrier's next use must not be taken for one at this, so the object names the generation: how
//! often the barrier was full before. Which generation an arrival belongs to is counted here, just before the real
//! call. If more threads than the barrier's count use it at once, the library may group them in another way; POSIX
//! leaves that open, and a program that is right for one grouping only is not right.

use super::object::{Kind, is_in_window, lock};
use super::{acquire, release};
use crate::interposed::interpose;
use crate::recorder;
use std::collections::HashMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::{LazyLock, Mutex, PoisonError};

/// How full a barrier is.
#[derive(Clone, Copy)]
struct Fill {
    /// Threads that must arrive.
    count: c_uint,
    /// Threads that have arrived in this generation; less than `count`.
    arrived: c_uint,
    /// Times that the barrier was full.
    generation: u64,
}

static BARRIERS: LazyLock<Mutex<HashMap<usize, Fill>>> = LazyLock::new(Mutex::default);

/// Registers a barrier, or forgets it (`None`).
fn define(barrier: *const c_void, count: Option<c_uint>) {
    recorder::observe(|| {
        let mut barriers = BARRIERS.lock().unwrap_or_else(PoisonError::into_inner);
        match count {
            Some(count) => {
                let generation = barriers
                    .get(&(barrier as usize))
                    .map_or(0, |old| old.generation + 1);
                let fill = Fill {
                    count,
                    arrived: 0,
                    generation,
                };
                barriers.insert(barrier as usize, fill);
            }
            // The generation goes on, so that a barrier at the same place gets objects of its own.
            None => {
                if let Some(fill) = barriers.get_mut(&(barrier as usize)) {
                    *fill = Fill {
                        count: 0,
                        arrived: 0,
                        generation: fill.generation + 1,
                    };
                }
            }
        }
    });
}

/// The generation that the calling thread arrives at.
fn arrive(barrier: *const c_void) -> u64 {
    recorder::observe(|| {
        let mut barriers = BARRIERS.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(fill) = barriers.get_mut(&(barrier as usize)) else {
            return 0;
        };
        let generation = fill.generation;
        fill.arrived += 1;
        if fill.arrived >= fill.count {
            fill.arrived = 0;
            fill.generation += 1;
        }
        generation
    })
    .unwrap_or(0)
}

interpose! {
    fn pthread_barrier_init(barrier: *mut c_void, attributes: *const c_void, count: c_uint) -> c_int |real| {
        let result = real();
        if result == 0 && !recorder::inside_mpi() {
            define(barrier, Some(count));
        }
        result
    }

    fn pthread_barrier_destroy(barrier: *mut c_void) -> c_int |real| {
        if !recorder::inside_mpi() {
            define(barrier, None);
        }
        real()
    }

    fn pthread_barrier_wait(barrier: *mut c_void) -> c_int |real| {
        if recorder::inside_mpi() {
            return real();
        }
        // Counted also while nothing is recorded: recording may start between two arrivals.
        let object = Kind::Barrier.hash([barrier as usize as u64, arrive(barrier)]);
        // Of one in window memory, no process sees all arrivals: its generations are one object.
        let shared = Some(lock(barrier)).filter(|object| is_in_window(*object));
        release(object);
        shared.into_iter().for_each(release);
        let result = real();
        acquire(object);
        shared.into_iter().for_each(acquire);
        result
    }
}
