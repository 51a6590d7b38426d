//! `gaspi_proc_init` and `gaspi_proc_term` (GASPI 17.1 §5.3).

use super::{Gaspi, WORLD, code};
use crate::flow::Flow;
use crate::matching::{Kind, MeetingKey};
use crate::process::Entered;
use farside_events::{Call as Event, EventKind, Rank};

/// Where all meet that have begun.
const BEGUN: MeetingKey = (Kind::Window, 0, 0);

impl Gaspi<'_, '_> {
    /// `gaspi_proc_init(timeout)`: nobody goes on before all have come.
    pub(super) fn init(&mut self) -> Flow {
        if self.caller.entered().is_none() {
            if self.state().has_begun() {
                return code::INITIALISED;
            }
            self.begin();
            self.come(BEGUN);
            return Flow::Again;
        }
        self.wait_for_all(BEGUN)
    }

    /// The rank begins. One that has initialised MPI has told of itself.
    pub(super) fn begin(&mut self) {
        let tells = !self.caller.process().is_initialized();
        if tells {
            self.caller.process_mut().initialize();
            let init = EventKind::Init {
                rank: Rank(self.caller.rank()),
                size: self.caller.size(),
                pid: self.caller.rank(),
                library: "GASPI, simulated".into(),
            };
            self.caller.emit(init);
            let members = (0..self.caller.size()).map(Rank).collect();
            self.caller.emit(EventKind::Comm { id: WORLD, members });
        }
        self.state_mut().begin(tells);
    }

    /// `gaspi_proc_term(timeout)`: this rank takes no part any more. It waits for nobody.
    pub(super) fn term(&mut self) -> Flow {
        self.tell_what_is_left();
        if self.state_mut().end() {
            self.within(Event::Finalize);
            self.caller.process_mut().finalize();
            self.caller.emit(EventKind::Exit);
        }
        code::SUCCESS
    }

    /// The rank comes to where all meet, without a call that the program makes.
    fn come(&mut self, key: MeetingKey) {
        let rank = self.caller.rank();
        self.library.meetings.arrive(key, rank, Vec::new(), Vec::new());
        self.caller.set_entered(Entered::Meeting(key));
    }

    /// Goes on when all ranks have come there.
    fn wait_for_all(&mut self, key: MeetingKey) -> Flow {
        if self.library.meetings.so_far(key) < self.caller.size() as usize {
            return Flow::Block;
        }
        self.caller.clear_entered();
        code::SUCCESS
    }

    /// A call that is entered and left at once.
    pub(super) fn within(&mut self, call: Event) {
        self.caller.enter(call);
        self.caller.emit(EventKind::Leave(farside_events::Outcome::Done));
    }
}
