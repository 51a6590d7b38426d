//! Collectives that move data without combining it (MPI-4.1 §6.4 to §6.8, §8.6).

use super::side::{Parts as _, incoming};
use super::{Plan, Root};
use crate::communicator::Comm;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::{Parcel, Part, Take, Transfer};
use crate::site::Site;
use farside_calls::collective::{Gives, Side};
use farside_calls::signature::Role;
use farside_events::{Direction, Rank};
use std::collections::BTreeMap;

/// Broadcast (no `parts`: the root gives what it has in `own`) and scatter.
pub(super) fn from_root(
    job: &mut Job<'_>,
    site: &Site,
    a: &Invocation,
    comm: &Comm,
    parts: Option<Side>,
    own: Side,
) -> Plan {
    let place = comm.own_rank(site.rank);
    match job.root(site, comm, a[Role::Root].signed32()) {
        Root::Aside => Plan::default(),
        Root::There(root) => {
            let into = own.part(job, site, a, 0);
            Plan {
                direction: match into.moves() {
                    true => Direction::FromRoot(Rank(root)),
                    false => Direction::Nothing,
                },
                then: Some(Transfer::Parcels(vec![take(root, place, into)])),
                ..Plan::default()
            }
        }
        Root::Here => {
            let in_place = own.is_in_place(job, a);
            let gives: Vec<Part> = match parts {
                None => vec![own.part(job, site, a, 0)],
                Some(parts) => (0..comm.peers().len())
                    .map(|k| parts.part(job, site, a, k))
                    .collect(),
            };
            let keeps = parts.is_none() || in_place || comm.is_inter();
            let skipped = (parts.is_some() && in_place).then_some(place);
            let then = (!keeps).then(|| {
                let into = own.part(job, site, a, 0);
                Transfer::Parcels(vec![take(site.rank, place, into)])
            });
            Plan {
                // Nothing comes to the root; what it gives is judged by those who take.
                direction: Direction::FromRoot(Rank(site.rank)),
                loads: without(&gives, skipped),
                gives,
                then,
                ..Plan::default()
            }
        }
    }
}

/// Gather.
pub(super) fn to_root(
    job: &mut Job<'_>,
    site: &Site,
    a: &Invocation,
    comm: &Comm,
    own: Side,
    parts: Side,
) -> Plan {
    match job.root(site, comm, a[Role::Root].signed32()) {
        Root::Aside => Plan::default(),
        Root::There(root) => {
            let part = own.part(job, site, a, 0);
            Plan {
                direction: match part.moves() {
                    true => Direction::ToRoot(Rank(root)),
                    false => Direction::Nothing,
                },
                gives: vec![part.clone()],
                loads: vec![part],
                ..Plan::default()
            }
        }
        Root::Here => {
            let keeps = own.is_in_place(job, a) || comm.is_inter();
            let gives = if keeps {
                Vec::new()
            } else {
                vec![own.part(job, site, a, 0)]
            };
            let skip = keeps.then_some(site.rank);
            let peers = comm.peers().iter().enumerate();
            let takes = peers
                .filter(|(_, peer)| Some(**peer) != skip)
                .map(|(k, peer)| take(*peer, 0, parts.part(job, site, a, k)))
                .collect();
            Plan {
                direction: incoming(job, site, a, comm, parts, Direction::ToRoot(Rank(site.rank))),
                loads: gives.clone(),
                gives,
                then: Some(Transfer::Parcels(takes)),
                ..Plan::default()
            }
        }
    }
}

/// Allgather and all-to-all.
pub(super) fn exchange(
    job: &mut Job<'_>,
    site: &Site,
    a: &Invocation,
    comm: &Comm,
    gives: Gives,
    takes: Side,
) -> Plan {
    let place = comm.own_rank(site.rank);
    let count = comm.peers().len();
    // In place: what is given lies in the receive buffer already, and the own part stays there.
    let (parts, number, in_place): (Vec<Part>, usize, bool) = match gives {
        Gives::Same(side) if side.is_in_place(job, a) => (vec![takes.part(job, site, a, place)], 0, true),
        Gives::Same(side) => (vec![side.part(job, site, a, 0)], 0, false),
        Gives::Parts(side) => {
            let in_place = side.is_in_place(job, a);
            let side = if in_place { takes } else { side };
            let parts = (0..count).map(|k| side.part(job, site, a, k)).collect();
            (parts, place, in_place)
        }
    };
    let skipped = in_place.then_some(place);
    let loads = match gives {
        Gives::Same(_) => parts.clone(),
        Gives::Parts(_) => without(&parts, skipped),
    };
    let peers = comm.peers().iter().enumerate();
    let taken = peers
        .filter(|(k, _)| Some(*k) != skipped)
        .map(|(k, peer)| take(*peer, number, takes.part(job, site, a, k)))
        .collect();
    Plan {
        direction: incoming(job, site, a, comm, takes, Direction::All),
        gives: parts,
        loads,
        then: Some(Transfer::Parcels(taken)),
        ..Plan::default()
    }
}

/// Neighbourhood collectives.
pub(super) fn neighbors(
    job: &mut Job<'_>,
    site: &Site,
    a: &Invocation,
    comm: &Comm,
    gives: Gives,
    takes: Side,
) -> Plan {
    let (sources, destinations) = comm.neighbors(site.rank);
    let (mut taken, mut order) = (Vec::new(), Vec::new());
    let mut met: BTreeMap<u32, usize> = BTreeMap::new();
    for (k, source) in sources.iter().enumerate() {
        let Some(source) = *source else { continue };
        let into = takes.part(job, site, a, k);
        let nth = met.entry(source).or_insert(0);
        let parcel = match comm.is_grid() {
            // What goes down a dimension comes from above (MPI-4.1 §8.6).
            true => Parcel::Number(k ^ 1),
            false => Parcel::Addressed(*nth),
        };
        *nth += 1;
        if into.moves() {
            if !order.contains(&Rank(source)) {
                order.push(Rank(source));
            }
            taken.push(Take::new(source, parcel, into));
        }
    }
    let (gives, loads) = match gives {
        Gives::Same(side) => {
            let part = side.part(job, site, a, 0);
            (vec![part.clone()], vec![part])
        }
        Gives::Parts(side) => {
            let parts: Vec<Part> = (0..destinations.len())
                .map(|k| side.part(job, site, a, k))
                .collect();
            let to_nobody = |k: &usize| destinations[*k].is_none();
            let loads = (0..parts.len()).filter(|k| !to_nobody(k));
            let loads = loads.map(|k| parts[k].clone()).collect();
            (parts, loads)
        }
    };
    Plan {
        direction: match order.is_empty() {
            true => Direction::Nothing,
            false => Direction::FromNeighbors(order),
        },
        gives,
        loads,
        addressees: destinations
            .iter()
            .map(|to| to.map_or(u64::MAX, u64::from))
            .collect(),
        then: Some(Transfer::Parcels(taken)),
    }
}

fn take(from: u32, number: usize, into: Part) -> Take {
    Take::new(from, Parcel::Number(number), into)
}

fn without(parts: &[Part], skipped: Option<usize>) -> Vec<Part> {
    let kept = parts.iter().enumerate().filter(|(k, _)| Some(*k) != skipped);
    kept.map(|(_, part)| part.clone()).collect()
}
