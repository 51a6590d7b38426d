//! MPI, as far as memory consistency depends on it. A call becomes the events that `interpose` would record.

mod communication;
mod communicator;
mod datatype;
mod epoch;
mod local;
mod matched;
mod message;
mod number;
mod objects;
mod operation;
mod request;
mod simulated;
mod window;

use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::Kind as Meets;
use crate::process::Entered;
use crate::site::Site;
use crate::value::Scalar;
use farside_calls::meaning::Meaning;
use farside_calls::mpi::{Procedure, Procedure as P};
use farside_calls::signature::{Handle, Kind};
use farside_events::{Call, CallKind, EventKind, Outcome};

const SUCCESS: Flow = Flow::Return(Scalar::known(0));

impl Job<'_> {
    /// An MPI function of the C binding; `large` for the form with large counts.
    pub(crate) fn mpi(&mut self, site: &Site, procedure: Procedure, large: bool, given: &[Scalar]) -> Flow {
        let before = std::mem::replace(&mut self.large_counts, large);
        let flow = self.mpi_function(site, &Invocation::new(procedure, given));
        self.large_counts = before;
        if matches!(flow, Flow::Return(_) | Flow::Poll(_)) {
            let arguments: Vec<u64> = given.iter().map(|argument| argument.bits).collect();
            self.events.history(site.rank).call((site.place, arguments));
        }
        flow
    }

    /// Who carries out a call, by its meaning.
    fn mpi_function(&mut self, site: &Site, a: &Invocation) -> Flow {
        let Some(meaning) = a.procedure().meaning() else {
            return self.plain_function(site, a);
        };
        match meaning {
            Meaning::Init => {
                if a.procedure() == P::Init_thread {
                    self.put_int(site, a[3].bits, a[2].signed32());
                }
                self.initialize(site)
            }
            Meaning::Finalize => self.finalize(site),
            Meaning::Abort => {
                self.give_up(site, a.name(), None);
                Flow::Ended
            }
            Meaning::Communicator(_) | Meaning::CommunicatorFree => self.communicator_call(site, a),
            Meaning::TypeFree => SUCCESS,
            Meaning::Window(flavor) => self.create_window(site, flavor, a),
            Meaning::WindowName => self.name_window(site, a),
            Meaning::WindowInfo => self.set_window_info(site, a),
            Meaning::Operation(kind) => self.operation_call(site, kind, a),
            Meaning::OnWindow(CallKind::Free) => self.free_window(site, a),
            Meaning::OnWindow(kind) => self.call_on_window(site, kind, a),
            Meaning::Completion(which, waits) => self.completion_call(site, which, waits, a),
            Meaning::Start => self.start_call(site, a),
            Meaning::RequestFree => self.free_request(site, a),
            Meaning::Send(_, ends)
            | Meaning::Receive(ends)
            | Meaning::SendReceive(ends)
            | Meaning::Collective(_, ends) => self.communicate(site, meaning, ends, a),
            Meaning::MatchedProbe(_) => self.matched_probe_call(site, a),
            Meaning::MatchedReceive(ends) => self.matched_receive_call(site, ends, a),
            Meaning::Pack => self.pack_call(site, a),
            Meaning::Unpack => self.unpack_call(site, a),
            Meaning::ReduceLocal => self.reduce_local(site, a),
            Meaning::FileRead => self.file_read(site, a),
            Meaning::FileWrite => self.file_write(site, a),
            Meaning::RequestStatus | Meaning::Cancel | Meaning::NotUnderstood => {
                self.unknown_call(site, a.name())
            }
        }
    }

    /// A call that orders nothing and touches no buffer.
    fn plain_function(&mut self, site: &Site, a: &Invocation) -> Flow {
        let flow = self.object_call(site, a);
        let flow = flow.or_else(|| self.window_call(site, a));
        let flow = flow.or_else(|| self.type_call(site, a));
        if let Some(flow) = flow.or_else(|| self.file_call(site, a)) {
            return flow;
        }
        match a.procedure() {
            P::Initialized => self.give_flag(site, a[0].bits, self.processes.of(site.rank).initialized),
            P::Finalized => self.give_flag(site, a[0].bits, false),
            P::Query_thread => {
                self.put_int(site, a[0].bits, 3);
                SUCCESS
            }
            P::Wtime | P::Wtick => Flow::Return(Scalar::known((self.budget.steps() as f64 * 1e-9).to_bits())),
            P::Get_address => {
                self.put_long(site, a[1].bits, a[0].bits);
                SUCCESS
            }
            P::Aint_add => Flow::Return(Scalar::known(a[0].bits.wrapping_add(a[1].bits))),
            P::Aint_diff => Flow::Return(Scalar::known(a[0].bits.wrapping_sub(a[1].bits))),
            P::Alloc_mem => {
                let base = self
                    .processes
                    .of_mut(site.rank)
                    .memory
                    .allocate(a[0].bits, "MPI_Alloc_mem");
                self.put_long(site, a[2].bits, base);
                SUCCESS
            }
            P::Probe | P::Iprobe => self.probe_call(site, a),
            P::Pack_size => self.pack_size(site, a),
            P::Get_count | P::Get_elements => self.get_count(site, a),
            P::Dims_create => self.dims(site, a),
            _ => match a.procedure().signature().parameters() {
                [first, ..] if first.kind == Kind::Handle(Handle::Comm) => self.communicator_call(site, a),
                [first, ..] if first.kind == Kind::Handle(Handle::Group) => self.group_call(site, a),
                _ => self.unknown_call(site, a.name()),
            },
        }
    }

    /// An MPI function that is not followed: what comes after it is judged, but not the end of the program.
    pub(crate) fn unknown_call(&mut self, site: &Site, name: &str) -> Flow {
        self.notes.unknown_call(name, site.place);
        self.beyond_execution();
        SUCCESS
    }

    pub(crate) fn initialize(&mut self, site: &Site) -> Flow {
        self.processes.of_mut(site.rank).initialized = true;
        let library = if self.abi.is_open_mpi() {
            "Open MPI"
        } else {
            "MPICH"
        };
        let kind = EventKind::Init {
            rank: farside_events::Rank(site.rank),
            size: self.size,
            pid: site.rank,
            library: library.into(),
        };
        self.emit(site.at(), kind);
        self.announce_communicators(site);
        SUCCESS
    }

    fn finalize(&mut self, site: &Site) -> Flow {
        let key = (Meets::Finalize, 0, 0);
        if self.entered(site).is_none() {
            self.enter(site, Call::Finalize);
            self.meetings.arrive(key, site.rank, Vec::new(), Vec::new());
            self.set_entered(site, Entered::Meeting(key));
        }
        if self.meetings.complete(key, self.size as usize).is_none() {
            return Flow::Block;
        }
        self.done(site);
        self.emit(site.at(), EventKind::Exit);
        SUCCESS
    }

    fn give_flag(&mut self, site: &Site, at: u64, flag: bool) -> Flow {
        self.put_int(site, at, i32::from(flag));
        SUCCESS
    }

    /// The thread enters a call.
    pub(crate) fn enter(&mut self, site: &Site, call: Call) {
        self.emit(
            site.at(),
            EventKind::Enter {
                call,
                stack: site.stack,
            },
        );
    }

    /// The thread leaves the call, with success.
    pub(crate) fn done(&mut self, site: &Site) -> Flow {
        self.clear_entered(site);
        self.emit(site.at(), EventKind::Leave(Outcome::Done));
        SUCCESS
    }

    pub(crate) fn entered(&self, site: &Site) -> Option<Entered> {
        self.processes.thread(site.at()).entered().cloned()
    }

    pub(crate) fn set_entered(&mut self, site: &Site, entered: Entered) {
        self.processes.thread_mut(site.at()).set_entered(Some(entered));
    }

    pub(crate) fn clear_entered(&mut self, site: &Site) {
        self.processes.thread_mut(site.at()).set_entered(None);
    }

    pub(crate) fn int_at(&self, site: &Site, at: u64) -> i32 {
        self.memory(site.rank, at).load(at, 4).signed32()
    }

    /// Results of MPI calls appear without being accesses of the program: their own pointers are not window memory.
    pub(crate) fn put_int(&mut self, site: &Site, at: u64, value: i32) {
        self.memory_mut(site.rank, at)
            .store(at, 4, Scalar::known(u64::from(value as u32)));
    }

    pub(crate) fn put_long(&mut self, site: &Site, at: u64, value: u64) {
        self.memory_mut(site.rank, at).store(at, 8, Scalar::known(value));
    }

    pub(crate) fn handle_at(&self, site: &Site, at: u64) -> u64 {
        self.memory(site.rank, at)
            .load(at, self.abi.numbers.handle_size)
            .bits
    }

    pub(crate) fn put_handle(&mut self, site: &Site, at: u64, handle: u64) {
        let size = self.abi.numbers.handle_size;
        self.memory_mut(site.rank, at)
            .store(at, size, Scalar::known(handle));
    }
}
