//! Communicators (MPI-4.1 chapter 7).

mod group;
mod inter;
mod topology;

use super::SUCCESS;
use crate::communicator::{Comm, Topology};
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::layout::UNKNOWN_CALLER;
use crate::matching::Meeting;
use crate::mpi::Mpi;
use crate::value::Scalar;
use farside_calls::collective::{CollectiveForm, Ends};
use farside_calls::meaning::Meaning;
use farside_calls::mpi::Procedure as P;
use farside_calls::signature::Role;
use farside_events::{CommId, Direction, EventKind, Rank};
use std::hash::{DefaultHasher, Hash, Hasher};

impl Mpi<'_, '_> {
    pub(crate) fn announce_communicators(&mut self) {
        for comm in self.caller.handles().comms().to_vec() {
            self.announce(&comm);
        }
    }

    fn announce(&mut self, comm: &Comm) {
        let both = comm.members.iter().chain(comm.remote.iter().flatten());
        let members = both.copied().map(Rank).collect();
        self.caller.emit(EventKind::Comm { id: comm.id, members });
    }

    /// The communicator of a handle.
    pub(crate) fn comm(&self, handle: u64) -> Option<Comm> {
        let handles = self.caller.handles();
        if self.library.abi.is_world(handle) {
            return Some(handles.world().clone());
        }
        if self.library.abi.is_self(handle) {
            return Some(handles.itself().clone());
        }
        if let Some(known) = handles.comm(handle) {
            return Some(known.clone());
        }
        // What an unknown caller of a function gives as a communicator is taken to be the largest.
        let memory = self.caller.process().memory();
        let given = memory
            .object(handle)
            .is_some_and(|(_, object)| object.name == UNKNOWN_CALLER);
        given.then(|| handles.world().clone())
    }

    /// The process that a rank of a communicator means; `None` for `MPI_PROC_NULL` and ranks that are not there.
    pub(crate) fn peer(&mut self, comm: &Comm, rank: i32) -> Option<u32> {
        let found = usize::try_from(rank)
            .ok()
            .and_then(|rank| comm.peers().get(rank).copied());
        self.note_rank(found.is_some(), rank);
        found
    }

    /// Notes a rank that is not there, of a job of this size.
    pub(super) fn note_rank(&mut self, found: bool, rank: i32) {
        if !found && rank != self.numbers().proc_null {
            self.caller.notes().miss_rank();
        }
    }

    pub(super) fn give_comm(&mut self, comm: Option<Comm>, at: u64) {
        let handle = match comm {
            Some(comm) => {
                self.announce(&comm);
                self.caller.handles_mut().add_comm(comm)
            }
            None => self.library.abi.null("comm"),
        };
        self.put_handle(at, handle);
    }

    pub(crate) fn communicator_call(&mut self, a: &Invocation) -> Flow {
        match a.procedure() {
            P::Comm_free | P::Comm_disconnect => {
                let null = self.library.abi.null("comm");
                self.put_handle(a[0].bits, null);
                return SUCCESS;
            }
            P::Comm_get_attr => return self.attribute_of_communicator(a),
            _ => {}
        }
        let Some(comm) = self.comm(a[0].bits) else {
            return self.caller.unknown_call(a.name());
        };
        match a.procedure() {
            P::Comm_rank => {
                let symbol = if comm.members.len() == self.caller.size() as usize {
                    crate::value::RANK
                } else {
                    0
                };
                let (at, bits) = (a[1].bits, comm.own_rank(self.caller.rank()) as u64);
                self.caller.memory_mut(at).store(at, 4, Scalar { bits, symbol });
                SUCCESS
            }
            P::Comm_size => {
                self.caller.notes().ask_for_size();
                self.caller.put_int(a[1].bits, comm.members.len() as i32);
                SUCCESS
            }
            P::Comm_compare => self.compare(a, &comm),
            P::Comm_group => self.give_group(comm.members, a[1].bits),
            P::Comm_test_inter | P::Comm_remote_size | P::Comm_remote_group => {
                self.remote_group_call(a, &comm)
            }
            P::Comm_create_group => self.create_group(a, &comm),
            P::Intercomm_create => self.create_inter(a, comm),
            P::Intercomm_merge => self.merge(a, comm),
            P::Cart_sub => self.part_of_grid(a, &comm),
            P::Comm_idup | P::Comm_idup_with_info => self.copy_later(a, &comm),
            P::Comm_dup
            | P::Comm_dup_with_info
            | P::Comm_split
            | P::Comm_split_type
            | P::Comm_create
            | P::Cart_create
            | P::Graph_create
            | P::Dist_graph_create
            | P::Dist_graph_create_adjacent => self.create(a, comm),
            _ => self.topology_call(a, &comm),
        }
    }

    /// `MPI_Comm_get_attr(comm, key, value, flag)` of a predefined key: the largest tag, and no answer to the others.
    fn attribute_of_communicator(&mut self, a: &Invocation) -> Flow {
        let largest_tag = a[1].signed32()
            == if self.library.abi.is_open_mpi() {
                0
            } else {
                0x6440_0001
            };
        if largest_tag {
            let value = self.value_object(i32::MAX as u64);
            self.caller.put_long(a[2].bits, value);
        }
        self.caller.put_int(a[3].bits, i32::from(largest_tag));
        SUCCESS
    }

    /// `MPI_Comm_idup`, `MPI_Comm_idup_with_info`: the copy is there once all members have called it (MPI-4.1 §7.4.2);
    /// what it is, each of them knows at once.
    fn copy_later(&mut self, a: &Invocation, comm: &Comm) -> Flow {
        let sequence = self.caller.handles_mut().sequence(comm.id);
        let copy = Comm {
            topology: comm.topology.clone(),
            remote: comm.remote.clone(),
            ..child(comm, sequence, 0, comm.members.clone())
        };
        self.give_comm(Some(copy), a[Role::NewCommunicator].bits);
        let meeting = Meaning::Collective(CollectiveForm::Barrier, Ends::Request);
        self.communicate(meeting, Ends::Request, a)
    }

    /// A collective call that makes communicators.
    fn create(&mut self, a: &Invocation, comm: Comm) -> Flow {
        let (words, result) = match a.procedure() {
            P::Comm_split => (vec![a[1].bits, a[2].bits], a[3].bits),
            P::Comm_split_type => (vec![u64::from(self.caller.node()), a[2].bits], a[4].bits),
            P::Cart_create | P::Graph_create => (vec![0, 0], a[5].bits),
            P::Comm_create | P::Comm_dup_with_info => (vec![0, 0], a[2].bits),
            P::Dist_graph_create => ([vec![0, 0], self.named_edges(a)].concat(), a[8].bits),
            P::Dist_graph_create_adjacent => (vec![0, 0], a[9].bits),
            _ => (vec![0, 0], a[1].bits),
        };
        let only = (a.procedure() == P::Comm_create).then(|| self.group(a[1].bits));
        // Only copies of inter-communicators are followed.
        let is_copy = matches!(a.procedure(), P::Comm_dup | P::Comm_dup_with_info);
        if comm.is_inter() && !is_copy {
            return self.caller.unknown_call(a.name());
        }
        let expected = comm.processes();
        let Some((sequence, meeting)) = self.meet(&comm, expected, Direction::All, a.name(), words) else {
            return Flow::Block;
        };
        let color = meeting.word(self.caller.rank(), 0);
        let mut members = match only {
            Some(group) => group,
            None => members_of(&comm, &meeting, color),
        };
        let topology = match a.procedure() {
            _ if is_copy => comm.topology.clone(),
            P::Dist_graph_create => Some(edges_of(&comm, &meeting, self.caller.rank())),
            _ => self.described_topology(a),
        };
        match &topology {
            Some(Topology::Grid(grid)) => members.truncate(grid.processes()),
            Some(Topology::Graph(lists)) => members.truncate(lists.len()),
            _ => {}
        }
        let wanted = members.contains(&self.caller.rank())
            && (color as u32 as i32 != self.numbers().undefined || a.procedure() != P::Comm_split);
        let made = wanted.then(|| Comm {
            topology,
            remote: comm.remote.clone(),
            ..child(&comm, sequence, color, members)
        });
        self.give_comm(made, result);
        self.caller.done()
    }
}

/// A communicator that a collective call on another one makes; all of its processes give it the same identity.
fn child(parent: &Comm, sequence: u64, color: u64, members: Vec<u32>) -> Comm {
    let mut everybody = [members.clone(), parent.remote.clone().unwrap_or_default()].concat();
    everybody.sort_unstable();
    everybody.dedup();
    let mut hasher = DefaultHasher::new();
    (parent.id.0, sequence, color, &everybody).hash(&mut hasher);
    Comm::new(CommId(hasher.finish()), members)
}

/// The edges from and to a process that any process named in `MPI_Dist_graph_create`.
fn edges_of(comm: &Comm, meeting: &Meeting, rank: u32) -> Topology {
    let own = comm.own_rank(rank) as i32;
    let (mut sources, mut destinations) = (Vec::new(), Vec::new());
    for who in meeting.present() {
        for edge in meeting.words(who).get(2..).unwrap_or_default().chunks_exact(2) {
            let (from, to) = (edge[0] as u32 as i32, edge[1] as u32 as i32);
            if to == own {
                sources.push(from);
            }
            if from == own {
                destinations.push(to);
            }
        }
    }
    Topology::Distributed {
        sources,
        destinations,
    }
}

/// The members with this color, by key and then by rank.
fn members_of(comm: &Comm, meeting: &Meeting, color: u64) -> Vec<u32> {
    let mut members: Vec<(i32, usize, u32)> = comm
        .members
        .iter()
        .enumerate()
        .filter_map(|(position, member)| {
            let word = |index| meeting.word(*member, index);
            (meeting.has(*member) && word(0) == color).then_some((word(1) as u32 as i32, position, *member))
        })
        .collect();
    members.sort_unstable();
    members.into_iter().map(|(_, _, member)| member).collect()
}
