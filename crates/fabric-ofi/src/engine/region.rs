//! Regions of this rank, and connections to those of others.

use super::Engine;
use crate::ffi::constants as c;
use crate::memory::Pages;
use crate::port::Registration;
use farside_fabric::{Descriptor, Error, Exposed, Rank, Region, Remote, Result};
use std::ptr::NonNull;

/// First bytes of a descriptor.
const MAGIC: u32 = 0x4F46_4901;

/// A region of this rank.
#[derive(Debug)]
pub(super) struct Own {
    pages: Pages,
    /// As the user asked for.
    bytes: usize,
    registration: Registration,
    /// Puts with [`Signal::Count`](farside_fabric::Signal::Count) that are visible.
    pub(super) arrivals: u64,
}

impl Drop for Engine {
    /// Registrations would keep libfabric's objects open, and pages are unmapped after their end only.
    fn drop(&mut self) {
        self.shut();
        if self.port.has_left() {
            // What libfabric was told of stays where it is until the process ends.
            std::mem::forget((
                std::mem::take(&mut self.regions),
                std::mem::take(&mut self.contexts),
            ));
            return;
        }
        for (_, own) in std::mem::take(&mut self.regions) {
            // There is nobody to tell.
            let _ = self.port.deregister(own.registration);
        }
    }
}

/// A region of some rank, to be used from here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connection {
    pub(super) target: Rank,
    /// Of libfabric.
    pub(super) key: u64,
    /// Its number at its owner.
    pub(super) region: u64,
    /// Address of its first byte, in libfabric's terms.
    pub(super) base: u64,
}

impl Engine {
    /// Fresh memory, registered.
    pub(crate) fn expose(&mut self, bytes: usize) -> Result<Exposed> {
        let pages = Pages::new(bytes)?;
        // SAFETY: the pages go with the region: they live until `withdraw`, or until the port is closed, which is
        // before this value drops them.
        unsafe { self.expose_pages(pages, bytes) }
    }

    /// Registers pages, of which `bytes` bytes are exposed.
    ///
    /// # Safety
    /// The pages stay mapped until `withdraw`, or until this value is dropped, and nobody else exposes them here.
    pub(crate) unsafe fn expose_pages(&mut self, pages: Pages, bytes: usize) -> Result<Exposed> {
        self.usable()?;
        let region = self.next_region;
        let facts = &self.port.facts;
        let keys = 1_u64.checked_shl(8 * facts.key.min(8) as u32).unwrap_or(u64::MAX);
        // Counted puts name the region by 31 bits.
        if region >= keys.min(1 << 31) {
            return Err(Error::Overflow("regions"));
        }
        let is_virtual = facts.registration & c::MR_VIRT_ADDR != 0;
        // SAFETY: the caller promises that they live so long.
        let registration = unsafe { self.port.register(pages.base().as_ptr(), pages.bytes(), region)? };
        self.next_region += 1;
        let address = if is_virtual {
            pages.base().as_ptr() as u64
        } else {
            0
        };
        let mut descriptor = Vec::with_capacity(40);
        descriptor.extend(MAGIC.to_ne_bytes());
        descriptor.extend(self.rank.to_ne_bytes());
        for word in [region, address, registration.key, bytes as u64] {
            descriptor.extend(word.to_ne_bytes());
        }
        let exposed = Exposed {
            region: Region(region),
            base: pages.base(),
            bytes,
            descriptor: Descriptor::new(&descriptor)?,
        };
        self.regions.insert(
            region,
            Own {
                pages,
                bytes,
                registration,
                arrivals: 0,
            },
        );
        Ok(exposed)
    }

    /// Ends a region.
    pub(crate) fn withdraw(&mut self, region: Region) -> Result<()> {
        let own = self.regions.remove(&region.0).ok_or(Error::Stale("the region"))?;
        if self.port.has_left() {
            std::mem::forget(own.pages);
            return Ok(());
        }
        self.port.deregister(own.registration)
    }

    /// Puts counted at a region of this rank.
    pub(crate) fn arrivals(&self, region: &Region) -> Result<u64> {
        self.regions
            .get(&region.0)
            .map(|own| own.arrivals)
            .ok_or(Error::Stale("the region"))
    }

    /// Reads a descriptor.
    pub(crate) fn connect(&mut self, owner: Rank, descriptor: &Descriptor) -> Result<Remote> {
        let malformed = |detail: &str| Error::Malformed {
            what: "a descriptor of a region",
            detail: detail.into(),
        };
        if owner as usize >= self.peers.len() {
            return Err(Error::RankOutOfRange {
                rank: owner,
                size: self.peers.len() as u32,
            });
        }
        let bytes: &[u8; 40] = descriptor
            .bytes()
            .try_into()
            .map_err(|_| malformed("not 40 bytes"))?;
        let short = |at: usize| u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_ne_bytes(word)
        };
        if short(0) != MAGIC {
            return Err(malformed("of another transport"));
        }
        if short(4) != owner {
            return Err(malformed("of another rank"));
        }
        let length = usize::try_from(long(32)).map_err(|_| malformed("too long"))?;
        let connection = Connection {
            target: owner,
            region: long(8),
            base: long(16),
            key: long(24),
        };
        let index = self.free_connections.pop().unwrap_or_else(|| {
            self.connections.push(None);
            self.connections.len() - 1
        });
        self.connections[index] = Some(connection);
        Ok(Remote::new(owner, connection.base, index as u64, length))
    }

    /// Ends a connection.
    pub(crate) fn disconnect(&mut self, remote: &Remote) -> Result<()> {
        self.connection(remote)?;
        self.connections[remote.key() as usize] = None;
        self.free_connections.push(remote.key() as usize);
        Ok(())
    }

    pub(super) fn connection(&self, remote: &Remote) -> Result<Connection> {
        self.connections
            .get(remote.key() as usize)
            .copied()
            .flatten()
            .filter(|connection| connection.target == remote.target())
            .ok_or(Error::Stale("the connection"))
    }

    /// The memory of an own region at a displacement, if `bytes` bytes are there.
    pub(super) fn own_memory(&self, region: u64, displacement: u64, bytes: usize) -> Option<NonNull<u8>> {
        let own = self.regions.get(&region)?;
        let end = usize::try_from(displacement).ok()?.checked_add(bytes)?;
        if end > own.bytes {
            return None;
        }
        // SAFETY: in bounds of the pages.
        Some(unsafe { own.pages.base().add(displacement as usize) })
    }
}
