//! Where in a program's text a call of a suggestion was tried.

use crate::place::Place;
use serde::{Deserialize, Serialize};

/// A call of a suggestion, and where it was tried and helps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stand {
    /// The call: `MPI_Barrier(comm)`.
    pub call: String,
    /// The parts of the text in each of which it helps; what comes first is what the suggestion means.
    pub stretches: Vec<Stretch>,
}

/// A part of a function's text in which the call was tried.
///
/// A call of one process stands right after the first place or right before the second one, whichever is given. A call
/// of all processes stands between the two, where nothing was recorded: any line there is the same to the run. A place
/// that is missing is the beginning or the end of the function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stretch {
    /// What comes before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Place>,
    /// What comes after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Place>,
    /// Whether it is right before `before` that the call is meant to stand, and not right after `after`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_end: bool,
}

impl Stretch {
    /// Right after a place.
    pub fn after(place: Place) -> Self {
        Self {
            after: Some(place),
            ..Self::default()
        }
    }

    /// Right before a place.
    pub fn before(place: Place) -> Self {
        Self {
            before: Some(place),
            at_end: true,
            ..Self::default()
        }
    }

    /// The place that the call is meant to stand beside, and whether it stands after it.
    pub fn beside(&self) -> Option<(&Place, bool)> {
        let after = self.after.as_ref().map(|place| (place, true));
        let before = self.before.as_ref().map(|place| (place, false));
        match self.at_end {
            true => before.or(after),
            false => after.or(before),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_has_an_end_that_is_meant() {
        let line = |line| Place {
            line,
            ..Place::default()
        };
        let both = |at_end| Stretch {
            after: Some(line(12)),
            before: Some(line(15)),
            at_end,
        };
        assert_eq!(both(false).beside(), Some((&line(12), true)));
        assert_eq!(both(true).beside(), Some((&line(15), false)));
        assert_eq!(Stretch::before(line(3)).beside(), Some((&line(3), false)));
        assert_eq!(Stretch::default().beside(), None);
    }
}
