//! The race engine: event stream in, findings out.
#![forbid(unsafe_code)]
