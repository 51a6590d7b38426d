//! Segments (GASPI 17.1 §7): which memory of this rank other ranks reach by which number.
//!
//! A segment number is one window of the job: ranks that have a segment of this number have a part. Where a part lies
//! only its rank knows; a request names it by a number and an offset, and so does its recording.

use super::meeting::Meeting;
use super::{After, Call, SUCCESS, enter, group, leave};
use crate::abi::symbol;
use crate::memory;
use crate::mpi::mix;
use crate::recorder::define;
use farside_calls::gaspi::Memory;
use farside_events::{
    AccumulateHints, Call as Event, EventKind, Interface, StackId, WinId, Window, WindowFlavor,
};
use std::ffi::c_void;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A segment of this rank.
#[derive(Clone, Copy, Debug)]
struct Segment {
    base: usize,
    size: usize,
}

/// By number.
static SEGMENTS: RwLock<[Option<Segment>; 256]> = RwLock::new([None; 256]);

fn segments() -> RwLockReadGuard<'static, [Option<Segment>; 256]> {
    SEGMENTS.read().unwrap_or_else(PoisonError::into_inner)
}

fn segments_mut() -> RwLockWriteGuard<'static, [Option<Segment>; 256]> {
    SEGMENTS.write().unwrap_or_else(PoisonError::into_inner)
}

/// The window that a segment number is.
pub(super) fn window(number: u8) -> WinId {
    WinId(mix([11, number.into()]))
}

/// The address of a range of a segment of this rank, if it lies in it.
pub(super) fn address(number: u8, offset: u64, size: u64) -> Option<usize> {
    let segment = segments()[usize::from(number)]?;
    let end = offset.checked_add(size)?;
    (end <= segment.size as u64).then(|| segment.base + offset as usize)
}

/// The bytes of a segment of this rank.
pub(super) fn size(number: u8) -> Option<u64> {
    Some(segments()[usize::from(number)]?.size as u64)
}

/// The bytes of a segment of another rank, which a call was refused for, so that the library knows them.
pub(super) fn size_at(number: u8, rank: u32) -> Option<u64> {
    let function = symbol::next(c"gaspi_segment_size")?;
    let mut size = 0_u64;
    // SAFETY: a function of GPI-2 with this signature, with room for what it writes.
    let code = unsafe {
        let function: unsafe extern "C-unwind" fn(u8, u16, *mut u64) -> i32 = std::mem::transmute(function);
        function(number, u16::try_from(rank).ok()?, &raw mut size)
    };
    (code == SUCCESS).then_some(size)
}

/// `gaspi_segment_alloc(segment, size, alloc)`, `gaspi_segment_bind(segment, pointer, size, description)`.
pub(super) fn allocate(memory: Memory) -> After {
    Some(Box::new(move |call: &Call, code| {
        if code == SUCCESS {
            make(call, memory);
        }
    }))
}

/// `gaspi_segment_create(segment, size, group, timeout, alloc)`, `gaspi_segment_use(segment, pointer, size, group,
/// timeout, description)`: the ranks of the group meet. They meet once more when each has told where its part lies,
/// before any of them uses a part.
pub(super) fn create(call: &Call, memory: Memory) -> After {
    let place = match memory {
        Memory::Allocated => 2,
        Memory::Bound => 3,
    };
    let number = call.small(place);
    let meeting = Meeting::begin(call, (number, group::comm(number)), call.word(place + 1), &[])?;
    Some(Box::new(move |call: &Call, code| {
        meeting.end(code);
        if code == SUCCESS {
            make(call, memory);
            group::meet(number);
        }
    }))
}

/// `gaspi_segment_delete(segment)`.
pub(super) fn delete(call: &Call) -> After {
    let number = call.small(0);
    let segment = segments()[usize::from(number)]?;
    Some(Box::new(move |call: &Call, code| {
        if code == SUCCESS {
            segments_mut()[usize::from(number)] = None;
            enter(Event::WinWithdraw { win: window(number) }, call.stack());
            leave();
            memory::untrack(segment.base, segment.size);
        }
    }))
}

/// All segments are no more.
pub(super) fn forget_all() {
    for segment in segments_mut().iter_mut().filter_map(Option::take) {
        memory::untrack(segment.base, segment.size);
    }
}

/// The segment of a call exists from now on.
fn make(call: &Call, memory: Memory) {
    let number = call.small(0);
    let (base, size, flavor) = match memory {
        Memory::Allocated => (pointer(number), call.address(1), WindowFlavor::Allocate),
        Memory::Bound => (Some(call.address(1)), call.address(2), WindowFlavor::Create),
    };
    if let Some(base) = base {
        expose(number, Segment { base, size }, flavor, call.stack());
    }
}

fn expose(number: u8, segment: Segment, flavor: WindowFlavor, stack: StackId) {
    define(EventKind::Window(Window {
        id: window(number),
        interface: Interface::Gaspi,
        comm: group::world(),
        flavor,
        base: segment.base as u64,
        size: segment.size as u64,
        disp_unit: 1,
        accumulates: AccumulateHints::ANY_UNORDERED,
        shared: Vec::new(),
        stack,
        handle: None,
    }));
    memory::track(segment.base, segment.size);
    segments_mut()[usize::from(number)] = Some(segment);
}

/// Where a segment of this rank lies, as the library says.
fn pointer(number: u8) -> Option<usize> {
    let function = symbol::next(c"gaspi_segment_ptr")?;
    let mut pointer: *mut c_void = std::ptr::null_mut();
    // SAFETY: a function of the library with this signature (§7.4.3), with room for what it writes.
    let code = unsafe {
        let function: unsafe extern "C-unwind" fn(u8, *mut *mut c_void) -> i32 =
            std::mem::transmute(function);
        function(number, &raw mut pointer)
    };
    (code == SUCCESS && !pointer.is_null()).then_some(pointer as usize)
}
