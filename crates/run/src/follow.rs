//! A job from its start to its end.
//!
//! The culprit of a failure is the rank that failed first. When a rank dies, others often fail because of that, and
//! they may end before we look. So a loss that the rendezvous reports counts before all exit statuses. A rank that
//! fails because it lost another tells the rendezvous before it ends; an end is judged when the rendezvous has read all
//! that came before it.

use crate::crew::Crew;
use crate::ending::{Failure, Loss, Reason};
use crate::forward::Forward;
use crate::notices::{Notice, Notices};
use crate::request::{News as Progress, Request};
use farside_launch::{News, Server};
use signal_hook::consts::signal::{SIGKILL, SIGTERM};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How long a rank whose connection is closed may take to end, so that its status is known.
const STATUS: Duration = Duration::from_millis(400);
/// How long the others may take to end by themselves.
const GRACE: Duration = Duration::from_millis(400);
/// How long SIGTERM may take.
const TERM: Duration = Duration::from_millis(400);
/// How long the ranks may take after a signal that was sent to us.
const INTERRUPT: Duration = Duration::from_secs(5);
/// Between two looks at what still lives.
const TICK: Duration = Duration::from_millis(20);

/// A job that runs.
pub(crate) struct Follow<'a> {
    request: &'a Request,
    ranks: &'a mut dyn Crew,
    server: &'a Server,
    notices: &'a Notices,
    forward: &'a Forward,
    tell: &'a dyn Fn(Progress<'_>),
    started: Instant,
    /// Ranks that have joined.
    joined: Vec<bool>,
    /// The first rank that was lost, and since when we know.
    suspect: Option<(u32, Instant)>,
    /// Ranks without which the others went on.
    losses: Vec<Loss>,
    /// Ranks that the rendezvous has lost, as far as they have not finished since then.
    astray: Vec<bool>,
    /// A child may have ended since the last look: the notice of it comes once.
    unreaped: bool,
    output_ended: bool,
    /// Why output of the ranks could not be written, if it could not.
    unwritten: Option<String>,
}

/// What to do about what still lives.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// When it gets SIGTERM.
    term: Option<Instant>,
    /// When it gets SIGKILL.
    kill: Instant,
}

impl<'a> Follow<'a> {
    /// Of ranks that were started.
    pub(crate) fn new(
        request: &'a Request,
        ranks: &'a mut dyn Crew,
        server: &'a Server,
        notices: &'a Notices,
        forward: &'a Forward,
        tell: &'a dyn Fn(Progress<'_>),
    ) -> Self {
        Self {
            request,
            ranks,
            server,
            notices,
            forward,
            tell,
            started: Instant::now(),
            joined: vec![false; request.processes as usize],
            suspect: None,
            losses: Vec::new(),
            astray: vec![false; request.processes as usize],
            unreaped: true,
            output_ended: false,
            unwritten: None,
        }
    }

    /// Until nothing of the job lives. Why it was ended, if not all ranks ended well.
    pub(crate) fn follow(mut self) -> Option<Reason> {
        let mut reason = self.until_the_end();
        let now = Instant::now();
        let plan = match &reason {
            None | Some(Reason::WithoutSome { .. }) => Plan {
                term: Some(now),
                kill: now + TERM,
            },
            Some(Reason::Failed { rank, .. }) => {
                self.server.ended(*rank, true);
                Plan {
                    term: Some(now + GRACE),
                    kill: now + GRACE + TERM,
                }
            }
            Some(Reason::HostLost { ranks, .. }) => {
                ranks.clone().for_each(|rank| self.server.ended(rank, true));
                Plan {
                    term: Some(now + GRACE),
                    kill: now + GRACE + TERM,
                }
            }
            Some(Reason::TimeLimit(_) | Reason::OutputLost(_)) => Plan {
                term: Some(now),
                kill: now + TERM,
            },
            Some(Reason::Interrupted(_)) => Plan {
                term: None,
                kill: now + INTERRUPT,
            },
        };
        match &reason {
            Some(reason) if !matches!(reason, Reason::WithoutSome { .. }) => self.complain(reason),
            _ => match self.ranks.living() {
                0 => {}
                left => (self.tell)(Progress::LeftBehind(left)),
            },
        }
        self.end(plan);
        let lost = self.flush().filter(|_| reason.is_none());
        let unwritten = self.unwritten.take().map(Reason::OutputLost);
        let lost = lost.or(unwritten.filter(|_| reason.is_none()));
        if let Some(Reason::WithoutSome { .. }) = &reason {
            // The last line of all.
            reason.iter().for_each(|reason| self.complain(reason));
        }
        if let Some(lost) = lost {
            // Its ranks had ended, but not all that they said has come.
            self.complain(&lost);
            reason = Some(lost);
        }
        reason
    }

    fn complain(&self, reason: &Reason) {
        // Who closes our output wants no more of it, no complaint either.
        if !self.forward.is_unread() {
            (self.tell)(Progress::Broken(reason));
        }
    }

    /// Until all ranks have ended, or there is a reason to end them.
    fn until_the_end(&mut self) -> Option<Reason> {
        loop {
            // In this order: all that the ended ranks have said, by ending too, is in the notices then.
            let ended = self.reap();
            if !ended.is_empty() {
                self.server.settle();
            }
            let notices = self.notices.wait(Some(Duration::ZERO));
            if let Some(reason) = self.take(notices) {
                return Some(reason);
            }
            // What the ranks do then comes of it: their own stdout is closed.
            if let Some(why) = self.unwritten.take() {
                return Some(Reason::OutputLost(why));
            }
            if self.request.keep_going {
                self.go_on_without(&ended);
            } else if let Some(reason) = self.judge(&ended) {
                return Some(reason);
            }
            // Who ended after the look at them is judged first: news of other hosts come with the notices.
            if self.ranks.all_ended() && !self.unreaped {
                return self.without_some();
            }
            let limit = self.request.time_limit;
            let left = limit.map(|limit| limit.saturating_sub(self.started.elapsed()));
            if let (Some(limit), Some(Duration::ZERO)) = (limit, left) {
                return Some(Reason::TimeLimit(limit));
            }
            let pause = self
                .suspect
                .map(|(_, since)| STATUS.saturating_sub(since.elapsed()));
            let again = self.unreaped.then_some(Duration::ZERO);
            let pause = pause.into_iter().chain(left).chain(again).min();
            let notices = self.notices.wait(pause);
            if let Some(reason) = self.take(notices) {
                return Some(reason);
            }
        }
    }

    /// Takes notices in. A signal is a reason to end.
    fn take(&mut self, notices: VecDeque<Notice>) -> Option<Reason> {
        for notice in notices {
            match notice {
                Notice::Child => self.unreaped = true,
                Notice::OutputEnded => self.output_ended = true,
                Notice::OutputLost(why) => self.unwritten = self.unwritten.take().or(Some(why)),
                Notice::Rank(News::Joined(rank)) => self.joined[rank as usize] = true,
                Notice::Rank(News::Finished(rank)) => self.astray[rank as usize] = false,
                Notice::Rank(News::Lost(rank)) if self.request.keep_going => {
                    self.astray[rank as usize] = true
                }
                Notice::Rank(News::Lost(rank)) => {
                    self.suspect.get_or_insert((rank, Instant::now()));
                }
                Notice::Host(host, news) => {
                    // A rank may have ended there.
                    self.unreaped = true;
                    // What comes after a reason is of no more use.
                    match self.ranks.take(host, news) {
                        Some(Reason::HostLost { ranks, .. }) if self.request.keep_going => {
                            ranks.for_each(|rank| self.lose(rank, None));
                        }
                        Some(reason) => return Some(reason),
                        None => {}
                    }
                }
                Notice::Signal { number, shared } => {
                    if !(shared && self.ranks.is_at_the_terminal()) {
                        self.ranks.signal(number);
                    }
                    return Some(Reason::Interrupted(number));
                }
            }
        }
        None
    }

    /// Whether a rank has failed, and if so, the first one. `ended`: who has ended since the last time.
    fn judge(&mut self, ended: &[u32]) -> Option<Reason> {
        let failed = |rank: u32, how| {
            let process = self.ranks.process(rank);
            Some(Reason::Failed {
                rank,
                pid: process.pid(),
                host: process.host().map(str::to_owned),
                how,
            })
        };
        let of = |rank: u32| self.ranks.process(rank).ended().map(Failure::of);
        if let Some((rank, since)) = self.suspect {
            return match of(rank) {
                Some(Some(how)) => failed(rank, how),
                Some(None) if self.joined[rank as usize] => failed(rank, Failure::Unfinished),
                Some(None) => failed(rank, Failure::Absent),
                None if since.elapsed() >= STATUS => failed(rank, Failure::Silent),
                None => None,
            };
        }
        ended.iter().find_map(|&rank| failed(rank, of(rank).flatten()?))
    }

    /// Tells the others who has failed. `ended`: who has ended since the last time.
    fn go_on_without(&mut self, ended: &[u32]) {
        for &rank in ended {
            if let Some(how) = self.ranks.process(rank).ended().and_then(Failure::of) {
                self.lose(rank, Some(how));
            }
        }
    }

    /// The others go on without this rank, unless that is known.
    fn lose(&mut self, rank: u32, how: Option<Failure>) {
        let process = self.ranks.process(rank);
        let over = how.is_none() && process.ended().is_some();
        if over || self.losses.iter().any(|loss| loss.rank == rank) {
            return;
        }
        let loss = Loss {
            rank,
            pid: process.pid(),
            host: process.host().map(str::to_owned),
            how,
        };
        self.server.ended(rank, true);
        (self.tell)(Progress::Lost(&loss));
        self.losses.push(loss);
    }

    /// All have ended. Who was lost, if anybody was.
    fn without_some(&mut self) -> Option<Reason> {
        if !self.request.keep_going {
            return None;
        }
        // What the last ones did by ending is known then.
        self.server.settle();
        let notices = self.notices.wait(Some(Duration::ZERO));
        if let Some(reason) = self.take(notices) {
            return Some(reason);
        }
        for rank in 0..self.request.processes {
            if self.astray[rank as usize] {
                self.lose(
                    rank,
                    Some(match self.joined[rank as usize] {
                        true => Failure::Unfinished,
                        false => Failure::Absent,
                    }),
                );
            }
        }
        let lost = std::mem::take(&mut self.losses);
        let left = self.request.processes - lost.len() as u32;
        (!lost.is_empty()).then_some(Reason::WithoutSome { lost, left })
    }

    /// Ranks that have ended since the last time. The others are told of those that have ended well.
    fn reap(&mut self) -> Vec<u32> {
        // Before the look: what ends after it sends a notice.
        self.unreaped = false;
        let ended = self.ranks.reap();
        for &rank in &ended {
            let process = self.ranks.process(rank);
            let failure = process.ended().and_then(Failure::of);
            (self.tell)(Progress::Ended {
                rank,
                pid: process.pid(),
                host: process.host(),
                failure,
            });
            if failure.is_none() {
                self.server.ended(rank, false);
            }
        }
        ended
    }

    /// Until nothing lives any more.
    fn end(&mut self, mut plan: Plan) {
        loop {
            self.reap();
            if self.ranks.living() == 0 && self.ranks.all_ended() {
                return;
            }
            let now = Instant::now();
            if now >= plan.kill {
                self.ranks.signal(SIGKILL);
            } else if plan.term.is_some_and(|term| now >= term) {
                plan.term = None;
                self.ranks.signal(SIGTERM);
            }
            let notices = self.notices.wait(Some(TICK));
            if self.take(notices).is_some() {
                // Somebody has no patience.
                plan.kill = now;
            }
        }
    }

    /// Until all output is forwarded, or a signal says that nobody waits for it. A host that is lost meanwhile.
    fn flush(&mut self) -> Option<Reason> {
        let mut lost = None;
        while !self.output_ended {
            let notices = self.notices.wait(None);
            match self.take(notices) {
                Some(Reason::Interrupted(_)) => break,
                reason => lost = lost.or(reason),
            }
        }
        lost
    }
}
