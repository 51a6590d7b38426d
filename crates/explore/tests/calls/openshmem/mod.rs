//! OpenSHMEM.

mod generate;
mod stream;
mod unneeded;

use crate::detector::{Family, agree};

/// Its words among those of queues.
const MODEL: &str = include_str!("../../../../../models/openshmem-calls.model");

#[test]
fn the_detector_agrees_with_the_model() {
    agree(&Family {
        model: MODEL,
        generate: generate::generate,
        describe: generate::describe,
        races: stream::races,
    });
}
