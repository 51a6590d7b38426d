//! Broadcast along a binomial tree.

use crate::endpoint::Core;
use crate::matching::{Name, Signature};
use crate::message::copy_into;
use crate::{Group, Plain, Rank, Result};
use farside_events::Direction;
use std::panic::Location;

impl Group {
    /// Gives the values of rank `root` to all (`MPI_Bcast`, MPI-4.1 §6.4). Collective.
    ///
    /// # Errors
    /// No such rank; lengths differ; a rank is lost; time ran out.
    #[track_caller]
    pub fn broadcast<T: Plain>(&self, root: Rank, values: &mut [T]) -> Result<()> {
        Core::check_rank(root, self.size())?;
        let signature = Signature::new(const { Name::new("broadcast") }, Location::caller());
        let _entered = self.enter(signature.of::<T>(values.len()).root(root))?;
        let _call = self.collective(Location::caller(), "broadcast", Direction::FromRoot, root);
        let call = self.next_call();
        let size = self.size();
        // Ranks counted from the root.
        let me = (self.rank() + size - root) % size;
        let rank = |relative: u32| (relative + root) % size;
        let mut step = 1;
        while step < size && me & step == 0 {
            step <<= 1;
        }
        if me != 0 {
            let bytes = self.receive_step(rank(me - step), call, size_of_val(values))?;
            copy_into(&bytes, values);
        }
        while step > 1 {
            step >>= 1;
            if me + step < size {
                self.send_step(rank(me + step), call, values)?;
            }
        }
        Ok(())
    }
}
