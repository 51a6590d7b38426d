//! What is wrong with a call that one process alone can look after.

use farside_events::Mistake;

/// The sentence: `call` of the process is wrong, for `earlier` if there is such a call.
pub(super) fn sentence(mistake: &Mistake, (call, rank): (&str, u32), earlier: &str) -> String {
    match mistake {
        Mistake::Target { number, processes } => format!(
            "{call} by rank {rank} to PE {number}, which does not exist: there are {processes}, and the first is 0"
        ),
        Mistake::NotSymmetric { argument } => format!(
            "{argument} of {call} by rank {rank} is not symmetric: it is neither in the symmetric heap nor static data \
             of the program"
        ),
        Mistake::Beyond {
            argument,
            start,
            end,
            size,
        } => format!(
            "{argument} of {call} by rank {rank} has bytes [{start}, {end}) of a symmetric object of {size} bytes"
        ),
        Mistake::Freed { argument } => {
            format!("{argument} of {call} by rank {rank} lies in memory that {earlier} has freed")
        }
        Mistake::NotAllocated => {
            format!("{call} by rank {rank} gets an address that is not the beginning of an allocation")
        }
        Mistake::FreedTwice => format!("{call} by rank {rank} gets memory that {earlier} has freed already"),
        Mistake::Overlap {
            arguments: [one, other],
        } => format!("{one} and {other} of {call} by rank {rank} overlap, and one of them is written"),
        Mistake::LockHeld => {
            format!("{call} by rank {rank} waits for a lock that its thread has since {earlier}: for ever")
        }
        Mistake::LockNotHeld => format!("{call} by rank {rank} clears a lock that this PE has not set"),
        Mistake::Refused { reason, .. } => format!("{call} of rank {rank} {reason}"),
        Mistake::BeforeInit => format!("{call} by rank {rank} comes before shmem_init"),
        Mistake::AfterFinalize => format!("{call} by rank {rank} comes after shmem_finalize"),
    }
}
