//! The string functions.
//!
//! Limit: `strstr`, `strtok` and locale functions are not looked at.

use super::Call;
use super::forward::{find_first, length};
use super::jump::{Arguments, observed_leaf};

observed_leaf! {
    strlen => measures, length;
    strnlen => measures_some, find_first;
    strcpy => copies, find_first;
    stpcpy => copies_to_end, find_first;
    strncpy => copies_some, find_first;
    stpncpy => copies_some_to_end, find_first;
    strcat => appends, find_first;
    strncat => appends_some, find_first;
    strcmp => compares, find_first;
    strncmp => compares_some, find_first;
    strchr => searches, find_first;
    strrchr => searches_backwards, find_first;
    strdup => duplicates, find_first;
    strndup => duplicates_some, find_first;
    __strdup => duplicates, find_first;
    __strcpy_chk => copies, find_first;
    __stpcpy_chk => copies_to_end, find_first;
    __strncpy_chk => copies_some, find_first;
    __stpncpy_chk => copies_some_to_end, find_first;
    __strcat_chk => appends, find_first;
    __strncat_chk => appends_some, find_first;
}

/// Bytes before the zero byte, at most `limit`.
///
/// # Safety
/// The text is readable up to its zero byte or `limit`.
pub(super) unsafe fn length_within(text: u64, limit: usize) -> usize {
    let mut len = 0;
    // SAFETY: The caller's promise. Volatile, so that it does not become a call of `strlen`.
    while len < limit && unsafe { (text as *const u8).add(len).read_volatile() } != 0 {
        len += 1;
    }
    len
}

/// Bytes that a reader of the text reads: with the zero byte, at most `limit`.
///
/// # Safety
/// As for [`length_within`].
pub(super) unsafe fn read_within(text: u64, limit: usize) -> usize {
    // SAFETY: The caller's promise.
    unsafe { length_within(text, limit) }.saturating_add(1).min(limit)
}

/// Loads of the text up to its end.
///
/// # Safety
/// As for [`length_within`].
unsafe fn loaded(name: &'static str, text: u64, limit: usize, pc: usize) {
    if let Some(call) = Call::of_program(name, pc) {
        // SAFETY: The caller's promise.
        call.loads(text, unsafe { read_within(text, limit) });
    }
}

unsafe fn copied(name: &'static str, to: u64, from: u64, pc: usize) {
    if let Some(call) = Call::of_program(name, pc) {
        // SAFETY: The program asks for it to be read.
        let len = unsafe { read_within(from, usize::MAX) };
        call.loads(from, len);
        call.stores(to, len);
    }
}

unsafe fn copied_some(name: &'static str, to: u64, from: u64, limit: u64, pc: usize) {
    if let Some(call) = Call::of_program(name, pc) {
        // SAFETY: The program asks for it to be read.
        call.loads(from, unsafe { read_within(from, limit as usize) });
        // The rest is filled with zero bytes.
        call.stores(to, limit as usize);
    }
}

unsafe fn compared(name: &'static str, left: u64, right: u64, limit: usize, pc: usize) {
    if let Some(call) = Call::of_program(name, pc) {
        let mut read = 0;
        // SAFETY: The program asks for both to be read up to a difference or the end.
        unsafe {
            while read < limit {
                let (l, r) = (
                    (left as *const u8).add(read).read_volatile(),
                    (right as *const u8).add(read).read_volatile(),
                );
                read += 1;
                if l != r || l == 0 {
                    break;
                }
            }
        }
        call.loads(left, read);
        call.loads(right, read);
    }
}

// SAFETY of all: the arguments are those of the C function, which will read the same.
#[allow(clippy::undocumented_unsafe_blocks)]
mod observers {
    use super::*;

    pub(super) unsafe extern "C" fn measures(&[text, ..]: &Arguments, pc: usize) {
        unsafe { loaded("strlen", text, usize::MAX, pc) }
    }
    pub(super) unsafe extern "C" fn measures_some(&[text, limit, ..]: &Arguments, pc: usize) {
        unsafe { loaded("strnlen", text, limit as usize, pc) }
    }
    pub(super) unsafe extern "C" fn duplicates(&[text, ..]: &Arguments, pc: usize) {
        unsafe { loaded("strdup", text, usize::MAX, pc) }
    }
    pub(super) unsafe extern "C" fn duplicates_some(&[text, limit, ..]: &Arguments, pc: usize) {
        unsafe { loaded("strndup", text, limit as usize, pc) }
    }
    pub(super) unsafe extern "C" fn searches_backwards(&[text, ..]: &Arguments, pc: usize) {
        unsafe { loaded("strrchr", text, usize::MAX, pc) }
    }
    pub(super) unsafe extern "C" fn copies(&[to, from, ..]: &Arguments, pc: usize) {
        unsafe { copied("strcpy", to, from, pc) }
    }
    pub(super) unsafe extern "C" fn copies_to_end(&[to, from, ..]: &Arguments, pc: usize) {
        unsafe { copied("stpcpy", to, from, pc) }
    }
    pub(super) unsafe extern "C" fn copies_some(&[to, from, limit, ..]: &Arguments, pc: usize) {
        unsafe { copied_some("strncpy", to, from, limit, pc) }
    }
    pub(super) unsafe extern "C" fn copies_some_to_end(&[to, from, limit, ..]: &Arguments, pc: usize) {
        unsafe { copied_some("stpncpy", to, from, limit, pc) }
    }
    pub(super) unsafe extern "C" fn compares(&[left, right, ..]: &Arguments, pc: usize) {
        unsafe { compared("strcmp", left, right, usize::MAX, pc) }
    }
    pub(super) unsafe extern "C" fn compares_some(&[left, right, limit, ..]: &Arguments, pc: usize) {
        unsafe { compared("strncmp", left, right, limit as usize, pc) }
    }
    pub(super) unsafe extern "C" fn appends(&[to, from, ..]: &Arguments, pc: usize) {
        unsafe { appended("strcat", to, from, usize::MAX, pc) }
    }
    pub(super) unsafe extern "C" fn appends_some(&[to, from, limit, ..]: &Arguments, pc: usize) {
        unsafe { appended("strncat", to, from, limit as usize, pc) }
    }

    unsafe fn appended(name: &'static str, to: u64, from: u64, limit: usize, pc: usize) {
        if let Some(call) = Call::of_program(name, pc) {
            let before = unsafe { length_within(to, usize::MAX) };
            let added = unsafe { length_within(from, limit) };
            call.loads(to, before + 1);
            call.loads(from, unsafe { read_within(from, limit) });
            call.stores(to + before as u64, added + 1);
        }
    }

    pub(super) unsafe extern "C" fn searches(&[text, byte, ..]: &Arguments, pc: usize) {
        if let Some(call) = Call::of_program("strchr", pc) {
            let mut read = 0;
            loop {
                let found = unsafe { (text as *const u8).add(read).read_volatile() };
                read += 1;
                if found == 0 || found == byte as u8 {
                    break;
                }
            }
            call.loads(text, read);
        }
    }
}
use observers::*;
