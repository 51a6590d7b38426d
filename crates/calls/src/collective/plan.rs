//! What a collective call does for its process: whom it orders, what the process brings, and what it gets.
//!
//! No data, no order: a call that moves nothing to this process (count 0, or a datatype without data) has
//! [`Direction::Nothing`]; a vector form orders only those sources that send something.

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
    /// What the process brings: one part for everybody, or a part for each. `None` is a part that nobody takes, and
    /// that is not read.
    pub gives: Vec<Option<Elements>>,
    /// To whom the parts go, where that is not by rank; `None` is nobody.
    pub addressees: Box<[Option<Rank>]>,
    /// What it gets.
    pub gets: Gets,
}

/// What a process gets from a collective call.
#[derive(Clone, Debug)]
pub enum Gets {
    /// Data as they are.
    Parcels(Vec<Take>),
    /// Data that are combined.
    Reduction(Box<Reduction>),
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
            addressees: Box::default(),
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
