//! What is under way: contexts, which libfabric holds while an operation runs, and operations as users see them.

use farside_fabric::{Rank, Scope};
use std::ffi::c_void;
use std::ptr::NonNull;

use crate::wire::Mark;

/// Longest put that is copied when it starts, so that its origin is free at once, in bytes.
pub(super) const INLINE: usize = 64;

/// Names an operation: its place, and how often the place was used before. Never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) u64);

impl Handle {
    fn index(self) -> usize {
        (self.0 & u64::from(u32::MAX)) as usize
    }
}

/// What a context is used for.
#[derive(Debug)]
pub(super) enum Work {
    /// Nothing.
    Free,
    /// A buffer for a message is offered.
    Receive(Vec<u8>),
    /// A message runs. It may be the end of an operation.
    Send {
        target: Rank,
        /// Kept until it is sent.
        #[allow(dead_code)]
        message: Vec<u8>,
        operation: Option<Handle>,
    },
    /// A piece of a put or get runs.
    Piece { target: Rank, operation: Handle },
}

/// Memory that libfabric uses while an operation runs, by the modes `FI_CONTEXT` and `FI_CONTEXT2`, and ours after it.
#[repr(C)]
pub(super) struct Context {
    scratch: [*mut c_void; 8],
    pub(super) inline: [u8; INLINE],
    pub(super) work: Work,
}

/// Contexts, used again and again. They stay where they are until the pool is dropped.
#[derive(Default)]
pub(super) struct Contexts {
    all: Vec<NonNull<Context>>,
    free: Vec<NonNull<Context>>,
}

// SAFETY: the contexts belong to the pool; buffers in them are plain memory.
unsafe impl Send for Contexts {}

impl Contexts {
    /// A context for some work.
    pub(super) fn take(&mut self, work: Work) -> NonNull<Context> {
        let context = self.free.pop().unwrap_or_else(|| {
            let new = NonNull::from(Box::leak(Box::new(Context {
                scratch: [std::ptr::null_mut(); 8],
                inline: [0; INLINE],
                work: Work::Free,
            })));
            self.all.push(new);
            new
        });
        // SAFETY: it is free: nobody else has it.
        unsafe { (*context.as_ptr()).work = work };
        context
    }

    /// Gives a context back; what it was used for.
    ///
    /// # Safety
    /// It comes from `take` of this pool, once, and libfabric is done with it.
    pub(super) unsafe fn give_back(&mut self, context: NonNull<Context>) -> Work {
        self.free.push(context);
        // SAFETY: by the caller.
        unsafe { std::mem::replace(&mut (*context.as_ptr()).work, Work::Free) }
    }
}

impl Drop for Contexts {
    fn drop(&mut self) {
        for context in self.all.drain(..) {
            // SAFETY: made from a box by `take`; the port is shut before its engine drops this (see `Engine`'s fields).
            drop(unsafe { Box::from_raw(context.as_ptr()) });
        }
    }
}

/// An operation of a user that is not complete.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) scope: Scope,
    pub(super) target: Rank,
    /// Pieces that run, and one more while pieces are being started.
    pub(super) pieces: u32,
    /// Its origin buffers are in use.
    pub(super) holds_buffers: bool,
    /// What the target is to learn by a message when all pieces are visible.
    pub(super) mark: Option<Mark>,
    /// Where what was there goes, of atomic operations.
    pub(super) results: Option<Results>,
}

/// Where results of atomic operations go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Results {
    pub(super) base: NonNull<u8>,
    pub(super) bytes: usize,
    /// Displacement at the target that belongs to the first byte.
    pub(super) displacement: u64,
}

// SAFETY: an address of a buffer that the user leaves alone until completion (`Fabric::fetch`), on any thread.
unsafe impl Send for Results {}

/// Operations by handle.
#[derive(Default)]
pub(super) struct Operations {
    slots: Vec<(u32, Option<Operation>)>,
    free: Vec<u32>,
}

impl Operations {
    pub(super) fn insert(&mut self, operation: Operation) -> Handle {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            (self.slots.len() - 1) as u32
        });
        let (generation, slot) = &mut self.slots[index as usize];
        *generation = generation.wrapping_add(1).max(1);
        *slot = Some(operation);
        Handle(u64::from(*generation) << 32 | u64::from(index))
    }

    pub(super) fn get(&mut self, handle: Handle) -> Option<&mut Operation> {
        let (generation, slot) = self.slots.get_mut(handle.index())?;
        (u64::from(*generation) == handle.0 >> 32)
            .then_some(slot.as_mut())
            .flatten()
    }

    pub(super) fn remove(&mut self, handle: Handle) -> Option<Operation> {
        self.get(handle)?;
        self.free.push(handle.index() as u32);
        self.slots[handle.index()].1.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation() -> Operation {
        Operation {
            scope: Scope(0),
            target: 1,
            pieces: 1,
            holds_buffers: false,
            mark: None,
            results: None,
        }
    }

    #[test]
    fn a_handle_is_not_that_of_the_next_operation_in_its_place() {
        let mut operations = Operations::default();
        let first = operations.insert(operation());
        assert!(operations.remove(first).is_some());
        let second = operations.insert(operation());
        assert_eq!(first.index(), second.index());
        assert!(operations.get(first).is_none() && operations.remove(first).is_none());
        assert!(operations.get(second).is_some());
        assert!(first.0 != 0 && operations.get(Handle(77)).is_none());
    }
}
