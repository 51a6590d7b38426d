//! A name for what a test says, whatever it is called and however it is laid out.

use crate::ast::Program;
use crate::print::{Layout, print_as};
use md5::{Digest, Md5};

impl Program {
    /// The MD5 of the printed program, its name, quoted lines and final condition left out, with what its states show:
    /// logs with equal hashes can be compared state by state. In hexadecimal, as the field's tools print it.
    #[must_use]
    pub fn hash(&self) -> String {
        let anonymous = Self {
            name: "-".into(),
            about: Vec::new(),
            condition: None,
            locations: self.observables(),
            ..self.clone()
        };
        let digest = Md5::digest(print_as(&anonymous, Layout::Sequential).as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
