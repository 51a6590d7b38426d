//! Functions that move elements within an array, or repeat them: `cshift`, `eoshift`, `spread`, `unpack`, `transfer`.
//!
//! Source: Fortran 2018, 16.9; `flang/Runtime/transformational.h` and `misc-intrinsic.h`. Promise: elements keep their
//! values, and what is known of them. Not followed, and told as such: shifts, masks and numbers of copies that are not
//! known.

use super::arrays::{MOST, chosen, integers, make};
use super::descriptor::Descriptor;
use super::elements::Lines;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;

/// A function over arrays, by its name without `_FortranA`; `None` if it is none, or not followed.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let known = |index: usize| at(index).is_known().then(|| at(index).bits);
    let source = Descriptor::at(caller, at(1).bits);
    let first = Scalar::known(1);
    match name {
        "Cshift" | "Eoshift" => {
            let is_circular = name == "Cshift";
            let shifts = integers(caller, at(2).bits, MOST)?;
            let (boundary, dimension) = match is_circular {
                true => (0, at(3)),
                false => (at(3).bits, at(4)),
            };
            shift(
                caller,
                at(0).bits,
                &source,
                (&shifts, dimension),
                (is_circular, boundary),
            )?;
        }
        "CshiftVector" | "EoshiftVector" => {
            let is_circular = name == "CshiftVector";
            let boundary = if is_circular { 0 } else { at(3).bits };
            let shifts = [known(2)? as i64];
            shift(
                caller,
                at(0).bits,
                &source,
                (&shifts, first),
                (is_circular, boundary),
            )?;
        }
        "Spread" => {
            let mut extents = source.extents();
            let before = usize::try_from(at(2).signed32() - 1).ok()?;
            let copies = (known(3)? as i64).max(0) as u64;
            known(2)?;
            if before > extents.len() || source.count().saturating_mul(copies) > MOST {
                return None;
            }
            let inner: u64 = extents[..before].iter().product();
            extents.insert(before, copies);
            let count: u64 = extents.iter().product();
            // What is divided by is not 0 if there is an element.
            let elements = (0..count).map(|nth| {
                let nth = nth % inner + inner * (nth / inner / copies);
                Some(source.address(nth))
            });
            make(caller, at(0).bits, &source, &extents, elements);
        }
        "Unpack" => {
            let [mask, field] = [2, 3].map(|index| Descriptor::at(caller, at(index).bits));
            if mask.count() > MOST || field.element() != source.element() {
                return None;
            }
            let chosen = chosen(caller, &mask, mask.count())?;
            let mut used = 0;
            let mut elements = Vec::with_capacity(chosen.len());
            for (nth, chosen) in (0..).zip(chosen) {
                if chosen && used == source.count() {
                    return None;
                }
                elements.push(Some(match chosen {
                    true => source.address(used),
                    false => field.address(if field.is_scalar() { 0 } else { nth }),
                }));
                used += u64::from(chosen);
            }
            make(caller, at(0).bits, &source, &mask.extents(), elements.into_iter());
        }
        "Transfer" | "TransferSize" => {
            let mold = Descriptor::at(caller, at(2).bits);
            let size = mold.element();
            let extents = match name {
                "TransferSize" => vec![known(5)?],
                _ if mold.is_scalar() => Vec::new(),
                _ => vec![source.size().div_ceil(size.max(1))],
            };
            let count: u64 = extents.iter().product();
            // Bytes after the source are undefined, and so is what a type with pointers becomes.
            let fits = size > 0 && count.saturating_mul(size) <= source.size();
            if !fits || !source.is_contiguous() || count > MOST || mold.derived(caller, at(2).bits) != 0 {
                return None;
            }
            let elements = (0..count).map(|nth| Some(source.base() + size * nth));
            make(caller, at(0).bits, &mold, &extents, elements);
        }
        _ => return None,
    }
    Some(NOTHING)
}

/// Shifts the lines of an array along a dimension: all as far, or each as far as a number says. What leaves a line
/// comes in at its other end, or what is at the boundary does: one element, or one for each line, or zero.
fn shift(
    caller: &mut Caller<'_>,
    result: u64,
    source: &Descriptor,
    (shifts, dimension): (&[i64], Scalar),
    (is_circular, boundary): (bool, u64),
) -> Option<()> {
    let lines = Lines::along(source, dimension)?;
    let boundary = (boundary != 0).then(|| Descriptor::at(caller, boundary));
    let is_one = shifts.len() == 1;
    if source.count() > MOST || !is_one && shifts.len() as u64 != lines.count() {
        return None;
    }
    let length = i128::from(lines.length());
    let elements = (0..source.count()).map(|nth| {
        let (line, place) = lines.place(nth);
        let by = shifts[if is_one { 0 } else { line as usize }];
        let from = i128::from(place) + i128::from(by);
        let inside = (0..length).contains(&from);
        match (is_circular || inside, &boundary) {
            (true, _) => Some(source.address(lines.element(line, from.rem_euclid(length) as u64))),
            (false, Some(boundary)) => Some(boundary.address(if boundary.is_scalar() { 0 } else { line })),
            (false, None) => None,
        }
    });
    make(caller, result, source, &source.extents(), elements);
    Some(())
}
