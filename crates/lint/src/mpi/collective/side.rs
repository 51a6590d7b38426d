//! The buffers of a collective call, part by part (MPI-4.1 chapter 6).

use crate::handles::Comm;
use crate::job::Job;
use crate::thread::Site;
use crate::value::Scalar;
use farside_events::{Direction, Rank, TypeMap};

/// How many elements each part of a buffer has.
#[derive(Clone, Copy, Debug)]
enum Counts {
    /// The argument, for each part.
    Each(usize),
    /// Given by an array.
    Array(usize),
}

/// Where the parts of a buffer lie.
#[derive(Clone, Copy, Debug)]
enum Spread {
    /// One after the other.
    Packed,
    /// At an array of displacements, in elements.
    Elements(usize),
    /// In bytes, as `int`.
    Bytes(usize),
    /// In bytes, as `MPI_Aint`.
    Addresses(usize),
}

/// The datatypes of the parts.
#[derive(Clone, Copy, Debug)]
enum Types {
    One(usize),
    Array(usize),
}

/// One of the two buffers of a call: argument of the address, and how the parts are described.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    base: usize,
    counts: Counts,
    spread: Spread,
    types: Types,
}

/// A part of a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(super) map: TypeMap,
    pub(super) address: u64,
    pub(super) count: u64,
}

impl Side {
    /// `(buffer, count, datatype)`.
    pub(super) const fn packed(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Each(base + 1),
            spread: Spread::Packed,
            types: Types::One(base + 2),
        }
    }

    /// `(buffer, counts, displacements, datatype)`.
    pub(super) const fn vector(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Array(base + 1),
            spread: Spread::Elements(base + 2),
            types: Types::One(base + 3),
        }
    }

    /// `(buffer, counts, displacements in bytes, datatypes)`; `addresses`: displacements are `MPI_Aint`.
    pub(super) const fn general(base: usize, addresses: bool) -> Self {
        Self {
            base,
            counts: Counts::Array(base + 1),
            spread: if addresses {
                Spread::Addresses(base + 2)
            } else {
                Spread::Bytes(base + 2)
            },
            types: Types::Array(base + 3),
        }
    }

    /// Whether the argument is `MPI_IN_PLACE`.
    pub(super) fn is_in_place(&self, job: &Job<'_>, a: &[Scalar]) -> bool {
        a[self.base].bits == job.abi.in_place
    }

    /// Part `k`.
    pub(super) fn part(&self, job: &mut Job<'_>, site: &Site, a: &[Scalar], k: usize) -> Part {
        let int = |job: &Job<'_>, i: usize| job.int_at(site, a[i].bits.wrapping_add(4 * k as u64));
        let count = match self.counts {
            Counts::Each(i) => a[i].signed32(),
            Counts::Array(i) => int(job, i),
        };
        let count = u64::try_from(count).unwrap_or(0);
        let handle = match self.types {
            Types::One(i) => a[i].bits,
            Types::Array(i) => {
                let width = job.abi.handle;
                job.handle_at(site, a[i].bits.wrapping_add(width * k as u64))
            }
        };
        let map = job.datatype(site, handle).map;
        let offset = match self.spread {
            Spread::Packed => (k as i64).wrapping_mul(count as i64).wrapping_mul(map.extent),
            Spread::Elements(i) => i64::from(int(job, i)).wrapping_mul(map.extent),
            Spread::Bytes(i) => i64::from(int(job, i)),
            Spread::Addresses(i) => {
                let at = a[i].bits.wrapping_add(8 * k as u64);
                job.memory(site.rank, at).load(at, 8).bits as i64
            }
        };
        let address = a[self.base].bits.wrapping_add_signed(offset);
        Part { map, address, count }
    }

    /// Whether all parts have the same number of elements of the same type.
    fn is_uniform(&self) -> bool {
        matches!((self.counts, self.types), (Counts::Each(_), Types::One(_)))
    }
}

impl Part {
    /// Whether it has data.
    pub(super) fn moves(&self) -> bool {
        self.count > 0 && self.map.size() > 0
    }
}

/// `all` if every process sends something to this one; otherwise from those that do.
pub(super) fn incoming(
    job: &mut Job<'_>,
    site: &Site,
    a: &[Scalar],
    comm: &Comm,
    takes: Side,
    all: Direction,
) -> Direction {
    let peers = comm.peers().to_vec();
    if takes.is_uniform() {
        let moves = takes.part(job, site, a, 0).moves();
        return if moves { all } else { Direction::Nothing };
    }
    let sends = |k: &usize| takes.part(job, site, a, *k).moves();
    let sources: Vec<Rank> = (0..peers.len()).filter(sends).map(|k| Rank(peers[k])).collect();
    match sources.len() {
        0 => Direction::Nothing,
        count if count == peers.len() => all,
        _ => Direction::FromNeighbors(sources),
    }
}
