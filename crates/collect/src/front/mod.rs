//! The front: what `farside check` does to get the recordings of other hosts into its spool folder.
//!
//! A thread waits for collectors, and each one has a thread that writes what comes. Nothing here is asked by
//! processes of this host, and nothing happens while no collector comes.
//!
//! Promise: what a collector sends wrongly ends its connection and nothing else. A host that is silent for
//! [`SILENCE`](crate::SILENCE) is lost, and its recordings say so. [`Front::settled`] comes true in bounded time after
//! [`Front::finish`].

mod connection;
mod files;
mod judges;
mod recordings;

pub use files::Node;
pub use judges::{Away, Judges, News};

use crate::address::Address;
use crate::frame::ToCollector;
use farside_spool::agreement::Question;
use files::Questions;
use judges::Judging;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Connections that are open at one time: hosts, and strangers that have yet to show the token.
const MOST_CONNECTIONS: usize = 16 << 10;
/// How long after the command's end anything is waited for: longer than a collector sends.
const TIME_TO_SETTLE: Duration = Duration::from_secs(150);
/// How long collectors are given to end when the front does.
const TIME_TO_END: Duration = Duration::from_secs(3);

/// Listens until it is dropped; then collectors end.
#[derive(Debug)]
pub struct Front {
    shared: Arc<Shared>,
    listener: TcpListener,
    accepting: Option<JoinHandle<()>>,
}

/// A host from which recordings came, or should have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Why what it recorded is not there, or not all of it.
    pub lost: Option<String>,
}

/// What all threads know.
#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    /// What is judged stays in the folder.
    keep: bool,
    /// Hosts judge their own memory where that can be.
    judged_there: bool,
    address: Address,
    /// When the command ended.
    finishing: OnceLock<Instant>,
    /// So does the front.
    stopping: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    hosts: Vec<(Host, Delivery)>,
    /// Jobs for which a thread waits for the decision, or has.
    asked: BTreeSet<String>,
    /// What was decided, in order.
    decisions: Vec<(String, bool)>,
    connections: Vec<JoinHandle<()>>,
    /// Hosts whose collectors are there, by number, and what they are sent by.
    connected: BTreeMap<usize, Sender<ToCollector>>,
    judging: Judging,
    /// What they are asked.
    questions: Questions,
}

/// How far a host has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    /// More can come.
    Open,
    /// Nothing more will.
    Done,
}

impl Front {
    /// Listens on all addresses of this machine, for recordings that belong into `folder`. `keep`: what is judged stays
    /// there. `judged_there`: [`Judges`] can be had on the hosts; recordings then wait at their first loads and stores
    /// until it is known who judges them.
    ///
    /// # Errors
    /// There is no port, or no thread.
    pub fn listen(folder: &Path, keep: bool, judged_there: bool) -> io::Result<Self> {
        let listener = farside_link::listen()?;
        let shared = Arc::new(Shared {
            folder: folder.to_path_buf(),
            keep,
            judged_there: judged_there && !keep,
            address: Address::new(listener.local_addr()?.port())?,
            finishing: OnceLock::new(),
            stopping: AtomicBool::new(false),
            state: Mutex::default(),
        });
        let (from, to) = (listener.try_clone()?, Arc::clone(&shared));
        let accepting = std::thread::Builder::new().spawn(move || accept(&from, &to))?;
        Ok(Self {
            shared,
            listener,
            accepting: Some(accepting),
        })
    }

    /// How it is reached.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.shared.address
    }

    /// Judges on the hosts that recordings come from.
    #[must_use]
    pub fn judges(&self) -> Judges {
        Judges::of(&self.shared)
    }

    /// The command has ended: collectors are to send what they have. From now on no host begins to judge.
    pub fn finish(&self) {
        self.shared.finishing.get_or_init(Instant::now);
    }

    /// After [`Self::finish`]: whether everything is here that will come.
    #[must_use]
    pub fn settled(&self) -> bool {
        let late = self.shared.finishing.get();
        let late = late.is_some_and(|since| since.elapsed() >= TIME_TO_SETTLE);
        let done = |&(_, delivery): &(Host, Delivery)| delivery == Delivery::Done;
        late || self.shared.state().hosts.iter().all(done)
    }

    /// The hosts that were heard of.
    #[must_use]
    pub fn hosts(&self) -> Vec<Host> {
        let state = self.shared.state();
        state.hosts.iter().map(|(host, _)| host.clone()).collect()
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::Relaxed);
        // Wakes who waits in `accept`.
        let _ = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        let connections = std::mem::take(&mut self.shared.state().connections);
        let end = Instant::now() + TIME_TO_END;
        while connections.iter().any(|thread| !thread.is_finished()) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Sees that the question is answered, once.
    fn ask(self: &Arc<Self>, question: Question) {
        if !self.state().asked.insert(question.job().to_string()) {
            return;
        }
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            let all = question.answer(&shared.folder);
            shared.state().decisions.push((question.job().to_string(), all));
        });
    }

    /// Those of the decisions that come after the first `known`.
    fn decisions(&self, known: usize) -> Vec<(String, bool)> {
        self.state().decisions[known..].to_vec()
    }

    /// A host has shown the token. Returns its number.
    fn welcome(&self, name: String, out: Sender<ToCollector>) -> usize {
        let mut state = self.state();
        state.hosts.push((Host { name, lost: None }, Delivery::Open));
        let number = state.hosts.len() - 1;
        state.connected.insert(number, out);
        number
    }

    /// The collector of a host is gone.
    fn left(&self, host: usize) {
        let mut state = self.state();
        state.connected.remove(&host);
        state.judging.leave(host);
        state.questions.forget(host);
    }

    /// Nothing more comes from a host; `lost` says why that is too little.
    fn done(&self, host: usize, lost: Option<String>) {
        let (host, delivery) = &mut self.state().hosts[host];
        *delivery = Delivery::Done;
        if lost.is_some() {
            host.lost = lost;
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.stopping() {
        let Ok((stream, _)) = listener.accept() else {
            // Out of descriptors, perhaps: not at once again.
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        serve(stream, shared);
    }
}

fn serve(stream: TcpStream, shared: &Arc<Shared>) {
    let mut state = shared.state();
    state.connections.retain(|thread| !thread.is_finished());
    if state.connections.len() < MOST_CONNECTIONS {
        let shared = Arc::clone(shared);
        let thread = std::thread::Builder::new().spawn(move || connection::serve(stream, &shared));
        state.connections.extend(thread);
    }
}
