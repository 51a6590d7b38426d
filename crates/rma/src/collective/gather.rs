//! Gather along a binomial tree.

use super::request::CollectiveRequest;
use super::steps::Steps;
use super::tree::Tree;
use super::{blocks, order};
use crate::endpoint::Core;
use crate::matching::{Name, Signature};
use crate::{Group, Plain, Rank, Result};
use std::borrow::Cow;
use std::panic::Location;

impl Steps {
    /// Brings the values of all ranks to the root: by the places of the tree, and how many each gives. Elsewhere what
    /// came is of the subtree. If all give as many, `same`, nobody has to say how many.
    async fn gather<'v, T: Plain>(
        &self,
        root: Rank,
        values: &'v [T],
        same: bool,
    ) -> Result<(Cow<'v, [T]>, Vec<u64>)> {
        let tree = Tree::new(root, self.group().rank(), self.group().size());
        let mut gathered = Cow::Borrowed(values);
        let mut lengths = vec![values.len() as u64];
        for (child, places) in tree.children().rev() {
            match same {
                true => lengths.resize(lengths.len() + places.len(), values.len() as u64),
                false => lengths.extend(self.receive::<u64>(child, places.len()).await?),
            }
            let theirs = &lengths[lengths.len() - places.len()..];
            let total = theirs
                .iter()
                .fold(0usize, |sum, &length| sum.saturating_add(length as usize));
            gathered
                .to_mut()
                .extend_from_slice(&self.receive(child, total).await?);
        }
        if let Some(parent) = tree.parent() {
            if !same {
                self.send(parent, &lengths).await?;
            }
            self.send(parent, &gathered).await?;
        }
        Ok((gathered, lengths))
    }

    /// Gathers at the root, into `all` there, by rank.
    async fn gather_into<T: Plain>(&self, root: Rank, values: &[T], all: &mut [T]) -> Result<()> {
        let (gathered, _) = self.gather(root, values, true).await?;
        if self.group().rank() == root {
            // It starts at the root.
            let (low, high) = all.split_at_mut(root as usize * values.len());
            high.copy_from_slice(&gathered[..high.len()]);
            low.copy_from_slice(&gathered[high.len()..]);
        }
        Ok(())
    }

    async fn gatherv<T: Plain>(
        &self,
        root: Rank,
        values: &[T],
        lengths: &[usize],
        all: &mut [T],
    ) -> Result<()> {
        let (gathered, given) = self.gather(root, values, false).await?;
        let (me, size) = (self.group().rank(), self.group().size());
        if me != root {
            return Ok(());
        }
        let tree = Tree::new(root, me, size);
        let places = blocks::ranges(lengths);
        let mut rest = &gathered[..];
        for (place, &given) in (0..).zip(&given) {
            let rank = tree.rank(place);
            self.check(rank, lengths[rank as usize], given as usize)?;
            let (block, behind) = rest.split_at(given as usize);
            all[places[rank as usize].clone()].copy_from_slice(block);
            rest = behind;
        }
        Ok(())
    }
}

impl Group {
    /// Brings the values of all ranks to rank `root`, in the order of ranks (`MPI_Gather`, MPI-4.1 §6.5). Collective.
    /// `all` is looked at by the root only.
    ///
    /// Costs log2 n rounds. The root gets each value once; half of the ranks send their own only, others those of a
    /// subtree, n/2 blocks at the most.
    ///
    /// # Errors
    /// No such rank; `all` is not as long as the values of all ranks; lengths differ among ranks; a rank is lost; time
    /// ran out.
    #[track_caller]
    pub fn gather<T: Plain>(&self, root: Rank, values: &[T], all: &mut [T]) -> Result<()> {
        Core::check_rank(root, self.size())?;
        if self.rank() == root {
            blocks::check("the room for a gather", self.size(), values.len(), all.len())?;
        }
        let signature = Signature::new(const { Name::new("gather") }, Location::caller());
        let _entered = self.enter(signature.of::<T>(values.len()).root(root))?;
        let direction = || order::to_root(self, root, values.len());
        let _call = self.collective(Location::caller(), "gather", direction);
        let steps = Steps::new(self);
        steps.complete(steps.gather_into(root, values, all))
    }

    /// As [`Group::gather`], where each rank gives as many values as it likes (`MPI_Gatherv`, MPI-4.1 §6.5).
    /// Collective. `lengths` says how many, by rank, and `all` has room for them, one block after another; both are
    /// looked at by the root only.
    ///
    /// Costs log2 n rounds, in each of which the lengths go before the values.
    ///
    /// # Errors
    /// No such rank; there is not one length for each rank, or `all` is not as long as they are together, or not
    /// `values` as the root's own; a rank gives another number of elements ([`Error::Mismatch`](crate::Error), at all
    /// ranks); a rank is lost; time ran out.
    #[track_caller]
    pub fn gatherv<T: Plain>(
        &self,
        root: Rank,
        values: &[T],
        lengths: &[usize],
        all: &mut [T],
    ) -> Result<()> {
        Core::check_rank(root, self.size())?;
        if self.rank() == root {
            blocks::check_all("the room for a gatherv", self, lengths, all.len())?;
            blocks::check_own("the own values of a gatherv", self, lengths, values.len())?;
        }
        let signature = Signature::new(const { Name::new("gatherv") }, Location::caller());
        let _entered = self.enter(signature.of_own::<T>(values.len()).root(root))?;
        let direction = || match self.rank() == root {
            true => order::from_some(self, lengths),
            false => order::to_root(self, root, values.len()),
        };
        let _call = self.collective(Location::caller(), "gatherv", direction);
        let steps = Steps::new(self);
        steps.complete(steps.gatherv(root, values, lengths, all))
    }

    /// Begins a gather (`MPI_Igather`, MPI-4.1 §6.12.3): the request gives the values of all ranks at rank `root`, in
    /// the order of ranks, and none elsewhere. Collective. Costs what [`Group::gather`] costs.
    ///
    /// # Errors
    /// No such rank; earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn igather<T: Plain>(&self, root: Rank, values: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        Core::check_rank(root, self.size())?;
        let signature = Signature::new(const { Name::new("igather") }, Location::caller());
        let signature = signature.of::<T>(values.len()).root(root);
        let direction = order::to_root(self, root, values.len());
        let room = match self.rank() == root {
            true => values.len().saturating_mul(self.size() as usize),
            false => 0,
        };
        self.begin(signature, direction, async move |steps| {
            let mut all = vec![T::zeroed(); room];
            steps.gather_into(root, &values, &mut all).await?;
            Ok(all)
        })
    }
}
