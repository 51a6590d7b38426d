//! The only place that says whether two accesses conflict.
#![forbid(unsafe_code)]
