//! Questions of a process, and the launcher's answers: a line each.

use farside_fabric::{Error as FabricError, Result};
use std::io::{BufRead as _, BufReader, ErrorKind, Read, Write};

/// Above any line that a launcher sends.
const LINE_LIMIT: u64 = 1 << 16;

/// The conversation.
#[derive(Debug)]
pub(super) struct Talk<S> {
    stream: BufReader<S>,
}

/// A line of the launcher.
#[derive(Debug)]
pub(super) struct Line(pub(super) String);

impl<S> Talk<S>
where
    S: Read,
    for<'a> &'a S: Read + Write,
{
    /// A conversation over a stream.
    pub(super) fn new(stream: S) -> Self {
        Self {
            stream: BufReader::new(stream),
        }
    }

    /// Asks a question, and takes the answer, which is of this command.
    pub(super) fn ask(&mut self, question: &str, answer: &str) -> Result<Line> {
        let gone = |error: std::io::Error| FabricError::Bootstrap(format!("mpirun is gone: {error}"));
        self.stream
            .get_ref()
            .write_all(format!("{question}\n").as_bytes())
            .map_err(gone)?;
        let mut line = Vec::new();
        (&mut self.stream)
            .take(LINE_LIMIT)
            .read_until(b'\n', &mut line)
            .map_err(gone)?;
        if line.pop() != Some(b'\n') {
            return Err(gone(ErrorKind::UnexpectedEof.into()));
        }
        let line = Line(String::from_utf8_lossy(&line).trim_end().to_owned());
        match line.get("cmd") {
            Some(command) if command == answer => Ok(line),
            _ => Err(malformed(&line.0, &format!("cmd={answer}"))),
        }
    }
}

impl Line {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0
            .split_ascii_whitespace()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    /// The value of a key, as a number.
    pub(super) fn number(&self, key: &str) -> Result<usize> {
        let number = self.get(key).and_then(|value| value.parse().ok());
        number.ok_or_else(|| malformed(&self.0, key))
    }

    /// An error, unless the line says that it was done.
    pub(super) fn success(&self, what: &str) -> Result<()> {
        // The oldest form of the answer says its success by a message only.
        match (self.get("rc"), self.get("msg")) {
            (Some("0"), _) | (None, Some("success") | None) => Ok(()),
            _ => Err(FabricError::Bootstrap(format!(
                "mpirun refuses to {what}: {}",
                self.0
            ))),
        }
    }
}

/// What is said of a line that is not what was expected.
pub(super) fn malformed(line: &str, wanted: &str) -> FabricError {
    FabricError::Malformed {
        what: "an answer of mpirun",
        detail: format!("`{line}`; {wanted} was expected"),
    }
}
