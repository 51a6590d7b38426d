//! Functions that make one value of an array: sums, extremes, counts (Fortran 2018, 16.9).
//!
//! Computed are those of flang's runtime over all elements, without a mask; of others, only the access is known. Sums
//! of real numbers may differ from the runtime's in the last place.

use super::descriptor::Descriptor;
use crate::caller::Caller;
use crate::flow::Flow;
use crate::value::{Scalar, UNCOMPUTED, signed};

/// A reduction, by its name without `_FortranA`; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    if !is_reduction(name) {
        return None;
    }
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    let array = Descriptor::at(caller, at(0));
    let runs = array.runs();
    let (mut uncomputed, mut known) = (false, at(4) == 0);
    for (at, size) in runs {
        let memory = caller.memory(at);
        uncomputed |= memory.is_forgotten(at, size);
        known &= uncomputed || memory.known_bytes(at, size).is_some();
    }
    let bytes = array.read(caller, name);
    let size = array.element();
    let value = (matches!(size, 1 | 2 | 4 | 8) && known)
        .then(|| {
            let elements = bytes.chunks_exact(size as usize).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            value(name, size, &elements.collect::<Vec<_>>())
        })
        .flatten();
    let outside = caller.outside_value(name);
    Some(Flow::Return(match value {
        Some(bits) => Scalar {
            bits,
            symbol: if uncomputed { UNCOMPUTED } else { 0 },
        },
        None => outside,
    }))
}

/// The value of a reduction of elements of so many bytes, if it is known here.
fn value(name: &str, size: u64, elements: &[u64]) -> Option<u64> {
    let logical = || elements.iter().map(|element| element & 1 == 1);
    match name {
        "Any" => return Some(u64::from(logical().any(|element| element))),
        "All" => return Some(u64::from(logical().all(|element| element))),
        "Parity" => return Some(logical().filter(|element| *element).count() as u64 & 1),
        "Count" => return Some(logical().filter(|element| *element).count() as u64),
        _ => {}
    }
    let bits = 8 * size as u32;
    if let Some(what) = name.strip_suffix(&format!("Integer{size}")) {
        let numbers = elements.iter().map(|element| signed(*element, bits));
        let number = match what {
            "Sum" => numbers.fold(0, i64::wrapping_add),
            "Product" => numbers.fold(1, i64::wrapping_mul),
            "Maxval" => numbers.max()?,
            "Minval" => numbers.min()?,
            "IAll" => numbers.fold(-1, |all, number| all & number),
            "IAny" => numbers.fold(0, |any, number| any | number),
            _ => return None,
        };
        return Some(crate::value::mask(number as u64, bits));
    }
    match size {
        4 => {
            let numbers = elements.iter().map(|element| f32::from_bits(*element as u32));
            let sum = || numbers.clone().sum::<f32>();
            let wide = numbers.clone().map(f64::from);
            let real = real(name.strip_suffix("Real4")?, wide, || f64::from(sum()))?;
            Some(u64::from((real as f32).to_bits()))
        }
        8 => {
            let numbers = elements.iter().map(|element| f64::from_bits(*element));
            let sum = || numbers.clone().sum::<f64>();
            Some(real(name.strip_suffix("Real8")?, numbers.clone(), sum)?.to_bits())
        }
        _ => None,
    }
}

/// Likewise for real numbers; `None` if one of them is none.
fn real(what: &str, mut numbers: impl Iterator<Item = f64> + Clone, sum: impl Fn() -> f64) -> Option<f64> {
    if what == "Sum" {
        return Some(sum());
    }
    if numbers.clone().any(f64::is_nan) {
        return None;
    }
    match what {
        "Maxval" => numbers.next().map(|first| numbers.fold(first, f64::max)),
        "Minval" => numbers.next().map(|first| numbers.fold(first, f64::min)),
        _ => None,
    }
}

/// Functions whose first argument is the descriptor of an array that they read, and whose result is a number.
fn is_reduction(name: &str) -> bool {
    [
        "Sum", "Product", "Maxval", "Minval", "Any", "All", "Count", "IAll", "IAny", "Norm2", "Parity",
    ]
    .iter()
    .any(|start| name.starts_with(start))
        && !name.ends_with("Dim")
        && !name.starts_with("Alloc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_reduced_by_their_types() {
        let integers = [3, (-5_i32) as u32 as u64, 7];
        let int = |name| value(name, 4, &integers).map(|bits| bits as u32 as i32);
        assert_eq!(int("SumInteger4"), Some(5));
        assert_eq!(int("ProductInteger4"), Some(-105));
        assert_eq!(
            (int("MaxvalInteger4"), int("MinvalInteger4")),
            (Some(7), Some(-5))
        );
        assert_eq!(value("MaxvalInteger4", 4, &[]), None);
        let reals = [0.5_f64, -2.0].map(f64::to_bits);
        let real = |name| value(name, 8, &reals).map(f64::from_bits);
        assert_eq!((real("SumReal8"), real("MinvalReal8")), (Some(-1.5), Some(-2.0)));
        assert_eq!((real("Norm2_8"), real("MaxvalReal4")), (None, None));
        let logical = |name| value(name, 4, &[1, 0, 1]);
        let counts = ["Any", "All", "Count", "Parity"].map(logical);
        assert_eq!(counts, [Some(1), Some(0), Some(2), Some(0)]);
    }
}
