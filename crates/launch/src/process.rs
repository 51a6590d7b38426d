//! Processes that end with the one that starts them.

use rustix::process::{
    Resource, Rlimit, Signal, getpid, getppid, set_parent_process_death_signal, setrlimit,
};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Makes a process, as soon as it is started, end by SIGKILL when the *thread* that starts it ends; run on `cores`
/// only, if there are any; and have `files` as its limit of open files, if one is given.
///
/// Limits: what the process starts itself does not end with us, and the tie is lost by a program that gains rights
/// (set-user-id; prctl(2), `PR_SET_PDEATHSIG`).
pub fn tie(command: &mut Command, cores: &[usize], files: Option<Rlimit>) {
    let parent = getpid();
    let mut set = CpuSet::new();
    cores
        .iter()
        .filter(|&&core| core < CpuSet::MAX_CPU)
        .for_each(|&core| set.set(core));
    let pinned = set.count() > 0;
    let prepare = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before that.
        if getppid() != Some(parent) {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        if pinned {
            sched_setaffinity(None, &set)?;
        }
        if let Some(limit) = files {
            setrlimit(Resource::Nofile, limit)?;
        }
        Ok(())
    };
    // SAFETY: the closure runs in the child between fork and exec, where only async-signal-safe calls are allowed. It
    // makes four system calls, through rustix, which allocates nothing and takes no lock for them, and builds an error
    // from a number.
    unsafe { command.pre_exec(prepare) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_ends_with_the_thread_that_started_it() {
        let starter = std::thread::spawn(|| {
            let mut command = Command::new("sleep");
            command.arg("600");
            tie(&mut command, &[], None);
            command.spawn().expect("sleep starts")
        });
        let mut child = starter.join().expect("no panic");
        let status = child.wait().expect("it is ours");
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(libc::SIGKILL)
        );
    }

    #[test]
    fn a_process_runs_where_it_is_told_with_the_limits_it_is_given() {
        let allowed = rustix::thread::sched_getaffinity(None).expect("we may ask");
        let core = (0..CpuSet::MAX_CPU)
            .find(|&core| allowed.is_set(core))
            .expect("we run somewhere");
        let mut command = Command::new("sh");
        command.args(["-c", "grep Cpus_allowed_list /proc/self/status; ulimit -n"]);
        let limit = Rlimit {
            current: Some(77),
            maximum: Some(78),
        };
        tie(&mut command, &[core], Some(limit));
        let output = command.output().expect("sh starts");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(text, format!("Cpus_allowed_list:\t{core}\n77\n"));
    }
}
