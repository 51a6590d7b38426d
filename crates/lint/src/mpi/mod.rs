//! MPI, as far as memory consistency depends on it. A call becomes the events that `interpose` would record.

pub(crate) mod collective;
mod communicator;
mod datatype;
mod epoch;
mod local;
mod matched;
pub(crate) mod meeting;
pub(crate) mod message;
mod number;
pub(crate) mod objects;
mod operation;
mod persistent;
mod request;
pub(crate) mod window;

use crate::execute::Flow;
use crate::job::Job;
use crate::thread::{Entered, Site};
use crate::value::Scalar;
use farside_events::{Call, CollectiveForm, Ends, EventKind, Outcome};

const SUCCESS: Flow = Flow::Return(Scalar::known(0));

/// What a call does for memory consistency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Makes, synchronises or accesses a window.
    OneSided,
    /// Orders processes, or completes what was begun: collectives, and waits for requests.
    Synchronising,
}

/// What the calls of a function of the C binding do; `None` if neither.
pub(crate) fn role(name: &str) -> Option<Role> {
    let (plain, _) = number::plain(name);
    let rest = plain.strip_prefix("MPI_")?;
    let of_window = rest.strip_prefix("Win_").is_some_and(|rest| {
        ["create_keyval", "create_errhandler"]
            .iter()
            .all(|other| rest != *other)
            && [
                "create", "allocate", "free", "attach", "detach", "fence", "lock", "unlock", "flush",
            ]
            .iter()
            .chain(&["start", "complete", "post", "wait", "test", "sync"])
            .any(|start| rest == *start || rest.strip_prefix(start).is_some_and(|more| more.starts_with('_')))
            && rest != "free_keyval"
    });
    if of_window || operation::is_operation(plain) {
        return Some(Role::OneSided);
    }
    let completes = [
        "Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", "Start",
        "Startall",
    ];
    (completes.contains(&rest) || CollectiveForm::of(plain).is_some()).then_some(Role::Synchronising)
}

impl Job<'_> {
    /// An MPI function of the C binding.
    pub(crate) fn mpi(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let (plain, large) = number::plain(name);
        let before = std::mem::replace(&mut self.large_counts, large);
        let flow = self.mpi_function(site, plain, a);
        self.large_counts = before;
        if matches!(flow, Flow::Return(_) | Flow::Poll(_)) {
            let arguments: Vec<u64> = a.iter().map(|argument| argument.bits).collect();
            let history = &mut self.processes[site.rank as usize].history;
            history.call((site.place, arguments));
        }
        flow
    }

    fn mpi_function(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        // No function that is followed here has more than 13 arguments; a call with too few of them is not MPI's.
        let mut padded = [Scalar::default(); 13];
        let given = a.len().min(13);
        padded[..given].copy_from_slice(&a[..given]);
        let a = &padded[..];
        if let Some(flow) = self.object_call(site, name, a) {
            return flow;
        }
        match name {
            "MPI_Init" | "MPI_Init_thread" => self.initialize(site, name, a),
            "MPI_Initialized" => {
                self.give_flag(site, a[0].bits, self.processes[site.rank as usize].initialized)
            }
            "MPI_Finalized" => self.give_flag(site, a[0].bits, false),
            "MPI_Finalize" => self.finalize(site),
            "MPI_Abort" => {
                self.give_up(site, name, None);
                Flow::Ended
            }
            "MPI_Query_thread" => {
                self.put_int(site, a[0].bits, 3);
                SUCCESS
            }
            "MPI_Wtime" | "MPI_Wtick" => {
                Flow::Return(Scalar::known((self.budget.steps() as f64 * 1e-9).to_bits()))
            }
            "MPI_Get_address" => {
                self.put_long(site, a[1].bits, a[0].bits);
                SUCCESS
            }
            "MPI_Aint_add" => Flow::Return(Scalar::known(a[0].bits.wrapping_add(a[1].bits))),
            "MPI_Aint_diff" => Flow::Return(Scalar::known(a[0].bits.wrapping_sub(a[1].bits))),
            "MPI_Alloc_mem" => {
                let base = self.processes[site.rank as usize]
                    .memory
                    .allocate(a[0].bits, "MPI_Alloc_mem");
                self.put_long(site, a[2].bits, base);
                SUCCESS
            }
            "MPI_Send" | "MPI_Ssend" | "MPI_Bsend" | "MPI_Rsend" => self.send_call(site, name, a, None),
            "MPI_Isend" | "MPI_Issend" | "MPI_Ibsend" | "MPI_Irsend" => {
                self.send_call(site, name, a, Some(a[6].bits))
            }
            "MPI_Recv" => self.receive_call(site, name, a, None),
            "MPI_Irecv" => {
                let result = a[6].bits;
                let mut call = padded;
                call[6] = Scalar::known(self.abi.status_ignore);
                self.receive_call(site, name, &call, Some(result))
            }
            "MPI_Send_init" | "MPI_Bsend_init" | "MPI_Ssend_init" | "MPI_Rsend_init" | "MPI_Recv_init" => {
                self.describe_communication(site, name, a, 6)
            }
            "MPI_Start" | "MPI_Startall" => self.start_call(site, name, a),
            "MPI_Sendrecv" => self.send_receive(site, name, a),
            "MPI_Sendrecv_replace" => {
                // (buf, count, type, dest, sendtag, source, recvtag, comm, status)
                let whole = [
                    a[0], a[1], a[2], a[3], a[4], a[0], a[1], a[2], a[5], a[6], a[7], a[8],
                ];
                self.send_receive(site, name, &whole)
            }
            "MPI_Probe" | "MPI_Iprobe" => self.probe_call(site, name, a),
            "MPI_Mprobe" | "MPI_Improbe" => self.matched_probe_call(site, name, a),
            "MPI_Mrecv" | "MPI_Imrecv" => self.matched_receive_call(site, name, a),
            "MPI_Pack" | "MPI_Unpack" | "MPI_Pack_size" => self.packing_call(site, name, a),
            "MPI_Reduce_local" => self.reduce_local(site, name, a),
            _ if name.starts_with("MPI_File_") => self.file_call(site, name, a),
            "MPI_Get_count" | "MPI_Get_elements" => self.get_count(site, a),
            _ if name.starts_with("MPI_Type_") => self.type_call(site, name, a),
            _ if communicator::is_followed(name) => self.communicator_call(site, name, a),
            _ if name.starts_with("MPI_Wait")
                || name.starts_with("MPI_Test")
                || name == "MPI_Request_free" =>
            {
                self.request_call(site, name, a)
            }
            _ if let Some((form, ends)) = CollectiveForm::of(name) => match ends {
                Ends::Persistent => self.describe_communication(site, name, a, form.communicator() + 2),
                _ => self.collective_call(
                    site,
                    name,
                    form,
                    a,
                    (ends == Ends::Request).then(|| a[form.communicator() + 1].bits),
                ),
            },
            _ if operation::is_operation(name) => self.operation_call(site, name, a),
            _ if name.starts_with("MPI_Win_") => self.window_call(site, name, a),
            _ => self.unknown_call(site, name),
        }
    }

    /// An MPI function that is not followed: what comes after it is judged, but not the end of the program.
    pub(crate) fn unknown_call(&mut self, site: &Site, name: &str) -> Flow {
        self.notes.unknown_calls.insert((name.to_owned(), site.place));
        self.beyond_execution();
        SUCCESS
    }

    pub(crate) fn initialize(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        self.processes[site.rank as usize].initialized = true;
        if name == "MPI_Init_thread" {
            self.put_int(site, a[3].bits, a[2].signed32());
        }
        let library = if self.abi.open_mpi { "Open MPI" } else { "MPICH" };
        let kind = EventKind::Init {
            rank: farside_events::Rank(site.rank),
            size: self.size,
            pid: site.rank,
            library: library.into(),
        };
        self.emit(site.rank, site.thread, kind);
        self.announce_communicators(site);
        SUCCESS
    }

    fn finalize(&mut self, site: &Site) -> Flow {
        let key = (meeting::Kind::Finalize, 0, 0);
        if self.entered(site).is_none() {
            self.enter(site, Call::Finalize);
            self.meetings.arrive(key, site.rank, Vec::new(), Vec::new());
            self.set_entered(site, Entered::Meeting(key));
        }
        if self.meetings.complete(key, self.size as usize).is_none() {
            return Flow::Block;
        }
        self.done(site);
        self.emit(site.rank, site.thread, EventKind::Exit);
        SUCCESS
    }

    fn give_flag(&mut self, site: &Site, at: u64, flag: bool) -> Flow {
        self.put_int(site, at, i32::from(flag));
        SUCCESS
    }

    /// The thread enters a call.
    pub(crate) fn enter(&mut self, site: &Site, call: Call) {
        self.emit(
            site.rank,
            site.thread,
            EventKind::Enter {
                call,
                stack: site.stack,
            },
        );
    }

    /// The thread leaves the call, with success.
    pub(crate) fn done(&mut self, site: &Site) -> Flow {
        self.clear_entered(site);
        self.emit(site.rank, site.thread, EventKind::Leave(Outcome::Done));
        SUCCESS
    }

    pub(crate) fn entered(&self, site: &Site) -> Option<Entered> {
        self.processes[site.rank as usize].threads[site.thread]
            .entered
            .clone()
    }

    pub(crate) fn set_entered(&mut self, site: &Site, entered: Entered) {
        self.processes[site.rank as usize].threads[site.thread].entered = Some(entered);
    }

    pub(crate) fn clear_entered(&mut self, site: &Site) {
        self.processes[site.rank as usize].threads[site.thread].entered = None;
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
        self.memory(site.rank, at).load(at, self.abi.handle).bits
    }

    pub(crate) fn put_handle(&mut self, site: &Site, at: u64, handle: u64) {
        let size = self.abi.handle;
        self.memory_mut(site.rank, at)
            .store(at, size, Scalar::known(handle));
    }
}
