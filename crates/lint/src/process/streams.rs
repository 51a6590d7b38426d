//! The files that a process has open and whose texts are known.

use crate::inputs::Inputs;
use std::collections::HashMap;
use std::sync::Arc;

/// Open files by the address of their `FILE`.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    inputs: Inputs,
    /// The `FILE` that is the standard input, if that is known.
    standard: Option<u64>,
    open: HashMap<u64, Stream>,
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
}

impl Streams {
    /// Nothing is open yet.
    pub(crate) fn of(inputs: &Inputs) -> Self {
        Self {
            inputs: inputs.clone(),
            standard: None,
            open: HashMap::new(),
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
        let stream = Stream {
            text,
            at: 0,
            ended: false,
            failed: false,
        };
        self.open.insert(file, stream);
    }

    /// A known text that is open.
    pub(crate) fn get(&mut self, file: u64) -> Option<&mut Stream> {
        self.open.get_mut(&file)
    }

    pub(crate) fn close(&mut self, file: u64) -> bool {
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
