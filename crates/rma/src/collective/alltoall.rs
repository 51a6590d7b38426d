//! From all ranks to all: each has a block for each.

use super::request::CollectiveRequest;
use super::steps::Steps;
use super::{blocks, order};
use crate::flags;
use crate::matching::{Name, Signature};
use crate::{Group, Plain, Result};
use std::panic::Location;

/// Bytes of a block up to which several travel in one message.
const SMALL: usize = 256;

impl Steps {
    /// With each other rank in turn.
    async fn pairwise<T: Plain>(
        &self,
        values: &[T],
        given: &[usize],
        all: &mut [T],
        taken: &[usize],
    ) -> Result<()> {
        let (me, size) = (self.group().rank(), self.group().size());
        let (given, taken) = (blocks::ranges(given), blocks::ranges(taken));
        all[taken[me as usize].clone()].copy_from_slice(&values[given[me as usize].clone()]);
        for step in 1..size {
            let (to, from) = ((me + step) % size, (me + size - step) % size);
            let sent = &values[given[to as usize].clone()];
            let room = &mut all[taken[from as usize].clone()];
            self.exchange_into(Some((to, sent)), from, room).await?;
        }
        Ok(())
    }

    /// Bruck et al. (TPDS 1997): a block for the rank d further on travels in the steps of the bits of d.
    async fn alltoall_small<T: Plain>(&self, values: &[T], length: usize, all: &mut [T]) -> Result<()> {
        let (me, size) = (self.group().rank(), self.group().size());
        let block = |number: u32| number as usize * length..(number as usize + 1) * length;
        // By how far they have to go; in the end, by how far they came.
        let mut travelling = [&values[block(me).start..], &values[..block(me).start]].concat();
        for round in 0..flags::rounds(size) {
            let (to, from) = flags::partners(me, size, round);
            let far = || (0..size).filter(|distance| distance >> round & 1 == 1);
            let sent: Vec<T> = far()
                .flat_map(|distance| &travelling[block(distance)])
                .copied()
                .collect();
            let received = self
                .exchange(Some((to, &sent[..])), Some((from, sent.len())))
                .await?;
            for (number, distance) in (0..).zip(far()) {
                travelling[block(distance)].copy_from_slice(&received[block(number)]);
            }
        }
        for distance in 0..size {
            all[block((me + size - distance) % size)].copy_from_slice(&travelling[block(distance)]);
        }
        Ok(())
    }

    async fn alltoall<T: Plain>(&self, values: &[T], length: usize, all: &mut [T]) -> Result<()> {
        if length * size_of::<T>() <= SMALL {
            return self.alltoall_small(values, length, all).await;
        }
        let lengths = vec![length; self.group().size() as usize];
        self.pairwise(values, &lengths, all, &lengths).await
    }
}

impl Group {
    /// Block j of what rank i gives becomes block i of what rank j gets (`MPI_Alltoall`, MPI-4.1 §6.8). Collective.
    ///
    /// Costs log2 n rounds of n/2 blocks each where blocks are of 256 bytes at the most, else n - 1 rounds of one
    /// block.
    ///
    /// # Errors
    /// `values` is no whole number of elements for each rank, or `all` not as long; lengths differ among ranks; a rank
    /// is lost; time ran out.
    #[track_caller]
    pub fn alltoall<T: Plain>(&self, values: &[T], all: &mut [T]) -> Result<()> {
        let (me, size) = (self.rank() as usize, self.size() as usize);
        let length = values.len() / size;
        blocks::check("the blocks of an alltoall", self.size(), length, values.len())?;
        blocks::check("the room for an alltoall", self.size(), length, all.len())?;
        let signature = Signature::new(const { Name::new("alltoall") }, Location::caller());
        let _entered = self.enter(signature.of::<T>(length))?;
        let _call = self.collective(Location::caller(), "alltoall", || order::of_all(length));
        if let Some(room) = self.gather_small(values) {
            self.hand_out(room?, values.len() * size, |gathered: &mut [T]| {
                for (from, block) in all.chunks_exact_mut(length).enumerate() {
                    block.copy_from_slice(&gathered[(from * size + me) * length..][..length]);
                }
            });
            return Ok(());
        }
        let steps = Steps::new(self);
        steps.complete(steps.alltoall(values, length, all))
    }

    /// As [`Group::alltoall`], where blocks have lengths of their own (`MPI_Alltoallv`, MPI-4.1 §6.8). Collective.
    /// `given` says how long the blocks of `values` are, and `taken` those of `all`, by rank.
    ///
    /// Costs n - 1 rounds of one block, also where it is empty: so ranks that do not agree are told.
    ///
    /// # Errors
    /// There is not one length for each rank, or `values` or `all` are not as long as theirs are together; a rank gives
    /// another number of elements than this one takes ([`Error::Mismatch`](crate::Error), at all ranks); a rank is
    /// lost; time ran out.
    #[track_caller]
    pub fn alltoallv<T: Plain>(
        &self,
        values: &[T],
        given: &[usize],
        all: &mut [T],
        taken: &[usize],
    ) -> Result<()> {
        blocks::check_all("the blocks of an alltoallv", self, given, values.len())?;
        blocks::check_all("the room for an alltoallv", self, taken, all.len())?;
        let me = self.rank() as usize;
        blocks::check("the own block of an alltoallv", 1, given[me], taken[me])?;
        let signature = Signature::new(const { Name::new("alltoallv") }, Location::caller());
        let _entered = self.enter(signature.of_own::<T>(values.len()))?;
        let direction = || order::from_some(self, taken);
        let _call = self.collective(Location::caller(), "alltoallv", direction);
        let steps = Steps::new(self);
        steps.complete(steps.pairwise(values, given, all, taken))
    }

    /// Begins an exchange of blocks among all ranks (`MPI_Ialltoall`, MPI-4.1 §6.12.6): the request gives those for
    /// this rank, in the order of ranks. Collective. Costs what [`Group::alltoall`] costs.
    ///
    /// # Errors
    /// `values` is no whole number of elements for each rank; earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn ialltoall<T: Plain>(&self, values: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        let length = values.len() / self.size() as usize;
        blocks::check("the blocks of an ialltoall", self.size(), length, values.len())?;
        let signature = Signature::new(const { Name::new("ialltoall") }, Location::caller());
        self.begin(
            signature.of::<T>(length),
            order::of_all(length),
            async move |steps| {
                let mut all = vec![T::zeroed(); values.len()];
                steps.alltoall(&values, length, &mut all).await?;
                Ok(all)
            },
        )
    }
}
