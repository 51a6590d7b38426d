//! What the outside world answers to a process that is simulated with answers, and how far it has come with them.

use crate::symbolic::{Answers, Input};
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// Answers, with what was read of them.
#[derive(Debug)]
pub(crate) struct Answering {
    answers: Rc<Answers>,
    /// Streams by the address of their `FILE`; the standard input has no name.
    files: HashMap<u64, String>,
    /// How many texts of each stream were read.
    read: HashMap<String, usize>,
    /// Where texts lie that are inputs, and what they are; what was stored there since is another text.
    texts: HashMap<u64, (Input, Vec<u8>)>,
    /// Where the values of environment variables lie.
    variables: HashMap<String, u64>,
}

impl Answering {
    /// Nothing was read yet.
    pub(crate) fn with(answers: Rc<Answers>) -> Self {
        Self {
            answers,
            files: HashMap::default(),
            read: HashMap::default(),
            texts: HashMap::default(),
            variables: HashMap::default(),
        }
    }

    pub(crate) fn answers(&self) -> &Answers {
        &self.answers
    }

    /// From now on a `FILE` is a stream.
    pub(crate) fn open(&mut self, file: u64, name: &str) {
        self.files.insert(file, name.to_owned());
        self.read.insert(name.to_owned(), 0);
    }

    /// The stream that a `FILE` is.
    pub(crate) fn stream(&self, file: u64) -> Option<&str> {
        self.files.get(&file).map(String::as_str)
    }

    /// The number of the next text of a stream, and the text, if there is one more.
    pub(crate) fn next(&self, stream: &str) -> (usize, Option<String>) {
        let nth = self.read.get(stream).copied().unwrap_or(0);
        (nth, self.answers.read(stream, nth).map(str::to_owned))
    }

    /// The next text of a stream was read.
    pub(crate) fn advance(&mut self, stream: &str) {
        *self.read.entry(stream.to_owned()).or_default() += 1;
    }

    /// An input lies somewhere.
    pub(crate) fn put(&mut self, at: u64, input: Input, text: &[u8]) {
        self.texts.insert(at, (input, text.to_vec()));
    }

    /// What input lies somewhere, if this is its text.
    pub(crate) fn text(&self, at: u64, text: &[u8]) -> Option<&Input> {
        let known = self.texts.get(&at);
        known.filter(|(_, known)| known == text).map(|(input, _)| input)
    }

    /// Where the value of an environment variable lies.
    pub(crate) fn variable(&self, name: &str) -> Option<u64> {
        self.variables.get(name).copied()
    }

    pub(crate) fn set_variable(&mut self, name: &str, at: u64) {
        self.variables.insert(name.to_owned(), at);
    }
}
