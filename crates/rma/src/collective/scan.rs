//! Prefix reductions: what all ranks up to one give, combined.

use super::order;
use super::reduce::{combine_right, name_of};
use super::request::CollectiveRequest;
use super::steps::Steps;
use crate::matching::{Name, Signature};
use crate::{Combine, Group, Operation, Plain, Result, element};
use std::panic::Location;

/// What a rank has of a prefix.
struct Prefix<T> {
    /// The values of some ranks before this one, and its own.
    with: Vec<T>,
    /// Without its own; `None`: there was no rank before it yet.
    before: Option<Vec<T>>,
}

impl<T: Plain> Prefix<T> {
    fn new(values: &[T]) -> Self {
        Self {
            with: values.to_vec(),
            before: None,
        }
    }

    /// Takes what the ranks just before those have.
    fn add(&mut self, theirs: &[T], operate: &mut impl FnMut(T, T) -> T) {
        match &mut self.before {
            Some(before) => combine_right(theirs, before, operate),
            before => *before = Some(theirs.to_vec()),
        }
        combine_right(theirs, &mut self.with, operate);
    }

    /// The result of a scan, or of one without the own values: nothing changes where there is no rank before.
    fn give(self, values: &mut [T], exclusive: bool) {
        match (exclusive, self.before) {
            (false, _) => values.copy_from_slice(&self.with),
            (true, Some(before)) => values.copy_from_slice(&before),
            (true, None) => {}
        }
    }
}

/// The prefix of a rank, of values that were gathered from all: as by messages, with the same bits.
fn fold<T: Plain>(
    gathered: &[T],
    me: usize,
    length: usize,
    operate: &mut impl FnMut(T, T) -> T,
) -> Prefix<T> {
    let mut all: Vec<Prefix<T>> = gathered
        .chunks_exact(length)
        .take(me + 1)
        .map(Prefix::new)
        .collect();
    let mut step = 1;
    while step <= me {
        // From the last on: who is before has not taken this step.
        for rank in (step..=me).rev() {
            let (before, from) = all.split_at_mut(rank);
            from[0].add(&before[rank - step].with, operate);
        }
        step *= 2;
    }
    all.swap_remove(me)
}

impl Steps {
    /// Hillis and Steele (*Data parallel algorithms*, CACM 1986): in step k each rank tells the one 2^k further on what
    /// it has.
    async fn scan<T: Plain>(
        &self,
        values: &mut [T],
        exclusive: bool,
        operate: &mut impl FnMut(T, T) -> T,
    ) -> Result<()> {
        let (me, size) = (self.group().rank(), self.group().size());
        let mut prefix = Prefix::new(values);
        let mut step = 1;
        while step < size {
            let to = (me + step < size).then_some((me + step, &prefix.with[..]));
            let from = me.checked_sub(step).map(|from| (from, values.len()));
            let theirs = self.exchange(to, from).await?;
            if from.is_some() {
                prefix.add(&theirs, operate);
            }
            step *= 2;
        }
        prefix.give(values, exclusive);
        Ok(())
    }
}

impl Group {
    /// Combines the values of all ranks up to this one, element by element (`MPI_Scan`, MPI-4.1 §6.11.1): `values`
    /// become the result. Collective.
    ///
    /// Costs log2 n rounds of one message each.
    ///
    /// # Errors
    /// Lengths differ; the operation does not exist for the type; a rank is lost; time ran out.
    #[track_caller]
    pub fn scan<T: Combine>(&self, operation: Operation, values: &mut [T]) -> Result<()> {
        element::check::<T>(operation)?;
        let signature = Signature::new(const { Name::new("scan") }, Location::caller()).operation(operation);
        self.prefix(signature.of::<T>(values.len()), false, values, |left, right| {
            T::combine(operation, left, right)
        })
    }

    /// As [`Group::scan`] with a function of one's own, as for [`Group::reduce_with`].
    ///
    /// # Errors
    /// As for [`Group::scan`].
    #[track_caller]
    pub fn scan_with<T: Plain>(&self, values: &mut [T], operate: impl FnMut(T, T) -> T) -> Result<()> {
        let signature =
            Signature::new(const { Name::new("scan") }, Location::caller()).named(name_of(&operate));
        self.prefix(signature.of::<T>(values.len()), false, values, operate)
    }

    /// Combines the values of all ranks before this one (`MPI_Exscan`, MPI-4.1 §6.11.2): `values` become the result,
    /// and stay at rank 0, which has none before it. Collective.
    ///
    /// Costs log2 n rounds of one message each.
    ///
    /// # Errors
    /// As for [`Group::scan`].
    #[track_caller]
    pub fn exscan<T: Combine>(&self, operation: Operation, values: &mut [T]) -> Result<()> {
        element::check::<T>(operation)?;
        let signature =
            Signature::new(const { Name::new("exscan") }, Location::caller()).operation(operation);
        self.prefix(signature.of::<T>(values.len()), true, values, |left, right| {
            T::combine(operation, left, right)
        })
    }

    /// As [`Group::exscan`] with a function of one's own, as for [`Group::reduce_with`].
    ///
    /// # Errors
    /// As for [`Group::scan`].
    #[track_caller]
    pub fn exscan_with<T: Plain>(&self, values: &mut [T], operate: impl FnMut(T, T) -> T) -> Result<()> {
        let signature =
            Signature::new(const { Name::new("exscan") }, Location::caller()).named(name_of(&operate));
        self.prefix(signature.of::<T>(values.len()), true, values, operate)
    }

    #[track_caller]
    fn prefix<T: Plain>(
        &self,
        signature: Signature,
        exclusive: bool,
        values: &mut [T],
        mut operate: impl FnMut(T, T) -> T,
    ) -> Result<()> {
        let (me, length) = (self.rank() as usize, values.len());
        let _entered = self.enter(signature)?;
        let _call = self.collective(Location::caller(), signature.name(), || order::prefix(length));
        let _alone = self.core().matching.alone();
        if let Some(room) = self.gather_small(values) {
            self.hand_out(room?, length * self.size() as usize, |all: &mut [T]| {
                fold(all, me, length, &mut operate).give(values, exclusive);
            });
            return Ok(());
        }
        let steps = Steps::new(self);
        steps.complete(steps.scan(values, exclusive, &mut operate))
    }

    /// Begins a scan (`MPI_Iscan`, MPI-4.1 §6.12.11): the request gives the result. Collective. Costs what
    /// [`Group::scan`] costs.
    ///
    /// # Errors
    /// The operation does not exist for the type; earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn iscan<T: Combine>(
        &self,
        operation: Operation,
        mut values: Vec<T>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        element::check::<T>(operation)?;
        let signature = Signature::new(const { Name::new("iscan") }, Location::caller()).operation(operation);
        let signature = signature.of::<T>(values.len());
        self.begin(signature, order::prefix(values.len()), async move |steps| {
            let mut operate = |left, right| T::combine(operation, left, right);
            steps.scan(&mut values, false, &mut operate).await?;
            Ok(values)
        })
    }
}
