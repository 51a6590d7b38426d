//! Scatter along a binomial tree.

use super::request::CollectiveRequest;
use super::steps::Steps;
use super::tree::Tree;
use super::{blocks, order};
use crate::endpoint::Core;
use crate::matching::{Name, Signature};
use crate::{Group, Plain, Rank, Result};
use std::borrow::Cow;
use std::panic::Location;

/// What the root gives.
struct Given<'v, T> {
    /// Of all ranks, by rank.
    all: &'v [T],
    /// How many each gets.
    lengths: Vec<usize>,
}

impl Steps {
    /// Brings each rank its block, which is so long. If all get as many, `same`, nobody has to say how many.
    async fn scatter<T: Plain>(
        &self,
        root: Rank,
        given: Option<Given<'_, T>>,
        block: &mut [T],
        same: bool,
    ) -> Result<()> {
        let tree = Tree::new(root, self.group().rank(), self.group().size());
        let number = tree.subtree().len();
        // Of the own subtree, by its places.
        let (lengths, values) = match (tree.parent(), given) {
            (Some(parent), _) => {
                let lengths: Vec<u64> = match same {
                    true => vec![block.len() as u64; number],
                    false => self.receive(parent, number).await?,
                };
                let total = lengths
                    .iter()
                    .fold(0usize, |sum, &length| sum.saturating_add(length as usize));
                (lengths, Cow::Owned(self.receive::<T>(parent, total).await?))
            }
            (None, Some(Given { all, mut lengths })) => {
                let before = lengths[..root as usize].iter().sum();
                lengths.rotate_left(root as usize);
                let lengths = lengths.into_iter().map(|length| length as u64).collect();
                let values = match before {
                    0 => Cow::Borrowed(all),
                    before => Cow::Owned([&all[before..], &all[..before]].concat()),
                };
                (lengths, values)
            }
            (None, None) => return Err(crate::Error::Broken("scatter")),
        };
        let sizes: Vec<usize> = lengths.iter().map(|&length| length as usize).collect();
        let ranges = blocks::ranges(&sizes);
        for (child, places) in tree.children() {
            let first = tree.place() as usize;
            let places = places.start - first..places.end - first;
            if !same {
                self.send(child, &lengths[places.clone()]).await?;
            }
            let part = ranges[places.start].start..ranges[places.end - 1].end;
            self.send(child, &values[part]).await?;
        }
        self.check(root, block.len(), sizes[0])?;
        block.copy_from_slice(&values[ranges[0].clone()]);
        Ok(())
    }
}

impl Group {
    /// Brings each rank its block of what rank `root` has: `all` has one after another, in the order of ranks
    /// (`MPI_Scatter`, MPI-4.1 §6.6). Collective. `all` is looked at by the root only.
    ///
    /// Costs log2 n rounds. The root sends each block once, other ranks those of a subtree, n/2 blocks at the most.
    ///
    /// # Errors
    /// No such rank; `all` is not as long as all blocks; lengths differ among ranks; a rank is lost; time ran out.
    #[track_caller]
    pub fn scatter<T: Plain>(&self, root: Rank, all: &[T], block: &mut [T]) -> Result<()> {
        Core::check_rank(root, self.size())?;
        let is_root = self.rank() == root;
        if is_root {
            blocks::check("the blocks of a scatter", self.size(), block.len(), all.len())?;
        }
        let signature = Signature::new(const { Name::new("scatter") }, Location::caller());
        let _entered = self.enter(signature.of::<T>(block.len()).root(root))?;
        let direction = || order::from_root(self, root, block.len());
        let _call = self.collective(Location::caller(), "scatter", direction);
        let lengths = vec![block.len(); self.size() as usize];
        let steps = Steps::new(self);
        steps.complete(steps.scatter(root, is_root.then_some(Given { all, lengths }), block, true))
    }

    /// As [`Group::scatter`], where blocks have lengths of their own (`MPI_Scatterv`, MPI-4.1 §6.6). Collective.
    /// `lengths` says them, by rank; it is looked at by the root only, like `all`.
    ///
    /// Costs log2 n rounds, in each of which the lengths go before the values.
    ///
    /// # Errors
    /// No such rank; there is not one length for each rank, or `all` is not as long as they are together, or not
    /// `block` as the root's own; the block of a rank has another length than the root gives it
    /// ([`Error::Mismatch`](crate::Error), at all ranks); a rank is lost; time ran out.
    #[track_caller]
    pub fn scatterv<T: Plain>(
        &self,
        root: Rank,
        all: &[T],
        lengths: &[usize],
        block: &mut [T],
    ) -> Result<()> {
        Core::check_rank(root, self.size())?;
        let is_root = self.rank() == root;
        if is_root {
            blocks::check_all("the blocks of a scatterv", self, lengths, all.len())?;
            blocks::check_own("the own block of a scatterv", self, lengths, block.len())?;
        }
        let signature = Signature::new(const { Name::new("scatterv") }, Location::caller());
        let _entered = self.enter(signature.of_own::<T>(block.len()).root(root))?;
        let direction = || order::from_root(self, root, block.len());
        let _call = self.collective(Location::caller(), "scatterv", direction);
        let lengths = lengths.to_vec();
        let steps = Steps::new(self);
        steps.complete(steps.scatter(root, is_root.then_some(Given { all, lengths }), block, false))
    }

    /// Begins a scatter of blocks of `length` elements (`MPI_Iscatter`, MPI-4.1 §6.12.4): the request gives the block
    /// of this rank. `all` is looked at by the root only. Collective. Costs what [`Group::scatter`] costs.
    ///
    /// # Errors
    /// No such rank; `all` is not as long as all blocks; earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn iscatter<T: Plain>(
        &self,
        root: Rank,
        all: Vec<T>,
        length: usize,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        Core::check_rank(root, self.size())?;
        let is_root = self.rank() == root;
        if is_root {
            blocks::check("the blocks of an iscatter", self.size(), length, all.len())?;
        }
        let signature = Signature::new(const { Name::new("iscatter") }, Location::caller());
        let direction = order::from_root(self, root, length);
        let lengths = vec![length; self.size() as usize];
        self.begin(
            signature.of::<T>(length).root(root),
            direction,
            async move |steps| {
                let mut block = vec![T::zeroed(); length];
                let given = is_root.then_some(Given { all: &all, lengths });
                steps.scatter(root, given, &mut block, true).await?;
                Ok(block)
            },
        )
    }
}
