//! Allgather in a logarithmic number of steps.

use super::request::CollectiveRequest;
use super::steps::Steps;
use super::{blocks, order};
use crate::matching::{Name, Signature};
use crate::{Group, Plain, Result};
use std::panic::Location;

impl Steps {
    /// Gives the values of all ranks to all, by rank; `lengths` says how many each has.
    ///
    /// Bruck et al. (TPDS 1997): in step k each rank passes on all that it has to the rank 2^k before it.
    async fn allgather<T: Plain>(&self, values: &[T], lengths: &[usize], all: &mut [T]) -> Result<()> {
        let (me, size) = (self.group().rank(), self.group().size());
        let mut gathered = Vec::with_capacity(all.len());
        gathered.extend_from_slice(values);
        // Of so many ranks, from one on.
        let total = |first: u32, number: u32| -> usize {
            (0..number)
                .map(|step| lengths[((first + step) % size) as usize])
                .sum()
        };
        let mut have = 1;
        while have < size {
            let number = have.min(size - have);
            let (to, from) = ((me + size - have) % size, (me + have) % size);
            let sent = &gathered[..total(me, number)];
            let theirs = self
                .exchange(Some((to, sent)), Some((from, total(from, number))))
                .await?;
            gathered.extend_from_slice(&theirs);
            have += number;
        }
        // What was gathered starts at this rank.
        let (low, high) = all.split_at_mut(total(0, me));
        high.copy_from_slice(&gathered[..high.len()]);
        low.copy_from_slice(&gathered[high.len()..]);
        Ok(())
    }
}

impl Group {
    /// Gives the values of all ranks to all, in the order of ranks (`MPI_Allgather`, MPI-4.1 §6.7). Collective.
    ///
    /// Costs log2 n rounds, in which a rank sends n - 1 blocks in all.
    ///
    /// # Errors
    /// `all` is not as long as the values of all ranks; lengths differ among ranks; a rank is lost; time ran out.
    #[track_caller]
    pub fn allgather<T: Plain>(&self, values: &[T], all: &mut [T]) -> Result<()> {
        let length = values.len();
        blocks::check("the room for an allgather", self.size(), length, all.len())?;
        let signature = Signature::new(const { Name::new("allgather") }, Location::caller());
        let _entered = self.enter(signature.of::<T>(length))?;
        let _call = self.collective(Location::caller(), "allgather", || order::of_all(length));
        if let Some(room) = self.gather_small(values) {
            self.hand_out(room?, all.len(), |gathered| all.copy_from_slice(gathered));
            return Ok(());
        }
        let lengths = vec![length; self.size() as usize];
        let steps = Steps::new(self);
        steps.complete(steps.allgather(values, &lengths, all))
    }

    /// As [`Group::allgather`], where each rank gives as many values as it likes (`MPI_Allgatherv`, MPI-4.1 §6.7).
    /// Collective. `lengths` says how many, by rank, the same at all ranks; `all` has room for them, one block after
    /// another.
    ///
    /// Costs log2 n rounds, in which a rank sends what is not its receivers' yet: less than all values.
    ///
    /// # Errors
    /// There is not one length for each rank, or `all` is not as long as they are together, or not `values` as the own
    /// one; lengths differ among ranks; a rank is lost; time ran out.
    #[track_caller]
    pub fn allgatherv<T: Plain>(&self, values: &[T], lengths: &[usize], all: &mut [T]) -> Result<()> {
        blocks::check_all("the room for an allgatherv", self, lengths, all.len())?;
        blocks::check_own("the own values of an allgatherv", self, lengths, values.len())?;
        let signature = Signature::new(const { Name::new("allgatherv") }, Location::caller());
        let _entered = self.enter(signature.of_own::<T>(values.len()).lengths(lengths))?;
        let direction = || order::from_some(self, lengths);
        let _call = self.collective(Location::caller(), "allgatherv", direction);
        let steps = Steps::new(self);
        steps.complete(steps.allgather(values, lengths, all))
    }

    /// Begins an allgather (`MPI_Iallgather`, MPI-4.1 §6.12.5): the request gives the values of all ranks, in the order
    /// of ranks. Collective. Costs what [`Group::allgather`] costs by messages.
    ///
    /// # Errors
    /// Earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn iallgather<T: Plain>(&self, values: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        let signature = Signature::new(const { Name::new("iallgather") }, Location::caller());
        let (length, size) = (values.len(), self.size() as usize);
        self.begin(
            signature.of::<T>(length),
            order::of_all(length),
            async move |steps| {
                let mut all = vec![T::zeroed(); length.saturating_mul(size)];
                steps.allgather(&values, &vec![length; size], &mut all).await?;
                Ok(all)
            },
        )
    }
}
