//! When a run ends before its tests do: at a limit of time, or when it is asked to by a signal.

use crate::error::Error;
use farside_processes::signals;
use signal_hook::consts::signal::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether it is time to stop.
pub(crate) struct Stop {
    /// When the limit is reached, and the limit.
    limit: Option<(Instant, Duration)>,
    asked: Arc<AtomicBool>,
}

impl Stop {
    /// From now on, the first SIGINT or SIGTERM asks; a second one ends this program as it would have without us.
    pub(crate) fn new(limit: Option<Duration>) -> Result<Self, Error> {
        let asked = Arc::new(AtomicBool::new(false));
        for number in [SIGINT, SIGTERM] {
            if signals::is_ignored(number) {
                continue;
            }
            // In this order: the first signal finds the flag down, and puts it up.
            flag::register_conditional_default(number, asked.clone())
                .and_then(|_| flag::register(number, asked.clone()))
                .map_err(|error| {
                    Error::NotStarted(format!("handling of {}", signals::name(number)), error)
                })?;
        }
        Ok(Self {
            limit: limit.map(|limit| (Instant::now() + limit, limit)),
            asked,
        })
    }

    /// Why to stop, if it is time to.
    pub(crate) fn reason(&self) -> Option<String> {
        if self.asked.load(Ordering::Relaxed) {
            return Some("the run was stopped by a signal before it".to_owned());
        }
        let (at, limit) = self.limit?;
        (Instant::now() >= at).then(|| {
            format!(
                "the limit of {} s (--limit) was reached before it",
                limit.as_secs_f64()
            )
        })
    }
}
