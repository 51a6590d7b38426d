//! What is wrong with a call that one process alone can look after.

use farside_events::{Fault, Mistake};

/// The sentence: `call` of the process is wrong, for `earlier` if there is such a call.
pub(super) fn sentence(mistake: &Mistake, (call, rank): (&str, u32), earlier: &str) -> String {
    match mistake {
        Mistake::Target { number, processes } if call.starts_with("MPI_") => format!(
            "{call} by rank {rank} to rank {number} of the window, which does not exist: there are {processes}, and the \
             first is 0"
        ),
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
        Mistake::OfWindow => {
            format!(
                "{call} by rank {rank} ends memory that a window has since {earlier}: operations may still reach it"
            )
        }
        Mistake::FreedTwice => format!("{call} by rank {rank} gets memory that {earlier} has freed already"),
        Mistake::Overlap {
            arguments: [one, other],
        } => format!("{one} and {other} of {call} by rank {rank} overlap, and one of them is written"),
        Mistake::LockHeld => {
            format!("{call} by rank {rank} waits for a lock that its thread has since {earlier}: for ever")
        }
        Mistake::LockNotHeld => format!("{call} by rank {rank} clears a lock that this PE has not set"),
        Mistake::OnLock { argument } => format!(
            "{argument} of {call} by rank {rank} is the lock that this PE has since {earlier}: only calls on locks may \
             change it"
        ),
        Mistake::Refused { reason, .. } => format!("{call} of rank {rank} {reason}"),
        Mistake::Argument { argument, fault } => {
            format!("{argument} of {call} by rank {rank} {}", what_is_wrong(*fault))
        }
        Mistake::Destroyed { argument } => {
            format!("{argument} of {call} by rank {rank} is what {earlier} has destroyed")
        }
        Mistake::BeforeInit => format!("{call} by rank {rank} comes before shmem_init"),
        Mistake::AfterFinalize => format!("{call} by rank {rank} comes after shmem_finalize"),
    }
}

/// What is wrong with an argument, as the rest of a sentence that begins with its name.
fn what_is_wrong(fault: Fault) -> String {
    match fault {
        Fault::NoObject => "is the null handle, or no object any more".into(),
        Fault::NotCommitted => "is a datatype that MPI_Type_commit was not called for".into(),
        Fault::NotComparable => {
            "is a type of real or complex numbers, which cannot be compared and swapped".into()
        }
        Fault::Derived => "is a derived datatype, and this call takes predefined ones only".into(),
        Fault::MixedTypes => {
            "is made of basic types of several kinds, of which an accumulate takes one only".into()
        }
        Fault::NotForType => "is an operator that values of this datatype do not have".into(),
        Fault::NotPredefined => "is not one of MPI's own operators, which alone are allowed there".into(),
        Fault::NothingFetched => "is MPI_NO_OP, which only calls that also fetch take".into(),
        Fault::NoMemory { bytes } => format!(
            "is no memory of the program: {bytes} {} should be there",
            plural(bytes)
        ),
        Fault::Negative(number) => format!("is negative: {number}"),
        Fault::NotPositive(number) => format!("is {number}, and must be positive"),
        Fault::NoLock(number) => format!("is {number}: neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED"),
        Fault::NoAssertion(bits) => format!("is {bits}, which has assertions that this call does not take"),
        Fault::UnlikeTypes => "is made of another basic type than that of the other side".into(),
        Fault::Beyond { asked, left } => {
            format!(
                "is memory of {left} {}, of which {asked} are to be used",
                plural(left)
            )
        }
        Fault::TooSmall { moved, room } => {
            format!(
                "is too small: {moved} {} are moved to where there is room for {room}",
                plural(moved)
            )
        }
    }
}

fn plural(bytes: u64) -> &'static str {
    match bytes {
        1 => "byte",
        _ => "bytes",
    }
}
