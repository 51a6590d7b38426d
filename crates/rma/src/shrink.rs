//! Going on after a loss: how a world began is kept, so that those that are left can begin another one.
//!
//! The launcher decides who is left (`farside-launch`, `registry/vote.rs`); `docs/design/loss.md` says why.

use crate::{Error, Rank, Result};
use farside_fabric::Fabric;
use farside_fabric::bootstrap::{Bootstrap, Shrunk};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How the endpoint of a world is made, of ranks that a launcher has brought together.
type Open = Rc<dyn Fn(Arc<dyn Bootstrap>) -> Result<Arc<dyn Fabric>>>;

/// How long the launcher may take to see that a rank has ended, which this one could not reach any more.
const NOTICE: Duration = Duration::from_secs(2);

/// New worlds that may fail to begin although no rank more is lost.
const ATTEMPTS: u32 = 3;

/// Why a launcher cannot decide.
const BLIND: &str = "this launcher does not tell which ranks have ended, so nobody knows for whom to wait; start the \
                     program with `farside run --keep-going`";

/// How a world began.
#[derive(Clone)]
pub(crate) struct Beginning {
    bootstrap: Arc<dyn Bootstrap>,
    open: Open,
}

impl Beginning {
    /// Of the ranks of a launcher, over a transport.
    #[cfg(feature = "launch")]
    pub(crate) fn new(bootstrap: Arc<dyn Bootstrap>, open: Open) -> Self {
        Self { bootstrap, open }
    }

    /// The endpoint of a new world.
    pub(crate) fn open(&self) -> Result<Arc<dyn Fabric>> {
        (self.open)(Arc::clone(&self.bootstrap))
    }

    /// A world of the ranks that are left, begun by `begin`, and which rank each had before. Who dies meanwhile is not
    /// in it.
    pub(crate) fn again<W>(&self, begin: impl Fn(&Self) -> Result<W>) -> Result<(W, Vec<Rank>)> {
        let mut last = self.clone();
        let mut former: Vec<Rank> = (0..last.bootstrap.size()).collect();
        let mut attempts = ATTEMPTS;
        loop {
            let Some(Shrunk {
                bootstrap,
                former: left,
            }) = last.bootstrap.shrink()?
            else {
                return Err(refusal("World::shrink", BLIND));
            };
            former = left.iter().map(|&rank| former[rank as usize]).collect();
            if bootstrap.size() == last.bootstrap.size() {
                attempts -= 1;
            }
            last.bootstrap = bootstrap;
            match begin(&last) {
                Ok(world) => return Ok((world, former)),
                Err(error) if attempts == 0 || !last.has_lost(&error) => return Err(error),
                // Those that have begun it learn of the loss in what they do there.
                Err(_) => {}
            }
        }
    }

    /// Whether all ranks that are left say yes.
    pub(crate) fn agree(&self, yes: bool) -> Result<bool> {
        let answer = self.bootstrap.agree(yes)?;
        answer.ok_or_else(|| refusal("World::agree", BLIND))
    }

    /// Says to the launcher that this rank ends as it should, though another is lost.
    pub(crate) fn leave(&self) {
        // Without a launcher nobody wants to know.
        let _ = self.bootstrap.finish();
    }

    /// Whether a world could not begin because a rank is lost.
    fn has_lost(&self, error: &Error) -> bool {
        let since = Instant::now();
        while self.bootstrap.lost().is_none() && !matches!(error, Error::PeerLost { .. }) {
            if since.elapsed() >= NOTICE {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }
}

/// The error of a call that nobody can answer.
pub(crate) fn refusal(what: &'static str, reason: &str) -> Error {
    Error::Unsupported {
        what,
        reason: reason.to_owned(),
    }
}
