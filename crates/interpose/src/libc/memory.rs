//! `memcpy` and the other functions on stretches of memory.

use super::Call;
use super::forward::{clear, common, compare, copy, copy_reversed, copy_to_end, fill, find_first};
use super::jump::{Arguments, observed_leaf};
use crate::memory::watched;

observed_leaf! {
    memcpy => copies, copy;
    memmove => moves, copy;
    memset => fills, fill;
    memcmp => compares, compare;
    bcmp => compares_equal, compare;
    mempcpy => copies_to_end, copy_to_end;
    bcopy => copies_reversed, copy_reversed;
    bzero => clears, clear;
    memchr => searches, find_first;
    __memcpy_chk => copies, copy;
    __memmove_chk => moves, copy;
    __memset_chk => fills, fill;
    __mempcpy_chk => copies_to_end, copy_to_end;
    __tsan_memcpy => copies, copy;
    __tsan_memmove => moves, copy;
    __tsan_memset => fills, fill;
}

/// Most calls concern nothing that is watched, whoever makes them: that is asked first.
fn copied(name: &'static str, to: u64, from: u64, len: u64, pc: usize) {
    let len = len as usize;
    if (watched(to as usize, len) || watched(from as usize, len))
        && let Some(call) = Call::of_program(name, pc)
    {
        call.loads(from, len);
        call.stores(to, len);
    }
}

fn filled(name: &'static str, to: u64, len: u64, pc: usize) {
    if watched(to as usize, len as usize)
        && let Some(call) = Call::of_program(name, pc)
    {
        call.stores(to, len as usize);
    }
}

fn compared(name: &'static str, &[left, right, len, ..]: &Arguments, pc: usize) {
    let len = len as usize;
    if (watched(left as usize, len) || watched(right as usize, len))
        && let Some(call) = Call::of_program(name, pc)
    {
        // SAFETY: What the program asks to be compared is readable up to the first difference.
        let read = unsafe { common(left as *const u8, right as *const u8, len) } + 1;
        call.loads(left, read.min(len));
        call.loads(right, read.min(len));
    }
}

unsafe extern "C" fn copies(&[to, from, len, ..]: &Arguments, pc: usize) {
    copied("memcpy", to, from, len, pc);
}

unsafe extern "C" fn moves(&[to, from, len, ..]: &Arguments, pc: usize) {
    copied("memmove", to, from, len, pc);
}

unsafe extern "C" fn copies_to_end(&[to, from, len, ..]: &Arguments, pc: usize) {
    copied("mempcpy", to, from, len, pc);
}

unsafe extern "C" fn copies_reversed(&[from, to, len, ..]: &Arguments, pc: usize) {
    copied("bcopy", to, from, len, pc);
}

unsafe extern "C" fn fills(&[to, _, len, ..]: &Arguments, pc: usize) {
    filled("memset", to, len, pc);
}

unsafe extern "C" fn clears(&[to, len, ..]: &Arguments, pc: usize) {
    filled("bzero", to, len, pc);
}

unsafe extern "C" fn compares(arguments: &Arguments, pc: usize) {
    compared("memcmp", arguments, pc);
}

unsafe extern "C" fn compares_equal(arguments: &Arguments, pc: usize) {
    compared("bcmp", arguments, pc);
}

unsafe extern "C" fn searches(&[at, byte, len, ..]: &Arguments, pc: usize) {
    if watched(at as usize, len as usize)
        && let Some(call) = Call::of_program("memchr", pc)
    {
        let mut read = 0;
        while read < len {
            read += 1;
            // SAFETY: What the program asks to be searched is readable up to the byte that is found.
            if unsafe { ((at + read - 1) as *const u8).read_volatile() } == byte as u8 {
                break;
            }
        }
        call.loads(at, read as usize);
    }
}
