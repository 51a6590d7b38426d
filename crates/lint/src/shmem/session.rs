//! Where the calls of a process begin and end (OpenSHMEM 1.5 §9.1).

use super::constants::Constants;
use super::symmetric::WORLD;
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::matching::{Kind, MeetingKey};
use crate::process::Entered;
use crate::value::Scalar;
use farside_calls::shmem::PREDEFINED;
use farside_events::{Call as Event, ChannelId, EventKind, Rank};

/// Where all meet that have made their static data symmetric.
const BEGUN: MeetingKey = (Kind::Window, 0, 0);
/// Where all meet at the end.
const OVER: MeetingKey = (Kind::Finalize, 0, 0);
/// Of one thread or all, the library allows all (`SHMEM_THREAD_MULTIPLE`).
const EVERY_LEVEL: i32 = 3;

impl Shmem<'_, '_> {
    /// `shmem_init`, `shmem_init_thread(requested, provided)`, `start_pes`: nobody goes on before all have come.
    pub(super) fn init(&mut self, call: &Call<'_>) -> Flow {
        if self.caller.entered().is_none() {
            if call.name() == "shmem_init_thread" && call.word(1) != 0 {
                self.caller.put_int(call.word(1), EVERY_LEVEL);
            }
            // A second call does nothing.
            if self.pe().has_begun() {
                return NOTHING;
            }
            self.begin();
            self.come(BEGUN);
            return Flow::Again;
        }
        self.wait_for_all(BEGUN)
    }

    /// The process begins. One that has initialised MPI has told of itself.
    pub(super) fn begin(&mut self) {
        let tells = !self.caller.process().is_initialized();
        if tells {
            self.caller.process_mut().initialize();
            let init = EventKind::Init {
                rank: Rank(self.caller.rank()),
                size: self.caller.size(),
                pid: self.caller.rank(),
                library: "OpenSHMEM 1.5, simulated".into(),
            };
            self.caller.emit(init);
            let members = (0..self.caller.size()).map(Rank).collect();
            self.caller.emit(EventKind::Comm { id: WORLD, members });
        }
        self.library.constants = Constants::of(self.caller);
        self.pe_mut().begin(tells);
        for (name, value) in PREDEFINED {
            if let Some(at) = self.caller.globals().address(self.caller.module(), name) {
                self.caller.put(at, 8, Scalar::known(value));
            }
        }
        self.make_statics();
    }

    /// `shmem_finalize`: all operations are complete, and all processes have come.
    pub(super) fn finalize(&mut self) -> Flow {
        if self.caller.entered().is_none() {
            self.complete(None);
            for object in self.pe().objects() {
                self.within(Event::UnlockAll { win: object.win() });
            }
            self.caller.enter(Event::Finalize);
            self.come(OVER);
        }
        if self.library.meetings.so_far(OVER) < self.caller.size() as usize {
            return Flow::Block;
        }
        let flow = self.caller.done();
        if self.pe_mut().end() {
            self.caller.process_mut().finalize();
            self.caller.emit(EventKind::Exit);
        }
        flow
    }

    /// `shmem_global_exit(status)`: ends all processes.
    pub(super) fn exit(&mut self, call: &Call<'_>) -> Flow {
        self.caller.give_up(call.name(), Some(call.int(0)));
        self.caller.process_mut().finish();
        Flow::Ended
    }

    /// The process comes to where all meet, without a call that the program makes.
    pub(super) fn come(&mut self, key: MeetingKey) {
        let rank = self.caller.rank();
        self.library.meetings.arrive(key, rank, Vec::new(), Vec::new());
        self.caller.set_entered(Entered::Meeting(key));
    }

    /// Goes on when all processes have come there.
    pub(super) fn wait_for_all(&mut self, key: MeetingKey) -> Flow {
        if self.library.meetings.so_far(key) < self.caller.size() as usize {
            return Flow::Block;
        }
        self.caller.clear_entered();
        NOTHING
    }

    /// Completes what was issued on the default context.
    pub(super) fn complete_default(&mut self) {
        self.complete(Some(ChannelId::DEFAULT));
    }
}
