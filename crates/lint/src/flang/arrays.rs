//! Functions that make an array of others: constructors, `pack`, `reshape`, `transpose`, `move_alloc`.
//!
//! Source: Fortran 2018, 7.8 and 16.9; `flang/Runtime/array-constructor.cpp` and `transformational.cpp` of LLVM 19.
//! Promise: elements keep their values, and what is known of them. Not followed, and told as such: `order=` and `pad=`,
//! masks and shapes that come from outside.

use super::descriptor::Descriptor;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::{Scalar, signed};

/// More elements are not moved.
const MOST: u64 = 1 << 20;

/// A function over arrays, by its name without `_FortranA`; `None` if it is none, or not followed.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    match name {
        // A constructor keeps its array and how many elements it has there.
        "InitArrayConstructorVector" => {
            caller.put_long(at(0), at(1));
            caller.put_long(at(0) + 8, 0);
        }
        "PushArrayConstructorValue" => {
            let value = Descriptor::at(caller, at(1));
            push(caller, at(0), &value);
        }
        "PushArrayConstructorSimpleScalar" => {
            let array = Descriptor::at(caller, caller.long_at(at(0)));
            let value = Descriptor::scalar(at(1), array.element());
            push(caller, at(0), &value);
        }
        "MoveAlloc" => {
            let (to, from) = (at(0), at(1));
            let moved = Descriptor::at(caller, from);
            let size = Descriptor::bytes(caller, from);
            if to != from {
                caller.memory_mut(to).copy(from, to, size);
                moved.packed(0).put(caller, from);
            }
            return Some(Flow::Return(Scalar::known(0)));
        }
        "Pack" => {
            let (source, mask) = (Descriptor::at(caller, at(1)), Descriptor::at(caller, at(2)));
            if at(3) != 0 || source.count() > MOST {
                return None;
            }
            let chosen: Option<Vec<u64>> = (0..source.count())
                .map(|nth| {
                    let bit = mask.address(if mask.is_scalar() { 0 } else { nth });
                    let value = caller.memory(bit).load(bit, mask.element().clamp(1, 8));
                    value.is_known().then_some((nth, value.bits & 1 == 1))
                })
                .filter_map(|element| match element {
                    Some((nth, true)) => Some(Some(source.address(nth))),
                    Some((_, false)) => None,
                    None => Some(None),
                })
                .collect();
            let chosen = chosen?;
            let extents = [chosen.len() as u64];
            make(caller, at(0), &source, &extents, &chosen);
        }
        "Reshape" => {
            let (source, shape) = (Descriptor::at(caller, at(1)), Descriptor::at(caller, at(2)));
            let size = shape.element().clamp(1, 8);
            let extents: Option<Vec<u64>> = (0..shape.count().min(15))
                .map(|nth| {
                    let word = caller.memory(shape.address(nth)).load(shape.address(nth), size);
                    let extent = signed(word.bits, 8 * size as u32).max(0) as u64;
                    word.is_known().then_some(extent)
                })
                .collect();
            let extents = extents?;
            let count: u64 = extents.iter().product();
            if at(3) != 0 || at(4) != 0 || count > source.count() || count > MOST {
                return None;
            }
            let elements: Vec<u64> = (0..count).map(|nth| source.address(nth)).collect();
            make(caller, at(0), &source, &extents, &elements);
        }
        "Transpose" => {
            let source = Descriptor::at(caller, at(1));
            let (rows, columns) = (source.extent(0)?, source.extent(1)?);
            if source.count() > MOST {
                return None;
            }
            let places = (0..rows).flat_map(|row| (0..columns).map(move |column| row + column * rows));
            let elements: Vec<u64> = places.map(|nth| source.address(nth)).collect();
            make(caller, at(0), &source, &[columns, rows], &elements);
        }
        _ => return None,
    }
    Some(NOTHING)
}

/// A new array of these elements, whose descriptor is that of an allocatable array.
fn make(caller: &mut Caller<'_>, result: u64, source: &Descriptor, extents: &[u64], elements: &[u64]) {
    let made = source.clone().with_extents(extents);
    let base = caller.allocate(made.size(), "temporary");
    let made = made.packed(base);
    made.put(caller, result);
    for (nth, element) in (0..).zip(elements) {
        let to = Descriptor::scalar(made.address(nth), made.element());
        to.take_values(caller, &Descriptor::scalar(*element, made.element()), "temporary");
    }
}

/// More elements at the end of the array of a constructor.
fn push(caller: &mut Caller<'_>, vector: u64, value: &Descriptor) {
    let (at, used) = (caller.long_at(vector), caller.long_at(vector + 8));
    let more = if value.is_scalar() {
        1
    } else {
        value.count().min(MOST)
    };
    let mut array = Descriptor::at(caller, at);
    let room = if array.base() == 0 { 0 } else { array.count() };
    // The extent may be known before anything is allocated.
    let wanted = array.count().max(used + more);
    if room < used + more {
        if array.base() == 0 && array.is_text() && used == 0 {
            array = array.with_element(value.element());
        }
        let before = array.clone();
        array = array.with_extents(&[wanted]);
        let base = caller.allocate(array.size(), "array constructor");
        array = array.packed(base);
        array.put(caller, at);
        for nth in 0..used {
            let to = Descriptor::scalar(array.address(nth), array.element());
            let from = Descriptor::scalar(before.address(nth), array.element());
            to.take_values(caller, &from, "array constructor");
        }
    }
    for nth in 0..more {
        let to = Descriptor::scalar(array.address(used + nth), array.element());
        let from = Descriptor::scalar(value.address(nth), array.element());
        to.take_values(caller, &from, "array constructor");
    }
    caller.put_long(vector + 8, used + more);
}
