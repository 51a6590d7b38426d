//! Starting the command, and hearing of its end and of signals to us.
//!
//! The command stays in our process group and keeps our stdin, stdout and stderr, so that terminals, pipes and job
//! control work as without the checker. Orphans of the command become children of ours (a *subreaper*), so that
//! a command that must be ended can be ended with all that it started.

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::matches::Matching;
use farside_collect::Front;
use farside_processes::plain;
use farside_spool::guard::{self, Extent};
use farside_spool::replay::VARIABLE;
use rustix::process::Pid;
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::raw::WithRawSiginfo;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// What happens while the command runs.
#[derive(Debug)]
pub(crate) enum Notice {
    /// The command ended.
    Ended(std::io::Result<ExitStatus>),
    /// We got a signal, the first one; `shared` says that the command got it too, from the terminal.
    Signal {
        /// Its number.
        number: i32,
        /// Sent by the terminal to the whole process group.
        shared: bool,
    },
}

/// Where notices go to and come from.
#[derive(Debug)]
pub(crate) struct Notices {
    sender: Sender<Notice>,
    receiver: Receiver<Notice>,
}

impl Notices {
    /// From now on signals that ask us to end are notices. Those that we were started to ignore stay ignored.
    pub(crate) fn listen(interrupt: Arc<Interrupt>) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
        let wanted = wanted
            .iter()
            .filter(|&&number| !farside_processes::signals::is_ignored(number));
        let mut signals = SignalsInfo::<WithRawSiginfo>::new(wanted)?;
        let to = sender.clone();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let shared = signal.si_code == libc::SI_KERNEL;
                let notice = Notice::Signal {
                    number: signal.si_signo,
                    shared,
                };
                // The second request must not wait for who judges, or makes the report.
                if interrupt.asked() && to.send(notice).is_err() {
                    return;
                }
            }
        });
        Ok(Self { sender, receiver })
    }

    /// The next notice within `limit`; `None` if there is none.
    pub(crate) fn wait(&self, limit: Duration) -> Option<Notice> {
        self.receiver.recv_timeout(limit).ok()
    }
}

/// What the processes of the command are told by their environment.
#[derive(Debug)]
pub(crate) struct Told<'a> {
    /// A library of ours that is preloaded.
    library: Option<&'a Path>,
    /// Where they record.
    spool: &'a Path,
    /// Bytes of events that may wait to be judged.
    backlog: Option<u64>,
    /// Where recordings of other hosts are taken in.
    front: Option<&'a Front>,
    /// Which messages receives take.
    matching: &'a Matching,
    /// Whether pages are guarded.
    guard: Option<Extent>,
}

impl<'a> Told<'a> {
    /// They record in `spool`.
    pub(crate) fn new(
        spool: &'a Path,
        library: Option<&'a Path>,
        backlog: Option<u64>,
        front: Option<&'a Front>,
        (matching, guard): (&'a Matching, Option<Extent>),
    ) -> Self {
        Self {
            library,
            spool,
            backlog,
            front,
            matching,
            guard,
        }
    }
}

/// Starts `command`; its end becomes a notice. Returns its process id.
pub(crate) fn launch(notices: &Notices, command: &[OsString], told: &Told<'_>) -> Result<u32, Error> {
    let program = &command[0];
    // Not fatal: without it, orphans of a hanging command may survive the time limit.
    let _ = rustix::process::set_child_subreaper(Some(Pid::INIT));
    let mut started = Command::new(program);
    started.args(&command[1..]).env(farside_spool::FOLDER, told.spool);
    let mut names = vec![farside_spool::FOLDER];
    let others = [
        told.backlog.and_then(farside_spool::pace::variable),
        told.front.map(|front| front.address().variable()),
        told.matching
            .replay()
            .map(|replay| (VARIABLE, replay.to_string())),
        told.guard.map(|extent| (guard::VARIABLE, extent.to_string())),
    ];
    let asked = told.guard.into_iter().flat_map(|_| guard::NO_FOREIGN_PAGES);
    for (name, value) in asked.filter(|(name, _)| std::env::var_os(name).is_none()) {
        started.env(name, value);
        names.push(name);
    }
    if told.matching.is_silent() {
        started
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
    }
    for (name, value) in others.into_iter().flatten() {
        started.env(name, value);
        names.push(name);
    }
    if let Some(library) = told.library {
        let before = std::env::var_os("LD_PRELOAD");
        started.env("LD_PRELOAD", preload(library, before.as_deref()));
        names.push("LD_PRELOAD");
    }
    if told.front.is_some() {
        let before = std::env::var_os(OPEN_MPI_FORWARDS);
        started.env(OPEN_MPI_FORWARDS, forwarded(&names, before.as_deref()));
        if std::env::var_os(PRRTE_FORWARDS).is_none() {
            started.env(PRRTE_FORWARDS, "1");
        }
    }
    let mut child = started
        .spawn()
        .map_err(|error| Error::NotStarted(plain(&program.to_string_lossy()), error))?;
    let pid = child.id();
    let to = notices.sender.clone();
    std::thread::spawn(move || {
        let _ = to.send(Notice::Ended(child.wait()));
    });
    Ok(pid)
}

/// Open MPI 4 passes what this names on to other hosts. It is what files of `-tune` become: with `mca_base_env_list`,
/// which is meant for users, it refuses commands that have `-x`.
const OPEN_MPI_FORWARDS: &str = "OMPI_MCA_mca_base_env_list_internal";
/// With this, PRRTE (Open MPI 5) passes everything on, as Hydra and Slurm do.
const PRRTE_FORWARDS: &str = "PRTE_MCA_prte_fwd_environment";

/// These variables, and those that are passed on already.
fn forwarded(names: &[&str], before: Option<&OsStr>) -> OsString {
    let mut list = OsString::from(names.join(";"));
    if let Some(before) = before.filter(|b| !b.is_empty()) {
        list.push(";");
        list.push(before);
    }
    list
}

/// Our library first, then what was preloaded before.
fn preload(library: &Path, before: Option<&OsStr>) -> OsString {
    let mut list = library.as_os_str().to_os_string();
    if let Some(before) = before.filter(|b| !b.is_empty()) {
        list.push(":");
        list.push(before);
    }
    list
}

/// Takes leave of the command's orphans that have ended; the command itself was waited for before.
pub(crate) fn reap() {
    while let Ok(Some(_)) = rustix::process::waitpid(None, rustix::process::WaitOptions::NOHANG) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_forwarded_stays_so() {
        assert_eq!(forwarded(&["A", "B"], None), "A;B");
        assert_eq!(forwarded(&["A"], Some(OsStr::new("C=1"))), "A;C=1");
    }

    #[test]
    fn our_library_comes_first_and_nothing_is_lost() {
        let ours = Path::new("/x/ours.so");
        assert_eq!(preload(ours, None), "/x/ours.so");
        assert_eq!(preload(ours, Some(OsStr::new(""))), "/x/ours.so");
        assert_eq!(
            preload(ours, Some(OsStr::new("a.so:b.so"))),
            "/x/ours.so:a.so:b.so"
        );
    }
}
