//! Whether a caller looks at what a call returns.

/// Whether the code where a call returns may read the word that the call returns.
///
/// Limit: always; no instruction is decoded.
///
/// # Safety
/// `at` is where a call returns.
pub(crate) unsafe fn may_read_result(_at: usize) -> bool {
    true
}
