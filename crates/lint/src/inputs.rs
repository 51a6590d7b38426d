//! What the user says a program reads: its standard input, and files by the names under which it opens them.

use std::sync::Arc;

/// Texts that a program reads as they are. What it reads besides them is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Inputs {
    standard: Option<Arc<[u8]>>,
    files: Vec<(String, Arc<[u8]>)>,
    variables: Vec<(String, String)>,
}

impl Inputs {
    /// The standard input; every process reads all of it.
    pub fn set_standard(&mut self, text: impl Into<Arc<[u8]>>) {
        self.standard = Some(text.into());
    }

    /// A file; `name` is what the program gives to `fopen` or Fortran's `open`, or the end of that after a `/`.
    pub fn add_file(&mut self, name: impl Into<String>, text: impl Into<Arc<[u8]>>) {
        self.files.push((name.into(), text.into()));
    }

    /// An environment variable; those that nobody names are not known.
    pub fn set_variable(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let name = name.into();
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value.into()));
    }

    /// An environment variable, if it is known.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        let known = self.variables.iter().find(|(known, _)| known == name);
        known.map(|(_, value)| value.as_str())
    }

    /// The standard input, if it is known.
    pub(crate) fn standard(&self) -> Option<&Arc<[u8]>> {
        self.standard.as_ref()
    }

    /// A file of this name: itself, or one that is named without its folder.
    pub(crate) fn file(&self, name: &str) -> Option<&Arc<[u8]>> {
        let names = |known: &str| {
            let before = name.strip_suffix(known);
            before.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        };
        let found = self.files.iter().find(|(known, _)| names(known));
        found.map(|(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_name_with_or_without_its_folder() {
        let mut inputs = Inputs::default();
        inputs.add_file("heat.in", *b"4");
        assert!(inputs.file("heat.in").is_some());
        assert!(inputs.file("./decks/heat.in").is_some());
        assert!(inputs.file("wheat.in").is_none());
        assert!(inputs.file("heat").is_none());
    }
}
