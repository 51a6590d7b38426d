//! An endpoint of libfabric with its domain, address vector and completion queue.
//!
//! All calls of one [`Port`] come from one thread at a time (the engine's lock sees to it), which is what
//! `FI_THREAD_DOMAIN` asks for. Calls that start something say whether it was taken or has to be tried again.

mod descriptors;
mod peers;
mod queue;
mod start;

pub(crate) use descriptors::Descriptors;
pub(crate) use peers::Registration;
pub(crate) use queue::{Failed, Polled};
pub(crate) use start::{Place, Posted};

use crate::ffi::{self, constants as c, offered};
use crate::library::Library;
use crate::provider::{self, Facts};
use farside_fabric::{Error, Result};
use std::ptr;

/// An endpoint, enabled, and what it stands on.
pub(crate) struct Port {
    library: Library,
    fabric: *mut ffi::Fabric,
    domain: *mut ffi::Domain,
    av: *mut ffi::Av,
    cq: *mut ffi::Cq,
    /// Null when it was closed.
    ep: *mut ffi::Ep,
    wait: Descriptors,
    /// Nothing of libfabric is called any more, not even to close what is open: see [`Port::leave`].
    left: bool,
    pub(crate) facts: Facts,
}

// SAFETY: libfabric's objects may be used from any thread; that it is one at a time is the caller's promise
// (`&mut self` for all calls that change something).
unsafe impl Send for Port {}

/// Calls an entry of a table of an object, or says that it is missing.
macro_rules! call {
    ($table:expr, $type:ty, $entry:ident ( $($argument:expr),* )) => {
        match offered!($table, $type, $entry) {
            Some(function) => function($($argument),*),
            None => (-c::ENOSYS) as _,
        }
    };
}
use call;

impl Port {
    /// Opens an endpoint of a provider, or of the best one.
    pub(crate) fn open(name: Option<&str>) -> Result<Self> {
        let library = Library::open()?;
        let (list, info) = provider::search(&library, name)?;
        // SAFETY: `info` lives as long as `list`, which is dropped after its last use.
        let facts = unsafe { Facts::of(&library, info) };
        // SAFETY: `info` lives as long as `list`, which is in scope.
        let fabric = unsafe { library.fabric(info)? };
        // The list borrows the library, which moves into the port; entries do not point into the value `Library`.
        let first = list.first;
        std::mem::forget(list);
        let mut port = Self {
            library,
            fabric,
            domain: ptr::null_mut(),
            av: ptr::null_mut(),
            cq: ptr::null_mut(),
            ep: ptr::null_mut(),
            wait: Descriptors::default(),
            left: false,
            facts,
        };
        // SAFETY: the list is freed only below.
        let built = unsafe { port.build(info) };
        port.library.free(first);
        built?;
        Ok(port)
    }

    /// # Safety
    /// `info` is an entry of a list that is alive.
    unsafe fn build(&mut self, info: *mut ffi::Info) -> Result<()> {
        // SAFETY: objects come from the calls before, which were checked; attributes live across the calls.
        unsafe {
            let code = call!(
                (*self.fabric).ops,
                ffi::FabricOperations,
                domain(self.fabric, info, &raw mut self.domain, ptr::null_mut())
            );
            self.library.check("fi_domain", code)?;
            let mut attributes = ffi::AvAttributes {
                kind: if (*(*info).domain_attr).av_type == c::AV_UNSPEC {
                    c::AV_TABLE
                } else {
                    (*(*info).domain_attr).av_type
                },
                rx_ctx_bits: 0,
                count: 0,
                ep_per_node: 0,
                name: ptr::null(),
                map_addr: ptr::null_mut(),
                flags: 0,
            };
            let code = call!(
                (*self.domain).ops,
                ffi::DomainOperations,
                av_open(
                    self.domain,
                    &raw mut attributes,
                    &raw mut self.av,
                    ptr::null_mut()
                )
            );
            self.library.check("fi_av_open", code)?;
            self.open_queue()?;
            let code = call!(
                (*self.domain).ops,
                ffi::DomainOperations,
                endpoint(self.domain, info, &raw mut self.ep, ptr::null_mut())
            );
            self.library.check("fi_endpoint", code)?;
            let ep = self.ep.cast::<ffi::Fid>();
            for (object, flags) in [
                (self.av.cast::<ffi::Fid>(), 0),
                (self.cq.cast::<ffi::Fid>(), c::SEND | c::RECV),
            ] {
                let code = call!((*ep).ops, ffi::FidOperations, bind(ep, object, flags));
                self.library.check("fi_ep_bind", code)?;
            }
            let code = call!(
                (*ep).ops,
                ffi::FidOperations,
                control(ep, c::ENABLE, ptr::null_mut())
            );
            self.library.check("fi_enable", code).map_err(|error| match error {
                Error::System { call, detail } if self.facts.name.contains("rxm") => Error::System {
                    call,
                    detail: format!(
                        "{detail}; if the device has small completion queues, set FI_UNIVERSE_SIZE to the number of \
                         ranks"
                    ),
                },
                other => other,
            })
        }
    }

    fn open_endpoint(&self) -> Result<()> {
        if self.ep.is_null() {
            return Err(Error::Stale("the endpoint of libfabric"));
        }
        Ok(())
    }

    /// Closes the endpoint: libfabric touches no buffer of any operation any more, and none completes.
    pub(crate) fn shut(&mut self) {
        if !self.ep.is_null() {
            close(self.ep.cast());
            self.ep = ptr::null_mut();
        }
    }

    /// After the loss of a peer: libfabric touches no buffer of any operation any more, and none completes.
    ///
    /// Where data come in a stream, libfabric is never called again, and what is open stays open until the process
    /// ends: survivors of a killed rank were seen to crash within libfabric 1.17 over `tcp;ofi_rxm`, in 4 of 14 jobs.
    /// Which call it was is not known: 90 jobs that were made for it (`tests/loss.rs`) did not show it again. So none
    /// is made. These providers move data only when they are called, so that nobody touches a buffer then. Elsewhere an
    /// adapter writes by itself, and the endpoint is closed.
    pub(crate) fn leave(&mut self) {
        if self.facts.has_no_threads() {
            self.ep = ptr::null_mut();
            self.left = true;
        } else {
            self.shut();
        }
    }

    /// Whether libfabric is called no more.
    pub(crate) fn has_left(&self) -> bool {
        self.left
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        if self.left {
            return;
        }
        self.shut();
        for object in [
            self.cq.cast::<ffi::Fid>(),
            self.av.cast(),
            self.domain.cast(),
            self.fabric.cast(),
        ] {
            if !object.is_null() {
                // What still hangs on it keeps it open; there is nobody to tell.
                close(object);
            }
        }
    }
}

/// Closes an object.
fn close(fid: *mut ffi::Fid) -> i32 {
    // SAFETY: callers give objects that are open and forget them.
    unsafe { call!((*fid).ops, ffi::FidOperations, close(fid)) }
}
