//! An endpoint of libfabric with its domain, address vector and completion queue.
//!
//! All calls of one [`Port`] come from one thread at a time (the engine's lock sees to it), which is what
//! `FI_THREAD_DOMAIN` asks for. Calls that start something say whether it was taken or has to be tried again.

use crate::ffi::{self, Address, constants as c, offered};
use crate::library::Library;
use crate::provider::{self, Facts};
use farside_fabric::{Error, Result};
use std::ffi::{CStr, c_char, c_void};
use std::os::fd::{BorrowedFd, RawFd};
use std::ptr::{self, NonNull};

/// Longest address of an endpoint, in bytes.
const NAME: usize = 512;

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

/// Memory that peers may read and write.
#[derive(Debug)]
pub(crate) struct Registration {
    mr: NonNull<ffi::Mr>,
    /// What peers need.
    pub(crate) key: u64,
}

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

/// An endpoint, enabled, and what it stands on.
pub(crate) struct Port {
    library: Library,
    fabric: *mut ffi::Fabric,
    domain: *mut ffi::Domain,
    av: *mut ffi::Av,
    cq: *mut ffi::Cq,
    /// Null when it was closed.
    ep: *mut ffi::Ep,
    wait: Option<RawFd>,
    pub(crate) facts: Facts,
}

// SAFETY: libfabric's objects may be used from any thread; that it is one at a time is the caller's promise (`&mut self`
// for all calls that change something).
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

impl Port {
    /// Opens an endpoint of a provider, or of the best one.
    pub(crate) fn open(name: Option<&str>) -> Result<Self> {
        let library = Library::open()?;
        let (list, info) = provider::search(&library, name)?;
        // SAFETY: `info` lives as long as `list`, which is dropped behind its last use.
        let facts = unsafe { Facts::of(&library, info) };
        // SAFETY: as above.
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
            wait: None,
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
                        "{detail}; if the device has small completion queues, set FI_UNIVERSE_SIZE to the number of ranks"
                    ),
                },
                other => other,
            })
        }
    }

    /// A queue that a thread can sleep on, where the provider has such, else one to be polled.
    ///
    /// # Safety
    /// The domain is open.
    unsafe fn open_queue(&mut self) -> Result<()> {
        let mut code = 0;
        for wait_obj in [c::WAIT_FD, c::WAIT_NONE] {
            let mut attributes = ffi::CqAttributes {
                size: 0,
                flags: 0,
                format: c::CQ_FORMAT_DATA,
                wait_obj,
                signaling_vector: 0,
                wait_cond: 0,
                wait_set: ptr::null_mut(),
            };
            // SAFETY: the domain is open, by the caller; the attributes live across the call.
            unsafe {
                code = call!(
                    (*self.domain).ops,
                    ffi::DomainOperations,
                    cq_open(
                        self.domain,
                        &raw mut attributes,
                        &raw mut self.cq,
                        ptr::null_mut()
                    )
                );
                if code < 0 {
                    continue;
                }
                if wait_obj == c::WAIT_FD {
                    let mut descriptor: RawFd = -1;
                    let cq = self.cq.cast::<ffi::Fid>();
                    let asked = call!(
                        (*cq).ops,
                        ffi::FidOperations,
                        control(cq, c::GETWAIT, (&raw mut descriptor).cast())
                    );
                    self.wait = (asked >= 0 && descriptor >= 0).then_some(descriptor);
                }
            }
            return Ok(());
        }
        self.library.check("fi_cq_open", code)
    }

    /// The address of this endpoint, for peers.
    pub(crate) fn name(&mut self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; NAME];
        let mut length = bytes.len();
        self.open_endpoint()?;
        // SAFETY: the endpoint is open; the buffer has `length` bytes.
        let code = unsafe {
            call!(
                (*self.ep).cm,
                ffi::CmOperations,
                getname(self.ep.cast(), bytes.as_mut_ptr().cast(), &raw mut length)
            )
        };
        self.library.check("fi_getname", code)?;
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Takes in the addresses of peers; what they are called from now on, in the same order.
    pub(crate) fn insert(&mut self, names: &[Vec<u8>]) -> Result<Vec<Address>> {
        names
            .iter()
            .map(|name| {
                // Providers read a whole address of their own kind, however long the name is.
                let mut padded = name.clone();
                padded.resize(NAME.max(name.len()), 0);
                let mut address = c::ADDRESS_UNSPEC;
                // SAFETY: the address vector is open; the name is longer than any address.
                let code = unsafe {
                    call!(
                        (*self.av).ops,
                        ffi::AvOperations,
                        insert(
                            self.av,
                            padded.as_ptr().cast(),
                            1,
                            &raw mut address,
                            0,
                            ptr::null_mut()
                        )
                    )
                };
                self.library.check("fi_av_insert", code)?;
                if code != 1 || address == c::ADDRESS_UNSPEC {
                    return Err(Error::Malformed {
                        what: "the address of a peer",
                        detail: format!("fi_av_insert takes {code} of 1"),
                    });
                }
                Ok(address)
            })
            .collect()
    }

    /// Lets peers read and write memory. `key` is used where we choose it.
    ///
    /// # Safety
    /// The memory lives until [`Port::deregister`].
    pub(crate) unsafe fn register(&mut self, base: *mut u8, bytes: usize, key: u64) -> Result<Registration> {
        self.open_endpoint()?;
        let access = c::REMOTE_READ | c::REMOTE_WRITE | c::READ | c::WRITE | c::SEND | c::RECV;
        let mut mr = ptr::null_mut::<ffi::Mr>();
        // SAFETY: the domain is open, the memory valid, by the caller.
        let code = unsafe {
            call!(
                (*self.domain).mr,
                ffi::MrOperations,
                reg(
                    self.domain.cast(),
                    base.cast(),
                    bytes,
                    access,
                    0,
                    key,
                    0,
                    &raw mut mr,
                    ptr::null_mut()
                )
            )
        };
        self.library.check("fi_mr_reg", code)?;
        let mr = NonNull::new(mr).ok_or(Error::Stale("a registration"))?;
        let registration = Registration {
            mr,
            // SAFETY: just registered.
            key: unsafe { (*mr.as_ptr()).key },
        };
        if self.facts.registration & c::MR_ENDPOINT != 0 {
            let fid = mr.as_ptr().cast::<ffi::Fid>();
            // SAFETY: both objects are open.
            let code = unsafe {
                match call!((*fid).ops, ffi::FidOperations, bind(fid, self.ep.cast(), 0)) {
                    0.. => call!(
                        (*fid).ops,
                        ffi::FidOperations,
                        control(fid, c::ENABLE, ptr::null_mut())
                    ),
                    failed => failed,
                }
            };
            if let Err(error) = self.library.check("fi_mr_bind", code) {
                self.deregister(registration)?;
                return Err(error);
            }
        }
        Ok(registration)
    }

    /// Ends a registration.
    pub(crate) fn deregister(&mut self, registration: Registration) -> Result<()> {
        let code = close(registration.mr.as_ptr().cast());
        self.library.check("fi_close of a registration", code)
    }

    fn open_endpoint(&self) -> Result<()> {
        if self.ep.is_null() {
            return Err(Error::Stale("the endpoint of libfabric"));
        }
        Ok(())
    }

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

    /// What is said of everything that comes behind [`Port::shut`].
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
    /// `origin` is valid for reads, and `context` is not used for anything else, until the completion or [`Port::shut`].
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
        // SAFETY: the endpoint is open and has RMA; buffers by the caller. No descriptor: FI_MR_LOCAL is not in our modes.
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
        // SAFETY: as above.
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

    /// Starts to read.
    ///
    /// # Safety
    /// `origin` is valid for writes, and `context` is not used for anything else, until the completion or [`Port::shut`].
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
        // SAFETY: as above.
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
        // SAFETY: as above.
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

    /// A descriptor that becomes readable when something happens, where there is one. It lives as long as the port.
    pub(crate) fn wait_descriptor(&self) -> Option<RawFd> {
        self.wait
    }

    /// Whether a thread may sleep on the descriptor now: nothing is there that it would not be woken for.
    pub(crate) fn may_sleep(&mut self) -> bool {
        if self.wait.is_none() || self.ep.is_null() {
            return false;
        }
        let mut fids = [self.cq.cast::<ffi::Fid>()];
        // SAFETY: fabric and queue are open.
        let code = unsafe {
            call!(
                (*self.fabric).ops,
                ffi::FabricOperations,
                trywait(self.fabric, fids.as_mut_ptr(), 1)
            )
        };
        code >= 0
    }

    /// Closes the endpoint: libfabric touches no buffer of any operation any more, and none completes.
    pub(crate) fn shut(&mut self) {
        if !self.ep.is_null() {
            close(self.ep.cast());
            self.ep = ptr::null_mut();
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
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

/// Closes an object.
fn close(fid: *mut ffi::Fid) -> i32 {
    // SAFETY: callers give objects that are open and forget them.
    unsafe { call!((*fid).ops, ffi::FidOperations, close(fid)) }
}

/// Sleeps until the descriptor is readable or the time is over. Errors end the sleep, too.
pub(crate) fn sleep_on(descriptor: RawFd, longest: std::time::Duration) {
    // SAFETY: the port, which owns the descriptor, outlives the thread that sleeps.
    let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let time = rustix::time::Timespec {
        tv_sec: longest.as_secs().cast_signed(),
        tv_nsec: longest.subsec_nanos().into(),
    };
    let mut polled = [rustix::event::PollFd::new(
        &descriptor,
        rustix::event::PollFlags::IN,
    )];
    let _ = rustix::event::poll(&mut polled, Some(&time));
}
