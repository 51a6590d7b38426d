//! The exchange of 16 bytes, by the instructions of the processor.

/// Writes `value` at `at` if `expected` is there; gives what was there. Low word first.
///
/// # Safety
/// `at` is aligned to 16 and valid for reads and writes.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) unsafe fn compare_exchange(
    at: *mut u128,
    (mut low, mut high): (u64, u64),
    value: (u64, u64),
) -> (u64, u64) {
    // `rbx` belongs to the compiler, so it is borrowed and given back. The others are named, because `reg` may mean
    // `rbx`.
    // SAFETY: `at` is aligned and valid by the caller's contract; all registers that change are named, and `rbx` is as
    // it was.
    unsafe {
        std::arch::asm!(
            "xchg rsi, rbx",
            "lock cmpxchg16b xmmword ptr [rdi]",
            "mov rbx, rsi",
            in("rdi") at,
            inout("rsi") value.0 => _,
            in("rcx") value.1,
            inout("rax") low,
            inout("rdx") high,
            options(nostack),
        );
    }
    (low, high)
}

/// As on x86-64. What was read is one value only if the store after it succeeds, so something is always stored: the new
/// value, or what was there.
///
/// # Safety
/// `at` is aligned to 16 and valid for reads and writes.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) unsafe fn compare_exchange(at: *mut u128, expected: (u64, u64), value: (u64, u64)) -> (u64, u64) {
    let (low, high): (u64, u64);
    // SAFETY: `at` is aligned and valid by the caller's contract; all registers that change are named. Between the load
    // and the store there is no access to memory.
    unsafe {
        std::arch::asm!(
            "2: ldaxp {low}, {high}, [{at}]",
            "cmp {low}, {expected_low}",
            "ccmp {high}, {expected_high}, 0, eq",
            "csel {store_low}, {value_low}, {low}, eq",
            "csel {store_high}, {value_high}, {high}, eq",
            "stlxp {failed:w}, {store_low}, {store_high}, [{at}]",
            "cbnz {failed:w}, 2b",
            at = in(reg) at,
            low = out(reg) low,
            high = out(reg) high,
            expected_low = in(reg) expected.0,
            expected_high = in(reg) expected.1,
            value_low = in(reg) value.0,
            value_high = in(reg) value.1,
            store_low = out(reg) _,
            store_high = out(reg) _,
            failed = out(reg) _,
            options(nostack),
        );
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use crate::Atomic;

    #[test]
    fn sixteen_bytes_change_as_a_whole_or_not_at_all() {
        let mut place = 7_u128 << 64 | 5;
        let at = &raw mut place;
        let other = u128::MAX - 3;
        // SAFETY: an aligned place, which nobody else uses.
        unsafe {
            for wrong in [7_u128 << 64, 5, 8 << 64 | 5, 7 << 64 | 4] {
                assert_eq!(u128::compare_exchange(at, wrong, other), 7 << 64 | 5);
            }
            assert_eq!(u128::load(at), 7 << 64 | 5);
            assert_eq!(u128::compare_exchange(at, 7 << 64 | 5, other), 7 << 64 | 5);
            assert_eq!(u128::fetch_add(at, 4), other);
            assert_eq!(u128::load(at), 0);
        }
    }

    #[test]
    fn threads_that_add_lose_nothing() {
        const ROUNDS: u128 = if cfg!(miri) { 10 } else { 2_000 };
        let mut place = 0_u128;
        let at = &raw mut place as usize;
        let step = 1_u128 << 64 | 1;
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(move || {
                    for _ in 0..ROUNDS {
                        // SAFETY: an aligned place that lives until the threads have ended, and is used by atomic
                        // operations only meanwhile.
                        unsafe { u128::fetch_add(at as *mut u128, step) };
                    }
                });
            }
        });
        assert_eq!(place, 3 * ROUNDS * step);
    }
}
