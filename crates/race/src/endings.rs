//! The end of windows and of processes: what must not be open then.

use crate::detector::Detector;
use crate::finding::Site;
use crate::misuse::{Caller, advise, caller};
use farside_events::{Rank, ThreadId, WinId};
use farside_findings::Rule;

impl Detector {
    /// An epoch of the process that is open on the window, or an operation that is pending.
    fn open_epoch(&mut self, rank: Rank, win: WinId) -> Option<(Caller, String, &'static str)> {
        let zero = ThreadId(0);
        let requests = self
            .job
            .process(rank)
            .requests
            .values()
            .filter(|op| op.win == win);
        let request = requests.min_by_key(|op| op.issued_mark).cloned();
        let pending = self
            .job
            .process(rank)
            .pending
            .get(&win)
            .and_then(|pending| pending.first())
            .cloned();
        let state = self.windows.get(&win)?.epochs.get(&rank)?;
        let epoch = |call, site, close| {
            Some((
                (call, site, zero, None),
                format!("the epoch opened by {call} is open"),
                close,
            ))
        };
        if let Some(lock) = state.locked.values().next() {
            return epoch("MPI_Win_lock", lock.site, "MPI_Win_unlock(rank, win)");
        }
        if let Some(lock) = &state.locked_all {
            return epoch("MPI_Win_lock_all", lock.site, "MPI_Win_unlock_all(win)");
        }
        if let Some((site, _)) = &state.started {
            return epoch("MPI_Win_start", *site, "MPI_Win_complete(win)");
        }
        if let Some((site, _)) = &state.posted {
            return epoch("MPI_Win_post", *site, "MPI_Win_wait(win)");
        }
        if let Some(op) = pending {
            let party = (op.name(), op.site, op.thread, Some(op.target));
            return Some((
                party,
                format!("{} is pending", op.name()),
                "MPI_Win_fence(0, win)",
            ));
        }
        // A request of the crate `farside` that is dropped is complete with its epoch.
        let request = request.filter(|_| self.options.interface == crate::Interface::Mpi);
        request.map(|op| {
            let party = (op.name(), op.site, op.thread, Some(op.target));
            (
                party,
                format!("the request of {} was never completed", op.name()),
                "MPI_Wait(&request, MPI_STATUS_IGNORE)",
            )
        })
    }

    pub(crate) fn check_free(&mut self, rank: Rank, thread: ThreadId, win: WinId, site: Site) {
        let Some((party, what, close)) = self.open_epoch(rank, win) else {
            return;
        };
        let parties = vec![
            caller((party.0, party.1, party.2, party.3)),
            caller(("MPI_Win_free", site, thread, None)),
        ];
        let message = format!("rank {} frees the window while {what}", rank.0);
        let advice = advise(close, parties.first(), parties.get(1), "");
        self.misuse(Rule::FreedInEpoch, Some(win), parties, message, Some(advice));
    }

    pub(crate) fn check_finalize(&mut self, rank: Rank, thread: ThreadId, site: Site) {
        let mut wins: Vec<WinId> = self.windows.keys().copied().collect();
        wins.sort_unstable();
        for win in wins {
            if let Some((party, what, close)) = self.open_epoch(rank, win) {
                let parties = vec![caller(party), caller(("MPI_Finalize", site, thread, None))];
                let message = format!("rank {} calls MPI_Finalize while {what}", rank.0);
                let advice = advise(close, parties.first(), parties.get(1), "");
                self.misuse(Rule::FinalizedInEpoch, Some(win), parties, message, Some(advice));
            }
        }
    }

    /// At the end of a window: every start met a post, and the other way round.
    pub(crate) fn check_groups(&mut self, win: WinId) {
        let Some(window) = self.windows.get(&win) else {
            return;
        };
        let mut wrong: Vec<_> = window
            .pairs
            .iter()
            .filter(|(_, pair)| pair.posted != pair.started)
            .collect();
        wrong.sort_by_key(|(ranks, _)| **ranks);
        let mut reports = Vec::new();
        for (&(target, origin), pair) in wrong {
            let zero = ThreadId(0);
            let post = window
                .epochs
                .get(&target)
                .and_then(|state| state.posted.as_ref())
                .map(|(site, _)| *site);
            let any_post = pair.last_post.or(post).or_else(|| {
                window
                    .pairs
                    .iter()
                    .filter(|(ranks, _)| ranks.0 == target)
                    .find_map(|(_, other)| other.last_post)
            });
            let any_start = pair.last_start.or_else(|| {
                window
                    .pairs
                    .iter()
                    .filter(|(ranks, _)| ranks.1 == origin)
                    .find_map(|(_, other)| other.last_start)
            });
            let mut parties = Vec::new();
            let message = if pair.started > pair.posted {
                parties.extend(any_start.map(|site| caller(("MPI_Win_start", site, zero, Some(target)))));
                parties.extend(any_post.map(|site| caller(("MPI_Win_post", site, zero, None))));
                format!(
                    "rank {} starts an access epoch to rank {}, which does not post to it",
                    origin.0, target.0
                )
            } else {
                parties.extend(any_post.map(|site| caller(("MPI_Win_post", site, zero, None))));
                parties.extend(any_start.map(|site| caller(("MPI_Win_start", site, zero, None))));
                format!(
                    "rank {} posts to rank {}, which does not start an access epoch to it",
                    target.0, origin.0
                )
            };
            reports.push((parties, message));
        }
        for (parties, message) in reports {
            self.misuse(Rule::GroupMismatch, Some(win), parties, message, None);
        }
    }

    pub(crate) fn attach(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        address: u64,
        size: u64,
        site: Site,
    ) {
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let regions = window.attached.entry(rank).or_default();
        let end = address.saturating_add(size);
        let overlap = regions
            .range(..end)
            .next_back()
            .filter(|(start, region)| start.saturating_add(region.0) > address);
        if let (Some((_, &(_, before))), true) = (overlap, size > 0) {
            let parties = vec![
                caller(("MPI_Win_attach", site, thread, None)),
                caller(("MPI_Win_attach", before, thread, None)),
            ];
            let message = format!("rank {} attaches memory that is attached already", rank.0);
            let advice = advise("MPI_Win_detach(win, base)", parties.get(1), parties.first(), "");
            return self.misuse(Rule::UnmatchedAttach, Some(win), parties, message, Some(advice));
        }
        regions.insert(address, (size, site));
        if size > 0 {
            self.job.process(rank).exposed.push((address, end, win));
        }
    }

    pub(crate) fn detach(&mut self, rank: Rank, thread: ThreadId, win: WinId, address: u64, site: Site) {
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        if window
            .attached
            .entry(rank)
            .or_default()
            .remove(&address)
            .is_none()
        {
            let parties = vec![caller(("MPI_Win_detach", site, thread, None))];
            let message = format!(
                "rank {} detaches memory that is not attached to the window",
                rank.0
            );
            return self.misuse(Rule::UnmatchedAttach, Some(win), parties, message, None);
        }
        self.job
            .process(rank)
            .exposed
            .retain(|entry| entry.2 != win || entry.0 != address);
    }
}
