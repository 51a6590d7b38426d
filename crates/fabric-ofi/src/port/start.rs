//! Starting operations: writes, reads, messages.

use super::{Failed, Port, call};
use crate::ffi::{self, Address, constants as c, offered};
use std::ffi::c_void;
use std::ptr;

/// What became of something that was to be started.
#[derive(Debug)]
pub(crate) enum Posted {
    /// It runs; a completion will come.
    Taken,
    /// The queues are full: try again after progress.
    Again,
    /// It was refused; no completion will come.
    Failed(Failed),
}

/// Where an operation goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The peer.
    pub(crate) peer: Address,
    /// There, in the terms of the provider.
    pub(crate) address: u64,
    /// Of the registration there.
    pub(crate) key: u64,
}

impl Port {
    fn posted(&self, call: &'static str, context: *mut c_void, code: isize) -> Posted {
        match i32::try_from(code).unwrap_or(i32::MIN) {
            0.. => Posted::Taken,
            again if again == -c::EAGAIN => Posted::Again,
            failed => Posted::Failed(Failed {
                context,
                code: failed.saturating_abs(),
                detail: format!("{call}: {}", self.library.explain(failed)),
            }),
        }
    }

    /// What is said of everything that comes after [`Port::shut`].
    fn closed(context: *mut c_void) -> Posted {
        Posted::Failed(Failed {
            context,
            code: libc::ESHUTDOWN,
            detail: "the endpoint is closed".into(),
        })
    }

    /// Starts to write; the completion comes when it is visible at the target.
    ///
    /// # Safety
    /// `origin` is valid for reads, and `context` is not used for anything else, until the completion or
    /// [`Port::shut`].
    pub(crate) unsafe fn write(
        &mut self,
        origin: *const u8,
        bytes: usize,
        place: Place,
        context: *mut c_void,
    ) -> Posted {
        if self.ep.is_null() {
            return Self::closed(context);
        }
        if self.facts.forgets_delivery() {
            // SAFETY: by the caller.
            return unsafe { self.write_delivered(origin, bytes, None, place, context) };
        }
        // SAFETY: the endpoint is open and has RMA; buffers by the caller. No descriptor: FI_MR_LOCAL is not in our
        // modes.
        let code: isize = unsafe {
            call!(
                (*self.ep).rma,
                ffi::RmaOperations,
                write(
                    self.ep,
                    origin.cast(),
                    bytes,
                    ptr::null_mut(),
                    place.peer,
                    place.address,
                    place.key,
                    context
                )
            )
        };
        self.posted("fi_write", context, code)
    }

    /// The same, and an entry with `data` appears in the queue of the target.
    ///
    /// # Safety
    /// As for [`Port::write`].
    pub(crate) unsafe fn write_data(
        &mut self,
        origin: *const u8,
        bytes: usize,
        data: u64,
        place: Place,
        context: *mut c_void,
    ) -> Posted {
        if self.ep.is_null() {
            return Self::closed(context);
        }
        if self.facts.forgets_delivery() {
            // SAFETY: by the caller.
            return unsafe { self.write_delivered(origin, bytes, Some(data), place, context) };
        }
        // SAFETY: the endpoint is open; the caller promises for `origin` and `context`.
        let code: isize = unsafe {
            call!(
                (*self.ep).rma,
                ffi::RmaOperations,
                writedata(
                    self.ep,
                    origin.cast(),
                    bytes,
                    ptr::null_mut(),
                    data,
                    place.peer,
                    place.address,
                    place.key,
                    context
                )
            )
        };
        self.posted("fi_writedata", context, code)
    }

    /// A write that asks for completion at the target itself, where the endpoint forgets that it was asked for all.
    ///
    /// # Safety
    /// As for [`Port::write`]; the endpoint is open.
    unsafe fn write_delivered(
        &mut self,
        origin: *const u8,
        bytes: usize,
        data: Option<u64>,
        place: Place,
        context: *mut c_void,
    ) -> Posted {
        let from = ffi::IoVector {
            base: origin.cast_mut().cast(),
            len: bytes,
        };
        let to = ffi::RmaVector {
            addr: place.address,
            len: bytes,
            key: place.key,
        };
        let message = ffi::RmaMessage {
            msg_iov: &raw const from,
            desc: ptr::null_mut(),
            iov_count: 1,
            addr: place.peer,
            rma_iov: &raw const to,
            rma_iov_count: 1,
            context,
            data: data.unwrap_or(0),
        };
        let mut flags = c::DELIVERY_COMPLETE | c::COMPLETION;
        if data.is_some() {
            flags |= c::REMOTE_CQ_DATA;
        }
        // SAFETY: the endpoint is open and has RMA; buffers by the caller; the vectors are read during the call.
        let code: isize = unsafe {
            call!(
                (*self.ep).rma,
                ffi::RmaOperations,
                writemsg(self.ep, &raw const message, flags)
            )
        };
        self.posted("fi_writemsg", context, code)
    }

    /// Starts to read.
    ///
    /// # Safety
    /// `origin` is valid for writes, and `context` is not used for anything else, until the completion or
    /// [`Port::shut`].
    pub(crate) unsafe fn read(
        &mut self,
        origin: *mut u8,
        bytes: usize,
        place: Place,
        context: *mut c_void,
    ) -> Posted {
        if self.ep.is_null() {
            return Self::closed(context);
        }
        // SAFETY: the endpoint is open; the caller promises for `origin` and `context`.
        let code: isize = unsafe {
            call!(
                (*self.ep).rma,
                ffi::RmaOperations,
                read(
                    self.ep,
                    origin.cast(),
                    bytes,
                    ptr::null_mut(),
                    place.peer,
                    place.address,
                    place.key,
                    context
                )
            )
        };
        self.posted("fi_read", context, code)
    }

    /// Starts to send a message; the completion comes when the buffer is free.
    ///
    /// # Safety
    /// As for [`Port::write`].
    pub(crate) unsafe fn send(&mut self, bytes: &[u8], peer: Address, context: *mut c_void) -> Posted {
        if self.ep.is_null() {
            return Self::closed(context);
        }
        let vector = ffi::IoVector {
            base: bytes.as_ptr().cast_mut().cast(),
            len: bytes.len(),
        };
        let message = ffi::Message {
            msg_iov: &raw const vector,
            desc: ptr::null_mut(),
            iov_count: 1,
            addr: peer,
            context,
            data: 0,
        };
        // `fi_sendmsg`, for its flags replace those of the endpoint, which ask for delivery.
        // SAFETY: the endpoint is open and has messages; the vector is read before the call returns.
        let code: isize = unsafe {
            call!(
                (*self.ep).msg,
                ffi::MessageOperations,
                sendmsg(self.ep, &raw const message, c::COMPLETION)
            )
        };
        self.posted("fi_sendmsg", context, code)
    }

    /// Offers a buffer for a message.
    ///
    /// # Safety
    /// The buffer is valid for writes and nobody else touches it until the completion or [`Port::shut`].
    pub(crate) unsafe fn receive(&mut self, buffer: *mut u8, bytes: usize, context: *mut c_void) -> Posted {
        if self.ep.is_null() {
            return Self::closed(context);
        }
        // SAFETY: the endpoint is open; the caller promises for the buffer and `context`.
        let code: isize = unsafe {
            call!(
                (*self.ep).msg,
                ffi::MessageOperations,
                recv(
                    self.ep,
                    buffer.cast(),
                    bytes,
                    ptr::null_mut(),
                    c::ADDRESS_UNSPEC,
                    context
                )
            )
        };
        self.posted("fi_recv", context, code)
    }
}
