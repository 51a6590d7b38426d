//! Windows (MPI-4.1 §12.2).

use super::SUCCESS;
use super::simulated::Simulated;
use crate::flow::Flow;
use crate::handles::HandleKind;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::Kind;
use crate::process::Entered;
use crate::site::Site;
use crate::value::Scalar;
use crate::windows;
use farside_calls::mpi::Procedure;
use farside_calls::signature::Role;
use farside_calls::window::Making;
use farside_events::{
    AccumulateHints, Call, Direction, EventKind, Rank, SharedSegment, WinId, Window, WindowFlavor,
};

impl Job<'_> {
    /// What is asked and said of a window that exists; `None` if the function is another one.
    pub(crate) fn window_call(&mut self, site: &Site, a: &Invocation) -> Option<Flow> {
        Some(match a.procedure() {
            Procedure::Win_shared_query => self.shared_query(site, a),
            Procedure::Win_get_attr => self.attribute(site, a),
            Procedure::Win_get_group => {
                let Some(state) = self.window(site, a[0].bits).and_then(|win| self.windows.get(win)) else {
                    return Some(self.unknown_call(site, a.name()));
                };
                let members = state.comm().members.clone();
                self.give_group(site, members, a[1].bits)
            }
            _ => return None,
        })
    }

    pub(crate) fn name_window(&mut self, site: &Site, a: &Invocation) -> Flow {
        if let Some(win) = self.window(site, a[Role::Window].bits) {
            let at = a[Role::Text].bits;
            let text = self.memory(site.rank, at).string(at);
            let name = String::from_utf8_lossy(&text).into();
            self.emit(site.at(), EventKind::WindowName { win, name });
        }
        SUCCESS
    }

    pub(crate) fn set_window_info(&mut self, site: &Site, a: &Invocation) -> Flow {
        if let Some(win) = self.window(site, a[Role::Window].bits) {
            let accumulates = self.accumulate_hints(site, a[Role::Info].bits);
            let kind = EventKind::WindowInfo { win, accumulates };
            self.emit(site.at(), kind);
        }
        SUCCESS
    }

    /// The window of a handle.
    pub(crate) fn window(&self, site: &Site, handle: u64) -> Option<WinId> {
        self.processes.of(site.rank).handles.win(handle)
    }

    pub(crate) fn create_window(&mut self, site: &Site, flavor: WindowFlavor, a: &Invocation) -> Flow {
        let call = Simulated {
            job: &mut *self,
            site,
            call: a,
        };
        let Making { base, size, unit, .. } = Making::of(flavor, &call);
        let Some(comm) = self.comm(site, a[Role::Communicator].bits) else {
            return self.unknown_call(site, a.name());
        };
        let unit = u64::from(unit as u32);
        // Nobody leaves before all have announced their parts.
        if let Some(Entered::Meeting(key)) = self.entered(site)
            && key.0 == Kind::Window
        {
            let announced = self.meetings.complete(key, comm.members.len()).is_some();
            return if announced { self.done(site) } else { Flow::Block };
        }
        let first = self.entered(site).is_none();
        let base = match flavor {
            WindowFlavor::Allocate if first => self
                .processes
                .of_mut(site.rank)
                .memory
                .allocate(size, "window memory"),
            WindowFlavor::Shared if first => self.processes.allocate_shared(size, "window memory"),
            _ => base,
        };
        let members = comm.members.len();
        let words = vec![base, size, unit];
        let Some((sequence, meeting)) = self.meet(site, &comm, members, Direction::All, a.name(), words)
        else {
            return Flow::Block;
        };
        let base = meeting.word(site.rank, 0);
        let id = WinId(comm.id.0.wrapping_mul(0x9e37_79b9).wrapping_add(sequence));
        let shared = match flavor {
            WindowFlavor::Shared => meeting
                .present()
                .map(|owner| SharedSegment {
                    owner: Rank(owner),
                    base: meeting.word(owner, 0),
                    size: meeting.word(owner, 1),
                })
                .collect(),
            _ => Vec::new(),
        };
        self.memory_mut(site.rank, base).track(base, size);
        let window = Window {
            id,
            comm: comm.id,
            flavor,
            base,
            size,
            disp_unit: unit as u32,
            accumulates: self.accumulate_hints(site, a[Role::Info].bits),
            shared,
            stack: site.stack,
        };
        self.emit(site.at(), EventKind::Window(window));
        let word = |rank, index| meeting.word(rank, index);
        let parts = meeting
            .present()
            .map(|rank| (rank, (word(rank, 0), word(rank, 1), word(rank, 2))));
        let dynamic = flavor == WindowFlavor::Dynamic;
        self.windows
            .add(id, || windows::Window::new(comm, dynamic, parts.collect()));
        let handles = &mut self.processes.of_mut(site.rank).handles;
        handles.wins.push(Some(id));
        let handle = HandleKind::Win.handle(handles.wins.len() - 1);
        self.put_handle(site, a[Role::Window].bits, handle);
        if a.has(Role::BasePointer) && a[Role::BasePointer].bits != 0 {
            self.put_long(site, a[Role::BasePointer].bits, base);
        }
        let key = (Kind::Window, id.0, 0);
        self.meetings.arrive(key, site.rank, Vec::new(), Vec::new());
        self.set_entered(site, Entered::Meeting(key));
        Flow::Again
    }

    /// What an info object says of accumulates.
    fn accumulate_hints(&self, site: &Site, info: u64) -> AccumulateHints {
        let info = self.info(site, info);
        AccumulateHints::of_info(|key| info.get(key).cloned())
    }

    pub(crate) fn free_window(&mut self, site: &Site, a: &Invocation) -> Flow {
        let handle = self.handle_at(site, a[Role::Window].bits);
        let Some(win) = self.window(site, handle) else {
            return SUCCESS;
        };
        let key = (Kind::Free, win.0, 0);
        if self.entered(site).is_none() {
            self.enter(site, Call::WinFree { win });
            self.meetings.arrive(key, site.rank, Vec::new(), Vec::new());
            self.set_entered(site, Entered::Meeting(key));
        }
        let members = self
            .windows
            .get(win)
            .map_or(0, |state| state.comm().members.len());
        if self.meetings.complete(key, members).is_none() {
            return Flow::Block;
        }
        let null = self.abi.null("win");
        self.put_handle(site, a[Role::Window].bits, null);
        self.report_fetches(site, win, None);
        self.done(site)
    }

    /// `MPI_Win_shared_query(win, rank, size, disp_unit, baseptr)`.
    fn shared_query(&mut self, site: &Site, a: &Invocation) -> Flow {
        let Some(state) = self.window(site, a[0].bits).and_then(|win| self.windows.get(win)) else {
            return self.unknown_call(site, a.name());
        };
        let rank = a[1].signed32();
        let part = if rank == self.abi.numbers.proc_null {
            state.first_part()
        } else {
            state.comm().member(rank).and_then(|member| state.part(member))
        };
        let (base, size, unit) = part.unwrap_or_default();
        self.put_long(site, a[2].bits, size);
        self.put_number(site, a[3].bits, unit as i64);
        self.put_long(site, a[4].bits, base);
        SUCCESS
    }

    /// `MPI_Win_get_attr(win, key, value, flag)`: base, size and unit, which programs ask for; the unified model.
    fn attribute(&mut self, site: &Site, a: &Invocation) -> Flow {
        let part = self
            .window(site, a[0].bits)
            .and_then(|win| self.windows.get(win)?.part(site.rank));
        let (base, size, unit) = part.unwrap_or_default();
        // Open MPI counts from its predefined attributes' numbers, MPICH has handles.
        let value = match (self.abi.is_open_mpi(), a[1].signed32()) {
            (true, 7) | (false, 0x6600_0001) => base,
            (true, 8) | (false, 0x6600_0003) => self.value_object(site, size),
            (true, 9) | (false, 0x6600_0005) => self.value_object(site, unit),
            (true, _) => self.value_object(site, 0),
            (false, _) => self.value_object(site, 2),
        };
        self.put_long(site, a[2].bits, value);
        self.put_int(site, a[3].bits, 1);
        SUCCESS
    }

    /// A new place with this value, which a predefined attribute points to.
    pub(super) fn value_object(&mut self, site: &Site, value: u64) -> u64 {
        let memory = &mut self.processes.of_mut(site.rank).memory;
        let at = memory.allocate(8, "attribute");
        memory.store(at, 8, Scalar::known(value));
        at
    }
}
