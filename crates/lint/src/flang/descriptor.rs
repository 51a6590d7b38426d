//! Descriptors of arrays and pointers, as flang lays them out (`CFI_cdesc_t`, Fortran 2018 §18.5.3).

use crate::job::Job;
use crate::site::Site;
use crate::value::{Scalar, signed};
use farside_events::AccessKind;

/// More elements are not followed one by one.
const MOST_ELEMENTS: u64 = 1 << 16;

/// What a descriptor says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Descriptor {
    /// Address of the first element; 0 if there is none.
    pub(super) base: u64,
    /// Bytes of an element.
    pub(super) element: u64,
    /// Whether it stands for an allocatable variable.
    pub(super) allocatable: bool,
    /// Lower bound, extent, and bytes from one element to the next, for each dimension.
    pub(super) dimensions: Vec<(i64, u64, i64)>,
}

/// Where the dimensions begin, and how long each is.
const DIMENSIONS: u64 = 24;
const DIMENSION: u64 = 24;
const RANK: u64 = 20;
const ATTRIBUTE: u64 = 22;
/// The attribute of allocatable variables.
const ALLOCATABLE: u64 = 2;

impl Descriptor {
    /// The number of elements.
    pub(super) fn count(&self) -> u64 {
        self.dimensions
            .iter()
            .fold(1, |count, (_, extent, _)| count.saturating_mul(*extent))
    }

    /// Bytes of all elements.
    pub(super) fn size(&self) -> u64 {
        self.count().saturating_mul(self.element)
    }

    /// Whether the elements follow one another without gaps.
    pub(super) fn is_contiguous(&self) -> bool {
        let mut expected = self.element as i64;
        for (_, extent, step) in &self.dimensions {
            if *extent != 1 && *step != expected {
                return false;
            }
            expected = expected.wrapping_mul(*extent as i64);
        }
        true
    }

    /// The same elements in an order without gaps, at another place.
    pub(super) fn packed(mut self, base: u64) -> Self {
        let mut step = self.element as i64;
        for (_, extent, own) in &mut self.dimensions {
            *own = step;
            step = step.wrapping_mul(*extent as i64);
        }
        self.base = base;
        self
    }

    /// Runs of bytes without gaps, in the order of the elements: address and size.
    pub(super) fn runs(&self) -> Vec<(u64, u64)> {
        if self.base == 0 || self.count() == 0 {
            return Vec::new();
        }
        if self.is_contiguous() {
            return vec![(self.base, self.size())];
        }
        (0..self.count().min(MOST_ELEMENTS))
            .map(|index| (self.address(index), self.element))
            .collect()
    }

    /// The address of an element, by its number in the order of Fortran.
    pub(super) fn address(&self, mut index: u64) -> u64 {
        let mut at = self.base;
        for (_, extent, step) in &self.dimensions {
            let extent = (*extent).max(1);
            at = at.wrapping_add_signed(step.wrapping_mul((index % extent) as i64));
            index /= extent;
        }
        at
    }
}

impl Job<'_> {
    pub(super) fn descriptor(&self, site: &Site, at: u64) -> Descriptor {
        let word = |at: u64, size: u64| self.memory(site.rank, at).load(at, size).bits;
        let rank = word(at + RANK, 1).min(15);
        let dimension = |index: u64| {
            let at = at + DIMENSIONS + DIMENSION * index;
            (
                word(at, 8) as i64,
                word(at + 8, 8) as i64,
                signed(word(at + 16, 8), 64),
            )
        };
        Descriptor {
            base: word(at, 8),
            element: word(at + 8, 8),
            allocatable: word(at + ATTRIBUTE, 1) == ALLOCATABLE,
            dimensions: (0..rank)
                .map(dimension)
                .map(|(lower, extent, step)| (lower, extent.max(0) as u64, step))
                .collect(),
        }
    }

    pub(super) fn put_descriptor(&mut self, site: &Site, at: u64, descriptor: &Descriptor) {
        let memory = self.memory_mut(site.rank, at);
        memory.store(at, 8, Scalar::known(descriptor.base));
        memory.store(at + 8, 8, Scalar::known(descriptor.element));
        memory.store(at + RANK, 1, Scalar::known(descriptor.dimensions.len() as u64));
        for (index, (lower, extent, step)) in descriptor.dimensions.iter().enumerate() {
            let at = at + DIMENSIONS + DIMENSION * index as u64;
            memory.store(at, 8, Scalar::known(*lower as u64));
            memory.store(at + 8, 8, Scalar::known(*extent));
            memory.store(at + 16, 8, Scalar::known(*step as u64));
        }
    }

    /// Reads all elements, as an access of the program.
    pub(super) fn read_elements(&mut self, site: &Site, name: &str, descriptor: &Descriptor) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, size) in descriptor.runs() {
            self.library_access(site, name, AccessKind::Load, at, size);
            bytes.extend(self.memory(site.rank, at).bytes(at, size));
        }
        bytes
    }

    /// Writes all elements, as an access of the program. Too few bytes are repeated: a scalar fills an array.
    pub(super) fn write_elements(&mut self, site: &Site, name: &str, descriptor: &Descriptor, bytes: &[u8]) {
        let mut source = bytes.iter().copied().cycle();
        for (at, size) in descriptor.runs() {
            self.library_access(site, name, AccessKind::Store, at, size);
            if !bytes.is_empty() {
                let part: Vec<u8> = source.by_ref().take(size.min(1 << 26) as usize).collect();
                self.memory_mut(site.rank, at).write(at, &part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(dimensions: &[(u64, i64)]) -> Descriptor {
        Descriptor {
            base: 1000,
            element: 4,
            allocatable: false,
            dimensions: dimensions
                .iter()
                .map(|(extent, step)| (1, *extent, *step))
                .collect(),
        }
    }

    #[test]
    fn a_whole_matrix_is_one_run() {
        assert_eq!(descriptor(&[(3, 4), (2, 12)]).runs(), [(1000, 24)]);
    }

    #[test]
    fn a_row_has_gaps() {
        let row = descriptor(&[(1, 4), (3, 40)]);
        assert!(!row.is_contiguous());
        assert_eq!(row.runs(), [(1000, 4), (1040, 4), (1080, 4)]);
        assert_eq!(row.packed(64).runs(), [(64, 12)]);
    }

    #[test]
    fn elements_may_go_backwards() {
        assert_eq!(descriptor(&[(3, -4)]).runs(), [(1000, 4), (996, 4), (992, 4)]);
    }
}
