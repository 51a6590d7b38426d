//! What a collective call does for its process: whom it orders, what the process brings, and what it gets.
//!
//! No data, no order: a call that moves nothing to this process (count 0, or a datatype without data) has
//! [`Direction::Nothing`]; a vector form orders only those sources that send something.

use super::reduction::{reduce, reduce_to_root};
use super::{CollectiveForm, Gives, Movement, Side};
use crate::arguments::Arguments;
use crate::communicator::Communicator;
use crate::datatype::Elements;
use crate::signature::Role;
use farside_events::{AccumulateOp, Direction, Rank};

/// What a call does for its process.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whom it orders.
    pub direction: Direction,
    /// What the process brings: one part for everybody, or a part for each. `None` is a part that nobody takes, and that is not
    /// read.
    pub gives: Vec<Option<Elements>>,
    /// To whom the parts go, where that is not by rank; `None` is nobody.
    pub addressees: Vec<Option<Rank>>,
    /// What it gets.
    pub gets: Gets,
}

/// What a process gets from a collective call.
#[derive(Clone, Debug)]
pub enum Gets {
    /// Data as they are.
    Parcels(Vec<Take>),
    /// Data that are combined.
    Reduction(Reduction),
}

/// One parcel of a process, and where it goes.
#[derive(Clone, Debug)]
pub struct Take {
    /// Whose it is.
    pub from: Rank,
    /// Which of its parcels.
    pub parcel: Parcel,
    /// Where it goes.
    pub into: Elements,
}

/// Which of a process' parcels. A process that brings one part only brings it for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parcel {
    /// By its number.
    Number(usize),
    /// The n-th of those that it addressed to this process (edges of a graph may be there twice).
    Addressed(usize),
}

/// A combination of what some processes brought.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// How it is combined.
    pub operator: AccumulateOp,
    /// Who brought it, in this order.
    pub contributors: Vec<Rank>,
    /// Where the result goes.
    pub into: Elements,
    /// Bytes of the whole result that belong to processes before this one.
    pub skipped: u64,
}

/// The root of a rooted collective, seen from a process (§6.2.3).
pub(super) enum Root {
    /// This process.
    Here,
    /// Another process.
    There(Rank),
    /// In an inter-communicator: another process of this group, which takes no part. Or nobody that is there.
    Aside,
}

impl Plan {
    /// What a call of this form does. Without `buffers` only the direction is told, which costs less.
    pub fn of<A: Arguments>(
        form: CollectiveForm,
        call: &mut A,
        comm: &A::Communicator,
        buffers: bool,
    ) -> Self {
        match form.movement(call.signature()) {
            Movement::Nothing => Self::ordering(Direction::All),
            Movement::FromRoot { parts, own } => from_root(call, comm, parts, own, buffers),
            Movement::ToRoot { own, parts } => to_root(call, comm, own, parts, buffers),
            Movement::Exchange { gives, takes } => exchange(call, comm, gives, takes, buffers),
            Movement::Neighbors { gives, takes } => neighbors(call, comm, gives, takes, buffers),
            Movement::ReduceToRoot => reduce_to_root(call, comm, buffers),
            Movement::Reduce => reduce(call, comm, form, buffers),
        }
    }

    /// The buffers that are read.
    pub fn loads(&self) -> impl Iterator<Item = &Elements> {
        self.gives.iter().flatten()
    }

    /// The buffers that are written when the call completes.
    pub fn stores(&self) -> impl Iterator<Item = &Elements> {
        let (takes, reduction) = match &self.gets {
            Gets::Parcels(takes) => (&takes[..], None),
            Gets::Reduction(reduction) => (&[][..], Some(&reduction.into)),
        };
        takes.iter().map(|take| &take.into).chain(reduction)
    }

    /// A plan that only orders.
    pub(super) fn ordering(direction: Direction) -> Self {
        Self {
            direction,
            gives: Vec::new(),
            addressees: Vec::new(),
            gets: Gets::Parcels(Vec::new()),
        }
    }
}

impl Root {
    /// What the root argument of a call means.
    pub(super) fn of<A: Arguments>(call: &A, comm: &A::Communicator) -> Self {
        let root = call.int(Role::Root);
        let here = match comm.is_inter() {
            true => call.is_root_of_other_group(),
            false => usize::try_from(root) == Ok(comm.own_rank()),
        };
        if here {
            return Self::Here;
        }
        comm.peer(root).map_or(Self::Aside, Self::There)
    }
}

/// Broadcast (no `parts`: the root gives what it has in `own`) and scatter.
fn from_root<A: Arguments>(
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
fn to_root<A: Arguments>(
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
fn exchange<A: Arguments>(
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
fn neighbors<A: Arguments>(
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
        plan.addressees = neighbors.destinations.clone();
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
