//! Operations that the origin does itself, on memory of a target that its process maps.
//!
//! Where a transport's put is a copy and its atomic operation an instruction, a call of the transport costs more than
//! what it does. Such a transport gives a [`Direct`] for a connection, and whoever holds it may do without the call:
//!
//! 1. not if a rank is lost ([`Direct::is_lost`]): the transport knows which calls fail then;
//! 2. within the bounds of the connection, by [`copy`](crate::copy) and [`element`](crate::element), which keep
//!    promises 2, 5 and 9 of [`Fabric`](crate::Fabric); the operation is complete locally then;
//! 3. it is complete remotely when [`Direct::settle`] said so after it, or [`Fabric::flush`](crate::Fabric::flush) with
//!    this target has returned: a target that sleeps is woken there, and not by the operation.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

/// Memory of a target in this process, and what tells whether its owner must be woken. See
/// [`Fabric::direct`](crate::Fabric::direct).
#[derive(Clone, Copy, Debug)]
pub struct Direct {
    base: NonNull<u8>,
    asleep: NonNull<AtomicU32>,
    lost: NonNull<AtomicU32>,
}

// SAFETY: the words are atomic; who uses `base` keeps the rules of `Fabric`, whatever the thread.
unsafe impl Send for Direct {}
// SAFETY: a shared `Direct` gives copies of its addresses only; the words they name are atomic, and who uses `base`
// keeps the rules of `Fabric`.
unsafe impl Sync for Direct {}

impl Direct {
    /// For transports: `base` is where the region begins; `asleep` is not 0 while a thread of the target may sleep;
    /// `lost` is not 0 once a rank is lost.
    ///
    /// # Safety
    /// The words live as long as the endpoint that gives them; the memory as long as the connection.
    #[must_use]
    pub unsafe fn new(base: NonNull<u8>, asleep: NonNull<AtomicU32>, lost: NonNull<AtomicU32>) -> Self {
        Self { base, asleep, lost }
    }

    /// Where the region begins.
    #[inline]
    #[must_use]
    pub fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    /// Whether a rank is lost, as far as this one was told.
    ///
    /// # Safety
    /// The endpoint lives.
    #[inline]
    #[must_use]
    pub unsafe fn is_lost(&self) -> bool {
        // SAFETY: the word lives as long as the endpoint.
        unsafe { self.lost.as_ref() }.load(Ordering::Acquire) != 0
    }

    /// Makes all that this thread has written visible to everybody, before anything that it reads from here on. True if
    /// the operations to this target are complete remotely; false if the transport has to complete them: the target may
    /// sleep, or a rank is lost.
    ///
    /// # Safety
    /// The endpoint lives.
    #[inline]
    #[must_use]
    pub unsafe fn settle(&self) -> bool {
        full_fence();
        // SAFETY: by the caller.
        unsafe { self.is_settled() }
    }

    /// As [`Direct::settle`], right after an atomic read-modify-write of this thread, which is a full fence on some
    /// processors: on x86-64 every locked instruction is (Intel, volume 3, §9.2.3.9).
    ///
    /// # Safety
    /// The endpoint lives.
    #[inline]
    #[must_use]
    pub unsafe fn settle_after_update(&self) -> bool {
        if cfg!(all(target_arch = "x86_64", not(miri))) {
            // The compiler, too, moves no load before the update.
            std::sync::atomic::compiler_fence(Ordering::SeqCst);
        } else {
            full_fence();
        }
        // SAFETY: by the caller.
        unsafe { self.is_settled() }
    }

    /// Nobody has to be woken, and no rank is lost.
    ///
    /// # Safety
    /// The endpoint lives.
    #[inline]
    unsafe fn is_settled(&self) -> bool {
        // SAFETY: the words live as long as the endpoint.
        unsafe { self.asleep.as_ref() }.load(Ordering::Relaxed) == 0 && !unsafe { self.is_lost() }
    }
}

/// A sequentially consistent fence, by a faster instruction where there is one: on x86-64, a locked one on the stack
/// instead of `mfence`, which also waits for what is no plain store (Intel, volume 3, §9.2.2: both order all loads and
/// stores of write-back memory; the kernel of Linux does the same in `smp_mb`).
#[inline]
pub fn full_fence() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: it changes no memory (a bitwise or with 0) but the flags. As it may touch memory, the compiler moves no
    // access across it.
    unsafe {
        std::arch::asm!("lock or dword ptr [rsp - 4], 0", options(nostack));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    std::sync::atomic::fence(Ordering::SeqCst);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_sleeps_and_a_loss_are_left_to_the_transport() {
        let (mut memory, asleep, lost) = ([0_u8; 8], AtomicU32::new(0), AtomicU32::new(0));
        // SAFETY: all live as long as `direct`.
        unsafe {
            let direct = Direct::new(
                NonNull::from(&mut memory).cast(),
                NonNull::from(&asleep),
                NonNull::from(&lost),
            );
            assert!(direct.settle() && !direct.is_lost());
            asleep.store(1, Ordering::Relaxed);
            assert!(!direct.settle() && !direct.settle_after_update() && !direct.is_lost());
            asleep.store(0, Ordering::Relaxed);
            assert!(direct.settle_after_update());
            lost.store(1, Ordering::Relaxed);
            assert!(!direct.settle() && !direct.settle_after_update() && direct.is_lost());
        }
    }

    /// Two threads store, fence, and load what the other stored: at least one sees it. Without a fence this fails on
    /// two processors within some thousand rounds.
    #[test]
    fn of_two_stores_at_least_one_is_seen_after_the_fence() {
        let words = [AtomicU32::new(0), AtomicU32::new(0)];
        let gate = [AtomicU32::new(0), AtomicU32::new(0)];
        let seen = [AtomicU32::new(0), AtomicU32::new(0)];
        let rounds = if cfg!(miri) { 50 } else { 20_000 };
        let meet = |own: usize, phase: u32| {
            gate[own].store(phase, Ordering::Release);
            let mut turns = 0;
            while gate[1 - own].load(Ordering::Acquire) < phase {
                turns += 1;
                match turns < 1000 {
                    true => std::hint::spin_loop(),
                    false => std::thread::yield_now(),
                }
            }
        };
        let play = |own: usize| {
            for round in 1..=rounds {
                meet(own, 2 * round - 1);
                words[own].store(round, Ordering::Relaxed);
                full_fence();
                let missed = words[1 - own].load(Ordering::Relaxed) != round;
                seen[own].store(u32::from(!missed), Ordering::Relaxed);
                meet(own, 2 * round);
                let seen = seen.iter().any(|seen| seen.load(Ordering::Relaxed) == 1);
                assert!(seen, "round {round}: neither saw the other's store");
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| play(0));
            play(1);
        });
    }
}
