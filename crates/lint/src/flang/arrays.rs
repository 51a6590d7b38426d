//! Functions that make an array of others: constructors, `pack`, `reshape`, `transpose`, `move_alloc`.
//!
//! Source: Fortran 2018, 7.8 and 16.9; `flang/Runtime/array-constructor.cpp` and `transformational.cpp` of LLVM 19.
//! Promise: elements keep their values, and what is known of them. Not followed, and told as such: masks and shapes
//! that come from outside.

use super::descriptor::Descriptor;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::{Scalar, signed};

/// More elements are not moved.
pub(super) const MOST: u64 = 1 << 20;

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
            if source.count() > MOST {
                return None;
            }
            let chosen = chosen(caller, &mask, source.count())?;
            let places = (0..source.count()).filter(|nth| chosen[*nth as usize]);
            let mut elements: Vec<u64> = places.map(|nth| source.address(nth)).collect();
            if at(3) != 0 {
                let vector = Descriptor::at(caller, at(3));
                let more = elements.len() as u64..vector.count().min(MOST);
                elements.extend(more.map(|nth| vector.address(nth)));
            }
            let extents = [elements.len() as u64];
            make(caller, at(0), &source, &extents, elements.into_iter().map(Some));
        }
        "Reshape" => {
            let source = Descriptor::at(caller, at(1));
            let extents: Vec<u64> = integers(caller, at(2), 15)?
                .into_iter()
                .map(|extent| extent.max(0) as u64)
                .collect();
            let count = extents
                .iter()
                .fold(1, |count: u64, extent| count.saturating_mul(*extent));
            let pad = (at(3) != 0).then(|| Descriptor::at(caller, at(3)));
            let padding = pad.as_ref().map_or(0, Descriptor::count);
            if count > MOST || count > source.count() && padding == 0 {
                return None;
            }
            // Which dimension goes first, counted from 0.
            let order: Vec<usize> = match at(4) {
                0 => (0..extents.len()).collect(),
                order => permutation(&integers(caller, order, 15)?, extents.len())?,
            };
            let elements = (0..count).map(|nth| {
                let nth = in_order(nth, &extents, &order);
                Some(match nth.checked_sub(source.count()) {
                    None => source.address(nth),
                    Some(more) => pad.as_ref()?.address(more % padding),
                })
            });
            make(caller, at(0), &source, &extents, elements);
        }
        "Transpose" => {
            let source = Descriptor::at(caller, at(1));
            let (rows, columns) = (source.extent(0)?, source.extent(1)?);
            if source.count() > MOST {
                return None;
            }
            let places = (0..rows).flat_map(|row| (0..columns).map(move |column| row + column * rows));
            let elements = places.map(|nth| Some(source.address(nth)));
            make(caller, at(0), &source, &[columns, rows], elements);
        }
        _ => return None,
    }
    Some(NOTHING)
}

/// A new array of elements at these addresses, or of zeros and blanks. Its descriptor is that of an allocatable array.
pub(super) fn make(
    caller: &mut Caller<'_>,
    result: u64,
    source: &Descriptor,
    extents: &[u64],
    elements: impl Iterator<Item = Option<u64>>,
) {
    let made = source.clone().with_extents(extents);
    let base = caller.allocate(made.size(), "temporary");
    let made = made.packed(base);
    made.put(caller, result);
    for (nth, element) in (0..).zip(elements) {
        let to = Descriptor::scalar(made.address(nth), made.element());
        match element {
            Some(element) => {
                to.take_values(caller, &Descriptor::scalar(element, made.element()), "temporary");
            }
            None => {
                let byte = if made.is_text() { b' ' } else { 0 };
                to.write(caller, "temporary", &[byte]);
            }
        }
    }
}

/// Which of so many elements a mask chooses, if that is known.
pub(super) fn chosen(caller: &Caller<'_>, mask: &Descriptor, count: u64) -> Option<Vec<bool>> {
    let size = mask.element().clamp(1, 8);
    (0..count)
        .map(|nth| {
            let bit = mask.address(if mask.is_scalar() { 0 } else { nth });
            let value = caller.memory(bit).load(bit, size);
            value.is_known().then_some(value.bits & 1 == 1)
        })
        .collect()
}

/// The integers of an array, the first `most` of them, if they are known.
pub(super) fn integers(caller: &Caller<'_>, array: u64, most: u64) -> Option<Vec<i64>> {
    let array = Descriptor::at(caller, array);
    let size = array.element();
    if !matches!(size, 1 | 2 | 4 | 8) {
        return None;
    }
    (0..array.count().min(most))
        .map(|nth| {
            let at = array.address(nth);
            let word = caller.memory(at).load(at, size);
            word.is_known().then(|| signed(word.bits, 8 * size as u32))
        })
        .collect()
}

/// Numbers from 1 to `count`, each once, counted from 0; `None` if they are others.
fn permutation(numbers: &[i64], count: usize) -> Option<Vec<usize>> {
    let order: Option<Vec<usize>> = numbers
        .iter()
        .map(|number| usize::try_from(*number - 1).ok())
        .collect();
    let order = order?;
    let all = (0..count).all(|dimension| order.contains(&dimension));
    (order.len() == count && all).then_some(order)
}

/// As which an element is filled, if the dimensions go in an order.
fn in_order(element: u64, extents: &[u64], order: &[usize]) -> u64 {
    let mut rest = element;
    let subscripts: Vec<u64> = extents
        .iter()
        .map(|extent| {
            let subscript = rest % extent;
            rest /= extent;
            subscript
        })
        .collect();
    let mut step = 1;
    order.iter().fold(0, |nth, dimension| {
        let nth = nth + step * subscripts[*dimension];
        step *= extents[*dimension];
        nth
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_may_be_filled_before_columns() {
        let filled = |order: &[usize]| {
            (0..6)
                .map(|nth| in_order(nth, &[2, 3], order))
                .collect::<Vec<_>>()
        };
        assert_eq!(filled(&[0, 1]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(filled(&[1, 0]), [0, 3, 1, 4, 2, 5]);
        assert_eq!(permutation(&[2, 1], 2), Some(vec![1, 0]));
        assert_eq!(
            [
                permutation(&[2, 2], 2),
                permutation(&[1], 2),
                permutation(&[0, 1], 2)
            ],
            [None, None, None]
        );
    }
}
