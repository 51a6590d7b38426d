//! Collectives that move data without combining it (MPI-4.1 §6.4 to §6.8, §8.6).

use super::form::Gives;
use super::plan::{Gets, Parcel, Plan, Root, Take};
use super::side::Side;
use crate::arguments::Arguments;
use crate::communicator::Communicator;
use crate::datatype::Elements;
use farside_events::{Direction, Rank};

/// Broadcast (no `parts`: the root gives what it has in `own`) and scatter.
pub(super) fn from_root<A: Arguments>(
    call: &mut A,
    comm: &A::Communicator,
    parts: Option<Side>,
    own: Side,
    buffers: bool,
) -> Plan {
    let place = comm.own_rank();
    match Root::of(call, comm) {
        Root::Aside => Plan::ordering(Direction::Nothing),
        Root::There(root) => {
            let mut plan = Plan::ordering(match own.moves(call, 0) {
                true => Direction::FromRoot(root),
                false => Direction::Nothing,
            });
            if buffers {
                plan.gets = parcels([take(root, place, own.part(call, 0))]);
            }
            plan
        }
        Root::Here => {
            // Nothing comes to the root; what it gives is judged by those who take.
            let mut plan = Plan::ordering(Direction::FromRoot(comm.own()));
            match parts {
                _ if !buffers => {}
                None => plan.gives = vec![own.part(call, 0)],
                Some(parts) => {
                    let in_place = own.is_in_place(call);
                    plan.gives = all_parts(call, comm, parts, in_place.then_some(place));
                    if !in_place && !comm.is_inter() {
                        plan.gets = parcels([take(comm.own(), place, own.part(call, 0))]);
                    }
                }
            }
            plan
        }
    }
}

/// Gather.
pub(super) fn to_root<A: Arguments>(
    call: &mut A,
    comm: &A::Communicator,
    own: Side,
    parts: Side,
    buffers: bool,
) -> Plan {
    match Root::of(call, comm) {
        Root::Aside => Plan::ordering(Direction::Nothing),
        Root::There(root) => {
            let mut plan = Plan::ordering(match own.moves(call, 0) {
                true => Direction::ToRoot(root),
                false => Direction::Nothing,
            });
            if buffers {
                plan.gives = vec![own.part(call, 0)];
            }
            plan
        }
        Root::Here => {
            let mut plan = Plan::ordering(incoming(call, comm, parts, Direction::ToRoot(comm.own())));
            if buffers {
                let keeps = comm.is_inter() || own.is_in_place(call);
                if !keeps {
                    plan.gives = vec![own.part(call, 0)];
                }
                let skipped = (keeps && !comm.is_inter()).then_some(comm.own_rank());
                plan.gets = takes_of_all(call, comm, parts, 0, skipped);
            }
            plan
        }
    }
}

/// Allgather and all-to-all.
pub(super) fn exchange<A: Arguments>(
    call: &mut A,
    comm: &A::Communicator,
    gives: Gives,
    takes: Side,
    buffers: bool,
) -> Plan {
    let mut plan = Plan::ordering(incoming(call, comm, takes, Direction::All));
    if !buffers {
        return plan;
    }
    let own = comm.own_rank();
    // In place: what is given lies in the receive buffer already, and the own part stays there.
    let (number, skipped) = match gives {
        Gives::Same(side) => {
            let in_place = side.is_in_place(call);
            plan.gives = vec![match in_place {
                true => takes.part(call, own),
                false => side.part(call, 0),
            }];
            (0, in_place.then_some(own))
        }
        Gives::Parts(side) => {
            let skipped = side.is_in_place(call).then_some(own);
            let side = if skipped.is_some() { takes } else { side };
            plan.gives = all_parts(call, comm, side, skipped);
            (own, skipped)
        }
    };
    plan.gets = takes_of_all(call, comm, takes, number, skipped);
    plan
}

/// Neighbourhood collectives.
pub(super) fn neighbors<A: Arguments>(
    call: &mut A,
    comm: &A::Communicator,
    gives: Gives,
    takes: Side,
    buffers: bool,
) -> Plan {
    let neighbors = comm.neighbors();
    let (mut order, mut taken) = (Vec::new(), Vec::new());
    for (k, source) in neighbors.sources.iter().enumerate() {
        let Some(source) = *source else { continue };
        if !takes.moves(call, k) {
            continue;
        }
        if !order.contains(&source) {
            order.push(source);
        }
        if buffers {
            let before = &neighbors.sources[..k];
            let parcel = match neighbors.is_grid {
                // What goes down a dimension comes from above (§8.6).
                true => Parcel::Number(k ^ 1),
                false => Parcel::Addressed(before.iter().filter(|other| **other == Some(source)).count()),
            };
            let into = takes.part(call, k);
            taken.extend(into.map(|into| Take {
                from: source,
                parcel,
                into,
            }));
        }
    }
    let mut plan = Plan::ordering(match order.is_empty() {
        true => Direction::Nothing,
        false => Direction::FromNeighbors(order),
    });
    if buffers {
        plan.gets = Gets::Parcels(taken);
        plan.addressees = neighbors.destinations.as_slice().into();
        plan.gives = match gives {
            Gives::Same(side) => vec![side.part(call, 0)],
            Gives::Parts(side) => {
                let destinations = neighbors.destinations.iter().enumerate();
                let part = |(k, to): (usize, &Option<Rank>)| to.and_then(|_| side.part(call, k));
                destinations.map(part).collect()
            }
        };
    }
    plan
}

/// `all` if every process sends something to this one; otherwise those that do.
fn incoming<A: Arguments>(call: &mut A, comm: &A::Communicator, takes: Side, all: Direction) -> Direction {
    if takes.is_uniform() {
        return match takes.moves(call, 0) {
            true => all,
            false => Direction::Nothing,
        };
    }
    let peers = comm.peers();
    let sources = (0..peers.len()).filter(|k| takes.moves(call, *k));
    let sources: Vec<Rank> = sources.map(|k| Rank(peers[k])).collect();
    match sources.len() {
        0 => Direction::Nothing,
        count if count == peers.len() => all,
        _ => Direction::FromNeighbors(sources),
    }
}

/// A part for each peer, none for the one that is skipped.
fn all_parts<A: Arguments>(
    call: &mut A,
    comm: &A::Communicator,
    side: Side,
    skipped: Option<usize>,
) -> Vec<Option<Elements>> {
    let part = |k| match Some(k) == skipped {
        true => None,
        false => side.part(call, k),
    };
    (0..comm.peers().len()).map(part).collect()
}

/// The parcel of this number of each peer, but of the one that is skipped.
fn takes_of_all<A: Arguments>(
    call: &mut A,
    comm: &A::Communicator,
    side: Side,
    number: usize,
    skipped: Option<usize>,
) -> Gets {
    let peers = comm
        .peers()
        .iter()
        .enumerate()
        .filter(|(k, _)| Some(*k) != skipped);
    parcels(peers.map(|(k, peer)| take(Rank(*peer), number, side.part(call, k))))
}

fn take(from: Rank, number: usize, into: Option<Elements>) -> Option<Take> {
    let parcel = Parcel::Number(number);
    into.map(|into| Take { from, parcel, into })
}

fn parcels(takes: impl IntoIterator<Item = Option<Take>>) -> Gets {
    Gets::Parcels(takes.into_iter().flatten().collect())
}
