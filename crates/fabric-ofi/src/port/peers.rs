//! What peers need of an endpoint: its address, and registered memory; and theirs here.

use super::{Port, call, close};
use crate::ffi::{self, Address, constants as c, offered};
use farside_fabric::{Error, Result};
use std::ptr::{self, NonNull};

/// Longest address of an endpoint, in bytes.
const NAME: usize = 512;

/// Memory that peers may read and write.
#[derive(Debug)]
pub(crate) struct Registration {
    mr: NonNull<ffi::Mr>,
    /// What peers need.
    pub(crate) key: u64,
}

impl Port {
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
        if self.has_left() {
            return Ok(());
        }
        let code = close(registration.mr.as_ptr().cast());
        self.library.check("fi_close of a registration", code)
    }
}
