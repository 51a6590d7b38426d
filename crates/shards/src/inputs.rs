//! A name for what a run reads.

use crate::writer::hexadecimal;
use md5::{Digest, Md5};

/// Takes in what a run reads, in order.
#[derive(Clone, Default)]
pub struct Inputs(Md5);

impl Inputs {
    /// One input: its name, and what it has.
    pub fn add(&mut self, name: &str, content: &[u8]) {
        for part in [name.as_bytes(), content] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// The name of all of them together: an MD5 in hexadecimal.
    #[must_use]
    pub fn name(self) -> String {
        hexadecimal(&self.0.finalize())
    }
}
