//! What the handles of one process stand for.

use crate::abi::HANDLES;
use farside_events::{CommId, OperationId, RequestId, TypeId, TypeMap, WinId};
use std::collections::{BTreeMap, HashMap};

/// A kind of handle that we give out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandleKind {
    Comm = 1,
    Group = 2,
    Type = 3,
    Win = 4,
    Request = 5,
    Info = 6,
}

/// A communicator.
#[derive(Clone, Debug)]
pub(crate) struct Comm {
    pub(crate) id: CommId,
    /// Ranks in `MPI_COMM_WORLD` of the (local) group, in rank order.
    pub(crate) members: Vec<u32>,
    /// Likewise of the remote group of an inter-communicator.
    pub(crate) remote: Option<Vec<u32>>,
    pub(crate) topology: Option<Topology>,
}

/// A process topology (MPI-4.1 chapter 8). Ranks are those of the communicator.
#[derive(Clone, Debug)]
pub(crate) enum Topology {
    Grid {
        sizes: Vec<i32>,
        wraps: Vec<bool>,
    },
    /// The neighbours of each process.
    Graph(Vec<Vec<i32>>),
    /// The edges of this process.
    Distributed {
        sources: Vec<i32>,
        destinations: Vec<i32>,
    },
}

/// A datatype.
#[derive(Clone, Debug)]
pub(crate) struct DataType {
    pub(crate) id: TypeId,
    pub(crate) map: TypeMap,
}

/// Something that can be waited for.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// Completed or freed.
    Inactive,
    Rma(RequestId),
    /// A send; the message of a synchronous one.
    Send(RequestId, Option<u64>),
    Receive {
        post: u64,
    },
    /// What each start begins, and what it has begun.
    Persistent {
        call: Box<crate::mpi::Invocation>,
        large_counts: bool,
        active: Option<Box<Request>>,
    },
    Collective {
        comm: CommId,
        sequence: u64,
        key: crate::mpi::meeting::MeetingKey,
        /// How many processes take part.
        expected: usize,
        then: Option<crate::mpi::collective::Transfer>,
    },
}

/// A fetching operation whose value has not been reported yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetch {
    pub(crate) win: WinId,
    pub(crate) target: u32,
    pub(crate) operation: OperationId,
    pub(crate) request: Option<RequestId>,
    pub(crate) value: u64,
}

/// The tables of one process.
#[derive(Debug, Default)]
pub(crate) struct Handles {
    pub(crate) comms: Vec<Option<Comm>>,
    pub(crate) groups: Vec<Vec<u32>>,
    pub(crate) types: Vec<DataType>,
    pub(crate) basics: HashMap<u64, DataType>,
    pub(crate) wins: Vec<Option<WinId>>,
    pub(crate) requests: Vec<Request>,
    pub(crate) infos: Vec<BTreeMap<String, String>>,
    pub(crate) attributes: crate::mpi::objects::Attributes,
    /// Collective calls so far, by communicator.
    pub(crate) sequences: HashMap<CommId, u64>,
    /// Collective calls on windows so far.
    pub(crate) fences: HashMap<WinId, u64>,
    /// How many communicators there are so far that were not made by a call of all processes of another one, by a hash of
    /// what describes them: group, leaders, tag.
    pub(crate) described: HashMap<u64, u64>,
    pub(crate) fetches: Vec<Fetch>,
    pub(crate) operations: u64,
    pub(crate) next_request: u64,
    pub(crate) next_type: u32,
}

impl HandleKind {
    /// The handle of the `index`-th object.
    pub(crate) fn handle(self, index: usize) -> u64 {
        HANDLES | (self as u64) << 24 | index as u64
    }

    /// Which object a handle of this kind names.
    pub(crate) fn index(self, handle: u64) -> Option<usize> {
        let handle = handle & 0xffff_ffff;
        let base = self.handle(0);
        (base..base + (1 << 24))
            .contains(&handle)
            .then(|| (handle - base) as usize)
    }
}

impl Comm {
    /// A communicator of one group.
    pub(crate) fn new(id: CommId, members: Vec<u32>) -> Self {
        Self {
            id,
            members,
            remote: None,
            topology: None,
        }
    }

    /// How many processes take part in its collective calls.
    pub(crate) fn processes(&self) -> usize {
        self.members.len() + self.remote.as_ref().map_or(0, Vec::len)
    }

    /// The group that ranks in communication calls refer to: the remote one of an inter-communicator.
    pub(crate) fn peers(&self) -> &[u32] {
        self.remote.as_ref().unwrap_or(&self.members)
    }

    pub(crate) fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// The rank of a process in the (local) group.
    pub(crate) fn own_rank(&self, rank: u32) -> usize {
        self.members
            .iter()
            .position(|member| *member == rank)
            .unwrap_or(0)
    }

    /// The process with this rank in the (local) group.
    pub(crate) fn member(&self, rank: i32) -> Option<u32> {
        usize::try_from(rank)
            .ok()
            .and_then(|rank| self.members.get(rank))
            .copied()
    }
}

impl Handles {
    /// A number for a request, never used again.
    pub(crate) fn request_id(&mut self) -> RequestId {
        self.next_request += 1;
        RequestId(self.next_request)
    }

    /// A request; its handle.
    pub(crate) fn add_request(&mut self, request: Request) -> u64 {
        self.requests.push(request);
        HandleKind::Request.handle(self.requests.len() - 1)
    }

    /// The next number of a collective call on a communicator.
    pub(crate) fn sequence(&mut self, comm: CommId) -> u64 {
        let next = self.sequences.entry(comm).or_insert(0);
        *next += 1;
        *next - 1
    }

    /// The communicator that a handle of ours names.
    pub(crate) fn comm(&self, handle: u64) -> Option<&Comm> {
        self.comms.get(HandleKind::Comm.index(handle)?)?.as_ref()
    }

    /// The window that a handle names.
    pub(crate) fn win(&self, handle: u64) -> Option<WinId> {
        *self.wins.get(HandleKind::Win.index(handle)?)?
    }
}
