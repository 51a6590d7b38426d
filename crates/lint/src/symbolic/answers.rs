//! What the outside world answers: texts.

use super::input::{Input, List};
use super::terms::{Shape, Terms};
use crate::inputs::Inputs;
use farside_findings::{GivenInputs, GivenText};
use std::collections::BTreeMap;

/// What an input is of which nothing is known: a small number.
const DEFAULT: &str = "4";
/// Texts of a stream that the answers do not name.
const OF_STREAM: usize = 16;
/// More texts than these no list has.
pub(super) const MOST: usize = 16;

/// What is known of a question.
#[derive(Debug)]
pub(crate) enum Answer {
    /// By these answers it is so.
    Found(Answers),
    /// It cannot be so.
    Excluded,
    /// It does not say.
    Unknown,
}

/// The texts that a program is given and reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Answers {
    arguments: Vec<String>,
    /// Whether the command line is that of the user, and stays as it is.
    fixed: bool,
    variables: BTreeMap<String, String>,
    streams: BTreeMap<String, Vec<String>>,
}

impl Answers {
    /// A command line, and nothing said of all else; `fixed`: it is not to be changed.
    pub(crate) fn of(arguments: Vec<String>, fixed: bool) -> Self {
        Self {
            arguments,
            fixed,
            ..Self::default()
        }
    }

    /// Whether the program is given nothing, as far as is known.
    pub(crate) fn say_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// The words of the command line.
    pub(crate) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Whether the words of the command line are inputs.
    pub(crate) fn may_vary_arguments(&self) -> bool {
        !self.fixed
    }

    /// An environment variable, if it is set.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// A text of a stream, if it has so many.
    pub(crate) fn read(&self, stream: &str, nth: usize) -> Option<&str> {
        match self.streams.get(stream) {
            Some(texts) => texts.get(nth).map(String::as_str),
            None => (nth < OF_STREAM).then_some(DEFAULT),
        }
    }

    /// A text.
    pub(super) fn text(&self, input: &Input) -> &str {
        let text = match input {
            Input::Argument(nth) => self.arguments.get(nth - 1).map(String::as_str),
            Input::Variable(name) => self.variable(name),
            Input::Read(stream, nth) => self.read(stream, *nth),
        };
        text.unwrap_or(DEFAULT)
    }

    /// Whether a text is there, as far as that is said.
    pub(super) fn has(&self, input: &Input) -> bool {
        let (list, place) = input.place();
        self.length(&list).is_none_or(|length| length > place)
    }

    pub(super) fn set_text(&mut self, input: &Input, text: String) {
        let (list, place) = input.place();
        if self.length(&list).is_none_or(|length| length <= place) {
            self.set_length(&list, place + 1);
        }
        match input {
            Input::Argument(_) if self.fixed => {}
            Input::Argument(nth) => self.arguments[nth - 1] = text,
            Input::Variable(name) => drop(self.variables.insert(name.clone(), text)),
            Input::Read(stream, nth) => {
                if let Some(texts) = self.streams.get_mut(stream) {
                    texts[*nth] = text;
                }
            }
        }
    }

    /// How many texts a list has, if that is said.
    pub(super) fn length(&self, list: &List) -> Option<usize> {
        match list {
            List::Arguments => Some(self.arguments.len()),
            List::Variable(name) => Some(usize::from(self.variables.contains_key(name))),
            List::Stream(name) => self.streams.get(name).map(Vec::len),
        }
    }

    pub(super) fn set_length(&mut self, list: &List, length: usize) {
        let length = length.min(MOST);
        match list {
            List::Arguments if self.fixed => {}
            List::Arguments => self.arguments.resize(length, DEFAULT.into()),
            List::Variable(name) if length == 0 => drop(self.variables.remove(name)),
            List::Variable(name) => drop(self.variables.entry(name.clone()).or_insert(DEFAULT.into())),
            List::Stream(name) => {
                let texts = self.streams.entry(name.clone()).or_default();
                texts.resize(length, DEFAULT.into());
            }
        }
    }

    /// These answers with so many texts in a list, at least.
    pub(crate) fn with_length(&self, list: &List, least: usize) -> Self {
        let mut answers = self.clone();
        if self.length(list).is_none_or(|length| length < least) {
            answers.set_length(list, least);
        }
        answers
    }

    /// The same, with what a simulation read of streams that they do not name.
    pub(crate) fn completed(mut self, terms: &Terms) -> Self {
        let mut read: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (stream, _) in terms.shapes().keys() {
            read.entry(stream.clone()).or_default().push(DEFAULT.to_owned());
        }
        for (stream, texts) in read {
            self.streams.entry(stream).or_insert(texts);
        }
        self
    }

    /// What the program reads by these answers, besides what the user says that it does.
    pub(crate) fn inputs(&self, known: &Inputs, terms: &Terms) -> Inputs {
        let mut inputs = known.clone();
        for (name, value) in &self.variables {
            inputs.set_variable(name, value);
        }
        for (name, texts) in &self.streams {
            let text = stream_text(name, texts, terms).into_bytes();
            match name.is_empty() {
                true => inputs.set_standard(text),
                false => inputs.add_file(name, text),
            }
        }
        inputs
    }

    /// For a report: these, of which the command line is no news if the user said it.
    pub(crate) fn given(&self, terms: &Terms) -> GivenInputs {
        let text = |name: &String, text: String| GivenText {
            name: name.clone(),
            text,
        };
        let streams = self.streams.iter();
        let mut texts: Vec<GivenText> = streams
            .map(|(name, texts)| text(name, stream_text(name, texts, terms)))
            .collect();
        let standard = texts.iter().position(|text| text.name.is_empty());
        let standard = standard.map(|at| texts.remove(at).text);
        let variables = self.variables.iter();
        GivenInputs {
            arguments: self.arguments.clone(),
            standard_input: standard,
            files: texts,
            variables: variables.map(|(name, value)| text(name, value.clone())).collect(),
        }
    }
}

/// The text of a stream that gives these texts, one after the other, to who reads them as a simulation did.
fn stream_text(name: &str, texts: &[String], terms: &Terms) -> String {
    let shape = |nth: usize| terms.shapes().get(&(name.to_owned(), nth));
    let mut all = String::new();
    for (nth, text) in texts.iter().enumerate() {
        all.push_str(shape(nth).map_or("", Shape::before));
        all.push_str(text);
        let (line, next) = (shape(nth).is_some_and(Shape::is_line), shape(nth + 1));
        let joins = next.is_some_and(|next| !next.before().is_empty());
        let before_line = next.is_some_and(Shape::is_line);
        match (line, joins, before_line) {
            // A line has its own end.
            (true, ..) => all.push('\n'),
            (_, true, _) => {}
            // What is left of a line is the begin of the one that is read next.
            (_, _, true) => all.push(' '),
            _ => all.push('\n'),
        }
    }
    all
}
