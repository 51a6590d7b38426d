//! Its programs and streams.

#[path = "../../../explore/tests/calls/openshmem/generate.rs"]
pub(crate) mod generate;
#[path = "../../../explore/tests/calls/openshmem/stream.rs"]
pub(crate) mod stream;
