//! Counts and displacements among arguments: `int`, or `MPI_Count` and `MPI_Aint` in the forms with large counts (MPI-4.1 §2.5.8).
//!
//! Functions whose names end in `_c` are followed as those without, with wider numbers.

use crate::job::Job;
use crate::thread::Site;
use crate::value::Scalar;

/// The name of the form without large counts, and whether this one has them.
pub(super) fn plain(name: &str) -> (&str, bool) {
    match name.strip_suffix("_c") {
        Some(plain) => (plain, true),
        None => (name, false),
    }
}

impl Job<'_> {
    /// An argument that is a count.
    pub(crate) fn number(&self, value: Scalar) -> i64 {
        if self.large_counts {
            value.bits as i64
        } else {
            i64::from(value.signed32())
        }
    }

    /// The same, nothing being the least.
    pub(crate) fn count(&self, value: Scalar) -> u64 {
        u64::try_from(self.number(value)).unwrap_or(0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_forms_have_the_names_of_the_others() {
        assert_eq!(plain("MPI_Put_c"), ("MPI_Put", true));
        assert_eq!(plain("MPI_Bcast_init_c"), ("MPI_Bcast_init", true));
        assert_eq!(plain("MPI_Type_vector"), ("MPI_Type_vector", false));
    }
}
