//! What atomic operations compute, said a second time, apart from the transports.

use crate::{AtomicKind, AtomicOperation};

/// An element as bits, in the lowest bytes.
pub(super) type Bits = u64;

pub(super) fn bytes_of(bits: Bits, kind: AtomicKind) -> Vec<u8> {
    match kind.bytes() {
        1 => (bits as u8).to_ne_bytes().to_vec(),
        2 => (bits as u16).to_ne_bytes().to_vec(),
        4 => (bits as u32).to_ne_bytes().to_vec(),
        _ => bits.to_ne_bytes().to_vec(),
    }
}

pub(super) fn bits_of(bytes: &[u8]) -> Bits {
    match bytes.len() {
        1 => Bits::from(bytes[0]),
        2 => Bits::from(u16::from_ne_bytes(bytes.try_into().unwrap_or_default())),
        4 => Bits::from(u32::from_ne_bytes(bytes.try_into().unwrap_or_default())),
        _ => u64::from_ne_bytes(bytes.try_into().unwrap_or_default()),
    }
}

/// What the standard says of an element: by wide arithmetic, cut to size; not as transports do it.
pub(super) fn expected(operation: AtomicOperation, kind: AtomicKind, there: Bits, operand: Bits) -> Bits {
    use AtomicKind as K;
    use AtomicOperation as O;
    let signed = |bits: Bits| match kind {
        K::I8 => i128::from(bits as i8),
        K::I16 => i128::from(bits as i16),
        K::I32 => i128::from(bits as i32),
        K::I64 => i128::from(bits as i64),
        _ => i128::from(bits),
    };
    let float = |bits: Bits| match kind {
        K::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    };
    let from_float = |value: f64| match kind {
        K::F32 => Bits::from((value as f32).to_bits()),
        _ => value.to_bits(),
    };
    let wide = match operation {
        O::Replace => operand,
        O::NoOp => there,
        O::And => there & operand,
        O::Or => there | operand,
        O::Xor => there ^ operand,
        O::MaxLoc => located(kind, there, operand, 1.0),
        O::MinLoc => located(kind, there, operand, -1.0),
        // By their tables of truth, bit by bit: rows 00, 01, 10, 11.
        O::LogicalAnd => truth(0b1000, there, operand),
        O::LogicalOr => truth(0b1110, there, operand),
        O::LogicalXor => truth(0b0110, there, operand),
        O::Sum | O::Product if kind == K::F32Complex => complex(operation, there, operand),
        // Sums and products of two `f32` are exact enough in `f64` for the numbers used here.
        O::Sum if kind.is_float() => from_float(float(there) + float(operand)),
        O::Product if kind.is_float() => from_float(float(there) * float(operand)),
        O::Min if kind.is_float() => from_float(float(there).min(float(operand))),
        O::Max if kind.is_float() => from_float(float(there).max(float(operand))),
        O::Sum => (signed(there) + signed(operand)) as Bits,
        O::Product => signed(there).wrapping_mul(signed(operand)) as Bits,
        O::Min => signed(there).min(signed(operand)) as Bits,
        O::Max => signed(there).max(signed(operand)) as Bits,
    };
    bits_of(&bytes_of(wide, kind))
}

/// The first and the second field of a pair.
fn fields(bits: Bits) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = bits.to_ne_bytes();
    [[a, b, c, d], [e, f, g, h]].map(u32::from_ne_bytes)
}

fn pair(fields: [u32; 2]) -> Bits {
    let [[a, b, c, d], [e, f, g, h]] = fields.map(u32::to_ne_bytes);
    Bits::from_ne_bytes([a, b, c, d, e, f, g, h])
}

/// The pair that comes first when both are sorted: by value, from the wanted end, then by index.
fn located(kind: AtomicKind, there: Bits, operand: Bits, sign: f64) -> Bits {
    let key = |bits: Bits| {
        let [value, index] = fields(bits);
        let value = match kind {
            AtomicKind::I32Located => f64::from(value as i32),
            AtomicKind::F32Located => f64::from(f32::from_bits(value)),
            _ => f64::from(value),
        };
        (value * sign, index)
    };
    let mut pairs = [there, operand];
    pairs.sort_by(|a, b| {
        let ((a, first), (b, second)) = (key(*a), key(*b));
        b.total_cmp(&a).then(first.cmp(&second))
    });
    pairs[0]
}

/// As matrices: a + bi is (a, -b; b, a), and the result is the first column. Exact in `f64` for the numbers used here.
fn complex(operation: AtomicOperation, there: Bits, operand: Bits) -> Bits {
    let matrix = |bits: Bits| {
        let [a, b] = fields(bits).map(|part| f64::from(f32::from_bits(part)));
        [[a, -b], [b, a]]
    };
    let (left, right) = (matrix(there), matrix(operand));
    let row = |row: usize| match operation {
        AtomicOperation::Sum => left[row][0] + right[row][0],
        _ => left[row][0] * right[0][0] + left[row][1] * right[1][0],
    };
    pair([0, 1].map(|index| (row(index) as f32).to_bits()))
}

/// The entry of a table for two numbers, each of which is true unless it is 0.
fn truth(table: Bits, there: Bits, operand: Bits) -> Bits {
    let row = Bits::from(there > 0) << 1 | Bits::from(operand > 0);
    table >> row & 1
}

/// Values with something to them: extremes for whole numbers, exact ones for floating point.
pub(super) fn samples(kind: AtomicKind) -> Vec<Bits> {
    let cut = |bits| bits_of(&bytes_of(bits, kind));
    match kind {
        AtomicKind::F32 => [0.0_f32, 1.5, -2.25, 1024.0, -0.125]
            .map(|value| value.to_bits().into())
            .to_vec(),
        AtomicKind::F64 => [0.0_f64, 1.5, -2.25, 1e9, -0.125].map(f64::to_bits).to_vec(),
        kind if kind.is_located() => {
            let values = match kind {
                AtomicKind::F32Located => [1.5_f32, 1.5, -2.25, 1024.0].map(f32::to_bits),
                _ => [7, 7, u32::MAX, 1 << 31],
            };
            let indices = [9, 4, 4, 0];
            values
                .iter()
                .zip(indices)
                .map(|(&value, index)| pair([value, index]))
                .collect()
        }
        AtomicKind::F32Complex => [[0.0_f32, 1.0], [1.5, -2.0], [-2.25, 1024.0], [-0.125, 0.5]]
            .map(|parts| pair(parts.map(f32::to_bits)))
            .to_vec(),
        _ => [
            0,
            1,
            7,
            0x7F,
            0x80,
            u64::MAX,
            u64::MAX / 2,
            1 << 63,
            0x1234_5678_9ABC_DEF1,
            0x8000,
            0x8000_0000,
        ]
        .map(cut)
        .to_vec(),
    }
}
