//! What the predefined operators make of data (MPI-4.1 §6.9.2).

use crate::memory::Content;
use crate::value::{derived, signed};
use farside_events::{AccumulateOp, BasicType, TypeMap, value_of};
use std::cmp::Ordering;

/// What an operator makes of two buffers, element by element of the first basic type.
pub(crate) fn combined(operator: AccumulateOp, map: &TypeMap, left: &Content, right: &Content) -> Content {
    let bytes = combine(operator, map, left.bytes(), right.bytes());
    if left.is_known() && right.is_known() {
        return Content::known(bytes);
    }
    // Of pairs and the like, each word of what is not known is another unknown one.
    let size = match map.basics.as_slice() {
        [one] => u64::from(one.size).clamp(1, 8),
        _ => 8,
    };
    let bytes = Content::known(bytes);
    let mut content = Content::default();
    for start in (0..bytes.len()).step_by(size as usize) {
        let parts = [left, right].map(|side| side.part(start, size));
        let symbol = match parts.iter().all(Content::is_known) {
            true => 0,
            false => derived((operator, start % size), &parts.map(|part| part.scalar())),
        };
        content.append(&bytes.part(start, size).with_symbol(symbol));
    }
    content
}

/// The same of bytes that are known.
fn combine(operator: AccumulateOp, map: &TypeMap, left: &[u8], right: &[u8]) -> Vec<u8> {
    let Some(basic) = map.basics.first() else {
        return right.to_vec();
    };
    match operator {
        AccumulateOp::Replace => return right.to_vec(),
        AccumulateOp::NoOp => return left.to_vec(),
        _ => {}
    }
    if basic.is_pair() {
        return pairs(operator, basic, left, right);
    }
    if basic.is_complex() {
        return complex(operator, basic.size as usize, left, right);
    }
    let size = (basic.size as usize).clamp(1, 8);
    let floating = basic.is_floating();
    let unsigned = basic.name.contains("UNSIGNED") || basic.name.contains("UINT");
    let mut result = Vec::with_capacity(left.len());
    for (x, y) in left.chunks(size).zip(right.chunks(size)) {
        let (x, y) = (value_of(x), value_of(y));
        let value = match (floating, size) {
            (true, 4) => u64::from(
                (float(
                    operator,
                    f64::from(f32::from_bits(x as u32)),
                    f64::from(f32::from_bits(y as u32)),
                ) as f32)
                    .to_bits(),
            ),
            (true, _) => float(operator, f64::from_bits(x), f64::from_bits(y)).to_bits(),
            (false, _) => integer(operator, x, y, 8 * size as u32, unsigned),
        };
        result.extend(&value.to_le_bytes()[..size]);
    }
    result
}

/// Complex numbers of this size; MPI has no other operators on them than sum and product (MPI-4.1 §6.9.2). What these
/// make of numbers of another size is not known here: the second one stands for it.
fn complex(operator: AccumulateOp, size: usize, left: &[u8], right: &[u8]) -> Vec<u8> {
    let part = size / 2;
    if !matches!(part, 4 | 8) || !matches!(operator, AccumulateOp::Sum | AccumulateOp::Prod) {
        return right.to_vec();
    }
    let number = |bytes: &[u8]| match bytes.try_into() {
        Ok(bytes) => f64::from_le_bytes(bytes),
        Err(_) => f64::from(f32::from_le_bytes(bytes.try_into().unwrap_or_default())),
    };
    let mut result = Vec::with_capacity(left.len());
    for (x, y) in left.chunks_exact(size).zip(right.chunks_exact(size)) {
        let [(a, b), (c, d)] = [x, y].map(|bytes| (number(&bytes[..part]), number(&bytes[part..])));
        let (real, imaginary) = match operator {
            AccumulateOp::Sum => (a + c, b + d),
            _ => (a * c - b * d, a * d + b * c),
        };
        for value in [real, imaginary] {
            match part {
                4 => result.extend((value as f32).to_le_bytes()),
                _ => result.extend(value.to_le_bytes()),
            }
        }
    }
    result
}

/// Values with their indices: the largest or smallest value, of equal ones the first index (MPI-4.1 §6.9.4). Of values
/// that are compared by no machine word, the second one stands for the result.
fn pairs(operator: AccumulateOp, basic: &BasicType, left: &[u8], right: &[u8]) -> Vec<u8> {
    let size = basic.size as usize;
    let wanted = match operator {
        AccumulateOp::Maxloc => Ordering::Greater,
        AccumulateOp::Minloc => Ordering::Less,
        _ => return right.to_vec(),
    };
    // Fortran has two of a kind. In C the index is the last int; a short value has two bytes of padding before it.
    let real = |bytes: &[u8]| match bytes.len() {
        4 => f64::from(f32::from_bits(value_of(bytes) as u32)),
        _ => f64::from_bits(value_of(bytes)),
    };
    let of_reals = matches!(&*basic.name, "MPI_2REAL" | "MPI_2DOUBLE_PRECISION");
    let index = |pair: &[u8]| match of_reals {
        true => real(&pair[size / 2..]),
        false => signed(value_of(&pair[size - 4..]), 32) as f64,
    };
    let order = |x: &[u8], y: &[u8]| match (basic.is_floating(), &*basic.name) {
        _ if of_reals => real(&x[..size / 2]).partial_cmp(&real(&y[..size / 2])),
        (true, _) if size == 8 => {
            f32::from_bits(value_of(&x[..4]) as u32).partial_cmp(&f32::from_bits(value_of(&y[..4]) as u32))
        }
        (true, _) if size == 12 => {
            f64::from_bits(value_of(&x[..8])).partial_cmp(&f64::from_bits(value_of(&y[..8])))
        }
        (true, _) => None,
        (false, "MPI_SHORT_INT") => Some(signed(value_of(&x[..2]), 16).cmp(&signed(value_of(&y[..2]), 16))),
        (false, _) => {
            let bits = 8 * (size as u32 - 4);
            let value = |pair: &[u8]| signed(value_of(&pair[..size - 4]), bits);
            Some(value(x).cmp(&value(y)))
        }
    };
    let chosen = left
        .chunks_exact(size)
        .zip(right.chunks_exact(size))
        .flat_map(|(x, y)| {
            let is_left = match order(x, y) {
                Some(Ordering::Equal) => index(x) <= index(y),
                order => order == Some(wanted),
            };
            if is_left { x } else { y }
        });
    chosen.copied().collect()
}

fn float(operator: AccumulateOp, x: f64, y: f64) -> f64 {
    match operator {
        AccumulateOp::Sum => x + y,
        AccumulateOp::Prod => x * y,
        AccumulateOp::Max => x.max(y),
        AccumulateOp::Min => x.min(y),
        _ => y,
    }
}

fn integer(operator: AccumulateOp, x: u64, y: u64, bits: u32, unsigned: bool) -> u64 {
    let key = |value| {
        if unsigned {
            value as i64 as i128 & i128::from(u64::MAX)
        } else {
            i128::from(signed(value, bits))
        }
    };
    match operator {
        AccumulateOp::Sum => x.wrapping_add(y),
        AccumulateOp::Prod => x.wrapping_mul(y),
        AccumulateOp::Max => {
            if key(x) >= key(y) {
                x
            } else {
                y
            }
        }
        AccumulateOp::Min => {
            if key(x) <= key(y) {
                x
            } else {
                y
            }
        }
        AccumulateOp::Land => u64::from(x != 0 && y != 0),
        AccumulateOp::Band => x & y,
        AccumulateOp::Lor => u64::from(x != 0 || y != 0),
        AccumulateOp::Bor => x | y,
        AccumulateOp::Lxor => u64::from((x != 0) != (y != 0)),
        AccumulateOp::Bxor => x ^ y,
        _ => y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_the_largest() {
        let pair = |value: f64, index: i32| [&value.to_le_bytes()[..], &index.to_le_bytes()].concat();
        let map = TypeMap::basic("MPI_DOUBLE_INT", 12);
        let larger = |x: &[u8], y: &[u8]| combine(AccumulateOp::Maxloc, &map, x, y);
        assert_eq!(larger(&pair(2.0, 3), &pair(-5.0, 0)), pair(2.0, 3));
        assert_eq!(larger(&pair(2.0, 3), &pair(2.0, 1)), pair(2.0, 1));
        let smaller = combine(AccumulateOp::Minloc, &map, &pair(2.0, 3), &pair(-5.0, 0));
        assert_eq!(smaller, pair(-5.0, 0));
        let ints = |value: i32, index: i32| [value.to_le_bytes(), index.to_le_bytes()].concat();
        let map = TypeMap::basic("MPI_2INT", 8);
        let least = combine(AccumulateOp::Minloc, &map, &ints(-1, 2), &ints(4, 0));
        assert_eq!(least, ints(-1, 2));
    }

    /// MPI-4.1 §6.9.4: Fortran's pairs have two numbers of one type.
    #[test]
    fn the_place_of_the_least_in_fortran() {
        let ints = |value: i32, index: i32| [value.to_le_bytes(), index.to_le_bytes()].concat();
        let map = TypeMap::basic("MPI_2INTEGER", 8);
        let least = combine(AccumulateOp::Minloc, &map, &ints(0, 0), &ints(1, 1));
        assert_eq!(least, ints(0, 0));
        let reals = |value: f32, index: f32| [value.to_le_bytes(), index.to_le_bytes()].concat();
        let map = TypeMap::basic("MPI_2REAL", 8);
        let least = combine(AccumulateOp::Minloc, &map, &reals(-2.0, 2.0), &reals(-2.0, 1.0));
        assert_eq!(least, reals(-2.0, 1.0));
        let doubles = |value: f64, index: f64| [value.to_le_bytes(), index.to_le_bytes()].concat();
        let map = TypeMap::basic("MPI_2DOUBLE_PRECISION", 16);
        let largest = combine(
            AccumulateOp::Maxloc,
            &map,
            &doubles(-1.0, 3.0),
            &doubles(-4.0, 0.0),
        );
        assert_eq!(largest, doubles(-1.0, 3.0));
    }

    #[test]
    fn operators_work_element_by_element() {
        let bytes = |values: &[i32]| {
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        let int = TypeMap::basic("MPI_INT", 4);
        let (x, y) = (bytes(&[1, -5]), bytes(&[2, 3]));
        assert_eq!(combine(AccumulateOp::Sum, &int, &x, &y), bytes(&[3, -2]));
        assert_eq!(combine(AccumulateOp::Max, &int, &x, &y), bytes(&[2, 3]));
        assert_eq!(combine(AccumulateOp::NoOp, &int, &x, &y), x);
        let double = TypeMap::basic("MPI_DOUBLE", 8);
        let sum = combine(
            AccumulateOp::Sum,
            &double,
            &1.5f64.to_le_bytes(),
            &2.0f64.to_le_bytes(),
        );
        assert_eq!(sum, 3.5f64.to_le_bytes());
    }

    /// What `MPI_Allreduce` of two processes gives with Open MPI 4.1.4 and MPICH 4.0.2, for the types of C and Fortran.
    #[test]
    fn complex_numbers_are_added_and_multiplied_as_such() {
        let (x, y) = ([1.0, 2.0, -2.0, 0.25], [3.0, -1.0, 0.5, 4.0]);
        let wide = |numbers: [f64; 4]| numbers.map(f64::to_le_bytes).concat();
        let narrow = |numbers: [f64; 4]| numbers.map(|number| (number as f32).to_le_bytes()).concat();
        let cases = [
            (AccumulateOp::Sum, [4.0, 1.0, -1.5, 4.25]),
            (AccumulateOp::Prod, [5.0, 5.0, -2.0, -7.875]),
        ];
        for (operator, expected) in cases {
            for name in ["MPI_C_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX", "MPI_DBLCPLEX"] {
                let map = TypeMap::basic(name, 16);
                assert_eq!(
                    combine(operator, &map, &wide(x), &wide(y)),
                    wide(expected),
                    "{name}"
                );
            }
            for name in ["MPI_C_FLOAT_COMPLEX", "MPI_COMPLEX", "MPI_CPLEX"] {
                let map = TypeMap::basic(name, 8);
                assert_eq!(
                    combine(operator, &map, &narrow(x), &narrow(y)),
                    narrow(expected),
                    "{name}"
                );
            }
        }
    }
}
