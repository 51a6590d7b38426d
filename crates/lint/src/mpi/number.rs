//! Counts and displacements among arguments: `int`, or `MPI_Count` and `MPI_Aint` in the forms with large counts
//! (MPI-4.1 §2.5.8).
//!
//! Forms with large counts are followed as those without, with wider numbers.

use crate::job::Job;
use crate::site::Site;
use crate::value::Scalar;

impl Job<'_> {
    /// An argument that is a count.
    pub(crate) fn number(&self, value: Scalar) -> i64 {
        if self.large_counts {
            value.bits as i64
        } else {
            i64::from(value.signed32())
        }
    }

    /// An element of an array of counts.
    pub(crate) fn number_at(&self, site: &Site, array: u64, index: usize) -> i64 {
        let width = if self.large_counts { 8 } else { 4 };
        let at = array.wrapping_add(width * index as u64);
        self.number(self.memory(site.rank, at).load(at, width))
    }

    /// Gives a count as a result.
    pub(crate) fn put_number(&mut self, site: &Site, at: u64, number: i64) {
        if self.large_counts {
            self.put_long(site, at, number as u64);
        } else {
            self.put_int(site, at, number as i32);
        }
    }
}
