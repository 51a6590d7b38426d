//! Counts and handles in the memory of the process that calls.

use super::Mpi;
use crate::invocation::Invocation;
use crate::value::Scalar;

impl Mpi<'_, '_> {
    /// An element of an array of counts.
    pub(super) fn number_at(&self, a: &Invocation, array: u64, index: usize) -> i64 {
        let width = a.number_width();
        let at = array.wrapping_add(width * index as u64);
        a.number(self.caller.memory(at).load(at, width))
    }

    /// Gives a count as a result.
    pub(super) fn put_number(&mut self, a: &Invocation, at: u64, number: i64) {
        let number = Scalar::known(number.cast_unsigned());
        self.caller.put(at, a.number_width(), number);
    }

    pub(super) fn handle_at(&self, at: u64) -> u64 {
        let size = self.numbers().handle_size;
        self.caller.memory(at).load(at, size).bits
    }

    pub(super) fn put_handle(&mut self, at: u64, handle: u64) {
        let size = self.numbers().handle_size;
        self.caller.put(at, size, Scalar::known(handle));
    }
}
