//! Segments (GASPI 17.1 §7): which memory of this rank other ranks reach by which number.

use super::state::Segment;
use super::{Call, Gaspi, WORLD, code, mix};
use crate::flow::Flow;
use crate::matching::Kind;
use crate::process::Entered;
use farside_calls::gaspi::Memory;
use farside_events::{AccumulateHints, Call as Event, EventKind, Interface, WinId, Window, WindowFlavor};

/// The window that a segment number is.
pub(super) fn window(number: u8) -> WinId {
    WinId(mix(("segment", number)))
}

impl Gaspi<'_, '_> {
    /// `gaspi_segment_alloc(segment, size, alloc)`, `gaspi_segment_bind(segment, pointer, size, description)`.
    pub(super) fn allocate(&mut self, call: &Call<'_>, memory: Memory) -> Flow {
        self.make(call, memory);
        code::SUCCESS
    }

    /// `gaspi_segment_create(segment, size, group, timeout, alloc)`, `gaspi_segment_use(segment, pointer, size, group,
    /// timeout, description)`: the ranks of the group meet, and once more when each has told where its part lies.
    pub(super) fn create(&mut self, call: &Call<'_>, memory: Memory) -> Flow {
        let place = match memory {
            Memory::Allocated => 2,
            Memory::Bound => 3,
        };
        let (group, timeout) = (call.small(place), call.word(place + 1));
        let Some((members, _)) = self.committed(group) else {
            return code::NO_GROUP;
        };
        if let Some(Entered::Meeting(key)) = self.caller.entered()
            && key.0 == Kind::Window
        {
            if self.library.meetings.so_far(key) < members.len() {
                return Flow::Block;
            }
            self.caller.clear_entered();
            return code::SUCCESS;
        }
        let key = match self.come_together(call, group, timeout, None, &[]) {
            Ok(key) => key,
            Err(flow) => return flow,
        };
        self.make(call, memory);
        // Nobody uses a part before all have made theirs.
        let made = (Kind::Window, key.1, key.2 + 1);
        let rank = self.caller.rank();
        self.library.meetings.arrive(made, rank, Vec::new(), Vec::new());
        self.caller.set_entered(Entered::Meeting(made));
        Flow::Again
    }

    /// The segment of a call exists from now on.
    fn make(&mut self, call: &Call<'_>, memory: Memory) {
        let number = call.small(0);
        let (base, size, flavor) = match memory {
            Memory::Allocated => {
                let size = call.word(1);
                (
                    self.caller.allocate(size, "segment"),
                    size,
                    WindowFlavor::Allocate,
                )
            }
            Memory::Bound => (call.word(1), call.word(2), WindowFlavor::Create),
        };
        let window = Window {
            id: window(number),
            interface: Interface::Gaspi,
            comm: WORLD,
            flavor,
            base,
            size,
            disp_unit: 1,
            accumulates: AccumulateHints::ANY_UNORDERED,
            shared: Vec::new(),
            stack: self.caller.stack(),
            handle: None,
        };
        self.caller.emit(EventKind::Window(window));
        self.caller.memory_mut(base).track(base, size);
        self.state_mut().add_segment(number, Segment::new(base, size));
    }

    /// `gaspi_segment_delete(segment)`.
    pub(super) fn delete(&mut self, call: &Call<'_>) -> Flow {
        let number = call.small(0);
        if self.state_mut().forget_segment(number).is_none() {
            return code::NO_SEGMENT;
        }
        self.within(Event::WinWithdraw { win: window(number) });
        code::SUCCESS
    }
}
