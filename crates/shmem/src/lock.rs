//! Distributed locks (OpenSHMEM 1.5 §9.12), fair: PEs get a lock in the order in which they asked.
//!
//! A queue lock after Mellor-Crummey and Scott (*Algorithms for scalable synchronization on shared-memory
//! multiprocessors*, TOCS 1991), in the lock variable itself, of which each PE has one. Its lower half, at one PE that
//! the address says (the *home*), is who asked last. Its upper half, at each PE, says whether this PE waits, and who
//! comes after it. So a PE that waits looks at its own memory, and is woken there. All is 0 when nobody has the lock.
//!
//! What the standard leaves undefined and can be seen here is misuse: to set a lock that this PE has, and to clear one
//! that it has not.

use crate::call::Call;
use crate::handle::Ctx;
use crate::pe::Pe;
use crate::rma::{Target, symmetric};
use farside_fabric::{AtomicKind, AtomicOperation};
use std::collections::BTreeSet;
use std::ffi::{c_int, c_long};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// In the upper half: this PE waits.
const WAITS: u32 = 1 << 31;

const REPLACE: (AtomicOperation, AtomicKind) = (AtomicOperation::Replace, AtomicKind::U32);
const AND: (AtomicOperation, AtomicKind) = (AtomicOperation::And, AtomicKind::U32);
const OR: (AtomicOperation, AtomicKind) = (AtomicOperation::Or, AtomicKind::U32);

/// Displacements of the locks that this PE has.
static HELD: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

fn held() -> MutexGuard<'static, BTreeSet<usize>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A lock, seen from this PE.
struct Lock {
    call: Call,
    pe: &'static Pe,
    displacement: usize,
}

impl Lock {
    fn new(call: Call, lock: *const c_long) -> Self {
        let pe = Pe::of(call);
        if !lock.is_aligned() {
            call.misuse(format_args!("lock ({lock:p}) is not aligned to its type"));
        }
        let displacement = symmetric(call, pe, "lock", lock, 1);
        Self {
            call,
            pe,
            displacement,
        }
    }

    fn target(&self, rank: usize) -> Target {
        Target::new(self.call, Ctx::DEFAULT, rank as c_int)
    }

    fn home(&self) -> Target {
        self.target(self.displacement / 8 % self.pe.size() as usize)
    }

    /// The own number, from 1: 0 is nobody.
    fn name(&self) -> u32 {
        self.pe.rank() + 1
    }

    /// The upper half of the own word.
    fn own(&self) -> &AtomicU32 {
        let word: *const _ = self.pe.word(self.displacement);
        // SAFETY: the upper half of a word that is mapped.
        unsafe { AtomicU32::from_ptr(word.cast_mut().cast::<u32>().add(1)) }
    }

    /// Changes the upper half of a PE's word.
    fn change(&self, rank: usize, what: (AtomicOperation, AtomicKind), operand: u32) {
        // SAFETY: the operand lives until the call returns.
        unsafe {
            self.target(rank)
                .change(what, self.displacement + 4, &raw const operand)
        }
    }

    /// Replaces who asked last if it is `expected`; gives who it was.
    fn swap_last(&self, expected: u32, replacement: u32) -> u32 {
        let (home, mut found) = (self.home(), 0_u32);
        // SAFETY: all live until the operation is complete.
        unsafe {
            let operands = ((&raw const expected).cast(), (&raw const replacement).cast());
            let ticket = home.compare_swap(
                AtomicKind::U32,
                self.displacement,
                operands,
                (&raw mut found).cast(),
            );
            home.complete(ticket);
        }
        found
    }
}

/// `shmem_set_lock`.
///
/// # Safety
/// None is needed beyond what is checked; handlers of calls are unsafe alike.
pub(crate) unsafe fn set(call: Call, lock: *mut c_long) {
    let lock = Lock::new(call, lock);
    if held().contains(&lock.displacement) {
        call.misuse("this PE has the lock already");
    }
    let (me, name) = (lock.pe.rank() as usize, lock.name());
    lock.change(me, REPLACE, WAITS);
    // SAFETY: the operand lives until the call returns.
    let before = unsafe { lock.home().fetch(REPLACE, lock.displacement, &raw const name) };
    match before {
        // Somebody may have named itself here meanwhile.
        0 => lock.change(me, AND, !WAITS),
        before => {
            lock.change(before as usize - 1, OR, name);
            let own = lock.own();
            lock.pe
                .wait(call, &mut || own.load(Ordering::Acquire) & WAITS == 0);
        }
    }
    held().insert(lock.displacement);
}

/// `shmem_test_lock`: 0 if this PE has the lock now.
///
/// # Safety
/// As for [`set`].
pub(crate) unsafe fn test(call: Call, lock: *mut c_long) -> c_int {
    let lock = Lock::new(call, lock);
    if held().contains(&lock.displacement) || lock.swap_last(0, lock.name()) != 0 {
        crate::wait::pause();
        return 1;
    }
    held().insert(lock.displacement);
    0
}

/// `shmem_clear_lock`: after a quiet of the default context (§9.12.1).
///
/// # Safety
/// As for [`set`].
pub(crate) unsafe fn clear(call: Call, lock: *mut c_long) {
    let lock = Lock::new(call, lock);
    if !held().remove(&lock.displacement) {
        call.misuse("this PE does not have the lock");
    }
    lock.pe.quiet(call, lock.pe.default_scope());
    let (own, name) = (lock.own(), lock.name());
    if own.load(Ordering::Acquire) == 0 && lock.swap_last(name, 0) == name {
        return;
    }
    // Somebody asked after this PE, and says so here.
    let mut next = 0;
    lock.pe.wait(call, &mut || {
        next = own.load(Ordering::Acquire);
        next != 0
    });
    lock.change(lock.pe.rank() as usize, REPLACE, 0);
    lock.change(next as usize - 1, AND, !WAITS);
}
