//! What the outside world decides, by name.

use crate::value::{Symbol, source};

/// A text that a program is given or reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Input {
    /// A word of the command line, from 1.
    Argument(usize),
    /// An environment variable.
    Variable(String),
    /// What is read from a stream, from 0: a number, a word, or a line. The standard input has no name.
    Read(String, usize),
}

/// What has so many texts as the outside world decides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum List {
    /// The words of the command line after the program's name.
    Arguments,
    /// An environment variable: none or one.
    Variable(String),
    /// A stream.
    Stream(String),
}

/// Something that holds or not, as the outside world decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    /// There are more texts than so many.
    Longer(List, usize),
    /// A text is this word.
    Is(Input, String),
}

impl Input {
    /// The list that it is in, and its place there, from 0.
    pub(crate) fn place(&self) -> (List, usize) {
        match self {
            Self::Argument(nth) => (List::Arguments, nth - 1),
            Self::Variable(name) => (List::Variable(name.clone()), 0),
            Self::Read(stream, nth) => (List::Stream(stream.clone()), *nth),
        }
    }

    /// The symbol of its number.
    pub(crate) fn symbol(&self) -> Symbol {
        source(("number", self))
    }
}

impl List {
    /// The symbol of how many texts it has, and so many more.
    pub(crate) fn length(&self, more: u64) -> Symbol {
        source(("length", self, more))
    }
}

impl Condition {
    /// Its symbol, of what is `yes` or `no`.
    pub(crate) fn symbol(&self, yes: u64, no: u64) -> Symbol {
        source(("choice", self, yes, no))
    }
}
