//! The files that a process has open and whose texts are known, and its streams of C++.

use crate::inputs::Inputs;
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// Open files by the address of their `FILE`.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    inputs: Inputs,
    /// The `FILE` that is the standard input, if that is known.
    standard: Option<u64>,
    open: HashMap<u64, Stream>,
    /// Streams by the addresses of their parts.
    parts: HashMap<u64, u64>,
}

/// What is known of a text: the more, the less is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Knowledge {
    Known,
    /// It depends on values from outside; what there is, is a sample.
    Outside,
    /// It was not computed.
    Lost,
}

/// One open file, and how far it has been read.
#[derive(Debug)]
pub(crate) struct Stream {
    text: Arc<[u8]>,
    at: usize,
    /// Whether somebody asked for more than there is.
    ended: bool,
    /// Whether something was wanted that was not there.
    failed: bool,
    /// Where the next byte is written to.
    end: usize,
    knowledge: Knowledge,
    /// Where its `std::basic_ios` lies; 0 for files of C and the standard input.
    ios: u64,
    /// Whether what is written to it is kept.
    keeps: bool,
}

impl Streams {
    /// Nothing is open yet.
    pub(crate) fn of(inputs: &Inputs) -> Self {
        Self {
            inputs: inputs.clone(),
            standard: None,
            open: HashMap::default(),
            parts: HashMap::default(),
        }
    }

    pub(crate) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The `FILE` that is the standard input, if that is known.
    pub(crate) fn standard(&self) -> Option<u64> {
        self.standard
    }

    /// The standard input is this `FILE`.
    pub(crate) fn set_standard(&mut self, file: u64, text: Arc<[u8]>) {
        self.standard = Some(file);
        self.open(file, text);
    }

    /// From now on the `FILE` at this address is a text, read from its beginning.
    pub(crate) fn open(&mut self, file: u64, text: Arc<[u8]>) {
        self.open_stream((file, 0), text, Knowledge::Known);
    }

    /// From now on the stream of C++ at this address is a text, read and written from its beginning.
    pub(crate) fn open_stream(&mut self, (file, ios): (u64, u64), text: Arc<[u8]>, knowledge: Knowledge) {
        let stream = Stream {
            text,
            at: 0,
            ended: false,
            failed: false,
            end: 0,
            knowledge,
            ios,
            keeps: true,
        };
        self.open.insert(file, stream);
    }

    /// A part of a stream is known by an address of its own.
    pub(crate) fn add_part(&mut self, part: u64, stream: u64) {
        self.parts.insert(part, stream);
    }

    /// A known text that is open.
    pub(crate) fn get(&mut self, file: u64) -> Option<&mut Stream> {
        let known = self.open.get_mut(&file);
        known.filter(|stream| stream.knowledge == Knowledge::Known)
    }

    /// A stream of C++ by the address of itself or a part of it.
    pub(crate) fn stream(&mut self, part: u64) -> Option<&mut Stream> {
        let whole = self.parts.get(&part).copied().unwrap_or(part);
        self.open.get_mut(&whole)
    }

    pub(crate) fn close(&mut self, file: u64) -> bool {
        self.parts.retain(|_, whole| *whole != file);
        self.open.remove(&file).is_some()
    }
}

impl Stream {
    /// All of it.
    pub(crate) fn text(&self) -> &Arc<[u8]> {
        &self.text
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    /// Takes at most so many bytes; whoever gets fewer has met the end.
    pub(crate) fn take(&mut self, most: usize) -> Vec<u8> {
        let length = most.min(self.rest().len());
        self.ended |= length < most;
        let taken = self.rest()[..length].to_vec();
        self.at += length;
        taken
    }

    /// Takes up to and with the end of the line, at most so many bytes.
    pub(crate) fn take_line(&mut self, most: usize) -> Vec<u8> {
        let line = self.rest().iter().position(|byte| *byte == b'\n');
        match line {
            Some(end) => self.take((end + 1).min(most)),
            // Nothing ends the last line but the end of the text.
            None if most > self.rest().len() => {
                self.ended = true;
                self.take(self.rest().len())
            }
            None => self.take(most),
        }
    }

    /// Whether somebody has asked for more than there was.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    pub(crate) fn meet_end(&mut self) {
        self.ended = true;
    }

    /// What there is of a text, and what is known of it.
    pub(crate) fn knowledge(&self) -> Knowledge {
        self.knowledge
    }

    /// Less is known from now on.
    pub(crate) fn know_less(&mut self, knowledge: Knowledge) {
        self.knowledge = self.knowledge.max(knowledge);
    }

    /// Where its `std::basic_ios` lies; 0 if it has none that is known.
    pub(crate) fn ios(&self) -> u64 {
        self.ios
    }

    /// It has this text from now on, and is written at its beginning or end.
    pub(crate) fn set_text(&mut self, text: Vec<u8>, knowledge: Knowledge, at_end: bool) {
        (self.at, self.end) = (0, if at_end { text.len() } else { 0 });
        (self.text, self.knowledge) = (text.into(), knowledge);
    }

    /// What is written to it is not kept.
    pub(crate) fn discard(&mut self) {
        self.keeps = false;
    }

    /// Writes after what was written last, over what is there.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        if !self.keeps {
            return;
        }
        let (before, after) = (&self.text[..self.end], self.text.get(self.end + bytes.len()..));
        self.text = [before, bytes, after.unwrap_or_default()].concat().into();
        self.end += bytes.len();
    }

    /// Whether it has ended and failed is this, from now on.
    pub(crate) fn set_state(&mut self, ended: bool, failed: bool) {
        (self.ended, self.failed) = (ended, failed);
    }

    /// Whether something was wanted that was not there, as a stream of C++ remembers it.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    pub(crate) fn fail(&mut self) {
        self.failed = true;
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    /// Goes to a byte of the text; `false` if there is none.
    pub(crate) fn seek(&mut self, to: i64) -> bool {
        let place = usize::try_from(to).ok().filter(|to| *to <= self.text.len());
        if let Some(to) = place {
            self.at = to;
            self.ended = false;
        }
        place.is_some()
    }
}
