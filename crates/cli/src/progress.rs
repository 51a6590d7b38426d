//! What a command is doing, on a terminal, as soon as it takes more than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long nothing is shown.
const SILENT: Duration = Duration::from_secs(1);
/// How often what is shown is drawn again.
const TICK: Duration = Duration::from_millis(200);

/// A bar that is drawn from the first moment on, whether or not a first piece was done.
pub(crate) fn ticking(bar: ProgressBar) -> ProgressBar {
    bar.enable_steady_tick(TICK);
    bar
}

/// A line on stderr with what is being done, and since when; it goes when this is dropped. Nothing is shown where
/// stderr is no terminal, or if that is not wanted.
#[derive(Debug)]
pub(crate) struct Activity {
    bar: ProgressBar,
    /// Dropped, it tells the thread that shows the line to end.
    end: Option<mpsc::Sender<()>>,
    shows: Option<JoinHandle<()>>,
}

impl Activity {
    /// Begins; nothing is being done yet.
    pub(crate) fn begin(quiet: bool) -> Self {
        let bar = ProgressBar::hidden();
        if quiet || !std::io::stderr().is_terminal() {
            return Self {
                bar,
                end: None,
                shows: None,
            };
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        let (end, ended) = mpsc::channel();
        let line = bar.clone();
        let shows = thread::spawn(move || {
            if ended.recv_timeout(SILENT) == Err(RecvTimeoutError::Timeout) {
                line.set_draw_target(ProgressDrawTarget::stderr());
                line.enable_steady_tick(TICK);
                // It is never sent anything: this is the end.
                let _ = ended.recv();
            }
            line.finish_and_clear();
        });
        Self {
            bar,
            end: Some(end),
            shows: Some(shows),
        }
    }

    /// From now on, this is being done.
    pub(crate) fn now(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// Says something on stderr, with the line out of the way.
    pub(crate) fn interrupted<T>(&self, say: impl FnOnce() -> T) -> T {
        self.bar.suspend(say)
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.end = None;
        if let Some(shows) = self.shows.take() {
            // A thread that panicked has shown that itself.
            let _ = shows.join();
        }
    }
}
