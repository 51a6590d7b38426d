//! What the predefined operators make of data (MPI-4.1 §6.9.2).

use crate::value::signed;
use farside_events::{AccumulateOp, TypeMap};

/// What an operator makes of two buffers, element by element of the first basic type.
pub(crate) fn combine(operator: AccumulateOp, map: &TypeMap, left: &[u8], right: &[u8]) -> Vec<u8> {
    let Some(basic) = map.basics.first() else {
        return right.to_vec();
    };
    match operator {
        AccumulateOp::Replace => return right.to_vec(),
        AccumulateOp::NoOp => return left.to_vec(),
        _ => {}
    }
    let size = (basic.size as usize).clamp(1, 8);
    let floating = ["FLOAT", "DOUBLE", "REAL", "DBLPREC"]
        .iter()
        .any(|word| basic.name.contains(word));
    let unsigned = basic.name.contains("UNSIGNED") || basic.name.contains("UINT");
    let mut result = Vec::with_capacity(left.len());
    for (x, y) in left.chunks(size).zip(right.chunks(size)) {
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        let (x, y) = (word(x), word(y));
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
}
