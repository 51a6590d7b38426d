//! Descriptors of arrays and pointers, as flang lays them out (`CFI_cdesc_t`, Fortran 2018 §18.5.3).

use super::intrinsic::intrinsic;
use crate::caller::Caller;
use crate::fortran::list::Kind;
use crate::value::{Scalar, signed};
use farside_events::AccessKind;

/// More elements are not followed one by one.
const MOST_ELEMENTS: u64 = 1 << 16;

/// Of more parts of elements it is not asked what is unknown.
const MOST_PARTS: usize = 1 << 18;

/// What a descriptor says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Descriptor {
    /// Address of the first element; 0 if there is none.
    base: u64,
    /// Bytes of an element.
    element: u64,
    /// The type of an element, by its number.
    code: u64,
    /// Whether it stands for an allocatable variable.
    allocatable: bool,
    /// Lower bound, extent, and bytes from one element to the next, for each dimension.
    dimensions: Vec<(i64, u64, i64)>,
}

/// Where the dimensions begin, and how long each is.
const DIMENSIONS: u64 = 24;
const DIMENSION: u64 = 24;
const VERSION: u64 = 16;
const RANK: u64 = 20;
const CODE: u64 = 21;
const ATTRIBUTE: u64 = 22;
const EXTRA: u64 = 23;
/// The number of texts among types.
const CHARACTER: u64 = 40;
/// The number of derived types.
const DERIVED: u64 = 42;
/// The attributes of pointers and of allocatable variables.
const POINTER: u64 = 1;
const ALLOCATABLE: u64 = 2;

impl Descriptor {
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// Bytes of an element.
    pub(super) fn element(&self) -> u64 {
        self.element
    }

    /// What input makes of an element, if it is a number, a logical value or a text (`ISO_Fortran_binding.h`).
    pub(super) fn kind(&self) -> Option<Kind> {
        match self.code {
            7..=10 => Some(Kind::Integer(self.element)),
            12..=15 | 39 => Some(Kind::Logical(self.element)),
            27 | 28 => Some(Kind::Real(self.element)),
            CHARACTER => Some(Kind::Character(self.element)),
            _ => None,
        }
    }

    /// The type of an element, by its number.
    pub(super) fn code(&self) -> u64 {
        self.code
    }

    /// Whether its elements are texts.
    pub(super) fn is_text(&self) -> bool {
        self.code == CHARACTER
    }

    /// One element of so many bytes, of no type that is known here.
    pub(super) fn scalar(base: u64, element: u64) -> Self {
        Self {
            base,
            element,
            code: DERIVED,
            allocatable: false,
            dimensions: Vec::new(),
        }
    }

    /// Writes the descriptor of something that is not allocated: bytes of an element, rank, code and attribute; `of` is
    /// the description of its type, 0 if that is intrinsic.
    pub(super) fn establish(
        caller: &mut Caller<'_>,
        at: u64,
        [element, rank, code, attribute]: [u64; 4],
        of: u64,
    ) {
        let memory = caller.memory_mut(at);
        let bytes = DIMENSIONS + DIMENSION * rank;
        memory.write(at, &vec![0; bytes as usize]);
        memory.store(at + 8, 8, Scalar::known(element));
        memory.store(at + VERSION, 4, Scalar::known(20_180_515));
        for (place, value) in [
            (RANK, rank),
            (CODE, code),
            (ATTRIBUTE, attribute),
            (EXTRA, u64::from(of != 0)),
        ] {
            memory.store(at + place, 1, Scalar::known(value));
        }
        if of != 0 {
            memory.store(at + bytes, 8, Scalar::known(of));
            memory.store(at + bytes + 8, 8, Scalar::known(0));
        }
    }

    /// The description of the type of the elements, which follows a descriptor in memory; 0 if that is intrinsic.
    pub(super) fn derived(&self, caller: &Caller<'_>, at: u64) -> u64 {
        match caller.memory(at).load(at + EXTRA, 1).bits & 1 {
            1 => caller.long_at(at + DIMENSIONS + DIMENSION * self.dimensions.len() as u64),
            _ => 0,
        }
    }

    /// How long a descriptor is in memory, with the description of its type.
    pub(super) fn bytes(caller: &Caller<'_>, at: u64) -> u64 {
        let byte = |place: u64| caller.memory(at).load(at + place, 1).bits;
        let type_of = if byte(EXTRA) & 1 == 1 { 16 } else { 0 };
        DIMENSIONS + DIMENSION * byte(RANK).min(15) + type_of
    }

    /// Copies a descriptor, with the description of its type.
    pub(super) fn copy(caller: &mut Caller<'_>, from: u64, to: u64) {
        let length = Self::bytes(caller, from);
        let bytes = caller.memory(from).bytes(from, length);
        caller.memory_mut(to).write(to, &bytes);
    }

    /// The same elements in other dimensions, which are counted from 1.
    pub(super) fn with_extents(mut self, extents: &[u64]) -> Self {
        self.dimensions = extents.iter().map(|extent| (1, *extent, 0)).collect();
        self
    }

    /// The same shape with elements of another size.
    pub(super) fn with_element(mut self, element: u64) -> Self {
        self.element = element;
        self
    }

    /// Whether it stands for an allocatable variable.
    pub(super) fn is_allocatable(&self) -> bool {
        self.allocatable
    }

    /// Whether it stands for one number.
    pub(super) fn is_scalar(&self) -> bool {
        self.dimensions.is_empty()
    }

    /// How many elements there are in a dimension, which are counted from 0.
    pub(super) fn extent(&self, dimension: usize) -> Option<u64> {
        self.dimensions.get(dimension).map(|(_, extent, _)| *extent)
    }

    /// Lower bound and extent of each dimension; without elements, it begins at 1 (Fortran 2018, 16.9.109).
    pub(super) fn bounds(&self) -> Vec<(i64, u64)> {
        let bounds = |(lower, extent, _): &(i64, u64, i64)| (if *extent == 0 { 1 } else { *lower }, *extent);
        self.dimensions.iter().map(bounds).collect()
    }

    /// How many elements there are in each dimension.
    pub(super) fn extents(&self) -> Vec<u64> {
        self.dimensions.iter().map(|(_, extent, _)| *extent).collect()
    }

    /// A dimension goes from one index to another.
    pub(super) fn set_bounds(&mut self, dimension: usize, lower: i64, upper: i64) {
        if let Some(dimension) = self.dimensions.get_mut(dimension) {
            *dimension = (lower, (upper - lower + 1).max(0) as u64, 0);
        }
    }

    /// The same elements with other lower bounds.
    pub(super) fn with_lower_bounds(mut self, bounds: &[i64]) -> Self {
        for (dimension, lower) in self.dimensions.iter_mut().zip(bounds) {
            dimension.0 = *lower;
        }
        self
    }

    /// The first of the elements in dimensions of these lower and upper bounds (Fortran 2018, 10.2.2.3): they are
    /// contiguous, or lie in one dimension.
    pub(super) fn remapped(mut self, bounds: impl Iterator<Item = (i64, i64)>) -> Self {
        let first = self.dimensions.first();
        let mut step = first.map_or(self.element as i64, |(_, _, step)| *step);
        self.dimensions = bounds
            .map(|(lower, upper)| {
                let extent = (upper - lower + 1).max(0) as u64;
                let own = step;
                step = step.wrapping_mul(extent as i64);
                (lower, extent, own)
            })
            .collect();
        self
    }

    /// Whether it stands for the same elements, and there are some (Fortran 2018, 16.9.16).
    pub(super) fn is_same_place(&self, other: &Self) -> bool {
        let of_size = other.element > 0 || other.code == DERIVED;
        let along = |(one, two): (&(i64, u64, i64), &(i64, u64, i64))| {
            one.1 != 0 && one.1 == two.1 && (one.1 == 1 || one.2 == two.2)
        };
        let (own, others) = (&self.dimensions, &other.dimensions);
        let is_same = self.base == other.base && self.element == other.element && own.len() == others.len();
        other.base != 0 && of_size && is_same && own.iter().zip(others).all(along)
    }

    /// The descriptor at an address becomes that of a pointer.
    pub(super) fn become_pointer(caller: &mut Caller<'_>, at: u64) {
        caller.put(at + ATTRIBUTE, 1, Scalar::known(POINTER));
    }

    /// Takes the shape of what is assigned, if it is an allocatable variable of another one; whether it has to be
    /// allocated anew (Fortran 2018 §10.2.1.3). Texts take its length, too, unless theirs is `fixed`.
    pub(super) fn take_shape(&mut self, value: &Self, fixed: bool) -> bool {
        let takes_length = self.is_text() && !fixed;
        let other = !value.is_scalar() && self.extents() != value.extents()
            || takes_length && self.element != value.element;
        let anew = self.allocatable && (self.base == 0 || other);
        if anew {
            if !value.is_scalar() {
                self.dimensions.clone_from(&value.dimensions);
            }
            self.element = match (takes_length, self.is_text()) {
                (true, _) => value.element,
                (_, true) => self.element,
                _ => self.element.max(value.element),
            };
        }
        anew
    }

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

    /// What the descriptor at an address says.
    pub(super) fn at(caller: &Caller<'_>, at: u64) -> Self {
        let word = |at: u64, size: u64| caller.memory(at).load(at, size).bits;
        let rank = word(at + RANK, 1).min(15);
        let dimension = |index: u64| {
            let at = at + DIMENSIONS + DIMENSION * index;
            let (lower, extent) = (word(at, 8) as i64, word(at + 8, 8) as i64);
            (lower, extent.max(0) as u64, signed(word(at + 16, 8), 64))
        };
        Self {
            base: word(at, 8),
            element: word(at + 8, 8),
            code: word(at + CODE, 1),
            allocatable: word(at + ATTRIBUTE, 1) == ALLOCATABLE,
            dimensions: (0..rank).map(dimension).collect(),
        }
    }

    /// Writes a descriptor that says this.
    pub(super) fn put(&self, caller: &mut Caller<'_>, at: u64) {
        let memory = caller.memory_mut(at);
        memory.store(at, 8, Scalar::known(self.base));
        memory.store(at + 8, 8, Scalar::known(self.element));
        memory.store(at + RANK, 1, Scalar::known(self.dimensions.len() as u64));
        for (index, (lower, extent, step)) in self.dimensions.iter().enumerate() {
            let at = at + DIMENSIONS + DIMENSION * index as u64;
            memory.store(at, 8, Scalar::known(*lower as u64));
            memory.store(at + 8, 8, Scalar::known(*extent));
            memory.store(at + 16, 8, Scalar::known(*step as u64));
        }
    }

    /// All elements are read or written, as an access of the program.
    pub(super) fn access(&self, caller: &mut Caller<'_>, name: &str, kind: AccessKind) {
        for (at, size) in self.runs() {
            caller.library_access(&intrinsic(name), kind, at, size);
        }
    }

    /// Reads all elements, as an access of the program.
    pub(super) fn read(&self, caller: &mut Caller<'_>, name: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, size) in self.runs() {
            caller.library_access(&intrinsic(name), AccessKind::Load, at, size);
            bytes.extend(caller.memory(at).bytes(at, size));
        }
        bytes
    }

    /// Whether something of the elements is from outside, and nothing was not computed.
    pub(super) fn is_outside(&self, caller: &Caller<'_>) -> bool {
        let is_forgotten = |(at, size): &(u64, u64)| caller.memory(*at).is_forgotten(*at, *size);
        let is_known = |(at, size): &(u64, u64)| caller.memory(*at).known_bytes(*at, *size).is_some();
        let runs = self.runs();
        !runs.iter().any(is_forgotten) && !runs.iter().all(is_known)
    }

    /// From now on all elements are from outside, which is an access of the program.
    pub(super) fn come_from_outside(&self, caller: &mut Caller<'_>, name: &str) {
        for (at, size) in self.runs() {
            caller.library_access(&intrinsic(name), AccessKind::Store, at, size);
            let element = if self.is_text() { 1 } else { self.element };
            caller.come_from_outside(at, size, element);
        }
    }

    /// Gives all elements the values of another descriptor's, with what is known of them, as accesses of the program.
    /// A scalar fills an array; a text is cut or filled with blanks.
    pub(super) fn take_values(&self, caller: &mut Caller<'_>, value: &Self, name: &str) {
        let known = value
            .runs()
            .iter()
            .all(|(at, size)| caller.memory(*at).known_bytes(*at, *size).is_some());
        let unknown = if known { Vec::new() } else { value.units(caller) };
        let mut bytes = value.read(caller, name);
        if self.is_text() && self.element != value.element && value.element > 0 {
            let size = self.element.min(MOST_ELEMENTS) as usize;
            let texts = bytes.chunks(value.element as usize).map(|text| {
                let mut text = text.to_vec();
                text.resize(size, b' ');
                text
            });
            bytes = texts.flatten().collect();
        } else if self.is_text() && bytes.is_empty() {
            bytes.push(b' ');
        }
        self.write(caller, name, &bytes);
        for (element, offset, size, unit) in unknown {
            let elements = match value.is_scalar() {
                true => 0..self.count().min(MOST_ELEMENTS),
                false => element..element + 1,
            };
            for nth in elements.filter(|_| offset < self.element) {
                let at = self.address(nth) + offset;
                caller.put(at, size, unit);
            }
        }
    }

    /// Parts of the elements of which something is unknown: the number of the element, the offset and size of the
    /// part, and its value.
    fn units(&self, caller: &Caller<'_>) -> Vec<(u64, u64, u64, Scalar)> {
        let size = match self.element {
            _ if self.is_text() => 1,
            size if size % 4 == 0 => 4,
            2 => 2,
            _ => 1,
        };
        let elements = 0..self.count().min(MOST_ELEMENTS);
        let parts = elements.flat_map(|nth| {
            let parts = 0..(self.element / size).min(MOST_ELEMENTS);
            parts.map(move |part| (nth, size * part))
        });
        let value = |(nth, offset): (u64, u64)| {
            let at = self.address(nth) + offset;
            (nth, offset, size, caller.memory(at).load(at, size))
        };
        let parts = parts.take(MOST_PARTS).map(value);
        parts.filter(|(.., unit)| unit.symbol != 0).collect()
    }

    /// Writes all elements, as an access of the program. Too few bytes are repeated: a scalar fills an array.
    pub(super) fn write(&self, caller: &mut Caller<'_>, name: &str, bytes: &[u8]) {
        let mut source = bytes.iter().copied().cycle();
        for (at, size) in self.runs() {
            caller.library_access(&intrinsic(name), AccessKind::Store, at, size);
            if !bytes.is_empty() {
                let part: Vec<u8> = source.by_ref().take(size.min(1 << 26) as usize).collect();
                caller.memory_mut(at).write(at, &part);
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
            code: 9,
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
