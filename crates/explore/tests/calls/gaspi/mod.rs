//! GASPI 17.1, by its letter and as common networks have it.

mod generate;
mod stream;

use crate::detector::{Family, agree};
use farside_race::Gaspi;

#[test]
fn the_detector_agrees_with_the_model() {
    agree(&Family {
        model: include_str!("../../../../../models/gaspi.model"),
        generate: generate::generate,
        describe: generate::describe,
        races: |case, steps| stream::races(case, steps, Gaspi::Strict),
    });
}

#[test]
fn the_detector_agrees_with_the_relaxed_model() {
    agree(&Family {
        model: include_str!("../../../../../models/gaspi-relaxed.model"),
        generate: generate::generate,
        describe: generate::describe,
        races: |case, steps| stream::races(case, steps, Gaspi::Relaxed),
    });
}
