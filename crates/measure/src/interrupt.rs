//! SIGINT and SIGTERM while a command of ours runs: the command is ended first, then this process, by the same signal.
//!
//! Commands are in process groups of their own, so that nothing of them is left at a time limit; so a terminal's
//! interrupt does not reach them.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

struct Signals {
    /// No command runs: a signal does what it does by default.
    idle: Arc<AtomicBool>,
    /// The signal that came while one ran; 0: none.
    came: Arc<AtomicUsize>,
}

fn signals() -> &'static Signals {
    static SIGNALS: OnceLock<Signals> = OnceLock::new();
    SIGNALS.get_or_init(|| {
        let signals = Signals {
            idle: Arc::new(AtomicBool::new(true)),
            came: Arc::new(AtomicUsize::new(0)),
        };
        for signal in [SIGINT, SIGTERM] {
            // Where it fails, signals do what they do by default.
            let _ = flag::register_conditional_default(signal, Arc::clone(&signals.idle));
            let _ = flag::register_usize(signal, Arc::clone(&signals.came), signal.unsigned_abs() as usize);
        }
        signals
    })
}

/// While it lives, a signal is kept until it is asked for.
pub(crate) struct Kept(());

impl Kept {
    pub(crate) fn new() -> Self {
        signals().idle.store(false, Ordering::Release);
        Self(())
    }

    /// Whether a signal has come.
    pub(crate) fn came(&self) -> bool {
        signals().came.load(Ordering::Acquire) != 0
    }
}

impl Drop for Kept {
    /// A signal that has come takes effect now.
    fn drop(&mut self) {
        signals().idle.store(true, Ordering::Release);
        let came = signals().came.swap(0, Ordering::AcqRel);
        if let Ok(signal @ 1..) = i32::try_from(came) {
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}
