//! What the handles of one process stand for.

use crate::abi::HANDLES;
use crate::communicator::Comm;
use crate::mpi::Described;
use crate::value::Scalar;
use farside_calls::communication::Begun;
use farside_calls::datatype::Datatype;
use farside_events::{CommId, OperationId, RequestId, WinId};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

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

/// A request, and what is under way.
pub(crate) type Request = farside_calls::request::Request<Rc<Described>, Active>;

/// Something that can be waited for.
#[derive(Clone, Debug)]
pub(crate) enum Active {
    Operation(RequestId),
    Communication(Under),
}

/// A communication under way.
#[derive(Clone, Debug)]
pub(crate) struct Under {
    pub(crate) described: Rc<Described>,
    pub(crate) begun: Begun,
    /// The message that must have been received.
    pub(crate) message: Option<u64>,
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

/// The first key of an attribute that we give out; no predefined key of either library is as large.
const FIRST_KEY: i32 = 0x7a00_0000;

/// The attributes of the objects of one process: by object and key.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    keys: i32,
    values: BTreeMap<(u64, i32), Scalar>,
}

impl Attributes {
    /// A key that no other attribute has.
    pub(crate) fn new_key(&mut self) -> i32 {
        self.keys += 1;
        FIRST_KEY + self.keys
    }

    /// Whether it is the library that has defined a key.
    pub(crate) fn is_predefined(key: i32) -> bool {
        key <= FIRST_KEY
    }

    pub(crate) fn set(&mut self, object: u64, key: i32, value: Scalar) {
        self.values.insert((object, key), value);
    }

    pub(crate) fn delete(&mut self, object: u64, key: i32) {
        self.values.remove(&(object, key));
    }

    pub(crate) fn get(&self, object: u64, key: i32) -> Option<Scalar> {
        self.values.get(&(object, key)).copied()
    }
}

/// The tables of one process.
#[derive(Debug, Default)]
pub(crate) struct Handles {
    pub(crate) comms: Vec<Option<Comm>>,
    pub(crate) groups: Vec<Vec<u32>>,
    pub(crate) types: Vec<Arc<Datatype>>,
    pub(crate) basics: HashMap<u64, Arc<Datatype>>,
    pub(crate) wins: Vec<Option<WinId>>,
    pub(crate) requests: Vec<Request>,
    pub(crate) infos: Vec<BTreeMap<String, String>>,
    pub(crate) attributes: Attributes,
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

impl Handles {
    /// Those of a process that has not begun: `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    pub(crate) fn of(rank: u32, size: u32) -> Self {
        let world = Comm::new(CommId(1), (0..size).collect());
        let own = Comm::new(CommId(100 + u64::from(rank)), vec![rank]);
        Self {
            comms: vec![Some(world), Some(own)],
            ..Self::default()
        }
    }

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

    /// The request that a handle names.
    pub(crate) fn request(&self, handle: u64) -> Option<&Request> {
        self.requests.get(HandleKind::Request.index(handle)?)
    }

    pub(crate) fn request_mut(&mut self, handle: u64) -> Option<&mut Request> {
        self.requests.get_mut(HandleKind::Request.index(handle)?)
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
