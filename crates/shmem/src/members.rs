//! What a team is: its PEs in order, its block of words, and the scope of its collective calls.

use farside_fabric::{Rank, Scope};
use std::ffi::c_int;
use std::sync::Arc;

/// A team.
pub(crate) struct Members {
    /// By the number in the team.
    ranks: Arc<[Rank]>,
    /// The own number in it.
    me: usize,
    /// Which block of words it has.
    block: usize,
    /// Of its collective calls.
    scope: Scope,
    num_contexts: c_int,
}

impl Members {
    /// A team with the own rank among its members.
    pub(crate) fn new(ranks: Vec<Rank>, own: Rank, block: usize, scope: Scope, num_contexts: c_int) -> Self {
        Self {
            me: ranks.iter().position(|&rank| rank == own).unwrap_or(0),
            ranks: ranks.into(),
            block,
            scope,
            num_contexts,
        }
    }

    /// By the number in the team, the rank.
    pub(crate) fn ranks(&self) -> Arc<[Rank]> {
        Arc::clone(&self.ranks)
    }

    /// How many they are.
    pub(crate) fn size(&self) -> usize {
        self.ranks.len()
    }

    /// The own number.
    pub(crate) fn me(&self) -> usize {
        self.me
    }

    /// The number of the block.
    pub(crate) fn block(&self) -> usize {
        self.block
    }

    /// The scope of collective calls.
    pub(crate) fn scope(&self) -> Scope {
        self.scope
    }

    /// How many contexts were asked for.
    pub(crate) fn num_contexts(&self) -> c_int {
        self.num_contexts
    }
}
