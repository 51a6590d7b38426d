//! A barrier that does not block. The one that does is made of flags ([`crate::flags`]).

use super::request::CollectiveRequest;
use super::steps::Steps;
use crate::flags;
use crate::matching::{Name, Signature};
use crate::{Group, Result};
use farside_events::Direction;
use std::panic::Location;

impl Steps {
    /// Dissemination: in step k each rank tells the one 2^k further on.
    async fn barrier(&self) -> Result<()> {
        let (me, size) = (self.group().rank(), self.group().size());
        for round in 0..flags::rounds(size) {
            let (to, from) = flags::partners(me, size, round);
            self.exchange::<u8>(Some((to, &[])), Some((from, 0))).await?;
        }
        Ok(())
    }
}

impl Group {
    /// Begins a barrier: the request is complete when all ranks of the group have begun it (`MPI_Ibarrier`, MPI-4.1
    /// §6.12.1). Collective. Completes no operation on any window. Costs log2 n rounds of empty messages.
    ///
    /// # Errors
    /// Earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn ibarrier(&self) -> Result<CollectiveRequest<()>> {
        let signature = Signature::new(const { Name::new("ibarrier") }, Location::caller());
        self.begin(signature, Direction::All, async |steps| steps.barrier().await)
    }
}
