//! Regions and scopes of ranks.

use super::World;
use super::memory::{Memory, descriptor};
use super::process::Completion;
use farside_fabric::{Error, Exposed, Rank, Region, Result};
use std::collections::BTreeMap;
use std::ptr::NonNull;

impl World {
    /// Exposes new memory.
    pub(crate) fn expose(&mut self, owner: Rank, bytes: usize) -> Result<Exposed> {
        let memory = Memory::new(owner, bytes)?;
        self.exposed += 1;
        let region = self.exposed;
        let exposed = Exposed {
            region: Region(region),
            base: memory.base,
            bytes,
            descriptor: descriptor(region, owner, bytes)?,
        };
        self.regions.insert(region, memory);
        Ok(exposed)
    }

    /// Owner, address and length of a region.
    pub(crate) fn region(&self, region: u64) -> Option<(Rank, NonNull<u8>, usize)> {
        let memory = self.regions.get(&region)?;
        Some((memory.owner, memory.base, memory.bytes))
    }

    /// How many counted puts are visible in an own region.
    pub(crate) fn counted(&self, owner: Rank, region: Region) -> Result<u64> {
        match self.regions.get(&region.0) {
            Some(memory) if memory.owner == owner => Ok(memory.arrivals),
            _ => Err(Error::Stale("the region")),
        }
    }

    /// Frees memory.
    pub(crate) fn withdraw(&mut self, owner: Rank, region: Region) -> Result<()> {
        self.counted(owner, region)?;
        self.regions.remove(&region.0);
        Ok(())
    }

    /// All memory that is exposed; nothing of it can be accessed by operations from then on.
    pub(crate) fn take_regions(&mut self) -> BTreeMap<u64, Memory> {
        std::mem::take(&mut self.regions)
    }

    /// Somebody has the address of a neighbour's memory.
    pub(crate) fn share(&mut self) {
        self.sharing = true;
    }

    pub(crate) fn open_scope(&mut self, rank: Rank) -> Result<u32> {
        let process = self.process(rank);
        let scope = process.opened;
        process.opened = scope.checked_add(1).ok_or_else(|| Error::System {
            call: "open_scope",
            detail: "all numbers of scopes are used".to_owned(),
        })?;
        process.scopes.insert(scope, Completion::default());
        Ok(scope)
    }

    pub(crate) fn close_scope(&mut self, rank: Rank, scope: u32) -> Result<()> {
        let pending = self.scope(rank, scope)?.remote.number(None);
        if pending > 0 {
            return Err(Error::System {
                call: "close_scope",
                detail: format!("{pending} operations are pending"),
            });
        }
        self.process(rank).scopes.remove(&scope);
        Ok(())
    }

    pub(crate) fn scope(&self, rank: Rank, scope: u32) -> Result<&Completion> {
        let scopes = &self.processes[rank as usize].scopes;
        scopes.get(&scope).ok_or(Error::Stale("the scope"))
    }
}
