//! What came with an answer and was not asked for yet.

use crate::protocol::RANK_LIMIT;
use farside_fabric::Rank;
use std::collections::HashMap;

/// Values that were not asked for yet, each until it is; up to [`RANK_LIMIT`] bytes. A value never changes.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    values: HashMap<(Rank, String), Vec<u8>>,
    bytes: usize,
}

impl Shelf {
    pub(super) fn put(&mut self, rank: Rank, name: &str, bytes: Vec<u8>) {
        let more = bytes.len() + name.len();
        if self.bytes + more <= RANK_LIMIT && self.values.insert((rank, name.to_owned()), bytes).is_none() {
            self.bytes += more;
        }
    }

    pub(super) fn take(&mut self, rank: Rank, name: &str) -> Option<Vec<u8>> {
        let bytes = self.values.remove(&(rank, name.to_owned()))?;
        self.bytes -= bytes.len() + name.len();
        Some(bytes)
    }
}
