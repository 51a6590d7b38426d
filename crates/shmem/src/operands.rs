//! Operands of atomic operations that do not block: they are copied, and wait here until the transport has read them.
//!
//! The place of the result is no place for them: until the quiet it keeps what it had, and it may be the target itself.

use farside_fabric::Ticket;
use std::sync::{Mutex, PoisonError};

/// Operations that may be under way at a time; one more waits for the oldest.
const PLACES: usize = 64;

/// Two operands of at most 8 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Place {
    operands: [u64; 2],
    /// The operation that has it.
    ticket: Ticket,
}

/// The places of a PE, used in turns. They stay where they are: a transport has their addresses.
pub(crate) struct Operands(Mutex<(Box<[Place; PLACES]>, usize)>);

impl Operands {
    pub(crate) fn new() -> Self {
        let free = Place {
            operands: [0; 2],
            ticket: Ticket::DONE,
        };
        Self(Mutex::new((Box::new([free; PLACES]), 0)))
    }

    /// Starts an operation with copies of the operands. `start` gets their addresses, which are valid until its ticket
    /// is complete; `complete` waits for an operation.
    pub(crate) fn lend<T: Copy>(
        &self,
        values: [T; 2],
        start: impl FnOnce([*const T; 2]) -> Ticket,
        complete: impl Fn(Ticket),
    ) {
        const { assert!(size_of::<T>() <= size_of::<u64>() && align_of::<T>() <= align_of::<u64>()) };
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (places, next) = &mut *places;
        let place = &mut places[*next];
        complete(place.ticket);
        let at = (&raw mut place.operands).cast::<u64>();
        let addresses = [at.cast::<T>(), at.wrapping_add(1).cast::<T>()];
        for (address, value) in addresses.into_iter().zip(values) {
            // SAFETY: the words are of this place, which no operation has; a value fits into one.
            unsafe { address.write(value) };
        }
        place.ticket = start(addresses.map(<*mut T>::cast_const));
        if place.ticket != Ticket::DONE {
            *next = (*next + 1) % PLACES;
        }
    }
}
