//! The endpoint of a rank.

mod fabric;

use crate::baton::Baton;
use crate::outcome::Counters;
use crate::time::Time;
use crate::trace::Activity;
use crate::world::{Call, Kind, Operation, World};
use farside_fabric::{Atomics, Capabilities, Error, Progress, Rank, Remote, Result, Scope, Signal, Ticket};
use std::sync::Arc;

/// The endpoint of a rank. A copy is the same endpoint.
#[derive(Clone)]
pub struct SimFabric {
    rank: Rank,
    size: u32,
    baton: Arc<Baton>,
    capabilities: Arc<Capabilities>,
}

impl SimFabric {
    pub(crate) fn new(rank: Rank, size: u32, baton: Arc<Baton>, capabilities: Arc<Capabilities>) -> Self {
        Self {
            rank,
            size,
            baton,
            capabilities,
        }
    }

    /// What this rank has sent so far.
    ///
    /// # Errors
    /// Not called by its rank.
    pub fn counters(&self) -> Result<Counters> {
        self.with(|world| world.counters(self.rank))
    }

    /// Dies, as by [`Simulation::kill`](crate::Simulation::kill): unwinds this rank and does not return.
    ///
    /// Returns only if it is not called by its rank, or while the rank panics: then why.
    pub fn die(&self) -> Error {
        match self.with(|world| world.kill(self.rank)) {
            Ok(_) => std::panic::resume_unwind(Box::new(crate::baton::Stopped)),
            Err(error) => error,
        }
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut World) -> T) -> Result<T> {
        self.baton.lend(self.rank, use_it)
    }

    /// Lets time pass.
    fn advance(&self, time: Time) -> Result<()> {
        if self.with(|world| world.sleep(self.rank, time))? {
            self.baton.give_way(self.rank);
        }
        Ok(())
    }

    /// A call begins: what waits for one is executed, and it takes its time.
    fn enter(&self, cost: impl FnOnce(&World) -> Time) -> Result<()> {
        let cost = self.with(|world| {
            world.touch(self.rank);
            cost(world)
        })?;
        self.progress()?;
        self.advance(cost)
    }

    fn poll(&self) -> Result<()> {
        self.enter(|world| Time::of(world.network.poll))
    }

    /// With `Progress::Calls`: executes what others want here.
    fn progress(&self) -> Result<()> {
        if self.capabilities.progress == Progress::Calls {
            while let Some((packet, time)) = self.with(|world| world.take_inbox(self.rank))? {
                self.advance(time)?;
                self.with(|world| world.execute(packet))?;
            }
        }
        Ok(())
    }

    /// Waits until something arrives, or until then, unless something has since the count of arrivals was taken.
    fn block(&self, call: Call, arrivals: u64, until: Option<Time>) -> Result<()> {
        self.progress()?;
        let began = self.with(|world| {
            (world.arrivals(self.rank) == arrivals).then(|| {
                world.block(self.rank, call, until);
                world.now()
            })
        })?;
        if let Some(began) = began {
            self.baton.give_way(self.rank);
            self.with(|world| world.bar(self.rank, Activity::Wait(call.name()), began))?;
        }
        Ok(())
    }

    fn check_rank(&self, rank: Rank) -> Result<()> {
        if rank >= self.size {
            let size = self.size;
            return Err(Error::RankOutOfRange { rank, size });
        }
        if self.with(|world| world.lost())? == Some(rank) {
            return Err(Error::PeerLost { rank });
        }
        Ok(())
    }

    fn unsupported(&self, what: String, reason: &str) -> Error {
        Error::Unsupported {
            transport: self.capabilities.transport.clone(),
            what,
            reason: reason.to_owned(),
        }
    }

    fn check_atomic(&self, there: Atomics, what: impl Fn() -> String) -> Result<()> {
        match there {
            Atomics::Missing => Err(self.unsupported(what(), "not for this type, or not on this network")),
            Atomics::Native | Atomics::Emulated => Ok(()),
        }
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        let bits = self.capabilities.immediate_bits;
        match signal {
            Signal::Immediate(immediate) if bits < 32 && immediate >> bits != 0 || bits == 0 => Err(self
                .unsupported(
                    format!("immediate {immediate:#x}"),
                    &format!("there are {bits} bits"),
                )),
            Signal::Count if !self.capabilities.counts => {
                Err(self.unsupported("counter of puts".to_owned(), "this network has none"))
            }
            _ => Ok(()),
        }
    }

    /// Starts an operation; its bounds and its signal were checked.
    fn start(&self, operation: Operation) -> Result<Ticket> {
        self.check_rank(operation.target)?;
        self.with(|world| world.scope(self.rank, operation.scope).map(|_| ()))??;
        self.enter(|world| world.network.overhead(self.rank, operation.target))?;
        self.until_room(Call::Start, |world| world.may_start(self.rank))?;
        self.with(|world| Ticket::new(world.start(operation).number()))
    }

    /// An operation with nothing in it yet.
    fn operation(
        &self,
        kind: Kind,
        scope: Scope,
        remote: &Remote,
        displacement: usize,
        bytes: usize,
    ) -> Result<Operation> {
        remote.at(displacement, bytes)?;
        let packet = self.with(|world| world.network.packet)?;
        let rank = self.rank;
        Ok(Operation::new(
            kind,
            rank,
            scope.0,
            remote,
            displacement,
            bytes,
            packet,
        ))
    }

    fn complete(&self, scope: Scope, target: Option<Rank>, local: bool) -> Result<()> {
        self.poll()?;
        if let Some(rank) = target.filter(|rank| *rank >= self.size) {
            let size = self.size;
            return Err(Error::RankOutOfRange { rank, size });
        }
        let call = Call::Flush {
            scope: scope.0,
            target,
            local,
        };
        loop {
            let arrivals = self.with(|world| {
                if world.is_complete(self.rank, scope.0, target, local)? {
                    return Ok(None);
                }
                if let Some(rank) = world.lost() {
                    // Its operations are given up, so that their buffers are the caller's again.
                    world.abandon(self.rank, scope.0, target, rank);
                    return Err(Error::PeerLost { rank });
                }
                Ok(Some(world.arrivals(self.rank)))
            })??;
            match arrivals {
                None => return Ok(()),
                Some(arrivals) => self.block(call, arrivals, None)?,
            }
        }
    }

    /// Whether a scope is complete, without waiting.
    fn is_complete(&self, scope: Scope, local: bool) -> Result<bool> {
        self.poll()?;
        self.with(|world| {
            let complete = world.is_complete(self.rank, scope.0, None, local)?;
            match world.lost() {
                Some(rank) if !complete => {
                    world.abandon(self.rank, scope.0, None, rank);
                    Err(Error::PeerLost { rank })
                }
                _ => Ok(complete),
            }
        })?
    }

    /// Waits until there is room for one thing more.
    fn until_room(&self, call: Call, has_room: impl Fn(&World) -> bool) -> Result<()> {
        loop {
            let arrivals = self.with(|world| {
                if has_room(world) {
                    return Ok(None);
                }
                if let Some(rank) = world.lost() {
                    return Err(Error::PeerLost { rank });
                }
                world.takes_in(self.rank, true);
                Ok(Some(world.arrivals(self.rank)))
            })??;
            match arrivals {
                None => return Ok(()),
                Some(arrivals) => {
                    let blocked = self.block(call, arrivals, None);
                    self.with(|world| world.takes_in(self.rank, false))?;
                    blocked?;
                }
            }
        }
    }
}

fn check_aligned(displacement: usize, alignment: usize) -> Result<()> {
    if displacement.is_multiple_of(alignment) {
        return Ok(());
    }
    Err(Error::Misaligned {
        displacement,
        alignment,
    })
}
