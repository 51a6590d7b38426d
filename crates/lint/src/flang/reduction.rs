//! Functions that make one value of an array, or of each of its lines: sums, extremes, counts (Fortran 2018, 16.9).
//!
//! Source: `flang/Runtime/reduction.h`, and of LLVM 19 `extrema.cpp` and `reduction-templates.h`. Promise: products of
//! real numbers that depend on the kind in which they are rounded are not computed, nor are extremes of nothing, and of
//! what is no number. Sums of real numbers may differ from those of a compiler in the last place.

use super::descriptor::Descriptor;
use super::elements::{Elements, Lines, Mask, Number, Type, made, make, put, rounded, without};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;
use farside_events::AccessKind;

/// What is made of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduction {
    Sum,
    Product,
    Maxval,
    Minval,
    IAll,
    IAny,
    IParity,
    Norm2,
    Any,
    All,
    Parity,
    Count,
}

/// What a function of the runtime gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One value.
    Value,
    /// One value of two parts, at an address.
    Parts,
    /// An array of a value for each line.
    Lines,
}

const REDUCTIONS: [(&str, Reduction); 12] = [
    ("Sum", Reduction::Sum),
    ("Product", Reduction::Product),
    ("Maxval", Reduction::Maxval),
    ("Minval", Reduction::Minval),
    ("IAll", Reduction::IAll),
    ("IAny", Reduction::IAny),
    ("IParity", Reduction::IParity),
    ("Norm2", Reduction::Norm2),
    ("Any", Reduction::Any),
    ("All", Reduction::All),
    ("Parity", Reduction::Parity),
    ("Count", Reduction::Count),
];

/// A reduction, by its name without `_FortranA`; `None` if it is none, or an array is to be made that is not followed.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let (what, form) = named(name)?;
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let (source, mask) = match form {
        Form::Value => (0, 4),
        Form::Parts | Form::Lines => (1, 5),
    };
    let array = Descriptor::at(caller, at(source).bits);
    let given = if what.has_mask() {
        at(mask)
    } else {
        Scalar::known(0)
    };
    let mask = Mask::at(caller, name, given);
    let elements = Elements::of(caller, &array);
    let Some((mask, elements)) = mask.zip(elements) else {
        array.access(caller, name, AccessKind::Load);
        return match form {
            Form::Value => Some(Flow::Return(Scalar::uncomputed())),
            Form::Parts | Form::Lines => None,
        };
    };
    mask.access(caller, name, &array);
    let of = elements.kind();
    let reduce = |into: Type, numbers: &mut dyn Iterator<Item = u64>| {
        let (mut operands, mut chosen) = (Vec::new(), Vec::new());
        for nth in numbers {
            operands.extend_from_slice(mask.operands(nth));
            if mask.may_choose(nth) {
                operands.extend_from_slice(elements.operands(nth));
            }
            if mask.chooses(nth) {
                chosen.push(elements.number(nth));
            }
        }
        made(name, into, what.of(of, &chosen), &operands)
    };
    Some(match form {
        Form::Value => {
            let into = match what {
                Reduction::Any | Reduction::All | Reduction::Parity => Type::Logical(1),
                Reduction::Count => Type::Integer(8),
                _ => of,
            };
            let [value, _] = reduce(into, &mut (0..array.count()));
            Flow::Return(value)
        }
        Form::Parts => {
            let value = reduce(of, &mut (0..array.count()));
            put(caller, at(0).bits, of, value);
            NOTHING
        }
        Form::Lines => {
            let lines = Lines::along(&array, at(2))?;
            let into = match what {
                Reduction::Count => Type::of_integer(at(3))?,
                _ => of,
            };
            let values: Vec<_> = (0..lines.count())
                .map(|line| {
                    let mut places = (0..lines.length()).map(|place| lines.element(line, place));
                    reduce(into, &mut places)
                })
                .collect();
            make(caller, at(0).bits, into, &without(&array, at(2)), values);
            NOTHING
        }
    })
}

/// What a function does, by its name.
fn named(name: &str) -> Option<(Reduction, Form)> {
    let plain = name.strip_prefix("Cpp");
    REDUCTIONS.iter().find_map(|(begin, what)| {
        let rest = plain.unwrap_or(name).strip_prefix(begin)?;
        let kinds = ["Integer", "Real", "Complex", "_"];
        let kind = kinds.iter().find_map(|of| rest.strip_prefix(of)).unwrap_or(rest);
        let is_kind = kind.bytes().all(|byte| byte.is_ascii_digit());
        let form = match (rest, is_kind) {
            ("Dim", _) => Form::Lines,
            (_, true) if plain.is_some() => Form::Parts,
            (_, true) => Form::Value,
            _ => return None,
        };
        Some((*what, form))
    })
}

impl Reduction {
    fn has_mask(self) -> bool {
        !matches!(
            self,
            Self::Norm2 | Self::Any | Self::All | Self::Parity | Self::Count
        )
    }

    /// The value of numbers of a type; `None` if it is not computed here.
    fn of(self, of: Type, numbers: &[Number]) -> Option<Number> {
        match of {
            Type::Logical(_) => self.logical(numbers),
            Type::Integer(size) => self.integer(size, numbers),
            Type::Real(size) => self.real(size, numbers),
            Type::Complex(size) => self.complex(size, numbers),
        }
    }

    fn logical(self, numbers: &[Number]) -> Option<Number> {
        let count = numbers
            .iter()
            .filter(|number| **number == Number::Logical(true))
            .count();
        Some(match self {
            Self::Any => Number::Logical(count > 0),
            Self::All => Number::Logical(count == numbers.len()),
            Self::Parity => Number::Logical(count % 2 == 1),
            Self::Count => Number::Integer(count as i64),
            _ => return None,
        })
    }

    fn integer(self, size: u64, numbers: &[Number]) -> Option<Number> {
        let numbers = numbers.iter().map(|number| match number {
            Number::Integer(value) => *value,
            _ => 0,
        });
        let least = i64::MIN >> (64 - 8 * size.clamp(1, 8));
        Some(Number::Integer(match self {
            Self::Sum => numbers.fold(0, i64::wrapping_add),
            Self::Product => numbers.fold(1, i64::wrapping_mul),
            Self::Maxval => numbers.fold(least, i64::max),
            Self::Minval => numbers.fold(!least, i64::min),
            Self::IAll => numbers.fold(-1, |all, number| all & number),
            Self::IAny => numbers.fold(0, |any, number| any | number),
            Self::IParity => numbers.fold(0, |parity, number| parity ^ number),
            _ => return None,
        }))
    }

    fn real(self, size: u64, numbers: &[Number]) -> Option<Number> {
        let numbers = numbers.iter().map(|number| match number {
            Number::Real(value) => *value,
            _ => 0.0,
        });
        let value = match self {
            Self::Sum => sum(numbers, size),
            Self::Product => {
                let product = |size| {
                    let numbers = numbers.clone();
                    rounded(
                        numbers.fold(1.0, |product, number| rounded(product * number, size)),
                        size,
                    )
                };
                let (wide, own) = (rounded(numbers.clone().product(), size), product(size));
                (wide.to_bits() == own.to_bits()).then_some(own)?
            }
            Self::Norm2 => norm(numbers),
            Self::Maxval | Self::Minval => {
                if numbers.clone().any(f64::is_nan) {
                    return None;
                }
                let better = |best: f64, number: f64| match self {
                    Self::Maxval => number > best,
                    _ => number < best,
                };
                numbers.reduce(|best, number| if better(best, number) { number } else { best })?
            }
            _ => return None,
        };
        (!value.is_nan()).then_some(Number::Real(value))
    }

    fn complex(self, size: u64, numbers: &[Number]) -> Option<Number> {
        let numbers = numbers.iter().map(|number| match number {
            Number::Complex(real, imaginary) => (*real, *imaginary),
            _ => (0.0, 0.0),
        });
        let (real, imaginary) = match self {
            Self::Sum => (
                sum(numbers.clone().map(|number| number.0), size),
                sum(numbers.map(|number| number.1), size),
            ),
            Self::Product => {
                let product = |kept: u64| {
                    let (real, imaginary) = numbers
                        .clone()
                        .fold((1.0, 0.0), |one, other| times(one, other, kept));
                    (rounded(real, size), rounded(imaginary, size))
                };
                (product(8) == product(size)).then(|| product(size))?
            }
            _ => return None,
        };
        (!real.is_nan() && !imaginary.is_nan()).then_some(Number::Complex(real, imaginary))
    }
}

/// A product of complex numbers, whose parts have so many bytes.
pub(super) fn times(one: (f64, f64), other: (f64, f64), size: u64) -> (f64, f64) {
    let product = |one: f64, other: f64| rounded(one * other, size);
    (
        rounded(product(one.0, other.0) - product(one.1, other.1), size),
        rounded(product(one.0, other.1) + product(one.1, other.0), size),
    )
}

/// A sum in the order of the elements, in their kind. flang's runtime corrects it, gfortran and optimised code do not,
/// so that it may differ from theirs in the last place.
fn sum(numbers: impl Iterator<Item = f64>, size: u64) -> f64 {
    numbers.fold(0.0, |sum, number| rounded(sum + number, size))
}

/// The Euclidean norm, whose parts are divided by the largest so far.
fn norm(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut largest, mut sum) = (0.0, 0.0);
    for number in numbers.map(f64::abs) {
        if largest == 0.0 {
            largest = number;
        } else if number > largest {
            let part: f64 = largest / number;
            sum = sum * (part * part) + part * part;
            largest = number;
        } else {
            let part = number / largest;
            sum += part * part;
        }
    }
    largest * f64::sqrt(1.0 + sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_names() {
        for (name, wanted) in [
            ("SumInteger4", Some((Reduction::Sum, Form::Value))),
            ("CppSumComplex8", Some((Reduction::Sum, Form::Parts))),
            ("IAll4", Some((Reduction::IAll, Form::Value))),
            ("Norm2_8", Some((Reduction::Norm2, Form::Value))),
            ("CountDim", Some((Reduction::Count, Form::Lines))),
            ("All", Some((Reduction::All, Form::Value))),
            ("AllocatableAllocate", None),
            ("MaxvalCharacter", None),
            ("Norm2DimReal16", None),
        ] {
            assert_eq!(named(name), wanted, "{name}");
        }
    }

    #[test]
    fn arrays_are_reduced_by_their_types() {
        let integers = [3, -5, 7].map(Number::Integer);
        let int = |what: Reduction, numbers: &[Number]| match what.of(Type::Integer(4), numbers) {
            Some(Number::Integer(value)) => value,
            other => panic!("{other:?}"),
        };
        assert_eq!(int(Reduction::Sum, &integers), 5);
        assert_eq!(int(Reduction::Product, &integers), -105);
        assert_eq!(int(Reduction::Maxval, &integers), 7);
        assert_eq!(int(Reduction::Minval, &integers), -5);
        assert_eq!(int(Reduction::IParity, &integers), 3 ^ -5 ^ 7);
        assert_eq!(int(Reduction::Maxval, &[]), i64::from(i32::MIN));
        assert_eq!(int(Reduction::Minval, &[]), i64::from(i32::MAX));
        let logical = |what: Reduction| {
            let numbers = [true, false, true].map(Number::Logical);
            what.of(Type::Logical(4), &numbers)
        };
        assert_eq!(logical(Reduction::Any), Some(Number::Logical(true)));
        assert_eq!(logical(Reduction::All), Some(Number::Logical(false)));
        assert_eq!(logical(Reduction::Count), Some(Number::Integer(2)));
        assert_eq!(logical(Reduction::Parity), Some(Number::Logical(false)));
    }

    #[test]
    fn what_depends_on_the_compiler_is_not_computed() {
        let real = |what: Reduction, size: u64, numbers: &[f64]| {
            let numbers: Vec<Number> = numbers.iter().copied().map(Number::Real).collect();
            what.of(Type::Real(size), &numbers)
        };
        assert_eq!(real(Reduction::Sum, 8, &[0.5, -2.0]), Some(Number::Real(-1.5)));
        assert_eq!(real(Reduction::Norm2, 8, &[3.0, -4.0]), Some(Number::Real(5.0)));
        assert_eq!(real(Reduction::Product, 4, &[0.5, 3.0]), Some(Number::Real(1.5)));
        let thirds = [f64::from(1.0_f32 / 3.0); 4];
        assert_eq!(real(Reduction::Product, 4, &thirds), None);
        assert_eq!(real(Reduction::Maxval, 8, &[]), None);
        assert_eq!(real(Reduction::Maxval, 8, &[1.0, f64::NAN]), None);
        let complex = [Number::Complex(1.0, 2.0), Number::Complex(1.0, -2.0)];
        let product = Reduction::Product.of(Type::Complex(8), &complex);
        assert_eq!(product, Some(Number::Complex(5.0, 0.0)));
    }
}
