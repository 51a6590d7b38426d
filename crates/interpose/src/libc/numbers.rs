//! Sorting, and numbers read from text.
//!
//! Limits: of a number only its decimal digits, sign, point and what stands before them are recorded, with the
//! character that ends it; what the comparison function of `qsort` accesses is seen where it is instrumented itself.

use super::Call;
use super::forward::find_first;
use super::jump::{Arguments, observed};

observed! {
    qsort => sorts, find_first;
    qsort_r => sorts, find_first;
    atoi => reads_atoi, find_first;
    atol => reads_atol, find_first;
    atoll => reads_atol, find_first;
    atof => reads_atof, find_first;
    strtol => reads_strtol, find_first;
    strtoll => reads_strtol, find_first;
    strtoul => reads_strtoul, find_first;
    strtoull => reads_strtoul, find_first;
    strtod => reads_strtod, find_first;
    strtof => reads_strtod, find_first;
}

/// Bytes that a conversion looks at: white space, a sign, digits and a point, and the byte after them.
///
/// # Safety
/// The text is readable up to its zero byte.
unsafe fn looked_at(text: u64, point: bool) -> usize {
    // SAFETY: The caller's promise: a zero byte ends every one of the loops.
    let byte = |at: usize| unsafe { (text as *const u8).add(at).read_volatile() };
    let mut at = 0;
    while byte(at).is_ascii_whitespace() {
        at += 1;
    }
    if matches!(byte(at), b'+' | b'-') {
        at += 1;
    }
    while byte(at).is_ascii_digit() || (point && byte(at) == b'.') {
        at += 1;
    }
    at + 1
}

unsafe fn number(name: &'static str, text: u64, point: bool, pc: usize) {
    if let Some(call) = Call::of_program(name, pc) {
        // SAFETY: The program asks for the text to be read.
        call.loads(text, unsafe { looked_at(text, point) });
    }
}

// SAFETY of all: the arguments are those of the C function, which will access the same.
#[allow(clippy::undocumented_unsafe_blocks)]
mod observers {
    use super::*;

    pub(super) unsafe extern "C" fn sorts(&[base, count, size, ..]: &Arguments, pc: usize) {
        if let Some(call) = Call::of_program("qsort", pc) {
            let len = (count as usize).saturating_mul(size as usize);
            call.loads(base, len);
            call.stores(base, len);
        }
    }
    pub(super) unsafe extern "C" fn reads_atoi(&[text, ..]: &Arguments, pc: usize) {
        unsafe { number("atoi", text, false, pc) }
    }
    pub(super) unsafe extern "C" fn reads_atol(&[text, ..]: &Arguments, pc: usize) {
        unsafe { number("atol", text, false, pc) }
    }
    pub(super) unsafe extern "C" fn reads_atof(&[text, ..]: &Arguments, pc: usize) {
        unsafe { number("atof", text, true, pc) }
    }
    pub(super) unsafe extern "C" fn reads_strtol(&[text, ..]: &Arguments, pc: usize) {
        unsafe { number("strtol", text, false, pc) }
    }
    pub(super) unsafe extern "C" fn reads_strtoul(&[text, ..]: &Arguments, pc: usize) {
        unsafe { number("strtoul", text, false, pc) }
    }
    pub(super) unsafe extern "C" fn reads_strtod(&[text, ..]: &Arguments, pc: usize) {
        unsafe { number("strtod", text, true, pc) }
    }
}
use observers::*;
