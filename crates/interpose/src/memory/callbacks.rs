//! The load and store callbacks of `-fsanitize=thread`, as gcc, g++, gfortran and clang emit them.
//!
//! Each is a handful of instructions: ask the page table, return; or take the return address (which Rust cannot) and
//! extend the current run of this instruction as [`Entry`] does; or jump to [`hit`]: see [`crate::machine`]. A program
//! is linked with `libfarside_callbacks.so`, which has the same names; preloaded, these win. Names: the list of LLVM's
//! `ThreadSanitizer.cpp` and GCC's `sanitizer.def`.

use super::page_table::{COUNT, MASK, TABLE};
use super::run::Code;
use super::seen::Seen;
use super::segment::{Entry, Limits};
use super::slots::offset;
use super::thread::{self, hit};
use crate::memory::{INSTRUMENTED, page_table};
use crate::{machine, stacks};
use farside_events::AccessKind::{self, Load, Store};
use std::arch::naked_asm;
use std::sync::atomic::Ordering;

/// `__tsan_init`: runs in a constructor of every instrumented object.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_init() {
    INSTRUMENTED.store(true, Ordering::Relaxed);
}

/// The bits of a return address that choose an entry, in place: see [`slot`](super::segment::slot).
const SLOTS_MASK: u64 = ((Limits::DEFAULT.entries - 1) * size_of::<Entry>()) as u64;

/// Callbacks of aligned accesses, which lie within one page, and their `_pc` forms.
macro_rules! aligned {
    ($($kind:ident $size:literal: $($name:ident)*, $($with_pc:ident)*;)*) => {$(
        $(
            #[unsafe(naked)]
            #[cfg_attr(not(test), unsafe(no_mangle))]
            extern "C" fn $name(_address: u64) {
                naked_asm!(
                    machine::aligned_access!(),
                    mask = sym MASK,
                    table = sym TABLE,
                    count = const COUNT,
                    code = const Code::new($kind, $size, 0).0,
                    slots_mask = const SLOTS_MASK,
                    pc = const Entry::PC,
                    next = const Entry::NEXT,
                    stride = const Entry::STRIDE,
                    count_up = const Entry::COUNT,
                    scattered = const Entry::SCATTERED as i64,
                    seen = const offset::SEEN,
                    seen_offset = const Seen::offset(Code::new($kind, $size, 0)),
                    seen_mask = const Seen::INDEX_MASK,
                    seen_tag = const Seen::tag(Code::new($kind, $size, 0)),
                    seen_shift = const Seen::BITS_SHIFT,
                    seen_class = const ($size as u64).trailing_zeros(),
                    seen_bits = const Seen::BITS,
                    slow = sym hit,
                )
            }
        )*
        $(
            #[cfg_attr(not(test), unsafe(no_mangle))]
            extern "C" fn $with_pc(address: u64, pc: u64) {
                if page_table::watched(address as usize, $size) {
                    hit(address, pc, Code::new($kind, $size, 0));
                }
            }
        )*
    )*};
}

/// Callbacks of accesses that may straddle two pages. Those of 16 bytes promise an alignment of 8 only.
macro_rules! unaligned {
    ($($kind:ident $size:literal: $($name:ident)*;)*) => {$($(
        #[unsafe(naked)]
        #[cfg_attr(not(test), unsafe(no_mangle))]
        extern "C" fn $name(_address: u64) {
            naked_asm!(
                machine::unaligned_access!(),
                mask = sym MASK,
                table = sym TABLE,
                count = const COUNT,
                size = const $size,
                code = const Code::new($kind, $size, 0).0,
                slots_mask = const SLOTS_MASK,
                pc = const Entry::PC,
                next = const Entry::NEXT,
                stride = const Entry::STRIDE,
                count_up = const Entry::COUNT,
                slow = sym hit,
            )
        }
    )*)*};
}

/// Callbacks that hand their return address, as a last argument of this number, to a function of ours.
macro_rules! with_pc {
    ($($name:ident, $number:tt => $to:path;)*) => {$(
        #[unsafe(naked)]
        #[cfg_attr(not(test), unsafe(no_mangle))]
        extern "C" fn $name() {
            naked_asm!(
                machine::return_address_to!($number),
                machine::go_on!(),
                to = sym $to,
            )
        }
    )*};
}

aligned! {
    Load 1: __tsan_read1 __tsan_volatile_read1, __tsan_read1_pc;
    Load 2: __tsan_read2 __tsan_volatile_read2, __tsan_read2_pc;
    Load 4: __tsan_read4 __tsan_volatile_read4, __tsan_read4_pc;
    Load 8: __tsan_read8 __tsan_volatile_read8 __tsan_vptr_read, __tsan_read8_pc;
    Load 16: , __tsan_read16_pc;
    Store 1: __tsan_write1 __tsan_volatile_write1, __tsan_write1_pc;
    Store 2: __tsan_write2 __tsan_volatile_write2, __tsan_write2_pc;
    Store 4: __tsan_write4 __tsan_volatile_write4, __tsan_write4_pc;
    Store 8: __tsan_write8 __tsan_volatile_write8 __tsan_vptr_update, __tsan_write8_pc;
    Store 16: , __tsan_write16_pc;
}

unaligned! {
    Load 2: __tsan_unaligned_read2 __tsan_unaligned_volatile_read2;
    Load 4: __tsan_unaligned_read4 __tsan_unaligned_volatile_read4;
    Load 8: __tsan_unaligned_read8 __tsan_unaligned_volatile_read8;
    Load 16: __tsan_read16 __tsan_volatile_read16 __tsan_unaligned_read16 __tsan_unaligned_volatile_read16;
    Store 2: __tsan_unaligned_write2 __tsan_unaligned_volatile_write2;
    Store 4: __tsan_unaligned_write4 __tsan_unaligned_volatile_write4;
    Store 8: __tsan_unaligned_write8 __tsan_unaligned_volatile_write8;
    Store 16: __tsan_write16 __tsan_volatile_write16 __tsan_unaligned_write16 __tsan_unaligned_volatile_write16;
}

with_pc! {
    __tsan_read_range, 2 => range::<false>;
    __tsan_write_range, 2 => range::<true>;
    __tsan_read_write1, 1 => both::<1>;
    __tsan_read_write2, 1 => both::<2>;
    __tsan_read_write4, 1 => both::<4>;
    __tsan_read_write8, 1 => both::<8>;
    __tsan_read_write16, 1 => both::<16>;
    __tsan_unaligned_read_write2, 1 => both::<2>;
    __tsan_unaligned_read_write4, 1 => both::<4>;
    __tsan_unaligned_read_write8, 1 => both::<8>;
    __tsan_unaligned_read_write16, 1 => both::<16>;
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_read_range_pc(address: u64, len: u64, pc: u64) {
    range::<false>(address, len, pc);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_write_range_pc(address: u64, len: u64, pc: u64) {
    range::<true>(address, len, pc);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_ignore_thread_begin() {
    thread::ignore(1);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_ignore_thread_end() {
    thread::ignore(-1);
}

/// A stretch of memory: a structure that is copied, or a loop that was checked as a whole.
extern "C" fn range<const STORE: bool>(address: u64, len: u64, pc: u64) {
    if page_table::watched(address as usize, len as usize) {
        thread::access(kind(STORE), 0, address, len, pc, stacks::current);
    }
}

/// A load and a store of the same place.
extern "C" fn both<const SIZE: u64>(address: u64, pc: u64) {
    if page_table::watched(address as usize, SIZE as usize) {
        hit(address, pc, Code::new(Load, SIZE, 0));
        hit(address, pc, Code::new(Store, SIZE, 0));
    }
}

fn kind(store: bool) -> AccessKind {
    if store { Store } else { Load }
}
