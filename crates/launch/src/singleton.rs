//! Rank 0 of 1: a program that was started by itself.

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Rank, Result};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A job of one process.
#[derive(Debug)]
pub(crate) struct Singleton {
    job: String,
    values: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Singleton {
    /// A job with a fresh name.
    pub(crate) fn new(job: String) -> Self {
        Self {
            job,
            values: Mutex::default(),
        }
    }
}

impl Bootstrap for Singleton {
    fn rank(&self) -> Rank {
        0
    }

    fn size(&self) -> u32 {
        1
    }

    fn job(&self) -> &str {
        &self.job
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.insert(name.to_owned(), bytes.to_vec()).is_some() {
            return Err(Error::Bootstrap(format!("`{name}` was published before")));
        }
        Ok(())
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        if rank != 0 {
            return Err(Error::RankOutOfRange { rank, size: 1 });
        }
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.get(name).cloned();
        value.ok_or_else(|| Error::Bootstrap(format!("`{name}` was not published")))
    }

    fn fence(&self) -> Result<()> {
        Ok(())
    }

    fn finish(&self) -> Result<()> {
        Ok(())
    }

    fn lost(&self) -> Option<Rank> {
        None
    }
}
