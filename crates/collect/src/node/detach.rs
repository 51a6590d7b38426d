//! A process that nothing waits for, and that holds nothing of who starts it.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The name of the process, of at most 15 letters.
const NAME: &std::ffi::CStr = c"farside-collect";

/// Runs `work` in a grandchild of this process, in a session of its own; of the open files it keeps `kept` alone. No
/// `exec`: everything that it runs is loaded already, and nothing of ours need lie where it can be found. `false`:
/// there is no such process.
pub(super) fn detached(kept: &File, work: impl FnOnce()) -> bool {
    // SAFETY: the process has one thread where this is called (see `node`), so that the child may do whatever the
    // parent may. Where a library has started threads before, the C library makes its own locks usable in the child.
    match unsafe { libc::fork() } {
        -1 => false,
        0 => {
            // SAFETY: these have no conditions.
            unsafe { libc::setsid() };
            // SAFETY: the same holds for the child. It ends at once, so that nobody waits for the grandchild.
            if unsafe { libc::fork() } == 0 {
                let kept = let_go(kept.as_raw_fd());
                // Nobody would read of it; the front notices that the connection is gone.
                std::panic::set_hook(Box::new(|_| {}));
                let _ = catch_unwind(AssertUnwindSafe(work));
                // Keeps the lock until here.
                let _ = kept;
            }
            end()
        }
        child => {
            let mut status = 0;
            // SAFETY: `status` is a valid place for the answer. A parent that ignores its children gets an error.
            while unsafe { libc::waitpid(child, &raw mut status, 0) } == -1
                && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
            {}
            true
        }
    }
}

/// Leaves nothing of the parent: files, folder, terminal, cores, signals. Returns where `kept` is now.
fn let_go(kept: i32) -> i32 {
    const FIRST: i32 = 3;
    // SAFETY: calls of the system with valid arguments. No Rust value of this process owns a descriptor that is closed
    // and uses it again: all that the work uses it opens itself. What fails leaves a little of the parent.
    unsafe {
        libc::dup2(kept, FIRST);
        if libc::syscall(libc::SYS_close_range, FIRST + 1, u32::MAX, 0) != 0 {
            for descriptor in FIRST + 1..libc::sysconf(libc::_SC_OPEN_MAX).clamp(1024, 1 << 16) as i32 {
                libc::close(descriptor);
            }
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        for stream in 0..FIRST {
            libc::dup2(null, stream);
        }
        libc::close(null);
        libc::chdir(c"/".as_ptr());
        libc::umask(0o077);
        libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
        // Launchers bind a process to a core before it begins, and that core is the rank's.
        let all = [0xff_u8; 1024];
        libc::sched_setaffinity(0, all.len(), all.as_ptr().cast());
        // The batch system ends jobs by SIGTERM first: what was recorded until then is still to be sent.
        for signal in [
            libc::SIGTERM,
            libc::SIGINT,
            libc::SIGHUP,
            libc::SIGQUIT,
            libc::SIGPIPE,
            libc::SIGUSR1,
            libc::SIGUSR2,
            libc::SIGALRM,
            libc::SIGXCPU,
        ] {
            libc::signal(signal, libc::SIG_IGN);
        }
    }
    FIRST
}

/// Ends this process without running what the program, or a library of it, wants to run then.
fn end() -> ! {
    // SAFETY: the system's call, past all hooks.
    unsafe { libc::syscall(libc::SYS_exit_group, 0) };
    unreachable!("the process has ended")
}
