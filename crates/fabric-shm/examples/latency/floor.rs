//! What the machine can do, without the transport.

use crate::{Bench, measure, show};
use farside_fabric::Result;
use std::hint::black_box;
use std::sync::atomic::{Ordering, fence};

pub(crate) fn floor(bench: &Bench) -> Result<()> {
    let (there, here) = (bench.mapped(1, 0), bench.word(64));
    let (mut turn, target) = (0, bench.mapped(1, 4096));
    let trip = measure(200, 1000, || {
        turn += 1;
        there.store(turn, Ordering::Release);
        while here.load(Ordering::Acquire) != turn {}
        Ok(())
    })?;
    there.store(u64::MAX, Ordering::Release);
    show("floor: cache line there and back", trip, 0);
    let figure = measure(200, 1000, || {
        target.store(7, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        Ok(())
    })?;
    show("floor: store and mfence", figure, 0);
    let figure = measure(200, 1000, || {
        black_box(target.fetch_add(1, Ordering::AcqRel));
        Ok(())
    })?;
    show("floor: fetch_add", figure, 0);
    for bytes in [64 << 10, 1 << 20] {
        let to = bench.mapped(1, 0).as_ptr().cast::<u8>();
        let figure = measure(200, (64 << 20) / bytes as u32 / 20, || {
            // SAFETY: both are that long.
            unsafe { std::ptr::copy_nonoverlapping(black_box(bench.buffer.as_ptr()), to, bytes) };
            Ok(())
        })?;
        let kib = bytes >> 10;
        show(&format!("floor: memcpy {kib} KiB to mapped pages"), figure, bytes);
        // What a put with a flush cannot do without.
        let figure = measure(200, (64 << 20) / bytes as u32 / 20, || {
            // SAFETY: the buffer and the mapped region have `bytes` bytes each, and do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(black_box(bench.buffer.as_ptr()), to, bytes) };
            fence(Ordering::SeqCst);
            Ok(())
        })?;
        show(&format!("floor: memcpy {kib} KiB, mfence"), figure, bytes);
        #[cfg(target_arch = "x86_64")]
        {
            let figure = measure(200, (64 << 20) / bytes as u32 / 20, || {
                // SAFETY: both are that long, mapped pages are aligned, and each processor of this kind has SSE2.
                unsafe { stream(black_box(bench.buffer.as_ptr()), to, bytes) };
                Ok(())
            })?;
            show(&format!("floor: streaming stores, {kib} KiB"), figure, bytes);
        }
    }
    Ok(())
}

/// A copy past the caches.
///
/// # Safety
/// Both are valid for `bytes` bytes, a multiple of 64; `to` is aligned to 16.
#[cfg(target_arch = "x86_64")]
unsafe fn stream(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    for at in 0..bytes / 16 {
        // SAFETY: by the caller.
        unsafe {
            _mm_stream_si128(
                to.cast::<__m128i>().add(at),
                _mm_loadu_si128(from.cast::<__m128i>().add(at)),
            )
        };
    }
    // SAFETY: a fence accesses no memory.
    unsafe { _mm_sfence() };
}

/// The other side of the ping-pong of `floor`.
pub(crate) fn floor_partner(bench: &Bench) {
    let (here, there) = (bench.word(0), bench.mapped(0, 64));
    let mut turn = 0;
    while turn != u64::MAX {
        let now = here.load(Ordering::Acquire);
        if now != turn {
            turn = now;
            there.store(turn, Ordering::Release);
        }
    }
}
