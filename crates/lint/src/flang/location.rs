//! Functions that say where something is in an array: `maxloc`, `minloc`, `findloc` (Fortran 2018, 16.9).
//!
//! Source: `flang/Runtime/reduction.h`; `extrema.cpp` and `findloc.cpp` of LLVM 19. Places are counted from 1, whatever
//! the lower bounds, and are 0 if there are none. Not computed is where an extreme is among what is no number. Texts
//! are not followed.

use super::descriptor::Descriptor;
use super::elements::{Elements, Lines, Mask, Number, Type, made, make, rounded, without};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;
use farside_events::AccessKind;
use std::cmp::Ordering;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    Largest,
    Smallest,
    Equal(Number, Type),
}

/// A function that finds places, by its name without `_FortranA`; `None` if it is none, or not followed.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let begins = ["Maxloc", "Minloc", "Findloc"];
    let begin = begins.iter().find(|begin| name.starts_with(**begin))?;
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let finds = usize::from(*begin == "Findloc");
    let of_lines = usize::from(name.ends_with("Dim"));
    // The result, the array, what is to be found, the kind, the dimension, the place of the call, the mask.
    let (kind, dimension) = (at(2 + finds), at(3 + finds));
    let (mask, back) = (at(5 + finds + of_lines), at(6 + finds + of_lines));
    let into = Type::of_integer(kind)?;
    let back = back.is_known().then_some(back.bits & 1 == 1)?;
    let array = Descriptor::at(caller, at(1).bits);
    let mut always = Vec::new();
    let wanted = match *begin {
        "Maxloc" => Wanted::Largest,
        "Minloc" => Wanted::Smallest,
        _ => {
            let target = Descriptor::at(caller, at(2).bits);
            target.access(caller, name, AccessKind::Load);
            let target = Elements::of(caller, &target)?;
            always.extend_from_slice(target.operands(0));
            Wanted::Equal(target.number(0), target.kind())
        }
    };
    let mask = Mask::at(caller, name, mask)?;
    let elements = Elements::of(caller, &array)?;
    mask.access(caller, name, &array);
    let find = |numbers: &mut dyn Iterator<Item = u64>| {
        let (mut operands, mut chosen) = (always.clone(), Vec::new());
        for (place, nth) in (0..).zip(numbers) {
            operands.extend_from_slice(mask.operands(nth));
            if mask.may_choose(nth) {
                operands.extend_from_slice(elements.operands(nth));
            }
            if mask.chooses(nth) {
                chosen.push((place, elements.number(nth)));
            }
        }
        (wanted.place(elements.kind(), &chosen, back), operands)
    };
    if of_lines == 1 {
        let lines = Lines::along(&array, dimension)?;
        let values: Vec<_> = (0..lines.count())
            .map(|line| {
                let mut numbers = (0..lines.length()).map(|place| lines.element(line, place));
                let (found, operands) = find(&mut numbers);
                let place = found.map(|found| Number::Integer(found.map_or(0, |place| place as i64 + 1)));
                made(name, into, place, &operands)
            })
            .collect();
        make(caller, at(0).bits, into, &without(&array, dimension), values);
    } else {
        let (found, operands) = find(&mut (0..array.count()));
        let extents = array.extents();
        let values: Vec<_> = (0..extents.len())
            .map(|dimension| {
                let before: u64 = extents[..dimension].iter().product();
                let index = |place: u64| (place / before.max(1) % extents[dimension].max(1)) as i64 + 1;
                let index = found.map(|found| Number::Integer(found.map_or(0, index)));
                made(&format!("{name} {dimension}"), into, index, &operands)
            })
            .collect();
        make(caller, at(0).bits, into, &[extents.len() as u64], values);
    }
    Some(NOTHING)
}

impl Wanted {
    /// Where it is among numbers with their places, if it is there: first, or last if `back`. `None`: not computed.
    fn place(self, of: Type, numbers: &[(u64, Number)], back: bool) -> Option<Option<u64>> {
        let mut found: Option<(u64, Number)> = None;
        for (place, number) in numbers {
            let is_it = match (self, found) {
                (Self::Equal(target, kind), _) => {
                    is_equal((*number, of), (target, kind))? && (back || found.is_none())
                }
                // No number is equal to nothing.
                (_, None) => order(*number, *number).map(|_| true)?,
                (_, Some((_, best))) => match order(*number, best)? {
                    Ordering::Equal => back,
                    Ordering::Greater => self == Self::Largest,
                    Ordering::Less => self == Self::Smallest,
                },
            };
            if is_it {
                found = Some((*place, *number));
            }
        }
        Some(found.map(|(place, _)| place))
    }
}

/// The order of two numbers; `None` if they have none.
fn order(one: Number, other: Number) -> Option<Ordering> {
    match (one, other) {
        (Number::Integer(one), Number::Integer(other)) => Some(one.cmp(&other)),
        (Number::Real(one), Number::Real(other)) => one.partial_cmp(&other),
        _ => None,
    }
}

/// Whether two numbers are equal, or two logical values are; `None` if they are not compared.
fn is_equal((one, of): (Number, Type), (other, kind): (Number, Type)) -> Option<bool> {
    let real = |number: Number, beside: Type| match (number, beside) {
        (Number::Integer(value), Type::Real(size) | Type::Complex(size)) => {
            Some((rounded(value as f64, size), 0.0))
        }
        (Number::Real(value), _) => Some((value, 0.0)),
        (Number::Complex(value, imaginary), _) => Some((value, imaginary)),
        _ => None,
    };
    match (one, other) {
        (Number::Integer(one), Number::Integer(other)) => Some(one == other),
        (Number::Logical(one), Number::Logical(other)) => Some(one == other),
        _ => Some(real(one, kind)? == real(other, of)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_places_counts_unless_it_goes_back() {
        let numbers: Vec<(u64, Number)> = (0..).zip([2, 7, 7, 2].map(Number::Integer)).collect();
        let place = |wanted: Wanted, back| wanted.place(Type::Integer(4), &numbers, back);
        let equal = |value| Wanted::Equal(Number::Integer(value), Type::Integer(8));
        for (wanted, places) in [
            (Wanted::Largest, [Some(1), Some(2)]),
            (Wanted::Smallest, [Some(0), Some(3)]),
            (equal(7), [Some(1), Some(2)]),
            (equal(3), [None, None]),
        ] {
            assert_eq!(
                [false, true].map(|back| place(wanted, back)),
                places.map(Some),
                "{wanted:?}"
            );
        }
        assert_eq!(Wanted::Largest.place(Type::Integer(4), &[], false), Some(None));
        let real = [(0, Number::Real(1.0)), (1, Number::Real(f64::NAN))];
        assert_eq!(Wanted::Largest.place(Type::Real(8), &real, false), None);
        let one = Wanted::Equal(Number::Integer(1), Type::Integer(4));
        assert_eq!(one.place(Type::Real(8), &real, true), Some(Some(0)));
    }
}
