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

use crate::abi::Abi;
use crate::caller::Caller;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::ir::Module;
use crate::layout::Globals;
use crate::matching::{Kind as Meets, Mailbox, MeetingKey, Meetings};
use crate::memory::Object;
use crate::process::Entered;
use crate::value::Scalar;
use crate::windows::Windows;
use farside_calls::abi::Numbers;
use farside_calls::meaning::Meaning;
use farside_calls::mistakes;
use farside_calls::mpi::{Procedure, Procedure as P};
use farside_calls::signature::{Handle, Kind};
use farside_events::{Call, CallKind, EventKind, Fault, Mistake, ThreadLevel, WinId};

const SUCCESS: Flow = Flow::Return(Scalar::known(0));

/// What the MPI library of a job knows: its constants, and who meets whom.
pub(crate) struct Library {
    abi: Abi,
    meetings: Meetings,
    mail: Mailbox,
    windows: Windows,
}

impl Library {
    /// The library whose headers a program was compiled with.
    pub(crate) fn of(module: &Module, globals: &Globals) -> Self {
        Self {
            abi: Abi::of(module, globals),
            meetings: Meetings::default(),
            mail: Mailbox::default(),
            windows: Windows::default(),
        }
    }

    /// The variable that the handle of a window was put into, and the element of it.
    pub(crate) fn holder(&self, window: WinId) -> Option<(&Object, &str)> {
        self.windows.get(window)?.holder()
    }

    /// What is a number, and not the address of an object.
    pub(crate) fn numbers(&self) -> &'static Numbers {
        self.abi.numbers()
    }
}

/// A thread that calls MPI, and the library.
struct Mpi<'c, 'j> {
    caller: &'c mut Caller<'j>,
    library: &'c mut Library,
}

/// An MPI function of the C binding; `large` for the form with large counts.
pub(crate) fn call(
    caller: &mut Caller<'_>,
    library: &mut Library,
    (procedure, large): (Procedure, bool),
    given: &[Scalar],
) -> Flow {
    let a = Invocation::new(procedure, large, given);
    let flow = Mpi { caller, library }.call(&a);
    if matches!(flow, Flow::Return(_) | Flow::Poll(_)) {
        caller.called(given.iter().map(|argument| argument.bits).collect());
    }
    flow
}

/// Whether a function is followed by its meaning although the module defines it.
pub(crate) fn is_replaced(name: &str) -> bool {
    name.starts_with("MPI_")
}

/// What `MPI_Init` does.
pub(crate) fn initialize(caller: &mut Caller<'_>, library: &mut Library) {
    Mpi { caller, library }.initialize();
}

impl Mpi<'_, '_> {
    /// What is a number, and not the address of an object.
    fn numbers(&self) -> &'static Numbers {
        self.library.numbers()
    }

    /// The process enters a call that waits for what can be asked again, if it has not entered it yet.
    fn await_condition(&mut self, call: Call) {
        if self.caller.entered().is_none() {
            self.caller.enter(call);
            self.caller.set_entered(Entered::Condition);
        }
    }

    /// The process comes to where others are to be met, and waits there.
    fn come(&mut self, key: MeetingKey, words: Vec<u64>) {
        let meetings = &mut self.library.meetings;
        meetings.arrive(key, self.caller.rank(), words, Vec::new());
        self.caller.set_entered(Entered::Meeting(key));
    }

    /// Whether so many have come.
    fn have_come(&self, key: MeetingKey, expected: usize) -> bool {
        self.library.meetings.so_far(key) >= expected
    }

    /// Who carries out a call, by its meaning.
    fn call(&mut self, a: &Invocation) -> Flow {
        let Some(meaning) = a.procedure().meaning() else {
            return self.plain_function(a);
        };
        if self.caller.entered().is_none()
            && let Some(mistake) = mistakes::mistake(meaning, &self.read(a))
        {
            // A window is made and locked nevertheless, so that what is done with it is seen.
            let goes_on = match &mistake {
                Mistake::Argument { fault, .. } => *fault != Fault::NoObject,
                _ => false,
            };
            let flow = self.mistaken(a, mistake);
            if matches!(meaning, Meaning::Operation(_)) || !goes_on {
                return flow;
            }
        }
        match meaning {
            Meaning::Init => {
                // Of a plain beginning the level is the lowest; whoever asks is given that.
                let level = match a.procedure() {
                    P::Init_thread => {
                        self.caller.put_int(a[3].bits, a[2].signed32());
                        a[2].signed32()
                    }
                    _ => 0,
                };
                let flow = self.initialize();
                self.tell_thread_level(level, a.name());
                flow
            }
            Meaning::Finalize => self.finalize(),
            Meaning::Abort => {
                self.caller.give_up(a.name(), None);
                Flow::Ended
            }
            Meaning::Communicator(_) | Meaning::CommunicatorFree => self.communicator_call(a),
            Meaning::TypeFree => SUCCESS,
            Meaning::Window(flavor) => self.create_window(flavor, a),
            Meaning::WindowName => self.name_window(a),
            Meaning::WindowInfo => self.set_window_info(a),
            Meaning::FreeMemory => {
                self.caller.release(a.name(), a[0].bits);
                SUCCESS
            }
            Meaning::Operation(kind) => self.operation_call(kind, a),
            Meaning::OnWindow(CallKind::Free) => self.free_window(a),
            Meaning::OnWindow(kind) => self.call_on_window(kind, a),
            Meaning::Completion(which, waits) => self.completion_call(which, waits, a),
            Meaning::Start => self.start_call(a),
            Meaning::RequestFree => self.free_request(a),
            Meaning::Send(_, ends)
            | Meaning::Receive(ends)
            | Meaning::SendReceive(ends)
            | Meaning::Collective(_, ends) => self.communicate(meaning, ends, a),
            Meaning::Probe(_) => self.probe_call(a),
            Meaning::MatchedProbe(_) => self.matched_probe_call(a),
            Meaning::MatchedReceive(ends) => self.matched_receive_call(ends, a),
            Meaning::Pack => self.pack_call(a),
            Meaning::Unpack => self.unpack_call(a),
            Meaning::ReduceLocal => self.reduce_local(a),
            Meaning::FileRead => self.file_read(a),
            Meaning::FileWrite => self.file_write(a),
            Meaning::RequestStatus if a.procedure() == P::Request_get_status => self.request_status(a),
            Meaning::RequestStatus | Meaning::Cancel | Meaning::NotUnderstood => {
                self.caller.unknown_call(a.name())
            }
        }
    }

    /// The standard does not allow an argument of a call, which has no effect then.
    fn mistaken(&mut self, a: &Invocation, mistake: Mistake) -> Flow {
        if let Mistake::Target { number, .. } = mistake {
            self.caller.notes().miss_target(number);
        }
        let stack = self.caller.stack();
        self.caller.emit(EventKind::Mistaken {
            mistake,
            name: a.name().into(),
            stack,
            earlier: None,
        });
        SUCCESS
    }

    /// A call that orders nothing and touches no buffer.
    fn plain_function(&mut self, a: &Invocation) -> Flow {
        let flow = self.object_call(a);
        let flow = flow.or_else(|| self.window_call(a));
        let flow = flow.or_else(|| self.type_call(a));
        if let Some(flow) = flow.or_else(|| self.file_call(a)) {
            return flow;
        }
        match a.procedure() {
            P::Initialized => self.give_flag(a[0].bits, self.caller.process().is_initialized()),
            P::Finalized => self.give_flag(a[0].bits, false),
            P::Query_thread => {
                self.caller.put_int(a[0].bits, 3);
                SUCCESS
            }
            P::Wtime | P::Wtick => Flow::Return(Scalar::known(
                (self.caller.budget().steps() as f64 * 1e-9).to_bits(),
            )),
            P::Get_address => {
                self.caller.put_long(a[1].bits, a[0].bits);
                SUCCESS
            }
            P::Aint_add => Flow::Return(Scalar::known(a[0].bits.wrapping_add(a[1].bits))),
            P::Aint_diff => Flow::Return(Scalar::known(a[0].bits.wrapping_sub(a[1].bits))),
            P::Alloc_mem => {
                let base = self.caller.allocate(a[0].bits, "MPI_Alloc_mem");
                self.caller.put_long(a[2].bits, base);
                SUCCESS
            }
            P::Pack_size => self.pack_size(a),
            P::Get_count | P::Get_elements | P::Get_elements_x => self.get_count(a),
            P::Dims_create => self.dims(a),
            _ => match a.procedure().signature().parameters() {
                [first, ..] if first.kind == Kind::Handle(Handle::Comm) => self.communicator_call(a),
                [first, ..] if first.kind == Kind::Handle(Handle::Group) => self.group_call(a),
                _ => self.caller.unknown_call(a.name()),
            },
        }
    }

    fn initialize(&mut self) -> Flow {
        self.caller.process_mut().initialize();
        let library = if self.library.abi.is_open_mpi() {
            "Open MPI"
        } else {
            "MPICH"
        };
        let kind = EventKind::Init {
            rank: farside_events::Rank(self.caller.rank()),
            size: self.caller.size(),
            pid: self.caller.rank(),
            library: library.into(),
        };
        self.caller.emit(kind);
        self.announce_communicators();
        SUCCESS
    }

    /// Which threads may call MPI, if not all may.
    fn tell_thread_level(&mut self, level: i32, name: &str) {
        if let Some(level) = ThreadLevel::of_number(level) {
            let stack = self.caller.stack();
            self.caller.emit(EventKind::ThreadLevel {
                level,
                name: name.into(),
                stack,
            });
        }
    }

    fn finalize(&mut self) -> Flow {
        let key = (Meets::Finalize, 0, 0);
        if self.caller.entered().is_none() {
            self.caller.enter(Call::Finalize);
            self.come(key, Vec::new());
        }
        if !self.have_come(key, self.caller.size() as usize) {
            return Flow::Block;
        }
        self.caller.done();
        self.caller.process_mut().finalize();
        self.caller.emit(EventKind::Exit);
        SUCCESS
    }

    fn give_flag(&mut self, at: u64, flag: bool) -> Flow {
        self.caller.put_int(at, i32::from(flag));
        SUCCESS
    }
}
