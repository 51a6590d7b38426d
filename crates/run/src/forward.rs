//! The output of all ranks to our own stdout and stderr, in one thread.
//!
//! Whole lines, as soon as they are there. A beginning of a line, such as a question to the user, is shown when nothing
//! has come for a tenth of a second, if lines have no labels. If the reader of our stdout goes away, the ranks see that
//! at their own stdout, as if they wrote there themselves. If our stdout cannot be written otherwise (the disk is
//! full), that is a notice: output that is lost is no success. Where stderr cannot be written, nobody could be told.

use crate::lines::{Lines, Style};
use crate::notices::Notice;
use crate::ranks::Outputs;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, ErrorKind, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

/// How long the beginning of a line waits for its end.
const PROMPT: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// The thread that forwards.
#[derive(Debug)]
pub(crate) struct Forward {
    unread: Arc<AtomicBool>,
}

/// Where a stream goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Stdout,
    Stderr,
}

#[derive(Debug)]
struct Stream {
    goal: Goal,
    pipe: OwnedFd,
    lines: Lines,
}

impl Forward {
    /// Forwards until all streams have ended, which becomes a notice.
    pub(crate) fn start(outputs: Outputs, styles: &[Style; 2], notices: Sender<Notice>) -> io::Result<Self> {
        let mut streams = Vec::new();
        for (rank, (stdout, stderr)) in (0..).zip(outputs) {
            let stream = |goal, pipe, style| Stream {
                goal,
                pipe,
                lines: Lines::new(rank, style),
            };
            streams.push(stream(Goal::Stdout, stdout, &styles[0]));
            streams.push(stream(Goal::Stderr, stderr, &styles[1]));
        }
        let unread = Arc::new(AtomicBool::new(false));
        let to = Arc::clone(&unread);
        std::thread::Builder::new()
            .name("output".to_owned())
            .spawn(move || {
                forward(streams, &to, &notices);
                // The job may be over already.
                let _ = notices.send(Notice::OutputEnded);
            })?;
        Ok(Self { unread })
    }

    /// Whether nobody reads our output any more, so that ranks may fail for that.
    pub(crate) fn is_unread(&self) -> bool {
        self.unread.load(Ordering::Acquire)
    }
}

fn forward(mut streams: Vec<Stream>, unread: &AtomicBool, notices: &Sender<Notice>) {
    let mut buffer = vec![0; 64 << 10];
    while !streams.is_empty() {
        let prompts = streams.iter().any(|stream| stream.lines.has_prompt());
        let mut list: Vec<PollFd<'_>> = streams
            .iter()
            .map(|stream| PollFd::from_borrowed_fd(stream.pipe.as_fd(), PollFlags::IN))
            .collect();
        let quiet = match poll(&mut list, prompts.then_some(&PROMPT)) {
            Ok(ready) => ready == 0,
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        };
        let ready: Vec<bool> = list.iter().map(|fd| !fd.revents().is_empty()).collect();
        let mut ended = Vec::new();
        let mut gone = Vec::new();
        for (index, stream) in streams.iter_mut().enumerate() {
            let mut out = Vec::new();
            if quiet && stream.lines.has_prompt() {
                stream.lines.pass_open(&mut out);
            } else if ready[index] && !stream.read(&mut buffer, &mut out) {
                ended.push(index);
            }
            if out.is_empty() || gone.contains(&stream.goal) {
                continue;
            }
            match write(stream.goal, &out) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    unread.store(true, Ordering::Release);
                    gone.push(stream.goal);
                }
                Err(error) if stream.goal == Goal::Stdout => {
                    // Before the ranks can see that their output goes nowhere. The job may be over already.
                    let _ = notices.send(Notice::OutputLost(error.to_string()));
                    gone.push(stream.goal);
                }
                Ok(()) | Err(_) => {}
            }
        }
        for index in ended.into_iter().rev() {
            streams.swap_remove(index);
        }
        streams.retain(|stream| !gone.contains(&stream.goal));
    }
}

impl Stream {
    /// Adds lines to `out`. False at the end of the stream.
    fn read(&mut self, buffer: &mut [u8], out: &mut Vec<u8>) -> bool {
        match rustix::io::read(&self.pipe, &mut *buffer) {
            Ok(0) => {
                self.lines.end(out);
                false
            }
            Ok(bytes) => {
                self.lines.push(&buffer[..bytes], out);
                true
            }
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => true,
            Err(_) => false,
        }
    }
}

fn write(goal: Goal, bytes: &[u8]) -> io::Result<()> {
    match goal {
        Goal::Stdout => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(bytes)?;
            stdout.flush()
        }
        Goal::Stderr => io::stderr().lock().write_all(bytes),
    }
}
