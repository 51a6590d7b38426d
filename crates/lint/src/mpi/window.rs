//! Windows (MPI-4.1 §12.2).

use super::SUCCESS;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::matching::Kind;
use crate::memory::Origin;
use crate::mpi::Mpi;
use crate::process::Entered;
use crate::value::Scalar;
use crate::windows;
use farside_calls::mpi::Procedure;
use farside_calls::signature::Role;
use farside_calls::window::Making;
use farside_events::{
    AccumulateHints, Call, Direction, EventKind, Fault, Interface, Mistake, Rank, SharedSegment, WinId,
    Window, WindowFlavor, WindowPromises,
};

impl Mpi<'_, '_> {
    /// What is asked and said of a window that exists; `None` if the function is another one.
    pub(crate) fn window_call(&mut self, a: &Invocation) -> Option<Flow> {
        Some(match a.procedure() {
            Procedure::Win_shared_query => self.shared_query(a),
            Procedure::Win_get_attr => self.attribute(a),
            Procedure::Win_get_group => {
                let Some(state) = self
                    .window(a[0].bits)
                    .and_then(|win| self.library.windows.get(win))
                else {
                    return Some(self.caller.unknown_call(a.name()));
                };
                let members = state.comm().members.clone();
                self.give_group(members, a[1].bits)
            }
            _ => return None,
        })
    }

    pub(crate) fn name_window(&mut self, a: &Invocation) -> Flow {
        if let Some(win) = self.window(a[Role::Window].bits) {
            let at = a[Role::Text].bits;
            let text = self.caller.memory(at).string(at);
            let name = String::from_utf8_lossy(&text).into();
            self.caller.emit(EventKind::WindowName { win, name });
        }
        SUCCESS
    }

    pub(crate) fn set_window_info(&mut self, a: &Invocation) -> Flow {
        if let Some(win) = self.window(a[Role::Window].bits) {
            let accumulates = self.accumulate_hints(a[Role::Info].bits);
            let kind = EventKind::WindowInfo { win, accumulates };
            self.caller.emit(kind);
            self.tell_promises(win, a[Role::Info].bits);
        }
        SUCCESS
    }

    /// Tells what an info object promises of a window, if it says something of that.
    fn tell_promises(&mut self, win: WinId, info: u64) {
        let info = self.caller.handles().info(info);
        let promises = WindowPromises::of_info(|key| info?.get(key).cloned());
        if promises != WindowPromises::default() {
            self.caller.emit(EventKind::WindowPromises { win, promises });
        }
    }

    /// The window of a handle.
    pub(crate) fn window(&self, handle: u64) -> Option<WinId> {
        self.caller.handles().win(handle)
    }

    pub(crate) fn create_window(&mut self, flavor: WindowFlavor, a: &Invocation) -> Flow {
        let call = self.read(a);
        let Making { base, size, unit, .. } = Making::of(flavor, &call);
        let Some(comm) = self.comm(a[Role::Communicator].bits) else {
            return self.caller.unknown_call(a.name());
        };
        let unit = u64::from(unit as u32);
        // Nobody leaves before all have announced their parts.
        if let Some(Entered::Meeting(key)) = self.caller.entered()
            && key.0 == Kind::Window
        {
            let announced = self.have_come(key, comm.members.len());
            return if announced {
                self.caller.done()
            } else {
                Flow::Block
            };
        }
        let first = self.caller.entered().is_none();
        if first && flavor == WindowFlavor::Create && a[Role::Size].is_known() {
            self.compare_with_object(a, base, size);
        }
        let base = match flavor {
            WindowFlavor::Allocate if first => self.caller.allocate(size, "window memory"),
            WindowFlavor::Shared if first => self.caller.allocate_shared(size, "window memory"),
            _ => base,
        };
        let members = comm.members.len();
        let words = vec![base, size, unit];
        let Some((sequence, meeting)) = self.meet(&comm, members, Direction::All, a.name(), words) else {
            return Flow::Block;
        };
        let base = meeting.word(self.caller.rank(), 0);
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
        self.caller.memory_mut(base).track(base, size);
        let window = Window {
            id,
            interface: Interface::Mpi,
            comm: comm.id,
            flavor,
            base,
            size,
            disp_unit: unit as u32,
            accumulates: self.accumulate_hints(a[Role::Info].bits),
            shared,
            stack: self.caller.stack(),
            handle: None,
        };
        self.caller.emit(EventKind::Window(window));
        self.tell_promises(id, a[Role::Info].bits);
        if flavor == WindowFlavor::Create {
            let by = ("MPI_Win_create", self.caller.stack());
            self.caller
                .handles_mut()
                .expose(id, base..base.saturating_add(size), by);
        }
        let word = |rank, index| meeting.word(rank, index);
        let parts = meeting
            .present()
            .map(|rank| (rank, (word(rank, 0), word(rank, 1), word(rank, 2))));
        let dynamic = flavor == WindowFlavor::Dynamic;
        let at = a[Role::Window].bits;
        let holder = self.caller.memory(at).object(at).and_then(|(base, object)| {
            let is_variable = object.origin() != Origin::Made;
            let element = object.element(at - base).filter(|_| is_variable)?;
            Some((object.clone(), element))
        });
        self.library.windows.add(id, || {
            windows::Window::new(comm, dynamic, parts.collect()).held_by(holder)
        });
        let handle = self.caller.handles_mut().add_win(id);
        self.put_handle(a[Role::Window].bits, handle);
        if a.has(Role::BasePointer) && a[Role::BasePointer].bits != 0 {
            self.caller.put_long(a[Role::BasePointer].bits, base);
        }
        let key = (Kind::Window, id.0, 0);
        self.come(key, Vec::new());
        Flow::Again
    }

    /// A window does not reach beyond the object that its memory is in (MPI-4.1 §12.2.1).
    fn compare_with_object(&mut self, a: &Invocation, base: u64, size: u64) {
        let object = self.caller.memory(base).object(base);
        let left = object.and_then(|(start, object)| Some(object.settled_size()? - (base - start)));
        if let Some(left) = left.filter(|left| size > *left) {
            let fault = Fault::Beyond { asked: size, left };
            let argument = "base".into();
            self.mistaken(a, Mistake::Argument { argument, fault });
        }
    }

    /// What an info object says of accumulates.
    fn accumulate_hints(&self, info: u64) -> AccumulateHints {
        let info = self.caller.handles().info(info);
        AccumulateHints::of_info(|key| info?.get(key).cloned())
    }

    pub(crate) fn free_window(&mut self, a: &Invocation) -> Flow {
        let handle = self.handle_at(a[Role::Window].bits);
        let Some(win) = self.window(handle) else {
            return SUCCESS;
        };
        let key = (Kind::Free, win.0, 0);
        if self.caller.entered().is_none() {
            self.caller.enter(Call::WinFree { win });
            self.come(key, Vec::new());
        }
        let members = self
            .library
            .windows
            .get(win)
            .map_or(0, |state| state.comm().members.len());
        if !self.have_come(key, members) {
            return Flow::Block;
        }
        let null = self.library.abi.null("win");
        self.put_handle(a[Role::Window].bits, null);
        self.caller.handles_mut().give_back(win, None);
        self.report_fetches(win, None);
        self.caller.done()
    }

    /// `MPI_Win_shared_query(win, rank, size, disp_unit, baseptr)`.
    fn shared_query(&mut self, a: &Invocation) -> Flow {
        let Some(state) = self
            .window(a[0].bits)
            .and_then(|win| self.library.windows.get(win))
        else {
            return self.caller.unknown_call(a.name());
        };
        let rank = a[1].signed32();
        let part = if rank == self.numbers().proc_null {
            state.first_part()
        } else {
            state.comm().member(rank).and_then(|member| state.part(member))
        };
        let (base, size, unit) = part.unwrap_or_default();
        // Both MPIs say so, though the standard does not.
        let base = if size == 0 { 0 } else { base };
        self.caller.put_long(a[2].bits, size);
        self.put_number(a, a[3].bits, unit as i64);
        self.caller.put_long(a[4].bits, base);
        SUCCESS
    }

    /// `MPI_Win_get_attr(win, key, value, flag)`: base, size and unit, which programs ask for; the unified model.
    fn attribute(&mut self, a: &Invocation) -> Flow {
        let part = self
            .window(a[0].bits)
            .and_then(|win| self.library.windows.get(win)?.part(self.caller.rank()));
        let (base, size, unit) = part.unwrap_or_default();
        // Open MPI counts from its predefined attributes' numbers, MPICH has handles.
        let value = match (self.library.abi.is_open_mpi(), a[1].signed32()) {
            (true, 7) | (false, 0x6600_0001) => base,
            (true, 8) | (false, 0x6600_0003) => self.value_object(size),
            (true, 9) | (false, 0x6600_0005) => self.value_object(unit),
            (true, _) => self.value_object(0),
            (false, _) => self.value_object(2),
        };
        self.caller.put_long(a[2].bits, value);
        self.caller.put_int(a[3].bits, 1);
        SUCCESS
    }

    /// A new place with this value, which a predefined attribute points to.
    pub(super) fn value_object(&mut self, value: u64) -> u64 {
        let memory = self.caller.process_mut().memory_mut();
        let at = memory.allocate(8, "attribute");
        memory.store(at, 8, Scalar::known(value));
        at
    }
}
