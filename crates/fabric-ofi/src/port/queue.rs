//! The completion queue: what has completed, what failed, and sleeping until there is more.

use super::{Port, call};
use crate::ffi::{self, constants as c, offered};
use farside_fabric::{Error, Result};
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

/// An operation that failed.
#[derive(Debug)]
pub(crate) struct Failed {
    /// As given when it was started; null where the provider does not say.
    pub(crate) context: *mut c_void,
    /// Error number of the system or libfabric, positive.
    pub(crate) code: i32,
    /// In words.
    pub(crate) detail: String,
}

/// What polling gives.
pub(crate) enum Polled {
    /// So many entries.
    Entries(usize),
    /// An operation failed.
    Failed(Failed),
}

impl Port {
    /// Takes entries from the completion queue, and makes progress.
    pub(crate) fn poll(&mut self, entries: &mut [ffi::CqEntry]) -> Result<Polled> {
        if self.ep.is_null() {
            return Ok(Polled::Entries(0));
        }
        // SAFETY: the queue is open, and has entries of this format.
        let code: isize = unsafe {
            call!(
                (*self.cq).ops,
                ffi::CqOperations,
                read(self.cq, entries.as_mut_ptr().cast(), entries.len())
            )
        };
        if code >= 0 {
            return Ok(Polled::Entries(code.cast_unsigned()));
        }
        match i32::try_from(code).unwrap_or(i32::MIN) {
            again if again == -c::EAGAIN => Ok(Polled::Entries(0)),
            failed if failed == -c::EAVAIL => self.failed(),
            failed => Err(Error::System {
                call: "fi_cq_read",
                detail: self.library.explain(failed),
            }),
        }
    }

    fn failed(&mut self) -> Result<Polled> {
        // SAFETY: plain numbers and pointers, for which 0 is a value; no space for provider data is offered.
        let mut entry: ffi::CqError = unsafe { std::mem::zeroed() };
        // SAFETY: the queue is open.
        let code: isize = unsafe {
            call!(
                (*self.cq).ops,
                ffi::CqOperations,
                readerr(self.cq, &raw mut entry, 0)
            )
        };
        match i32::try_from(code).unwrap_or(i32::MIN) {
            again if again == -c::EAGAIN || again == 0 => return Ok(Polled::Entries(0)),
            1.. => {}
            failed => {
                return Err(Error::System {
                    call: "fi_cq_readerr",
                    detail: self.library.explain(failed),
                });
            }
        }
        let mut text = [0 as c_char; 128];
        // SAFETY: the queue is open; the buffer is as long as said.
        let said = unsafe {
            match offered!((*self.cq).ops, ffi::CqOperations, strerror) {
                Some(function) => function(
                    self.cq,
                    entry.prov_errno,
                    entry.err_data,
                    text.as_mut_ptr(),
                    text.len(),
                ),
                None => ptr::null(),
            }
        };
        let mut detail = self.library.explain(entry.err);
        if !said.is_null() {
            // SAFETY: a text that ends with 0, by fi_cq(3).
            let said = unsafe { CStr::from_ptr(said) }.to_string_lossy();
            detail = format!("{detail}; the provider says {said} ({})", entry.prov_errno);
        }
        Ok(Polled::Failed(Failed {
            context: entry.op_context,
            code: entry.err.abs(),
            detail,
        }))
    }
}
