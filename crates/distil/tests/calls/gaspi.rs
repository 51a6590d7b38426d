//! Its programs and streams.

#[path = "../../../explore/tests/calls/gaspi/generate.rs"]
pub(crate) mod generate;
#[path = "../../../explore/tests/calls/gaspi/stream.rs"]
pub(crate) mod stream;
