//! Scopes: how many operations are not complete, by target.

use super::Engine;
use farside_fabric::{Error, Rank, Result, Scope};

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
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Local completion.
    Local,
    /// Remote completion.
    Remote,
}

impl State {
    fn new(ranks: usize) -> Self {
        Self {
            targets: vec![Pending::default(); ranks],
            total: Pending::default(),
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
        match self.scopes.get(&scope.0) {
            None => Err(Error::Stale("the scope")),
            // Behind a loss nothing completes any more, and nothing runs either.
            Some(state) if !state.is_quiet() && self.usable().is_ok() => Err(Error::System {
                call: "close_scope",
                detail: "operations are pending".into(),
            }),
            Some(_) => {
                self.scopes.remove(&scope.0);
                Ok(())
            }
        }
    }

    /// Whether operations of a scope are complete, to a target or to all.
    pub(crate) fn is_complete(&self, scope: Scope, target: Option<Rank>, which: Which) -> Result<bool> {
        let state = self.scopes.get(&scope.0).ok_or(Error::Stale("the scope"))?;
        let pending = match target {
            None => state.total,
            Some(rank) => *state.targets.get(rank as usize).ok_or(Error::RankOutOfRange {
                rank,
                size: self.peers.len() as u32,
            })?,
        };
        Ok(match which {
            Which::Local => pending.local == 0,
            Which::Remote => pending.all == 0,
        })
    }
}
