//! The collective functions in which ranks meet, by a code that flags and counters carry.

/// Which collective function ranks meet in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Meeting {
    Barrier = 1,
    FenceOpen,
    FenceClose,
    FencesOpen,
    FencesNext,
    FencesEnd,
    Created,
    Passive,
    Active,
    Free,
    Design,
}

impl Meeting {
    const NAMES: [&'static str; 12] = [
        "nothing known",
        "barrier",
        "fence (its beginning)",
        "fence (its end)",
        "fences (its beginning)",
        "fences (the end of an epoch)",
        "fences (its end)",
        "the creation of a window",
        "into_passive",
        "into_active",
        "free",
        "set_neighbours",
    ];

    pub(super) fn name(code: u64) -> &'static str {
        Self::NAMES.get(code as usize).copied().unwrap_or(Self::NAMES[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meeting_has_a_name_and_a_bit_in_the_counter() {
        assert!(Meeting::NAMES.len() <= 16);
        for meeting in [Meeting::Barrier, Meeting::FencesEnd, Meeting::Free] {
            assert_ne!(Meeting::name(meeting as u64), Meeting::NAMES[0]);
        }
        assert_eq!(Meeting::name(Meeting::Free as u64), "free");
        assert_eq!(Meeting::name(200), Meeting::NAMES[0]);
    }
}
