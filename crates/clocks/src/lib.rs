//! Vector clocks and interval maps.
#![forbid(unsafe_code)]
