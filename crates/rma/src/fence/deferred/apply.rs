//! What queued operations of others do to the memory of this rank.
//!
//! The memory is reached by atomic accesses of words and bytes only: a program that breaks the rules may read it at the
//! same time (promise 9 of the transports).

use super::words::{Kind, Record};
use crate::window::core::WindowCore;
use crate::{Error, Result};
use farside_fabric::{AtomicOperation, Exposed, element};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The memory of the own window, and what is attached to it.
pub(super) struct Memory {
    base: *mut u8,
    bytes: usize,
    attached: Rc<RefCell<Vec<Exposed>>>,
}

impl Memory {
    pub(super) fn new(window: &WindowCore) -> Self {
        Self {
            base: window.exposed.base.as_ptr(),
            bytes: window.header.bytes + window.own_length() * window.element_bytes,
            attached: Rc::clone(&window.attached),
        }
    }

    /// The place of an operation, checked.
    fn place(&self, record: &Record) -> Result<*mut u8> {
        let lost = Error::Broken("message queue");
        let (base, length) = if record.attached == 0 {
            (self.base, self.bytes)
        } else {
            let all = self.attached.borrow();
            let found = all
                .iter()
                .find(|exposed| exposed.base.as_ptr() as u64 == record.attached)
                .ok_or(Error::Layout("the memory is not attached any more"))?;
            (found.base.as_ptr(), found.bytes)
        };
        let end = record
            .displacement
            .checked_add(record.bytes)
            .ok_or(lost.clone())?;
        if end > length as u64 {
            return Err(lost);
        }
        // SAFETY: within the memory, as was checked.
        Ok(unsafe { base.add(record.displacement as usize) })
    }

    /// Does it. The answer, if the origin waits for one.
    pub(super) fn apply(&self, record: &Record, payload: &[u8]) -> Result<Option<(u64, Vec<u8>)>> {
        let at = self.place(record)?;
        let bytes = record.bytes as usize;
        let expected = match record.kind()? {
            Kind::Put => bytes,
            Kind::Get => 0,
            Kind::Fetch if payload.is_empty() => 0,
            Kind::Fetch => bytes,
            Kind::Swap => 2 * bytes,
        };
        if payload.len() != expected {
            return Err(Error::Broken("message queue"));
        }
        let mut answer = Vec::new();
        match record.kind()? {
            // SAFETY: so many bytes at the place are the window's; `place` has checked it.
            Kind::Put => unsafe { store(at, payload) },
            // SAFETY: so many bytes at the place are the window's; `place` has checked it.
            Kind::Get => answer = unsafe { load(at, bytes) },
            Kind::Fetch => {
                let (operation, kind) = record.atomic()?;
                let size = kind.bytes();
                let misplaced = !bytes.is_multiple_of(size) || !(at as usize).is_multiple_of(size);
                if misplaced || payload.is_empty() && operation != AtomicOperation::NoOp {
                    return Err(Error::Broken("message queue"));
                }
                answer = vec![0; bytes];
                // SAFETY: so many elements at the place are the window's and aligned; the operands are as many, or
                // there are none for an atomic read; the answer has room for them.
                unsafe {
                    element::apply(
                        kind,
                        operation,
                        at,
                        payload.as_ptr(),
                        answer.as_mut_ptr(),
                        bytes / size,
                    );
                }
            }
            Kind::Swap => {
                let (_, kind) = record.atomic()?;
                if bytes != kind.bytes() || !(at as usize).is_multiple_of(bytes) {
                    return Err(Error::Broken("message queue"));
                }
                let (wanted, replacement) = payload.split_at(bytes);
                answer = vec![0; bytes];
                // SAFETY: an element at the place is the window's and aligned; the others hold one each.
                unsafe {
                    element::compare_swap(
                        bytes,
                        at,
                        wanted.as_ptr(),
                        replacement.as_ptr(),
                        answer.as_mut_ptr(),
                    );
                }
            }
        }
        Ok((record.number != 0).then_some((record.number, answer)))
    }
}

/// Writes bytes, word by word where they are aligned, so that no aligned element is torn.
///
/// # Safety
/// `at` is valid for so many bytes, which are accessed atomically only.
unsafe fn store(at: *mut u8, bytes: &[u8]) {
    let head = at.align_offset(8).min(bytes.len());
    let (head, rest) = bytes.split_at(head);
    let (words, tail) = rest.as_chunks::<8>();
    // SAFETY: all within the bytes at `at`; words are aligned.
    unsafe {
        // Elements of 2 and 4 bytes before the first word, and after the last, are written as they are aligned.
        store_ends(at, head);
        let first = at.add(head.len());
        for (index, word) in words.iter().enumerate() {
            AtomicU64::from_ptr(first.add(8 * index).cast())
                .store(u64::from_ne_bytes(*word), Ordering::Release);
        }
        store_ends(first.add(8 * words.len()), tail);
    }
}

/// # Safety
/// As for [`store`]; fewer than 8 bytes within an aligned word.
unsafe fn store_ends(at: *mut u8, bytes: &[u8]) {
    use std::sync::atomic::{AtomicU16, AtomicU32};
    let mut done = 0;
    while done < bytes.len() {
        let left = bytes.len() - done;
        // SAFETY: within the bytes at `at`; aligned as the branch says.
        unsafe {
            let place = at.add(done);
            if left >= 4 && is_aligned(place, 4) {
                let value =
                    u32::from_ne_bytes([bytes[done], bytes[done + 1], bytes[done + 2], bytes[done + 3]]);
                AtomicU32::from_ptr(place.cast()).store(value, Ordering::Release);
                done += 4;
            } else if left >= 2 && is_aligned(place, 2) {
                let value = u16::from_ne_bytes([bytes[done], bytes[done + 1]]);
                AtomicU16::from_ptr(place.cast()).store(value, Ordering::Release);
                done += 2;
            } else {
                AtomicU8::from_ptr(place).store(bytes[done], Ordering::Release);
                done += 1;
            }
        }
    }
}

/// Whether an address is a multiple.
fn is_aligned(place: *mut u8, bytes: usize) -> bool {
    (place as usize).is_multiple_of(bytes)
}

/// Reads bytes, word by word where they are aligned.
///
/// # Safety
/// As for [`store`].
unsafe fn load(at: *mut u8, bytes: usize) -> Vec<u8> {
    let mut all = Vec::with_capacity(bytes);
    let mut done = 0;
    while done < bytes {
        // SAFETY: within the bytes at `at`; a word only where it is aligned.
        unsafe {
            let place = at.add(done);
            if bytes - done >= 8 && is_aligned(place, 8) {
                let word = AtomicU64::from_ptr(place.cast()).load(Ordering::Acquire);
                all.extend_from_slice(&word.to_ne_bytes());
                done += 8;
            } else {
                all.push(AtomicU8::from_ptr(place).load(Ordering::Acquire));
                done += 1;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_where_they_belong_whatever_the_alignment() {
        for begin in 0..9usize {
            for length in 0..30 {
                let mut words = [0u64; 8];
                let base = words.as_mut_ptr().cast::<u8>();
                let bytes: Vec<u8> = (1..=length as u8).collect();
                // SAFETY: 64 bytes, of which at the most 39 are touched.
                let (read, all) = unsafe {
                    store(base.add(begin), &bytes);
                    (load(base.add(begin), length), load(base, 64))
                };
                assert_eq!(read, bytes);
                let mut expected = [0; 64];
                expected[begin..begin + length].copy_from_slice(&bytes);
                assert_eq!(all, expected);
            }
        }
    }
}
