//! Numbers and logical values of arrays: what they are, and what is known of them.
//!
//! Promise: what is computed of elements is as unknown as they are. A number that is computed otherwise by some
//! programs that compilers make of the same source is none: it is not computed.

use super::descriptor::Descriptor;
use super::intrinsic::intrinsic;
use crate::caller::Caller;
use crate::value::{Scalar, derived, mask, signed};
use farside_events::AccessKind;

/// More elements are not computed with.
const MOST: u64 = 1 << 22;

/// A type of elements, with its bytes; with those of a part, if numbers have two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Integer(u64),
    Logical(u64),
    Real(u64),
    Complex(u64),
}

impl Type {
    /// The type of the elements of an array, by its number in `ISO_Fortran_binding.h`; `None` if it is not known here.
    pub(super) fn of(array: &Descriptor) -> Option<Self> {
        let size = array.element();
        match (array.code(), size) {
            (1..=10, 1 | 2 | 4 | 8) => Some(Self::Integer(size)),
            (12..=15 | 39, 1 | 2 | 4 | 8) => Some(Self::Logical(size)),
            (27 | 28, 4 | 8) => Some(Self::Real(size)),
            (34 | 35, 8 | 16) => Some(Self::Complex(size / 2)),
            _ => None,
        }
    }

    /// Integers of a kind, which is an argument of a call.
    pub(super) fn of_integer(kind: Scalar) -> Option<Self> {
        (kind.is_known() && matches!(kind.bits, 1 | 2 | 4 | 8)).then_some(Self::Integer(kind.bits))
    }

    /// Its number among types.
    fn code(self) -> u64 {
        match self {
            Self::Integer(1) => 7,
            Self::Integer(2) => 8,
            Self::Integer(4) => 9,
            Self::Integer(_) => 10,
            Self::Logical(1) => 39,
            Self::Logical(2) => 13,
            Self::Logical(4) => 14,
            Self::Logical(_) => 15,
            Self::Real(4) => 27,
            Self::Real(_) => 28,
            Self::Complex(4) => 34,
            Self::Complex(_) => 35,
        }
    }

    /// Bytes of a part.
    fn size(self) -> u64 {
        match self {
            Self::Integer(size) | Self::Logical(size) | Self::Real(size) | Self::Complex(size) => size,
        }
    }

    fn parts(self) -> u64 {
        if matches!(self, Self::Complex(_)) { 2 } else { 1 }
    }

    /// The type of a product of numbers of two types (Fortran 2018, 10.1.9.3); `None` if there is none.
    pub(super) fn joined(self, other: Self) -> Option<Self> {
        let larger = self.size().max(other.size());
        Some(match (self, other) {
            (Self::Integer(_), Self::Integer(_)) => Self::Integer(larger),
            (Self::Logical(_), Self::Logical(_)) => Self::Logical(larger),
            (Self::Logical(_), _) | (_, Self::Logical(_)) => return None,
            (Self::Integer(_), known) | (known, Self::Integer(_)) => known,
            (Self::Real(_), Self::Real(_)) => Self::Real(larger),
            _ => Self::Complex(larger),
        })
    }

    /// What a program has of a number of this type.
    fn bits(self, number: Number) -> [u64; 2] {
        let real = |value: f64| match self.size() {
            4 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        match number {
            Number::Integer(value) => [mask(value as u64, 8 * self.size() as u32), 0],
            Number::Logical(holds) => [u64::from(holds), 0],
            Number::Real(value) => [real(value), 0],
            Number::Complex(value, imaginary) => [real(value), real(imaginary)],
        }
    }

    /// The number that a program has in these parts.
    pub(super) fn number(self, parts: &[Scalar]) -> Number {
        let bits = |part: usize| parts.get(part).map_or(0, |part| part.bits);
        let real = |part: usize| match self.size() {
            4 => f64::from(f32::from_bits(bits(part) as u32)),
            _ => f64::from_bits(bits(part)),
        };
        match self {
            Self::Integer(size) => Number::Integer(signed(bits(0), 8 * size as u32)),
            Self::Logical(_) => Number::Logical(bits(0) & 1 == 1),
            Self::Real(_) => Number::Real(real(0)),
            Self::Complex(_) => Number::Complex(real(0), real(1)),
        }
    }
}

/// The value of an element. Real numbers of all kinds are kept in the largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Integer(i64),
    Logical(bool),
    Real(f64),
    Complex(f64, f64),
}

/// The elements of an array, in their order.
#[derive(Debug)]
pub(super) struct Elements {
    of: Type,
    parts: Vec<Scalar>,
    /// Whether all of them are known.
    is_known: bool,
}

impl Elements {
    /// What an array holds, without an access; `None` if it is too large, or of other types.
    pub(super) fn of(caller: &Caller<'_>, array: &Descriptor) -> Option<Self> {
        let of = Type::of(array)?;
        let (count, size) = (array.count(), of.size());
        if count > MOST || array.base() == 0 && count > 0 {
            return None;
        }
        let known = (array.is_contiguous() && count > 0)
            .then(|| {
                caller
                    .memory(array.base())
                    .known_bytes(array.base(), array.size())
            })
            .flatten();
        let is_known = known.is_some();
        let parts = match known {
            Some(bytes) => {
                let word = |chunk: &[u8]| {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    Scalar::known(u64::from_le_bytes(word))
                };
                bytes.chunks_exact(size as usize).map(word).collect()
            }
            None => (0..count * of.parts())
                .map(|nth| {
                    let at = array.address(nth / of.parts()) + size * (nth % of.parts());
                    caller.memory(at).load(at, size)
                })
                .collect(),
        };
        Some(Self { of, parts, is_known })
    }

    pub(super) fn kind(&self) -> Type {
        self.of
    }

    pub(super) fn number(&self, nth: u64) -> Number {
        self.of.number(self.parts(nth))
    }

    fn parts(&self, nth: u64) -> &[Scalar] {
        let parts = self.of.parts() as usize;
        let begin = nth as usize * parts;
        self.parts.get(begin..begin + parts).unwrap_or_default()
    }

    /// What a value that is made of an element depends on: its parts, unless all elements are known.
    pub(super) fn operands(&self, nth: u64) -> &[Scalar] {
        if self.is_known { &[] } else { self.parts(nth) }
    }
}

/// Which elements of an array count: `mask=`, or all.
#[derive(Debug)]
pub(super) struct Mask {
    elements: Option<Elements>,
    is_scalar: bool,
}

impl Mask {
    /// The mask of this descriptor, or none; `None` if it is not followed. Reading it is an access.
    pub(super) fn at(caller: &mut Caller<'_>, name: &str, at: Scalar) -> Option<Self> {
        if !at.is_known() {
            return None;
        }
        if at.bits == 0 {
            return Some(Self {
                elements: None,
                is_scalar: true,
            });
        }
        let mask = Descriptor::at(caller, at.bits);
        mask.access(caller, name, AccessKind::Load);
        Some(Self {
            elements: Some(Elements::of(caller, &mask)?),
            is_scalar: mask.is_scalar(),
        })
    }

    fn place(&self, nth: u64) -> u64 {
        if self.is_scalar { 0 } else { nth }
    }

    /// Whether the element of the array counts.
    pub(super) fn chooses(&self, nth: u64) -> bool {
        let chosen = |elements: &Elements| elements.number(self.place(nth)) == Number::Logical(true);
        self.elements.as_ref().is_none_or(chosen)
    }

    /// Whether it counts, or may do so.
    pub(super) fn may_choose(&self, nth: u64) -> bool {
        self.chooses(nth) || !self.operands(nth).iter().all(|part| part.is_known())
    }

    /// What is known of whether it does.
    pub(super) fn operands(&self, nth: u64) -> &[Scalar] {
        let elements = self.elements.as_ref();
        elements.map_or(&[], |elements| elements.operands(self.place(nth)))
    }

    /// Reads what it chooses of an array, as accesses of the program.
    pub(super) fn access(&self, caller: &mut Caller<'_>, name: &str, array: &Descriptor) {
        if self.elements.is_none() {
            return array.access(caller, name, AccessKind::Load);
        }
        for nth in (0..array.count().min(MOST)).filter(|nth| self.chooses(*nth)) {
            caller.library_access(
                &intrinsic(name),
                AccessKind::Load,
                array.address(nth),
                array.element(),
            );
        }
    }
}

/// A value that is made of others, by what is known of them; one that is not computed here, if there is no number.
pub(super) fn made(name: &str, of: Type, number: Option<Number>, operands: &[Scalar]) -> [Scalar; 2] {
    let Some(number) = number else {
        let symbol = derived(name, operands);
        return match symbol {
            0 => [Scalar::uncomputed(); 2],
            symbol => [Scalar { bits: 0, symbol }; 2],
        };
    };
    let mut part = 0;
    of.bits(number).map(|bits| {
        part += 1;
        let symbol = derived((name, part), operands);
        Scalar { bits, symbol }
    })
}

/// Puts a value at an address.
pub(super) fn put(caller: &mut Caller<'_>, at: u64, of: Type, value: [Scalar; 2]) {
    for (part, value) in (0..of.parts()).zip(value) {
        caller.put(at + part * of.size(), of.size(), value);
    }
}

/// A new array of these values, whose descriptor is that of an allocatable array.
pub(super) fn make(
    caller: &mut Caller<'_>,
    result: u64,
    of: Type,
    extents: &[u64],
    values: impl IntoIterator<Item = [Scalar; 2]>,
) {
    let element = of.size() * of.parts();
    let shape = [element, extents.len() as u64, of.code(), 2];
    Descriptor::establish(caller, result, shape, 0);
    let array = Descriptor::scalar(0, element).with_extents(extents);
    let base = caller.allocate(array.size(), "temporary");
    array.packed(base).put(caller, result);
    for (nth, value) in (0..).zip(values) {
        put(caller, base + element * nth, of, value);
    }
}

/// A real number as numbers of so many bytes have it.
pub(super) fn rounded(value: f64, size: u64) -> f64 {
    if size == 4 { f64::from(value as f32) } else { value }
}

/// The lines of an array along one of its dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// Elements before the dimension, in it, and after it.
    inner: u64,
    length: u64,
    outer: u64,
}

impl Lines {
    /// Along a dimension, which is counted from 1; `None` if there is none, or it is not known.
    pub(super) fn along(array: &Descriptor, dimension: Scalar) -> Option<Self> {
        let dimension = dimension.is_known().then(|| dimension.signed32())?;
        let extents = array.extents();
        let at = usize::try_from(dimension).ok()?.checked_sub(1)?;
        Some(Self {
            length: *extents.get(at)?,
            inner: extents[..at].iter().product(),
            outer: extents[at + 1..].iter().product(),
        })
    }

    pub(super) fn count(&self) -> u64 {
        self.inner * self.outer
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The number of an element among those of the array.
    pub(super) fn element(&self, line: u64, place: u64) -> u64 {
        let inner = self.inner.max(1);
        line % inner + inner * (place + self.length * (line / inner))
    }

    /// The line of an element, and its place there.
    pub(super) fn place(&self, element: u64) -> (u64, u64) {
        let (inner, length) = (self.inner.max(1), self.length.max(1));
        let (before, rest) = (element % inner, element / inner);
        (before + inner * (rest / length), rest % length)
    }
}

/// The extents of an array without one of its dimensions, which is counted from 1.
pub(super) fn without(array: &Descriptor, dimension: Scalar) -> Vec<u64> {
    let mut extents = array.extents();
    extents.remove(dimension.signed32() as usize - 1);
    extents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_through_all_elements_once() {
        let array = Descriptor::scalar(0, 4).with_extents(&[2, 3, 4]);
        for dimension in 1..=3 {
            let lines = Lines::along(&array, Scalar::known(dimension)).unwrap();
            let mut seen = Vec::new();
            for line in 0..lines.count() {
                for place in 0..lines.length() {
                    let element = lines.element(line, place);
                    assert_eq!(lines.place(element), (line, place));
                    seen.push(element);
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..24).collect::<Vec<_>>());
        }
        let second = Lines::along(&array, Scalar::known(2)).unwrap();
        assert_eq!([0, 1, 2].map(|place| second.element(3, place)), [7, 9, 11]);
        assert_eq!(Lines::along(&array, Scalar::known(4)), None);
        assert_eq!(Lines::along(&array, Scalar::known(0)), None);
    }

    #[test]
    fn what_is_made_is_as_unknown_as_what_it_is_made_of() {
        let (known, outside) = (Scalar::known(3), Scalar { bits: 3, symbol: 9 });
        let sum = |operands: &[Scalar]| made("Sum", Type::Integer(4), Some(Number::Integer(-1)), operands)[0];
        assert_eq!(sum(&[known]), Scalar::known(u64::from(u32::MAX)));
        assert!(!sum(&[known, outside]).is_known() && !sum(&[outside]).is_uncomputed());
        assert!(sum(&[Scalar::uncomputed(), outside]).is_uncomputed());
        assert!(made("Sum", Type::Real(8), None, &[known])[0].is_uncomputed());
    }

    #[test]
    fn products_have_the_type_of_both_numbers() {
        let joined = |one: Type, other| one.joined(other);
        assert_eq!(joined(Type::Integer(8), Type::Real(4)), Some(Type::Real(4)));
        assert_eq!(joined(Type::Real(8), Type::Complex(4)), Some(Type::Complex(8)));
        assert_eq!(joined(Type::Integer(1), Type::Integer(4)), Some(Type::Integer(4)));
        assert_eq!(joined(Type::Logical(1), Type::Integer(4)), None);
    }
}
