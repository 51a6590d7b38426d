//! Whether all processes of a job record, or none does.
//!
//! A process that is not recorded knows nothing of those that are, so they must find out without its help, and without
//! MPI: a collective call would wait for it. So each process that is able to record leaves a file in the spool folder
//! before it initialises MPI; afterwards it knows the number of processes, and one of them, the first that has seen all
//! files or has waited long enough, decides for all. `docs/design/agreement.md` says why.
//!
//! Where the folder of a host is one whose files are brought to another host, nobody decides in it: a member asks, the
//! question is answered where all files come together ([`Question`]), and the decision is brought back.
//!
//! Promise: no two processes of a job read different decisions, and "all" is decided only if every process of the job
//! has joined; nobody waits longer than [`PATIENCE`], on several hosts [`PATIENCE_OVER_HOSTS`], and where the
//! decision is brought from another host [`PATIENCE_FOR_AN_ANSWER`].
//! Limits: a folder that fails between a process' joining and the decision; a decision that does not reach a host,
//! whose processes take it for "none".

use crate::owner::Owner;
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long those that have initialised MPI wait for others to join. The libraries initialise together, so that all
/// have joined by then: only where somebody is missing does anyone wait.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// The same, where some of them are on other hosts than who waits.
pub const PATIENCE_OVER_HOSTS: Duration = Duration::from_secs(5);
/// How long a decision is waited for that is made on another host: longer than it takes to find out there that a host
/// does not answer.
pub const PATIENCE_FOR_AN_ANSWER: Duration = Duration::from_secs(20);
/// How long who would bring the decision must be seen dead: another one may be about to take its place.
const DEAD: Duration = Duration::from_secs(1);
/// Programs that may follow one another as the same process of a job (`mpirun sh -c 'first; second'`).
const ROUNDS: u32 = 10_000;

const JOINED: &str = "joined";
const DECISION: &str = "decision";
const ASKED: &str = "asked";
const WITHDRAWN: &str = "withdrawn";
const ALL: &str = "all";
const NONE: &str = "none";

/// A process of a job that is able to record.
#[derive(Debug)]
pub struct Member {
    folder: PathBuf,
    /// Which job, and which program of it: what the names of its files begin with.
    job: String,
    decides: Decides,
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// The first of the processes that can, in this folder.
    Here,
    /// Who answers a [`Question`], in another folder.
    Elsewhere,
}

impl Member {
    /// Says, before MPI is initialised, that this process of the job is able to record. `slot` tells the processes of
    /// the job apart. `None` if it could not be said.
    #[must_use]
    pub fn join(folder: &Path, job: &str, slot: u32, decides: Decides) -> Option<Self> {
        // All processes of a job have a library of one build, so that they compute the same number.
        let mut hasher = DefaultHasher::new();
        job.hash(&mut hasher);
        let job = hasher.finish();
        for round in 0..ROUNDS {
            let member = Self {
                folder: folder.to_path_buf(),
                job: format!("{job:016x}.{round}"),
                decides,
            };
            let file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(folder.join(format!("{}.{slot}.{JOINED}", member.job)));
            match file {
                Ok(_) => return Some(member),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(_) => return None,
            }
        }
        None
    }

    /// Whether all `size` processes of the job record, of which `here` are known to be on this host. To be asked when
    /// MPI is initialised.
    #[must_use]
    pub fn all_record(&self, size: u32, here: Option<u32>) -> bool {
        let patience = match self.decides {
            Decides::Elsewhere => PATIENCE_FOR_AN_ANSWER,
            Decides::Here if here.is_some_and(|here| here < size) => PATIENCE_OVER_HOSTS,
            Decides::Here => PATIENCE,
        };
        self.within(patience, size)
    }

    /// This process does not record after all: nobody does, unless that is decided already.
    pub fn withdraw(&self) {
        match self.decides {
            Decides::Here => _ = self.decide(false),
            Decides::Elsewhere => self.say(WITHDRAWN),
        }
    }

    /// Leaves a file of the job that says `what`.
    fn say(&self, what: &str) {
        // Where it cannot be left nobody answers, which is taken for "none".
        let _ = fs::write(self.folder.join(format!("{}.{what}", self.job)), "");
    }

    fn within(&self, patience: Duration, size: u32) -> bool {
        let start = Instant::now();
        let mut brought = start;
        let mut pause = Duration::from_millis(1);
        if self.decides == Decides::Elsewhere {
            self.say(&format!("{size}.{ASKED}"));
        }
        loop {
            if let Some(decision) = self.decision() {
                return decision;
            }
            if self.decides == Decides::Here && self.joined() >= size {
                return self.decide(true);
            }
            if self.is_brought() {
                brought = Instant::now();
            }
            let nobody_answers = !self.folder.exists() || brought.elapsed() >= DEAD;
            if start.elapsed() >= patience || self.decides == Decides::Elsewhere && nobody_answers {
                return self.decide(false);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Whether somebody may bring a decision: not if the owner of the folder was killed.
    fn is_brought(&self) -> bool {
        self.decides == Decides::Here || !Owner::read(&self.folder).is_some_and(|owner| owner.is_dead())
    }

    fn joined(&self) -> u32 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let ours = entries.filter(|entry| {
            let name = entry.file_name();
            let rest = name.to_str().and_then(|name| name.strip_prefix(&self.job));
            rest.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(JOINED))
        });
        u32::try_from(ours.count()).unwrap_or(u32::MAX)
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.{DECISION}", self.job))
    }

    fn decision(&self) -> Option<bool> {
        fs::read_link(self.path()).ok().map(|word| word == Path::new(ALL))
    }

    /// Decides, or takes over what another one has decided. A symbolic link is made, with what it says, in one step,
    /// and by one process only.
    fn decide(&self, all: bool) -> bool {
        let _ = symlink(if all { ALL } else { NONE }, self.path());
        self.decision().unwrap_or(all)
    }
}

/// A file of the agreement that members on one host leave for who decides on another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A process of the job is able to record.
    Joined(Question),
    /// Processes of the job wait for the decision.
    Asked(Question),
    /// A process does not record after all.
    Withdrawn(Question),
}

/// What the processes of a job wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    job: String,
    size: u32,
}

impl Question {
    /// What the job is called in the names of its files.
    #[must_use]
    pub fn job(&self) -> &str {
        &self.job
    }

    /// Answers it in `folder`, where the files of all hosts come together. Waits for those that are missing.
    #[must_use]
    pub fn answer(&self, folder: &Path) -> bool {
        self.member(folder).within(PATIENCE_OVER_HOSTS, self.size)
    }

    /// Answers it with "none" in `folder`, unless it is answered.
    pub fn refuse(&self, folder: &Path) {
        self.member(folder).withdraw();
    }

    fn member(&self, folder: &Path) -> Member {
        Member {
            folder: folder.to_path_buf(),
            job: self.job.clone(),
            decides: Decides::Here,
        }
    }
}

/// Leaves in `folder` what was decided elsewhere for the job of this name.
pub fn bring_decision(folder: &Path, job: &str, all: bool) {
    let name = format!("{job}.{DECISION}");
    if is_of_agreement(&name) {
        let _ = symlink(if all { ALL } else { NONE }, folder.join(name));
    }
}

/// What a file of this name says to who decides on another host.
#[must_use]
pub fn said(name: &str) -> Option<Said> {
    if !is_of_agreement(name) {
        return None;
    }
    let mut words = name.split('.');
    let job = format!("{}.{}", words.next()?, words.next()?);
    match words.collect::<Vec<_>>()[..] {
        [_, JOINED] => Some(Said::Joined(Question { job, size: 0 })),
        [size, ASKED] => Some(Said::Asked(Question {
            job,
            size: size.parse().ok()?,
        })),
        [WITHDRAWN] => Some(Said::Withdrawn(Question { job, size: 0 })),
        _ => None,
    }
}

/// Whether a file of a spool folder is one of these.
#[must_use]
pub fn is_of_agreement(name: &str) -> bool {
    let number = |word: &str| word.parse::<u32>().is_ok_and(|n| n.to_string() == word);
    let hash = |word: &str| u64::from_str_radix(word, 16).is_ok_and(|n| format!("{n:016x}") == word);
    match name.split('.').collect::<Vec<_>>()[..] {
        [job, round, DECISION | WITHDRAWN] => hash(job) && number(round),
        [job, round, slot, JOINED | ASKED] => hash(job) && number(round) && number(slot),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    #[test]
    fn all_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let first = Member::join(folder.path(), "job", 0, Decides::Here).unwrap();
        let second = Member::join(folder.path(), "job", 1, Decides::Here).unwrap();
        // No waiting: all have joined.
        assert!(first.within(Duration::ZERO, 2) && second.within(Duration::ZERO, 2));
        let alone = Member::join(folder.path(), "other", 0, Decides::Here).unwrap();
        assert!(!alone.within(SHORT, 2));
        // Who comes late reads what was decided.
        let late = Member::join(folder.path(), "other", 1, Decides::Here).unwrap();
        assert!(!late.within(SHORT, 2));
        for entry in fs::read_dir(folder.path()).unwrap() {
            assert!(is_of_agreement(entry.unwrap().file_name().to_str().unwrap()));
        }
    }

    #[test]
    fn a_second_program_in_the_same_place_agrees_anew() {
        let folder = tempfile::tempdir().unwrap();
        let join = |slot| Member::join(folder.path(), "job", slot, Decides::Here).unwrap();
        let (first, second) = (join(0), join(1));
        assert!(first.within(SHORT, 2) && second.within(SHORT, 2));
        let next = join(0);
        assert!(!next.within(SHORT, 2));
    }

    #[test]
    fn who_withdraws_takes_all_along() {
        let folder = tempfile::tempdir().unwrap();
        let join = |slot| Member::join(folder.path(), "job", slot, Decides::Here).unwrap();
        let (first, second) = (join(0), join(1));
        second.withdraw();
        assert!(!first.within(Duration::ZERO, 2));
    }

    /// Deciders that race: whatever each has seen, all read the same.
    #[test]
    fn one_decision() {
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let members: Vec<_> = (0..8)
                .map(|slot| Member::join(folder.path(), "job", slot, Decides::Here).unwrap())
                .collect();
            let decisions: Vec<bool> = std::thread::scope(|scope| {
                let deciders: Vec<_> = members
                    .iter()
                    .enumerate()
                    .map(|(slot, member)| scope.spawn(move || member.decide(slot % 2 == 0)))
                    .collect();
                deciders
                    .into_iter()
                    .map(|decider| decider.join().unwrap())
                    .collect()
            });
            assert!(decisions.iter().all(|&d| d == decisions[0]), "{decisions:?}");
        }
    }

    #[test]
    fn who_is_dead_brings_no_answer() {
        let folder = tempfile::tempdir().unwrap();
        let member = Member::join(folder.path(), "job", 0, Decides::Elsewhere).unwrap();
        let (dead, machine) = (std::process::id(), crate::processes::machine());
        fs::write(
            folder.path().join(crate::owner::OWNER),
            format!("{dead} 1 {machine}"),
        )
        .unwrap();
        let start = Instant::now();
        assert!(!member.all_record(1, None));
        assert!((DEAD..PATIENCE_FOR_AN_ANSWER).contains(&start.elapsed()));
    }

    /// Two folders, of which one is where all files come together.
    #[test]
    fn decided_elsewhere() {
        let (there, here) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = Member::join(there.path(), "job", 0, Decides::Here).unwrap();
        let second = Member::join(here.path(), "job", 1, Decides::Elsewhere).unwrap();
        // Nobody brings an answer: none, but that is decided only after the time.
        let alone = Member::join(here.path(), "alone", 0, Decides::Elsewhere).unwrap();
        assert!(!alone.within(SHORT, 1));
        let decision = std::thread::scope(|scope| {
            let second = scope.spawn(|| second.all_record(2, None));
            let question = loop {
                let names = fs::read_dir(here.path()).unwrap().flatten();
                let said = names.filter_map(|entry| said(entry.file_name().to_str()?));
                let asked = said.filter_map(|said| match said {
                    Said::Asked(question) if question.size == 2 => Some(question),
                    _ => None,
                });
                if let Some(question) = asked.last() {
                    break question;
                }
            };
            fs::write(there.path().join(format!("{}.1.{JOINED}", question.job())), "").unwrap();
            let decision = question.answer(there.path());
            bring_decision(here.path(), question.job(), decision);
            assert_eq!(second.join().unwrap(), decision);
            decision
        });
        assert!(decision && first.within(Duration::ZERO, 2));
        for entry in fs::read_dir(here.path()).unwrap() {
            assert!(is_of_agreement(entry.unwrap().file_name().to_str().unwrap()));
        }
    }

    #[test]
    fn a_folder_that_goes_away_is_no_answer() {
        let folder = tempfile::tempdir().unwrap();
        let member = Member::join(folder.path(), "job", 0, Decides::Elsewhere).unwrap();
        fs::remove_dir_all(folder.path()).unwrap();
        let start = Instant::now();
        assert!(!member.all_record(2, None) && start.elapsed() < PATIENCE);
    }

    #[test]
    fn a_folder_that_is_not_there() {
        assert!(Member::join(Path::new("/nowhere/spool"), "job", 0, Decides::Here).is_none());
    }

    #[test]
    fn names_of_files() {
        let job = "0123456789abcdef";
        assert!(
            is_of_agreement(&format!("{job}.0.decision")) && is_of_agreement(&format!("{job}.3.12.joined"))
        );
        for other in [
            "owner".to_string(),
            format!("{job}.decision"),
            format!("{job}.0.joined"),
            format!("{job}.0.x.joined"),
            format!("{job}.00.decision"),
            format!("{job}.0.1.2.joined"),
            format!("{}.0.decision", job.to_uppercase()),
        ] {
            assert!(!is_of_agreement(&other), "{other}");
        }
    }
}
