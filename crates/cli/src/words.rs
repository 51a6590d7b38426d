//! The words of a command line, given as one argument.

/// Words of a command line.
#[derive(Clone, Debug)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// The words.
    pub(crate) fn all(&self) -> &[String] {
        &self.0
    }
}

/// Takes a text apart as a shell does.
pub(crate) fn words(text: &str) -> Result<Words, String> {
    shlex::split(text)
        .map(Words)
        .ok_or_else(|| format!("{text} has a quote that is not closed"))
}
