//! Symmetric memory that is allocated and freed (OpenSHMEM 1.5 §9.3), and that of others that is mapped here.
//!
//! The heaps of all processes lie in the memory that all of them see, each object at an address of its own, so that
//! `shmem_ptr` gives addresses that loads and stores work with.

use super::symmetric::{Object, WORLD};
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::matching::{Kind, MeetingKey};
use crate::memory::Content;
use crate::process::Entered;
use crate::value::{MAPPED, Scalar};
use farside_events::{Call as Event, Direction, EventKind, Rank, SharedSegment, WindowFlavor};

impl Shmem<'_, '_> {
    /// `shmem_malloc` and its like: collective, with a barrier at its end. Nothing happens for no bytes.
    pub(super) fn allocate_call(&mut self, call: &Call<'_>, (bytes, times): (usize, Option<usize>)) -> Flow {
        let times = times.map_or(1, |times| call.word(times));
        let size = call.word(bytes).saturating_mul(times);
        // `shmem_align(alignment, size)`
        let alignment = if bytes == 1 { call.word(0) } else { 1 };
        self.allocate(call, size, alignment, None)
    }

    /// An object of this size, which holds at first what an old one held.
    fn allocate(&mut self, call: &Call<'_>, size: u64, alignment: u64, old: Option<Content>) -> Flow {
        if size == 0 {
            return NOTHING;
        }
        if let Some(Entered::Meeting(key)) = self.caller.entered()
            && key.0 == Kind::Window
        {
            let base = self.base_of(key);
            return self.wait_for_all(key).map_return(base);
        }
        if self.caller.entered().is_none() {
            self.complete_default();
            let alignment = alignment.clamp(1, 1 << 20).next_power_of_two();
            let room = size.saturating_add(alignment.saturating_sub(64));
            let base = self.caller.allocate_shared(room, "window memory");
            let base = base.next_multiple_of(alignment);
            let sequence = self.enter_together(call, WORLD, Direction::All, vec![base], None);
            self.agree((WORLD, sequence), "the size", size);
        }
        let members = self.caller.size() as usize;
        let Some(key) = self.met(members) else {
            return Flow::Block;
        };
        let base = self.base_of(key);
        self.caller.done();
        if let Some(old) = old {
            let kept = old.part(0, size);
            self.caller.memory_mut(base).put_content(base, &kept);
        }
        self.caller.memory_mut(base).track(base, size);
        self.make(base, size, WindowFlavor::Allocate);
        // Nobody uses the object before all have made it.
        let made = (Kind::Window, key.1, key.2);
        let rank = self.caller.rank();
        self.library.meetings.arrive(made, rank, vec![base], Vec::new());
        self.caller.set_entered(Entered::Meeting(made));
        Flow::Again
    }

    /// Where the object of this process lies that it has brought to a meeting.
    fn base_of(&self, key: MeetingKey) -> u64 {
        let meeting = self.library.meetings.complete(key, 0);
        meeting.map_or(0, |meeting| meeting.word(self.caller.rank(), 0))
    }

    /// `shmem_free(object)`: collective, with a barrier at its beginning.
    pub(super) fn free(&mut self, call: &Call<'_>) -> Flow {
        let base = call.word(0);
        if base == 0 {
            return NOTHING;
        }
        match self.release(base, call) {
            Some(flow) => flow,
            None => self.caller.done(),
        }
    }

    /// An object comes to its end, in a call of all; `None` when all have come, and the call is to be left.
    fn release(&mut self, base: u64, call: &Call<'_>) -> Option<Flow> {
        if self.caller.entered().is_none() {
            let Some(object) = self.allocation_at(call, base) else {
                return Some(NOTHING);
            };
            let win = object.win();
            self.complete_default();
            self.within(Event::UnlockAll { win });
            self.caller.enter(Event::WinFree { win });
            self.come((Kind::Free, win.0, 0));
        }
        let Some(Entered::Meeting(key)) = self.caller.entered() else {
            return Some(Flow::Block);
        };
        if self.library.meetings.so_far(key) < self.caller.size() as usize {
            return Some(Flow::Block);
        }
        let by = (call.name(), self.caller.stack());
        self.pe_mut().forget_object(base, by);
        None
    }

    /// `shmem_realloc(object, size)`: the old object comes to its end, and a new one begins with what it held.
    pub(super) fn reallocate(&mut self, call: &Call<'_>) -> Flow {
        let (base, size) = (call.word(0), call.word(1));
        let frees = match self.caller.entered() {
            None => base != 0,
            Some(Entered::Meeting(key)) => key.0 == Kind::Free,
            Some(_) => false,
        };
        if frees {
            if let Some(flow) = self.release(base, call) {
                return flow;
            }
            self.caller.done();
        }
        // What is freed keeps its bytes, for addresses are never used twice.
        let old = self
            .caller
            .memory(base)
            .object(base)
            .map(|(at, object)| at + object.size - base);
        let old = old.filter(|_| base != 0);
        let old = old.map(|bytes| self.caller.memory(base).content(base, bytes.min(size)));
        self.allocate(call, size, 1, old)
    }

    /// `shmem_ptr(object, pe)`: the part of another process is mapped here.
    pub(super) fn pointer(&mut self, call: &Call<'_>) -> Flow {
        let (address, pe) = (call.word(0), call.int(1));
        let Some(target) = self.world_rank(pe) else {
            return NOTHING;
        };
        let Some(object) = self.pe().object(address) else {
            return NOTHING;
        };
        if target == self.caller.rank() {
            return NOTHING.map_return(address);
        }
        if !self.caller.on_own_node().contains(&target) {
            return NOTHING;
        }
        let part = self.library.pes[target as usize].part(object.win());
        let Some(part) = part.filter(|part| part.base() >= crate::layout::SHARED) else {
            return NOTHING;
        };
        self.map(object, target, part);
        let there = part.base() + object.displacement(address).cast_unsigned();
        // It need not be mapped (§9.3.4).
        Flow::Return(Scalar {
            bits: there,
            symbol: MAPPED,
        })
    }

    fn map(&mut self, object: Object, owner: u32, part: Object) {
        if self.pe_mut().map(object.win(), owner) {
            let segment = SharedSegment {
                owner: Rank(owner),
                base: part.base(),
                size: part.size(),
            };
            self.caller.emit(EventKind::Mapped {
                win: object.win(),
                segment,
            });
        }
    }
}
