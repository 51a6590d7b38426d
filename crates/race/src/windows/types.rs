//! The types of the job by which its calls address memory.

use farside_events::{BasicType, Rank, TypeId, TypeMap};
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A type of a process.
#[derive(Debug)]
pub(crate) struct KnownType {
    map: TypeMap,
    /// For each basic type of the map: its number in the job, and its size.
    basics: Vec<(u32, u32)>,
    /// Bytes of an element, if elements lie side by side without gaps, from their address on.
    dense: Option<u64>,
}

impl KnownType {
    /// Where its elements lie.
    pub(crate) fn map(&self) -> &TypeMap {
        &self.map
    }

    /// The bytes of some elements, if they are one range.
    pub(crate) fn range(&self, address: u64, count: u64) -> Option<Range<u64>> {
        let length = self.dense?.checked_mul(count).filter(|length| *length > 0)?;
        Some(address..address.checked_add(length)?)
    }

    /// The number in the job of a basic type of its map, and its size in bytes.
    pub(super) fn basic(&self, index: usize) -> (u32, u32) {
        self.basics.get(index).copied().unwrap_or((0, 1))
    }
}

/// All types; each process has its own.
#[derive(Debug, Default)]
pub(super) struct Types {
    known: HashMap<(Rank, TypeId), Rc<KnownType>>,
    /// The numbers of the basic types.
    basics: HashMap<BasicType, u32>,
}

impl Types {
    /// A process has this type.
    pub(super) fn define(&mut self, rank: Rank, id: TypeId, map: &TypeMap) {
        let mut index = |basic: &BasicType| match self.basics.get(basic) {
            Some(index) => *index,
            None => {
                let index = self.basics.len() as u32;
                self.basics.insert(basic.clone(), index);
                index
            }
        };
        let basics = map.basics.iter().map(|basic| (index(basic), basic.size.max(1)));
        let basics = basics.collect();
        let map = map.clone();
        let dense = crate::footprint::dense(&map);
        let known = KnownType { map, basics, dense };
        self.known.insert((rank, id), Rc::new(known));
    }

    /// A type of a process.
    pub(super) fn get(&self, rank: Rank, id: TypeId) -> Option<&Rc<KnownType>> {
        self.known.get(&(rank, id))
    }
}
