//! Broadcast along a binomial tree.

use super::order;
use super::request::CollectiveRequest;
use super::steps::Steps;
use super::tree::Tree;
use crate::endpoint::Core;
use crate::matching::{Name, Signature};
use crate::{Group, Plain, Rank, Result};
use std::panic::Location;

impl Steps {
    async fn broadcast<T: Plain>(&self, root: Rank, values: &mut [T]) -> Result<()> {
        let tree = Tree::new(root, self.group().rank(), self.group().size());
        if let Some(parent) = tree.parent() {
            self.exchange_into(None, parent, values).await?;
        }
        for (child, _) in tree.children() {
            self.send(child, values).await?;
        }
        Ok(())
    }
}

impl Group {
    /// Gives the values of rank `root` to all (`MPI_Bcast`, MPI-4.1 §6.4). Collective.
    ///
    /// Costs log2 n rounds; a rank sends its values to log2 n others at the most, the root does.
    ///
    /// # Errors
    /// No such rank; lengths differ; a rank is lost; time ran out.
    #[track_caller]
    pub fn broadcast<T: Plain>(&self, root: Rank, values: &mut [T]) -> Result<()> {
        Core::check_rank(root, self.size())?;
        let signature = Signature::new(const { Name::new("broadcast") }, Location::caller());
        let _entered = self.enter(signature.of::<T>(values.len()).root(root))?;
        let direction = || order::from_root(self, root, values.len());
        let _call = self.collective(Location::caller(), "broadcast", direction);
        let steps = Steps::new(self);
        steps.complete(steps.broadcast(root, values))
    }

    /// Begins a broadcast (`MPI_Ibcast`, MPI-4.1 §6.12.2): the request gives the values of rank `root`. Other ranks
    /// give as many, which are overwritten. Collective. Costs what [`Group::broadcast`] costs.
    ///
    /// # Errors
    /// No such rank; earlier calls of the ranks did not match; a rank is lost.
    #[track_caller]
    pub fn ibroadcast<T: Plain>(&self, root: Rank, mut values: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        Core::check_rank(root, self.size())?;
        let signature = Signature::new(const { Name::new("ibroadcast") }, Location::caller());
        let signature = signature.of::<T>(values.len()).root(root);
        let direction = order::from_root(self, root, values.len());
        self.begin(signature, direction, async move |steps| {
            steps.broadcast(root, &mut values).await?;
            Ok(values)
        })
    }
}
