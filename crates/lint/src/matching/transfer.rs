//! What a process takes of what the others brought to a collective call.

use super::{Meeting, combine};
use farside_events::{AccumulateOp, TypeMap};

/// Buffers of more pieces than this are followed in their first pieces only.
pub(crate) const MOST_PIECES: usize = 1 << 16;

/// A part of a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    map: TypeMap,
    address: u64,
    count: u64,
}

/// What is to be done once all have arrived.
#[derive(Clone, Debug)]
pub(crate) enum Transfer {
    /// Data arrive as they are.
    Parcels(Vec<Take>),
    /// Data are combined.
    Reduction(Reduction),
}

/// One parcel of another process, and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Take {
    from: u32,
    parcel: Parcel,
    into: Part,
}

/// Which of a process' parcels.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parcel {
    /// By its number.
    Number(usize),
    /// The n-th of those that it addressed to this process (edges of a graph may be there twice).
    Addressed(usize),
}

/// A combination of what some processes brought.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    operator: AccumulateOp,
    contributors: Vec<u32>,
    into: Part,
    /// Bytes of the result that belong to others before.
    skipped: u64,
}

impl Part {
    pub(crate) fn new(map: TypeMap, address: u64, count: u64) -> Self {
        Self { map, address, count }
    }

    /// As much, elsewhere.
    pub(crate) fn at(&self, address: u64) -> Self {
        Self {
            address,
            ..self.clone()
        }
    }

    /// So many elements of the same type at the same place.
    pub(crate) fn with_count(self, count: u64) -> Self {
        Self { count, ..self }
    }

    pub(crate) fn map(&self) -> &TypeMap {
        &self.map
    }

    #[cfg(test)]
    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The pieces of memory that it covers: where they begin, and how long they are.
    pub(crate) fn spans(&self) -> Vec<(u64, u64)> {
        let Self { map, address, count } = self;
        let (address, count) = (*address, *count);
        if let [block] = &map.blocks[..]
            && block.count == 1
            && block.length as i64 == map.extent
        {
            return vec![(
                address.wrapping_add_signed(block.offset),
                block.length.saturating_mul(count),
            )];
        }
        let mut spans: Vec<(u64, u64)> = Vec::new();
        for element in 0..count.min(MOST_PIECES as u64) {
            for block in &map.blocks {
                for piece in 0..block.count {
                    let offset = element as i64 * map.extent + block.offset + piece as i64 * block.stride;
                    spans.push((address.wrapping_add_signed(offset), block.length));
                }
            }
            if spans.len() > MOST_PIECES {
                break;
            }
        }
        spans
    }

    /// Whether it has data.
    pub(crate) fn moves(&self) -> bool {
        self.count > 0 && self.map.size() > 0
    }
}

impl Take {
    /// A parcel of process `from`.
    pub(crate) fn new(from: u32, parcel: Parcel, into: Part) -> Self {
        Self { from, parcel, into }
    }
}

impl Reduction {
    /// What the contributors brought, combined, without its first `skipped` bytes.
    pub(crate) fn new(operator: AccumulateOp, contributors: Vec<u32>, into: Part, skipped: u64) -> Self {
        Self {
            operator,
            contributors,
            into,
            skipped,
        }
    }
}

impl Transfer {
    /// What process `rank` gets, and where.
    pub(crate) fn results(self, meeting: &Meeting, rank: u32) -> Vec<(Part, Vec<u8>)> {
        match self {
            Self::Parcels(takes) => {
                let results = takes.into_iter().map(|Take { from, parcel, into }| {
                    let data = parcel.of(meeting, from, rank).to_vec();
                    let count = into.count.min(data.len() as u64 / into.map.size().max(1));
                    (into.with_count(count), data)
                });
                results.collect()
            }
            Self::Reduction(reduction) => {
                let map = &reduction.into.map;
                let brought = |member: &u32| Parcel::Number(0).of(meeting, *member, rank).to_vec();
                let mut result = reduction
                    .contributors
                    .iter()
                    .map(brought)
                    .reduce(|left, right| combine(reduction.operator, map, &left, &right))
                    .unwrap_or_default();
                result.drain(..(reduction.skipped as usize).min(result.len()));
                vec![(reduction.into, result)]
            }
        }
    }
}

impl Parcel {
    /// The bytes of this parcel of `from`, for process `to`.
    fn of(self, meeting: &Meeting, from: u32, to: u32) -> &[u8] {
        let parcels = meeting.parcels(from);
        let number = match self {
            Parcel::Number(number) => Some(number),
            Parcel::Addressed(nth) => {
                let addressees = meeting.words(from).iter().enumerate();
                let own = addressees.filter(|(_, addressee)| **addressee == u64::from(to));
                own.map(|(position, _)| position).nth(nth)
            }
        };
        // One parcel is for everybody.
        match (parcels, number) {
            ([whole], Some(_)) => whole,
            (parcels, Some(number)) => parcels.get(number).map_or(&[], Vec::as_slice),
            (_, None) => &[],
        }
    }
}
