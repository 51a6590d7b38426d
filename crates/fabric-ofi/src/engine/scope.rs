//! Scopes: how many operations are not complete, by target.

use super::Engine;
use farside_fabric::{Error, Rank, Result, Scope};
use std::collections::BTreeMap;

/// Numbers of operations.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    /// Not complete remotely.
    all: u32,
    /// Not complete locally.
    local: u32,
}

/// A scope.
#[derive(Debug)]
pub(super) struct State {
    targets: Vec<Pending>,
    total: Pending,
    /// Ranks with short puts of this scope that may not be visible: the number of the last message with such.
    unseen: BTreeMap<Rank, u32>,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Local completion.
    Local,
    /// Remote completion.
    Remote,
    /// Remote completion, but of short puts to this rank: another one there does not overtake them.
    RemoteBut(Rank),
}

impl State {
    fn new(ranks: usize) -> Self {
        Self {
            targets: vec![Pending::default(); ranks],
            total: Pending::default(),
            unseen: BTreeMap::new(),
        }
    }

    pub(super) fn started(&mut self, target: Rank, holds_buffers: bool) {
        for pending in [&mut self.targets[target as usize], &mut self.total] {
            pending.all += 1;
            pending.local += u32::from(holds_buffers);
        }
    }

    pub(super) fn completed(&mut self, target: Rank, held_buffers: bool) {
        for pending in [&mut self.targets[target as usize], &mut self.total] {
            pending.all -= 1;
            pending.local -= u32::from(held_buffers);
        }
    }

    /// A put to a target goes with message number `number`.
    pub(super) fn held(&mut self, target: Rank, number: u32) {
        self.unseen.insert(target, number);
    }

    /// Targets with puts that were held back and may not be visible, and the last message with such.
    pub(super) fn unseen(&self) -> impl Iterator<Item = (Rank, u32)> + '_ {
        self.unseen.iter().map(|(rank, number)| (*rank, *number))
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.total.all == 0
    }
}

impl Engine {
    /// A new scope.
    pub(crate) fn open_scope(&mut self) -> Result<Scope> {
        let scope = self.next_scope;
        self.next_scope = scope.checked_add(1).ok_or(Error::Overflow("scopes"))?;
        self.scopes.insert(scope, State::new(self.peers.len()));
        Ok(Scope(scope))
    }

    /// Ends a scope in which nothing runs.
    pub(crate) fn close_scope(&mut self, scope: Scope) -> Result<()> {
        let is_quiet = self.is_complete(scope, None, Which::Remote)?;
        // After a loss nothing completes any more, and nothing runs either.
        if !is_quiet && self.usable().is_ok() {
            return Err(Error::System {
                call: "close_scope",
                detail: "operations are pending".into(),
            });
        }
        self.scopes.remove(&scope.0);
        Ok(())
    }

    /// Whether operations of a scope are complete, to a target or to all.
    pub(crate) fn is_complete(&mut self, scope: Scope, target: Option<Rank>, which: Which) -> Result<bool> {
        let Self { scopes, peers, .. } = self;
        let state = scopes.get_mut(&scope.0).ok_or(Error::Stale("the scope"))?;
        let pending = match target {
            None => state.total,
            Some(rank) => *state.targets.get(rank as usize).ok_or(Error::RankOutOfRange {
                rank,
                size: peers.len() as u32,
            })?,
        };
        if which == Which::Local {
            // What is held back was copied.
            return Ok(pending.local == 0);
        }
        state
            .unseen
            .retain(|rank, number| !peers[*rank as usize].traffic.has_seen(*number));
        let is_left = |rank: Rank| match which {
            Which::RemoteBut(flagged) => rank != flagged,
            _ => target.is_none_or(|target| target == rank),
        };
        Ok(pending.all == 0 && !state.unseen.keys().any(|&rank| is_left(rank)))
    }
}
