//! No target changes 16 bytes as one: who fetches would see parts of two values.
use farside::{Complex, Operation, Result, Window};

fn program(window: &mut Window<Complex<f64>>) -> Result<()> {
    window.fence(|epoch| epoch.get_accumulate(Operation::Sum, &[Complex::i()], &mut [Complex::i()], 1, 0))
}

fn main() {}
