//! Misuse of epochs, assertions and windows: each check is asked before the state changes, and gives a finding or none.
//!
//! Source: MPI-4.1 §12.5 (which calls may follow which), §12.5.5 (assertions).

mod assertions;
mod deadlock;
mod endings;
mod levels;
mod mistaken;
mod overlap;
mod reach;

pub(crate) use assertions::{
    NOPRECEDE, fences_disagree, lock_of_no_locks, lock_without_check, no_operation_pending, no_put, no_store,
    start_without_check, unlike_post, unlike_units,
};
pub(crate) use deadlock::{Calls, Deadlock, Entered, starts_wait};
pub(crate) use endings::{
    Whole, attached_twice, detached_early, finalized_while_open, freed_while_open, groups, lost_notification,
    not_attached, object_ends_while_open, withdrawn_while_open,
};
pub(crate) use levels::Levels;
pub(crate) use mistaken::{mistaken, unequal, unlike_calls, used_after_free};
pub(crate) use overlap::{
    double_lock, exposes_locked, flush_without_lock, locks_exposed, mixed, not_covered,
    request_in_active_epoch, unmatched_close,
};
pub(crate) use reach::{negative_count, outside};
