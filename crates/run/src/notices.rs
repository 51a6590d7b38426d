//! What happens while a job runs, as one stream: signals to us, ends of children, news of ranks, the end of the output.

use farside_launch::News;
use signal_hook::consts::signal::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::raw::WithRawSiginfo;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Something has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A child may have ended.
    Child,
    /// We got a signal; `shared`: the ranks got it too, from the terminal.
    Signal {
        /// Its number.
        number: i32,
        /// Sent by the terminal to the whole process group.
        shared: bool,
    },
    /// The rendezvous says so.
    Rank(News),
    /// All output of the ranks was forwarded.
    OutputEnded,
    /// Output of the ranks cannot be written to our stdout, and why.
    OutputLost(String),
    /// One of several hosts, by its number, says so.
    Host(usize, FromHost),
}

/// What happens on a host that has an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FromHost {
    /// Its agent is there.
    Here,
    /// A rank was started: its process id and cores.
    Started(u32, u32, Vec<usize>),
    /// No rank runs there, and why.
    Refused(String),
    /// A rank has ended with this status, and so many processes live if it was the last one there.
    Ended(u32, ExitStatus, usize),
    /// All its ranks have ended, and so many processes live.
    Left(usize),
    /// Nothing more comes: as it should, or why.
    Gone(Option<String>),
}

/// Where notices come from.
#[derive(Debug)]
pub(crate) struct Notices {
    sender: Sender<Notice>,
    receiver: Receiver<Notice>,
    /// Those that came too early.
    early: RefCell<VecDeque<Notice>>,
}

impl Notices {
    /// From now on signals that ask us to end are notices. Those that we were started to ignore stay ignored.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
        let wanted = wanted
            .into_iter()
            .filter(|&number| !farside_processes::signals::is_ignored(number));
        let mut signals = SignalsInfo::<WithRawSiginfo>::new(wanted.chain([SIGCHLD]))?;
        let to = sender.clone();
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    let notice = match signal.si_signo {
                        SIGCHLD => Notice::Child,
                        number => Notice::Signal {
                            number,
                            shared: signal.si_code == libc::SI_KERNEL,
                        },
                    };
                    if to.send(notice).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            sender,
            receiver,
            early: RefCell::default(),
        })
    }

    /// For others to send with.
    pub(crate) fn sender(&self) -> Sender<Notice> {
        self.sender.clone()
    }

    /// Notices that came before they were wanted: they come again, before all others.
    pub(crate) fn put_back(&self, notices: VecDeque<Notice>) {
        self.early.borrow_mut().extend(notices);
    }

    /// What has come until `limit` is over (`None`: for ever): at least one, or nothing.
    pub(crate) fn wait(&self, limit: Option<Duration>) -> VecDeque<Notice> {
        let early = self.early.take();
        if !early.is_empty() {
            return early;
        }
        let first = match limit {
            Some(limit) => self.receiver.recv_timeout(limit),
            // There is a sender: we hold one.
            None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        first.into_iter().chain(self.receiver.try_iter()).collect()
    }
}
