//! One collector, from its greeting to its end.

use super::Shared;
use super::recordings::Recordings;
use crate::frame::{Pieces, ToCollector, ToFront, Wire, malformed};
use farside_link::{BEAT, Heard};
use farside_spool::agreement::{Question, Said, said};
use farside_spool::elsewhere::Gone;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long who connects has for showing the token.
const TIME_TO_SHOW: Duration = Duration::from_secs(5);
/// How long one look at the connection waits; what the front has to say waits for as long.
const LOOK: Duration = Duration::from_millis(25);
/// How long a collector is waited for when it was told to end.
const TIME_TO_END: Duration = Duration::from_secs(2);
/// Jobs of one host, and letters of its name: more is no host.
const MOST: usize = 4096;

/// Serves a collector. Whatever it does, this returns when it is gone or silent.
pub(super) fn serve(stream: TcpStream, shared: &Arc<Shared>) {
    // Who does not show the token leaves nothing.
    let Ok((mut wire, host, machine)) = meet(stream, shared) else {
        return;
    };
    let (out, messages) = channel();
    // Who tells it something, a judge for one, does not wait for it; and what comes of it is taken at any time.
    let sends = wire.stream().try_clone().and_then(|stream| {
        let body = move || send_all(Wire::new(stream), &messages);
        std::thread::Builder::new().spawn(body)
    });
    if sends.is_err() {
        return;
    }
    let number = shared.welcome(host.clone(), out.clone());
    let Some(machine) = machine else {
        let lost = "it has a library of another build of farside".to_string();
        shared.done(number, Some(lost));
        let _ = out.send(ToCollector::Bye);
        shared.left(number);
        return;
    };
    let mut served = Served {
        shared: Arc::clone(shared),
        number,
        recordings: Recordings::new(&shared.folder, shared.keep, machine, host),
        jobs: Vec::new(),
        known: 0,
        finishing: false,
        out,
        pieces: BTreeMap::new(),
    };
    let error = served.follow(&mut wire).err();
    // Batch systems end a collector with the step: nothing is missing if all that it began is whole.
    let is_whole = served.recordings.are_whole();
    if error.is_some() {
        served.recordings.end(Gone::Host);
        // Of the jobs that it was a part of, those that are not decided yet cannot be recorded whole.
        for job in &served.jobs {
            job.refuse(&shared.folder);
        }
    }
    let lost = error.filter(|error| !is_whole || error.kind() == ErrorKind::InvalidData);
    let lost = lost.map(|error| error.to_string());
    shared.left(number);
    // A judge's way to it may outlive this: that it says no more that we live, the collector is to know at once.
    let _ = wire.stream().shutdown(std::net::Shutdown::Both);
    shared.done(number, lost);
}

/// Sends what a collector is to hear, and that we live, whatever the thread that hears it does. Who cannot be told is
/// gone.
fn send_all(mut wire: Wire<TcpStream>, messages: &Receiver<ToCollector>) {
    loop {
        let message = match messages.recv_timeout(BEAT) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => ToCollector::Alive,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if wire.send(&message).is_err() {
            // Who reads of it learns of it.
            let _ = wire.stream().shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

/// Exchanges greetings. The host's name, and what its process ids count on; `None` for a library of another build.
fn meet(stream: TcpStream, shared: &Shared) -> io::Result<(Wire<TcpStream>, String, Option<String>)> {
    let mut wire = Wire::over(stream, LOOK)?;
    wire.send(&ToCollector::Greeting(shared.address.greeting()))?;
    let end = Instant::now() + TIME_TO_SHOW;
    loop {
        match wire.next()? {
            Some(ToFront::Hello {
                build,
                token,
                host,
                machine,
            }) if token == shared.address.token() && host.len() < MOST => {
                let machine = (build == farside_spool::BUILD).then_some(machine);
                return Ok((wire, host, machine));
            }
            Some(_) => return Err(malformed("no token")),
            None if Instant::now() >= end || shared.stopping() => return Err(ErrorKind::TimedOut.into()),
            None => _ = wire.receive()?,
        }
    }
}

/// A collector that has shown the token.
struct Served {
    shared: Arc<Shared>,
    /// Of its host.
    number: usize,
    recordings: Recordings,
    /// The jobs that processes of it have joined.
    jobs: Vec<Question>,
    /// Decisions that it was told.
    known: usize,
    /// It was told that the command has ended.
    finishing: bool,
    /// What it is to hear, on its way.
    out: Sender<ToCollector>,
    /// By job: what its judge found, until it is whole.
    pieces: BTreeMap<u32, Pieces>,
}

impl Served {
    /// Until the front ends. An error says how the host was lost.
    fn follow(&mut self, wire: &mut Wire<TcpStream>) -> io::Result<()> {
        let mut heard = Heard::now();
        loop {
            if self.shared.stopping() {
                self.tell(ToCollector::Bye)?;
                let end = Instant::now() + TIME_TO_END;
                // What still comes is of no use.
                while Instant::now() < end && wire.receive().is_ok() {
                    while let Ok(Some(ToFront::Alive)) = wire.next() {}
                }
                return Ok(());
            }
            let mut answers = Vec::new();
            while let Some(message) = wire.next()? {
                self.take(message, &mut answers)?;
            }
            answers.extend(self.news());
            answers.into_iter().try_for_each(|answer| self.tell(answer))?;
            // It says that it lives, more often than this.
            match wire.receive()? {
                true => heard = Heard::now(),
                false => heard.check()?,
            }
        }
    }

    fn take(&mut self, message: ToFront, answers: &mut Vec<ToCollector>) -> io::Result<()> {
        let have = |(number, chunk)| ToCollector::Have { number, chunk };
        match message {
            ToFront::Hello { .. } => return Err(malformed("a second greeting")),
            ToFront::Alive => {}
            ToFront::File { name } => self.file(&name)?,
            ToFront::Begin { recording, job } => {
                let begun = self.recordings.begin(&recording, job)?;
                match self.shared.judged_there {
                    true => self.shared.state().judging.began(self.number, begun),
                    false => answers.push(ToCollector::Whole { number: begun.1 }),
                }
            }
            ToFront::Word { job, word } => self.shared.state().judging.tell((self.number, job), &word),
            ToFront::JudgedBatch { job, found } => {
                self.shared.state().judging.judged((self.number, job), found);
            }
            ToFront::Found { job, piece, ended } => {
                if let Some(bytes) = self.pieces.entry(job).or_default().take(&piece)? {
                    let part = postcard::from_bytes(&bytes).map_err(|_| malformed("no findings"))?;
                    self.shared.state().judging.found((self.number, job), part, ended);
                }
            }
            ToFront::GivenUp { job, why } => self.shared.state().judging.give_up((self.number, job), why),
            ToFront::Data {
                number,
                length,
                packed,
            } => self.recordings.data(number, length, &packed)?,
            ToFront::Sealed { number, more } => answers.push(have(self.recordings.sealed(number, more)?)),
            ToFront::Lost { number } => answers.push(have(self.recordings.lost(number)?)),
            ToFront::Delivered => self.shared.done(self.number, None),
            ToFront::Bytes {
                request,
                size,
                length,
                packed,
            } => {
                let of = (self.number, request);
                self.shared.state().questions.answer(of, size, length, &packed);
            }
        }
        Ok(())
    }

    fn tell(&self, message: ToCollector) -> io::Result<()> {
        self.out.send(message).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    /// A file of the agreement.
    fn file(&mut self, name: &str) -> io::Result<()> {
        let said = said(name).ok_or_else(|| malformed("no file of an agreement"))?;
        match said {
            Said::Joined(question) => {
                if self.jobs.len() < MOST && !self.jobs.contains(&question) {
                    self.jobs.push(question);
                }
                // One that is there was brought, or a process of this host has the same place in the job.
                match fs::File::create_new(self.shared.folder.join(name)) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                    _ => {}
                }
            }
            Said::Asked(question) => self.shared.ask(question),
            Said::Withdrawn(question) => question.refuse(&self.shared.folder),
        }
        Ok(())
    }

    /// What the collector is to hear now.
    fn news(&mut self) -> Vec<ToCollector> {
        let mut news = Vec::new();
        for (job, all) in self.shared.decisions(self.known) {
            self.known += 1;
            news.push(ToCollector::Decision { job, all });
        }
        let judged = self.recordings.judged().into_iter();
        news.extend(judged.map(|(number, chunk)| ToCollector::Judged { number, chunk }));
        news.extend(self.shared.state().questions.of(self.number));
        if !self.finishing && self.shared.finishing.get().is_some() {
            self.finishing = true;
            news.push(ToCollector::Finish);
        }
        news
    }
}
