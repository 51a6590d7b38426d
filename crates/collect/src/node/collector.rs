//! The collector: one process a host, which sends what is recorded in its folder, and brings decisions back.
//!
//! When it is connected, one thread does everything in turn: it listens for a moment, looks into the folder, sends
//! what is new. Another one says that the collector lives, however long a look into the folder takes: a disk that keeps
//! it waiting is no host that is lost. When the front is gone, silent, or has had enough, the folder goes and the
//! process ends.

use super::file;
use super::judge::Judge;
use super::outgoing::Outgoing;
use super::recording::Followed;
use crate::address::Address;
use crate::frame::{Assignment, BLOCK, ToCollector, ToFront, Wire, malformed};
use farside_link::Heard;
use farside_spool::agreement::{bring_decision, said};
use farside_spool::folder::{OWNER, Owner, Watched};
use farside_spool::format::Recording;
use farside_spool::processes::{Launched, host_name, machine};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to listen between two looks at the folder: short while something happens, longer while nothing does. What
/// is recorded meanwhile goes together.
const PAUSES: (Duration, Duration) = (Duration::from_millis(4), Duration::from_millis(16));
/// The shortest time to listen: none would mean for ever.
const MOMENT: Duration = Duration::from_millis(1);
/// What is sent of one recording before the next one's turn.
const TURN: usize = 4;
/// How long processes may outlive the command before nothing more of them is sent.
const AFTERMATH: Duration = Duration::from_secs(5);
/// How long after the command's end anything is sent.
const TIME_TO_DELIVER: Duration = Duration::from_secs(120);

/// Sends what is recorded in `folder` to the front until that wants no more, or is gone. Removes the folder.
pub fn collect(folder: &Path, front: &Address) {
    folder
        .parent()
        .inspect(|place| farside_spool::folder::sweep(place));
    // A later run removes the folder if this process is killed; the processes of this host see it then, too.
    if let Some(owner) = Owner::of(std::process::id())
        && fs::write(folder.join(OWNER), owner.text()).is_ok()
        && let Ok(mut collector) = connect(front).and_then(|wire| Collector::new(folder, wire))
    {
        // Why it ended is told by the front, which knows as much.
        let _ = collector.run();
        // The front waits for the end of the connection: then nothing is left here.
        farside_spool::folder::remove(folder);
    }
    farside_spool::folder::remove(folder);
}

/// A connection to the front, which knows who we are.
fn connect(front: &Address) -> io::Result<Wire<TcpStream>> {
    let greeting = front.greeting();
    let mut wire = farside_link::connect(
        front.link(),
        PAUSES.1,
        move |said: &ToCollector| matches!(said, ToCollector::Greeting(said) if *said == greeting),
    )?;
    wire.send(&ToFront::Hello {
        build: farside_spool::BUILD.to_string(),
        token: front.token(),
        host: host_name(),
        machine: machine().to_string(),
    })?;
    Ok(wire)
}

struct Collector {
    folder: PathBuf,
    watched: Watched,
    wire: Wire<TcpStream>,
    out: Outgoing,
    judges: Vec<Judge>,
    recordings: Vec<Followed>,
    /// Files of the folder that were seen.
    known: BTreeSet<String>,
    /// At the last look, a recording had more than its turn.
    has_more: bool,
    /// When the front said that the command has ended.
    finishing: Option<Instant>,
    delivered: bool,
}

impl Collector {
    fn new(folder: &Path, wire: Wire<TcpStream>) -> io::Result<Self> {
        let out = Wire::new(wire.stream().try_clone()?);
        Ok(Self {
            folder: folder.to_path_buf(),
            watched: Watched::new(folder),
            wire,
            out: Outgoing::new(out)?,
            judges: Vec::new(),
            recordings: Vec::new(),
            known: BTreeSet::new(),
            has_more: false,
            finishing: None,
            delivered: false,
        })
    }

    /// Until the front wants no more.
    fn run(&mut self) -> io::Result<()> {
        let (mut heard, mut looked) = (Heard::now(), Instant::now());
        let mut pause = PAUSES.0;
        loop {
            self.wire.stream().set_read_timeout(Some(pause))?;
            match self.wire.receive()? {
                true => heard = Heard::now(),
                false => heard.check()?,
            }
            while let Some(message) = self.wire.next()? {
                match message {
                    ToCollector::Greeting(_) => return Err(malformed("a second greeting")),
                    ToCollector::Alive => {}
                    ToCollector::Decision { job, all } => bring_decision(&self.folder, &job, all),
                    ToCollector::Have { number, chunk } => self.followed(number)?.have(chunk),
                    ToCollector::Judged { number, chunk } => self.followed(number)?.judged(chunk),
                    ToCollector::Whole { number } => self.followed(number)?.send_whole(),
                    ToCollector::Judge { job, assignment } => self.judge(job, assignment)?,
                    ToCollector::Events { job, piece } => self.of_job(job, |judge| judge.events(piece)),
                    ToCollector::Word { job, from, word } => self.of_job(job, |judge| judge.hear(from, word)),
                    ToCollector::Stop { job } => self.of_job(job, Judge::stop),
                    ToCollector::End { job, ending } => self.of_job(job, |judge| judge.end(ending)),
                    ToCollector::Read {
                        request,
                        path,
                        offset,
                        length,
                    } => {
                        self.out.send(&file::read(request, &path, offset, length))?;
                        pause = PAUSES.0;
                    }
                    ToCollector::Finish => {
                        self.finishing = self.finishing.or(Some(Instant::now()));
                        self.recordings.iter_mut().for_each(Followed::send_whole);
                    }
                    ToCollector::Bye => return Ok(()),
                }
            }
            let rest = PAUSES.0.saturating_sub(looked.elapsed());
            if !self.has_more && !rest.is_zero() {
                pause = rest.max(MOMENT);
                continue;
            }
            looked = Instant::now();
            self.let_go();
            let sent = self.look()? + self.send_recorded()?;
            if let Some(since) = self.finishing.filter(|_| !self.delivered) {
                if since.elapsed() >= AFTERMATH {
                    self.recordings.iter_mut().for_each(Followed::close);
                }
                let ended = self.recordings.iter().all(Followed::ended);
                if ended && sent == 0 || since.elapsed() >= TIME_TO_DELIVER {
                    self.delivered = true;
                    self.out.send(&ToFront::Delivered)?;
                }
            }
            if self.has_more {
                pause = MOMENT;
            } else if sent > 0 {
                pause = PAUSES.0;
            } else {
                pause = (pause * 2).min(PAUSES.1);
            }
        }
    }

    fn followed(&mut self, number: u32) -> io::Result<&mut Followed> {
        let followed = self.recordings.get_mut(number as usize);
        followed.ok_or_else(|| malformed("no such recording"))
    }

    /// The memory of some processes is judged here from now on.
    fn judge(&mut self, job: u32, assignment: Assignment) -> io::Result<()> {
        let mut recordings = Vec::new();
        for (_, number) in assignment.members() {
            let followed = self.followed(*number)?;
            if !followed.withhold() {
                return Err(malformed("a recording that was sent whole"));
            }
            recordings.push(followed.recording());
        }
        let out = self.out.clone();
        let judge = Judge::begin(job, &self.folder, (assignment, recordings), out)?;
        self.judges.push(judge);
        Ok(())
    }

    /// The front may speak of a judge that has ended.
    fn of_job(&self, job: u32, tell: impl FnOnce(&Judge)) {
        if let Some(judge) = self.judges.iter().find(|judge| judge.job() == job) {
            tell(judge);
        }
    }

    /// Of recordings that are not judged any more the chunks go as they are sent.
    fn let_go(&mut self) {
        for judge in self.judges.extract_if(.., |judge| judge.has_ended()) {
            for number in judge.recordings() {
                if let Some(followed) = self.recordings.get_mut(*number as usize) {
                    followed.release();
                }
            }
        }
    }

    /// Sends what new files say: recordings begin, processes join. Returns how many.
    fn look(&mut self) -> io::Result<usize> {
        let mut sent = 0;
        for entry in self.watched.news()?.into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            // Its first chunk lasts as long as a recording is not sent whole.
            let begun = Recording::parse_chunk_name(&name).filter(|&(_, chunk)| chunk == 0);
            if begun.is_none() && said(&name).is_none() || self.known.contains(&name) {
                continue;
            }
            let message = match begun {
                Some((recording, _)) => {
                    let number = u32::try_from(self.recordings.len()).map_err(io::Error::other)?;
                    let mut followed = Followed::new(&self.folder, recording, number);
                    if self.finishing.is_some() {
                        followed.send_whole();
                    }
                    self.recordings.push(followed);
                    ToFront::Begin {
                        recording: recording.to_string(),
                        job: Launched::of(recording.pid).job,
                    }
                }
                None => ToFront::File { name: name.clone() },
            };
            self.known.insert(name);
            self.out.send(&message)?;
            sent += 1;
        }
        Ok(sent)
    }

    /// Sends what was recorded since the last look. Returns how many messages that took.
    fn send_recorded(&mut self) -> io::Result<usize> {
        let mut sent = 0;
        self.has_more = false;
        // What was sent late is not waited for.
        if self.delivered {
            return Ok(0);
        }
        for followed in &mut self.recordings {
            let mut turn = 0;
            while turn < TURN
                && let Some(message) = followed.next()
            {
                self.out.send(&message)?;
                turn += 1;
                // What comes after a part of a block can wait, and is then more.
                if matches!(message, ToFront::Data { length, .. } if (length as usize) < BLOCK) {
                    break;
                }
            }
            self.has_more |= turn == TURN;
            sent += turn;
        }
        Ok(sent)
    }
}
