//! The collective functions in which ranks meet.

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
    HalvesOpen,
    Created,
    Passive,
    Active,
    Free,
    Design,
    Finish,
}
