//! Elements of several numbers: pairs with an index, and complex numbers.

use super::expect::{reported, silent};
use farside::check::Rule;
use farside::{Complex, Located, Operation, Window};

const SOURCE: &str = include_str!("elements.rs");

#[test]
fn extremes_of_all_ranks() {
    silent(3, |world| {
        let mut window = Window::<Located<f32>>::allocate(world, 2)?;
        let own = [Located::new(1.5, world.rank()); 2];
        let mut before = Located::default();
        window.fence(|epoch| {
            epoch.accumulate(Operation::MaxLoc, &own, 1, 0)?;
            epoch.fetch_and_op(Operation::NoOp, own[0], &mut before, 1, 1)
        })?;
        window.free()
    });
}

#[test]
fn greatest_and_smallest_at_once() {
    let sides = [("accumulate", 0, "greatest"), ("accumulate", 1, "smallest")];
    reported(2, SOURCE, Rule::AccumulateMismatch, sides, |world| {
        let mut window = Window::<Located<u32>>::allocate(world, 1)?;
        let own = [Located::new(1, world.rank())];
        window.fence(|epoch| match world.rank() {
            0 => epoch.accumulate(Operation::MaxLoc, &own, 1, 0), // greatest
            _ => epoch.accumulate(Operation::MinLoc, &own, 1, 0), // smallest
        })?;
        window.free()
    });
}

#[test]
fn sums_of_complex_numbers() {
    silent(3, |world| {
        let mut window = Window::<Complex<f64>>::allocate(world, 2)?;
        let own = [Complex::new(1.0, 2.0); 2];
        window.fence(|epoch| epoch.accumulate(Operation::Sum, &own, 1, 0))?;
        assert!(world.rank() != 1 || window.local()? == [Complex::new(3.0, 6.0); 2]);
        window.free()
    });
}

#[test]
fn a_get_meets_a_sum_of_complex_numbers() {
    let sides = [("accumulate", 0, "adds"), ("get", 1, "reads")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<Complex<f64>>::allocate(world, 1)?;
        let (own, mut found) = ([Complex::new(1.0, 2.0)], [Complex::default()]);
        window.fence(|epoch| match world.rank() {
            0 => epoch.accumulate(Operation::Sum, &own, 1, 0), // adds
            _ => epoch.get(&mut found, 1, 0),                  // reads
        })?;
        window.free()
    });
}
