//! Receives from any source that could have taken another message.

use crate::Recording;
use farside_race::{Choice, Detector, Options};

/// The receives of a recorded run that could have taken another message, in the order in which they were over; `None`
/// if not all events were kept. Whether the program does so, a run with these matches shows.
#[must_use]
pub fn other_matches(recording: &Recording, options: Options) -> Option<Vec<Choice>> {
    let mut detector = Detector::new(Options {
        first: false,
        ..options
    })
    .noting_choices();
    for (rank, clock) in recording.clocks() {
        detector.set_clock(*rank, *clock);
    }
    for (rank, event) in recording.events() {
        detector.event(rank, &event);
    }
    recording.is_whole().then(|| detector.choices())
}
