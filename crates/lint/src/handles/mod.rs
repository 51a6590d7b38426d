//! What the handles of one process stand for.

mod attributes;
mod table;

pub(crate) use attributes::Attributes;

use crate::communication::{Described, Under};
use crate::communicator::Comm;
use farside_calls::datatype::Datatype;
use farside_events::{CommId, EventKind, OperationId, RequestId, StackId, TypeId, WinId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use table::{HandleKind, Table};

/// A request, and what is under way.
pub(crate) type Request = farside_calls::request::Request<Rc<Described>, Active>;

/// Something that can be waited for.
#[derive(Clone, Debug)]
pub(crate) enum Active {
    Operation(RequestId),
    Communication(Under),
}

/// A fetching operation whose value has not been reported yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetch {
    win: WinId,
    target: u32,
    operation: OperationId,
    request: Option<RequestId>,
    value: u64,
}

impl Fetch {
    /// An operation on a window that has fetched a value from a target.
    pub(crate) fn new(
        (win, target): (WinId, u32),
        (operation, request): (OperationId, Option<RequestId>),
        value: u64,
    ) -> Self {
        Self {
            win,
            target,
            operation,
            request,
            value,
        }
    }

    /// Whether it is on a window, and a target or any.
    pub(crate) fn is_on(&self, win: WinId, target: Option<u32>) -> bool {
        self.win == win && target.is_none_or(|target| target == self.target)
    }

    /// Whether a request stands for it.
    pub(crate) fn has_request(&self, request: RequestId) -> bool {
        self.request == Some(request)
    }

    /// The report of its value.
    pub(crate) fn report(&self) -> EventKind {
        EventKind::Fetched {
            operation: self.operation,
            value: self.value,
        }
    }
}

/// Memory of the process that a window has.
#[derive(Clone, Debug)]
pub(crate) struct Exposed {
    win: WinId,
    memory: Range<u64>,
    /// The call that gave it to the window.
    by: (&'static str, StackId),
}

/// The keys and values of an info object.
pub(crate) type Info = BTreeMap<String, String>;

/// What one process has made, and what it has counted.
#[derive(Debug)]
pub(crate) struct Handles {
    comms: Table<Comm>,
    groups: Table<Vec<u32>>,
    types: Table<Arc<Datatype>>,
    /// Types that were made, and not committed.
    uncommitted: HashSet<u64>,
    /// Predefined datatypes that were used, by their handles.
    basics: HashMap<u64, Arc<Datatype>>,
    wins: Table<WinId>,
    requests: Table<Request>,
    infos: Table<Info>,
    attributes: Attributes,
    /// Collective calls so far, by communicator.
    sequences: HashMap<CommId, u64>,
    /// Collective calls on windows so far.
    fences: HashMap<WinId, u64>,
    /// How many communicators there are so far that were not made by a call of all processes of another one, by a
    /// hash of what describes them: group, leaders, tag.
    described: HashMap<u64, u64>,
    fetches: Vec<Fetch>,
    exposed: Vec<Exposed>,
    operations: u64,
    next_request: u64,
    next_type: u32,
}

impl Handles {
    /// Those of a process that has not begun: `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    pub(crate) fn of(rank: u32, size: u32) -> Self {
        let mut comms = Table::of(HandleKind::Comm);
        comms.add(Comm::new(CommId(1), (0..size).collect()));
        comms.add(Comm::new(CommId(100 + u64::from(rank)), vec![rank]));
        Self {
            comms,
            groups: Table::of(HandleKind::Group),
            types: Table::of(HandleKind::Type),
            uncommitted: HashSet::default(),
            basics: HashMap::default(),
            wins: Table::of(HandleKind::Win),
            requests: Table::of(HandleKind::Request),
            infos: Table::of(HandleKind::Info),
            attributes: Attributes::default(),
            sequences: HashMap::default(),
            fences: HashMap::default(),
            described: HashMap::default(),
            fetches: Vec::new(),
            exposed: Vec::new(),
            operations: 0,
            next_request: 0,
            next_type: 0,
        }
    }

    pub(crate) fn attributes(&mut self) -> &mut Attributes {
        &mut self.attributes
    }
}

/// Memory that windows have.
impl Handles {
    /// A call gives memory of the program to a window.
    pub(crate) fn expose(&mut self, win: WinId, memory: Range<u64>, by: (&'static str, StackId)) {
        if !memory.is_empty() {
            self.exposed.push(Exposed { win, memory, by });
        }
    }

    /// A window gives back what begins there, or all of it.
    pub(crate) fn give_back(&mut self, win: WinId, start: Option<u64>) {
        let stays = |exposed: &Exposed| {
            exposed.win != win || start.is_some_and(|start| start != exposed.memory.start)
        };
        self.exposed.retain(stays);
    }

    /// Memory ends: what gave a part of it to a window that has it still.
    pub(crate) fn end_memory(&mut self, memory: &Range<u64>) -> Option<(&'static str, StackId)> {
        let is_part =
            |exposed: &Exposed| exposed.memory.start < memory.end && memory.start < exposed.memory.end;
        let first = self.exposed.iter().find(|exposed| is_part(exposed))?.by;
        self.exposed.retain(|exposed| !is_part(exposed));
        Some(first)
    }
}

/// Communicators and groups.
impl Handles {
    /// `MPI_COMM_WORLD`.
    pub(crate) fn world(&self) -> &Comm {
        &self.comms.all()[0]
    }

    /// `MPI_COMM_SELF`.
    pub(crate) fn itself(&self) -> &Comm {
        &self.comms.all()[1]
    }

    /// The communicator that a handle of ours names.
    pub(crate) fn comm(&self, handle: u64) -> Option<&Comm> {
        self.comms.get(handle)
    }

    /// All communicators.
    pub(crate) fn comms(&self) -> &[Comm] {
        self.comms.all()
    }

    /// A communicator, by its identity.
    pub(crate) fn comm_of(&self, id: CommId) -> Option<&Comm> {
        self.comms.all().iter().find(|comm| comm.id == id)
    }

    /// A communicator; its handle.
    pub(crate) fn add_comm(&mut self, comm: Comm) -> u64 {
        self.comms.add(comm)
    }

    /// The next number of a collective call on a communicator.
    pub(crate) fn sequence(&mut self, comm: CommId) -> u64 {
        let next = self.sequences.entry(comm).or_insert(0);
        *next += 1;
        *next - 1
    }

    /// How many communicators were described so, by those that they are for alone.
    pub(crate) fn described(&self, description: u64) -> u64 {
        self.described.get(&description).copied().unwrap_or(0)
    }

    /// One more communicator is described so.
    pub(crate) fn describe(&mut self, description: u64) {
        *self.described.entry(description).or_insert(0) += 1;
    }

    /// The processes of a group; none of a handle that is not ours.
    pub(crate) fn group(&self, handle: u64) -> &[u32] {
        self.groups.get(handle).map_or(&[], Vec::as_slice)
    }

    /// A group; its handle.
    pub(crate) fn add_group(&mut self, members: Vec<u32>) -> u64 {
        self.groups.add(members)
    }
}

/// Datatypes and infos.
impl Handles {
    /// The datatype of a handle that was used before.
    pub(crate) fn datatype(&self, handle: u64) -> Option<&Arc<Datatype>> {
        self.types.get(handle).or_else(|| self.basics.get(&handle))
    }

    /// A number for a datatype, never used again.
    pub(crate) fn type_id(&mut self) -> TypeId {
        self.next_type += 1;
        TypeId(self.next_type)
    }

    /// A datatype that the program has made; its handle.
    pub(crate) fn add_type(&mut self, made: Arc<Datatype>) -> u64 {
        self.types.add(made)
    }

    /// A type that was made is not committed.
    pub(crate) fn leave_uncommitted(&mut self, handle: u64) {
        self.uncommitted.insert(handle);
    }

    /// A type is committed.
    pub(crate) fn commit(&mut self, handle: u64) {
        self.uncommitted.remove(&handle);
    }

    /// Whether a type was made, and not committed.
    pub(crate) fn is_uncommitted(&self, handle: u64) -> bool {
        self.uncommitted.contains(&handle)
    }

    /// A predefined datatype, by its handle.
    pub(crate) fn add_basic_type(&mut self, handle: u64, known: Arc<Datatype>) {
        self.basics.insert(handle, known);
    }

    /// The keys and values of an info object; nothing of `MPI_INFO_NULL`.
    pub(crate) fn info(&self, handle: u64) -> Option<&Info> {
        self.infos.get(handle)
    }

    /// Likewise, to be changed.
    pub(crate) fn info_mut(&mut self, handle: u64) -> Option<&mut Info> {
        self.infos.get_mut(handle)
    }

    /// An info object; its handle.
    pub(crate) fn add_info(&mut self, info: Info) -> u64 {
        self.infos.add(info)
    }
}

/// Windows and operations on them.
impl Handles {
    /// The window that a handle names.
    pub(crate) fn win(&self, handle: u64) -> Option<WinId> {
        self.wins.get(handle).copied()
    }

    /// A window; its handle.
    pub(crate) fn add_win(&mut self, win: WinId) -> u64 {
        self.wins.add(win)
    }

    /// The number of the next fence of a window, which is 1 for the first.
    pub(crate) fn fence(&mut self, win: WinId) -> u64 {
        let count = self.fences.entry(win).or_insert(0);
        *count += 1;
        *count
    }

    /// A number for an operation, never used again.
    pub(crate) fn operation_id(&mut self) -> OperationId {
        self.operations += 1;
        OperationId(self.operations)
    }

    /// An operation has fetched a value.
    pub(crate) fn add_fetch(&mut self, fetch: Fetch) {
        self.fetches.push(fetch);
    }

    /// Those fetches that have been completed, which are reported now.
    pub(crate) fn take_fetches(&mut self, done: impl Fn(&Fetch) -> bool) -> Vec<Fetch> {
        self.fetches.extract_if(.., |fetch| done(fetch)).collect()
    }
}

/// Requests.
impl Handles {
    /// A number for a request, never used again.
    pub(crate) fn request_id(&mut self) -> RequestId {
        self.next_request += 1;
        RequestId(self.next_request)
    }

    /// The request of a handle.
    pub(crate) fn request(&self, handle: u64) -> Option<&Request> {
        self.requests.get(handle)
    }

    /// Likewise, to be changed.
    pub(crate) fn request_mut(&mut self, handle: u64) -> Option<&mut Request> {
        self.requests.get_mut(handle)
    }

    /// A request; its handle.
    pub(crate) fn add_request(&mut self, request: Request) -> u64 {
        self.requests.add(request)
    }
}
