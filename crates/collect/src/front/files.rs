//! Files of other hosts, read where they are: programs and libraries for their symbols, sources for their lines.
//!
//! Promise: who asks gets an answer or an error in bounded time, whatever becomes of the host. Any thread may ask.

use super::{Front, Shared};
use crate::SILENCE;
use crate::frame::{BLOCK, ToCollector, unpack};
use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Questions that are open at one time: each is answered by a block.
const OPEN: usize = 64;

/// A collector that is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node(usize);

/// A block of a file, and the length of the whole file.
type Block = io::Result<(Vec<u8>, u64)>;

/// Where the answer to a question goes, with its number.
type Answer = Sender<(u64, Block)>;

/// What was asked, and not answered yet.
#[derive(Debug, Default)]
pub(super) struct Questions {
    next: u64,
    /// Those that the connection's thread has yet to send.
    waiting: Vec<(usize, ToCollector)>,
    answers: HashMap<u64, (usize, u32, Answer)>,
}

impl Questions {
    fn ask(&mut self, node: usize, path: &str, offset: u64, length: u32, answer: &Answer) {
        let request = self.next;
        self.next += 1;
        let path = path.to_owned();
        let question = ToCollector::Read {
            request,
            path,
            offset,
            length,
        };
        self.waiting.push((node, question));
        self.answers.insert(request, (node, length, answer.clone()));
    }

    /// What a collector is to hear.
    pub(super) fn of(&mut self, node: usize) -> Vec<ToCollector> {
        let (mine, others) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(of, _)| *of == node);
        self.waiting = others;
        let mine: Vec<(usize, ToCollector)> = mine;
        mine.into_iter().map(|(_, question)| question).collect()
    }

    /// A collector's answer: `size` is none if the file cannot be read there.
    pub(super) fn answer(
        &mut self,
        (node, request): (usize, u64),
        size: Option<u64>,
        length: u32,
        packed: &[u8],
    ) {
        let known = self.answers.remove(&request);
        // Nobody else is asked, and nobody gets more than was asked for.
        let Some((_, wanted, answer)) = known.filter(|(of, ..)| *of == node) else {
            return;
        };
        let block = match size {
            Some(size) if length <= wanted => unpack(packed, length).map(|bytes| (bytes, size)),
            Some(_) => Err(ErrorKind::InvalidData.into()),
            None => Err(ErrorKind::NotFound.into()),
        };
        // Who asked may have given up.
        let _ = answer.send((request, block));
    }

    /// Nothing more comes from a collector: who waits for it is told.
    pub(super) fn forget(&mut self, node: usize) {
        self.waiting.retain(|(of, _)| *of != node);
        self.answers.retain(|request, (of, _, answer)| {
            if *of == node {
                let _ = answer.send((*request, Err(ErrorKind::NotConnected.into())));
            }
            *of != node
        });
    }
}

impl Front {
    /// The collectors of hosts of this name that are connected.
    #[must_use]
    pub fn nodes(&self, host: &str) -> Vec<Node> {
        let state = self.shared.state();
        let of_host = |number: &&usize| state.hosts[**number].0.name == host;
        state
            .connected
            .keys()
            .filter(of_host)
            .map(|&number| Node(number))
            .collect()
    }

    /// Reads pieces of a file of a node, given by offset and length, and hands them to `take` in any order, each with
    /// its offset. What lies beyond the end of the file is left out. The length of the file.
    ///
    /// # Errors
    /// The file cannot be read there, the node is gone or silent; those of `take`.
    pub fn read(
        &self,
        node: Node,
        path: &str,
        pieces: &[(u64, u64)],
        take: &mut dyn FnMut(u64, &[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        let mut blocks = pieces.iter().flat_map(|&(offset, length)| {
            let end = offset.saturating_add(length);
            let begins = (offset..end).step_by(BLOCK);
            begins.map(move |begin| (begin, u32::try_from((end - begin).min(BLOCK as u64)).unwrap_or(0)))
        });
        let mut open = HashMap::new();
        let (sender, answers) = channel();
        let mut size = 0;
        loop {
            while open.len() < OPEN
                && let Some((offset, length)) = blocks.next()
            {
                open.insert(self.shared.read(node.0, path, (offset, length), &sender)?, offset);
            }
            if open.is_empty() {
                return Ok(size);
            }
            let (request, (bytes, all)) = next(&answers)?;
            size = all;
            if let Some(offset) = open.remove(&request) {
                take(offset, &bytes)?;
            }
        }
    }
}

fn next(answers: &Receiver<(u64, Block)>) -> io::Result<(u64, (Vec<u8>, u64))> {
    // The connection is given up after this time, which is noticed a little later.
    let answer = answers.recv_timeout(SILENCE * 2);
    let (request, block) = answer.map_err(|_| io::Error::from(ErrorKind::TimedOut))?;
    Ok((request, block?))
}

impl Shared {
    fn read(
        &self,
        node: usize,
        path: &str,
        (offset, length): (u64, u32),
        answer: &Answer,
    ) -> io::Result<u64> {
        let mut state = self.state();
        if !state.connected.contains_key(&node) {
            return Err(ErrorKind::NotConnected.into());
        }
        let request = state.questions.next;
        state.questions.ask(node, path, offset, length, answer);
        Ok(request)
    }
}
