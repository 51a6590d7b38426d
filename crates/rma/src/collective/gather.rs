//! Allgather in a logarithmic number of steps.

use crate::matching::{Name, Signature};
use crate::message::to_values;
use crate::{Error, Group, Plain, Result};
use std::panic::Location;

impl Group {
    /// Gives the values of all ranks to all, in the order of ranks (`MPI_Allgather`, MPI-4.1 §6.7). Collective.
    ///
    /// Algorithm: Bruck et al. (TPDS 1997): in step k each rank passes on all that it has to the rank 2^k before it.
    ///
    /// # Errors
    /// `all` is not as long as the values of all ranks; lengths differ among ranks; a rank is lost; time ran out.
    #[track_caller]
    pub fn allgather<T: Plain>(&self, values: &[T], all: &mut [T]) -> Result<()> {
        const { assert!(size_of::<T>() > 0, "elements have a size") }
        let length = values.len();
        let (me, size) = (self.rank(), self.size());
        let expected = length.saturating_mul(size as usize);
        if all.len() != expected {
            return Err(Error::Length {
                what: "the room for an allgather",
                expected,
                found: all.len(),
            });
        }
        let _entered =
            self.enter(Signature::new(const { Name::new("allgather") }, Location::caller()).of::<T>(length))?;
        let _call = self.collective_of_all(Location::caller(), "allgather");
        if let Some(room) = self.gather_small(values) {
            self.hand_out(room?, expected, |gathered| all.copy_from_slice(gathered));
            return Ok(());
        }
        let call = self.next_call();
        let mut gathered = Vec::with_capacity(expected);
        gathered.extend_from_slice(values);
        let mut have = 1;
        while have < size {
            let count = have.min(size - have);
            let elements = count as usize * length;
            let (to, from) = ((me + size - have) % size, (me + have) % size);
            self.send_step(to, call, &gathered[..elements])?;
            let bytes = self.receive_step(from, call, elements * size_of::<T>())?;
            if elements > 0 {
                gathered.extend(to_values::<T>(&bytes)?);
            }
            have += count;
        }
        // What was gathered starts at this rank.
        let split = (size - me) as usize * length;
        all[me as usize * length..].copy_from_slice(&gathered[..split]);
        all[..me as usize * length].copy_from_slice(&gathered[split..]);
        Ok(())
    }
}
