//! The buffers of a collective call, part by part (MPI-4.1 chapter 6).

use crate::communicator::Comm;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::Part;
use crate::site::Site;
use farside_calls::collective::{Counts, Side, Spread, Types};
use farside_calls::signature::Role;
use farside_events::{Direction, Rank};

/// What a call's arguments say of one of its two buffers.
pub(super) trait Parts {
    /// Whether the argument is `MPI_IN_PLACE`.
    fn is_in_place(&self, job: &Job<'_>, a: &Invocation) -> bool;
    /// Part `k`.
    fn part(&self, job: &mut Job<'_>, site: &Site, a: &Invocation, k: usize) -> Part;
}

impl Parts for Side {
    fn is_in_place(&self, job: &Job<'_>, a: &Invocation) -> bool {
        a[self.buffer].bits == job.abi.numbers.in_place
    }

    fn part(&self, job: &mut Job<'_>, site: &Site, a: &Invocation, k: usize) -> Part {
        let number = |job: &Job<'_>, role: Role| job.number_at(site, a[role].bits, k);
        let count = match self.counts {
            Counts::Each(role) => job.number(a[role]),
            Counts::Array(role) => number(job, role),
        };
        let count = u64::try_from(count).unwrap_or(0);
        let handle = match self.types {
            Types::One(role) => a[role].bits,
            Types::Array(role) => {
                let width = job.abi.numbers.handle_size;
                job.handle_at(site, a[role].bits.wrapping_add(width * k as u64))
            }
        };
        let map = job.datatype(site, handle).map;
        let offset = match self.spread {
            Spread::Packed => (k as i64).wrapping_mul(count as i64).wrapping_mul(map.extent),
            Spread::Elements(role) => number(job, role).wrapping_mul(map.extent),
            Spread::Bytes(role) => number(job, role),
            Spread::Addresses(role) => {
                let at = a[role].bits.wrapping_add(8 * k as u64);
                job.memory(site.rank, at).load(at, 8).bits as i64
            }
        };
        let address = a[self.buffer].bits.wrapping_add_signed(offset);
        Part::new(map, address, count)
    }
}

/// `all` if every process sends something to this one; otherwise from those that do.
pub(super) fn incoming(
    job: &mut Job<'_>,
    site: &Site,
    a: &Invocation,
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
