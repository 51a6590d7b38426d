//! Which ranks of a group share a node, and the groups that follow from it: the ranks of a node, and a leader of each.
//!
//! What a node is, the transport says ([`Fabric::node`](farside_fabric::Fabric::node)). The groups are made when they
//! are first asked for, which is collective, and kept with the group: all its windows use the same.

use super::Group;
use crate::flags::Meeting;
use crate::{Operation, Rank, Result};
use std::collections::HashSet;

/// The ranks of a group by their nodes.
pub(crate) struct Nodes {
    /// The ranks of the own node; its rank 0 leads it.
    pub(crate) own: Group,
    /// The leaders of all nodes, if this rank is one.
    pub(crate) leaders: Option<Group>,
    /// Number of nodes.
    pub(crate) number: u32,
}

impl Nodes {
    /// Waits until all ranks of the group are in a collective function: those of a node meet, then the leaders, then
    /// the nodes hear of it. Of n ranks on m nodes, m use the network, in log2 m rounds.
    pub(crate) fn meet(&self, meeting: Meeting) -> Result<()> {
        self.own.meet(meeting)?;
        if self.number == 1 {
            return Ok(());
        }
        if let Some(leaders) = &self.leaders {
            leaders.meet(meeting)?;
        }
        self.own.meet(meeting)
    }
}

impl Group {
    /// Whether ranks meet by their nodes: some share one, and not all do. In virtual time they do not, for there a
    /// barrier is what the literature's is; `fence-hierarchical` shows what nodes are good for.
    pub(crate) fn is_of_nodes(&self) -> bool {
        *self.by_nodes().get_or_init(|| {
            let first = self.node(0).ok();
            let is_spread = (1..self.size()).any(|rank| self.node(rank).ok() != first);
            !self.core().fabric().capabilities().virtual_time && is_spread && self.shares_nodes()
        })
    }

    /// Whether two ranks of the group share a node.
    pub(crate) fn shares_nodes(&self) -> bool {
        let mut seen = HashSet::new();
        (0..self.size()).any(|rank| self.node(rank).is_ok_and(|node| !seen.insert(node)))
    }

    /// The ranks by their nodes. Collective when it is called first.
    ///
    /// # Errors
    /// A rank is lost, or there is no memory for the groups.
    pub(crate) fn nodes(&self) -> Result<&Nodes> {
        if self.known_nodes().get().is_none() {
            // What ranks tell one another meanwhile is not the program's.
            let recorder = self.core().watch.as_ref();
            let quiet = recorder.and_then(|recorder| recorder.quietly());
            let nodes = self.find_nodes()?;
            drop(quiet);
            return Ok(self.known_nodes().get_or_init(|| nodes));
        }
        self.known_nodes()
            .get()
            .ok_or(crate::Error::Broken("barrier of the group"))
    }

    fn find_nodes(&self) -> Result<Nodes> {
        let here = self.node(self.rank())?;
        let (mut own, mut leaders): (Vec<Rank>, Vec<Rank>) = Default::default();
        let mut seen = HashSet::new();
        for rank in 0..self.size() {
            let node = self.node(rank)?;
            if node == here {
                own.push(rank);
            }
            if seen.insert(node) {
                leaders.push(rank);
            }
        }
        let mut context = [self.next_context()];
        self.allreduce(Operation::Max, &mut context)?;
        let own = self.form(&own, context[0])?;
        // A leader is in both groups.
        let led = self.form(&leaders, context[0] + 1)?;
        Ok(Nodes {
            own: own.ok_or(crate::Error::Broken("group"))?,
            leaders: led,
            number: leaders.len() as u32,
        })
    }

    fn node(&self, rank: Rank) -> Result<u32> {
        Ok(self.core().fabric().node(self.world_rank(rank)?))
    }
}
