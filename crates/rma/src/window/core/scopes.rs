//! Scopes of the transport for contexts of other threads: each has one to itself.

use crate::Result;
use farside_fabric::{Fabric, Scope};
use std::sync::{Mutex, PoisonError};

/// Scopes that contexts had, to be used again.
#[derive(Default)]
pub(crate) struct Scopes(Mutex<Vec<Scope>>);

impl Scopes {
    /// One that nobody uses.
    pub(crate) fn take(&self, fabric: &dyn Fabric) -> Result<Scope> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(kept.map_or_else(|| fabric.open_scope(), Ok)?)
    }

    /// Takes one back, all operations of which are complete.
    pub(crate) fn give_back(&self, scope: Scope) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scope);
    }

    /// Ends them all.
    pub(crate) fn close(&self, fabric: &dyn Fabric) -> Result<()> {
        let scopes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(scopes
            .into_iter()
            .try_for_each(|scope| fabric.close_scope(scope))?)
    }
}
