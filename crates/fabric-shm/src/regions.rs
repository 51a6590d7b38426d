//! What a rank exposes, and what it is connected to.

use crate::address::Address;
use crate::atomics::Ordering;
use crate::segment::Segment;
use farside_fabric::{Descriptor, Error, Exposed, Rank, Region, Remote, Result};
use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError, RwLock};

/// First bytes of a descriptor.
const MARK: [u8; 4] = *b"SHM1";

/// Key of a connection to an own region, which needs no mapping.
const OWN: u64 = 0;

/// The tables of a rank. Locks are held for the look-up only, and nothing panics meanwhile.
#[derive(Default)]
pub(crate) struct Regions {
    exposed: RwLock<HashMap<u64, Segment>>,
    connected: Mutex<HashMap<u64, Segment>>,
    last: AtomicU64,
}

impl Regions {
    fn number(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn expose(&self, bytes: usize) -> Result<Exposed> {
        let segment = Segment::create(bytes)?;
        let Some(address) = segment.address() else {
            return Err(Error::Stale("a new region"));
        };
        let descriptor = Descriptor::new(&[&MARK[..], &address.encode()].concat())?;
        let number = self.number();
        let base = segment.contents();
        self.exposed
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(number, segment);
        Ok(Exposed {
            region: Region(number),
            base,
            bytes,
            descriptor,
        })
    }

    pub(crate) fn withdraw(&self, region: Region) -> Result<()> {
        self.exposed
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&region.0)
            .map(drop)
            .ok_or(Error::Stale("the region"))
    }

    /// `owner` is not checked to be a rank; `process` is its process. `own` is set for the rank itself.
    pub(crate) fn connect(
        &self,
        owner: Rank,
        process: u32,
        own: bool,
        descriptor: &Descriptor,
    ) -> Result<Remote> {
        let wrong = |detail: String| Error::Malformed {
            what: "a descriptor of a region",
            detail,
        };
        let bytes = descriptor
            .bytes()
            .strip_prefix(&MARK)
            .and_then(|rest| <&[u8; Address::BYTES]>::try_from(rest).ok())
            .ok_or_else(|| wrong("it is not of this transport".into()))?;
        let address = Address::decode(bytes);
        if address.process != process {
            return Err(wrong(format!(
                "it is of process {}, and rank {owner} is process {process}",
                address.process
            )));
        }
        if own {
            let exposed = self.exposed.read().unwrap_or_else(PoisonError::into_inner);
            let segment = exposed
                .values()
                .find(|segment| segment.cookie() == address.cookie)
                .ok_or(Error::Stale("the region"))?;
            let base = segment.contents().as_ptr() as u64;
            return Ok(Remote::new(owner, base, OWN, segment.bytes()));
        }
        let segment = Segment::open(address)?;
        let key = self.number();
        let remote = Remote::new(owner, segment.contents().as_ptr() as u64, key, segment.bytes());
        self.connected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, segment);
        Ok(remote)
    }

    pub(crate) fn disconnect(&self, remote: &Remote) -> Result<()> {
        if remote.key() == OWN {
            return Ok(());
        }
        self.connected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&remote.key())
            .map(drop)
            .ok_or(Error::Stale("the connection"))
    }

    pub(crate) fn arrivals(&self, region: &Region) -> Result<u64> {
        self.exposed
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&region.0)
            .map(|segment| segment.arrivals().load(Ordering::Acquire))
            .ok_or(Error::Stale("the region"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_connected_by_its_owner_and_by_others() {
        let (owner, other) = (Regions::default(), Regions::default());
        let exposed = owner.expose(100).expect("memory");
        let process = std::process::id();
        let own = owner.connect(0, process, true, &exposed.descriptor).expect("own");
        assert_eq!(own.at(3, 97), Ok(exposed.base.as_ptr() as u64 + 3));
        let remote = other
            .connect(0, process, false, &exposed.descriptor)
            .expect("mapped");
        assert_ne!(own.at(0, 100), remote.at(0, 100));
        assert_eq!(other.disconnect(&remote), Ok(()));
        assert_eq!(other.disconnect(&remote), Err(Error::Stale("the connection")));
        assert_eq!(owner.withdraw(exposed.region), Ok(()));
        assert_eq!(owner.arrivals(&exposed.region), Err(Error::Stale("the region")));
        assert!(owner.connect(0, process, true, &exposed.descriptor).is_err());
        assert!(other.connect(0, process, false, &exposed.descriptor).is_err());
    }

    #[test]
    fn a_descriptor_of_another_process_is_refused() {
        let regions = Regions::default();
        let exposed = regions.expose(8).expect("memory");
        let error = regions
            .connect(5, 1, false, &exposed.descriptor)
            .expect_err("another process");
        assert!(error.to_string().contains("rank 5 is process 1"), "{error}");
    }
}
