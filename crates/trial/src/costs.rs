//! What synchronisation costs, to choose the cheapest of the suggestions that help.

use farside_events::Interface;
use farside_findings::Action;
use farside_race::{Code, RawSuggestion};

/// Kinds of calls, and what one costs in microseconds: Open MPI 4.1.4 over TCP, two ranks, medians
/// (`farside-bench rma`, bench/results/2026-11-25-vm/rma-table.md). What completes an operation at its origin only is
/// not measured there: a call that does not wait. A copy costs so much for each KiB that it begins, which is what
/// `memcpy` takes where a cache has both sides (0.04 to 0.14 on the machine of docs/design/trials.md). Memory that is
/// attached, with what detaches it: the row `attach-detach` of `bench/rma/mpi.c`, a call that asks nobody (7 ns with
/// Open MPI, 12 with MPICH 4.0.2).
///
/// Where all processes meet, more of them take longer: see [`Costs::among`].
const MEASURED: [(Kind, &str, f64); 10] = [
    (Kind::LocalFlush, "local-flush", 0.1),
    (Kind::Flush, "flush", 20.8),
    (Kind::Wait, "wait", 0.1),
    (Kind::Barrier, "barrier", 15.3),
    (Kind::Fence, "fence", 31.4),
    (Kind::Epoch, "epoch", 22.0),
    (Kind::Lock, "lock", 46.0),
    (Kind::Notify, "notify", 20.8),
    (Kind::Copy, "copy", 0.1),
    (Kind::Attach, "attach", 0.01),
];

/// Calls by their names in small letters, and of what kind they are. Of an epoch, the end costs; what begins it is of
/// no kind.
const CALLS: [(&str, Option<Kind>); 35] = [
    ("mpi_win_flush", Some(Kind::Flush)),
    ("mpi_win_flush_all", Some(Kind::Flush)),
    ("mpi_win_flush_local", Some(Kind::LocalFlush)),
    ("mpi_win_flush_local_all", Some(Kind::LocalFlush)),
    ("mpi_win_sync", Some(Kind::LocalFlush)),
    ("mpi_wait", Some(Kind::Wait)),
    ("mpi_waitall", Some(Kind::Wait)),
    ("mpi_barrier", Some(Kind::Barrier)),
    ("mpi_win_fence", Some(Kind::Fence)),
    ("mpi_win_post", None),
    ("mpi_win_start", None),
    ("mpi_win_complete", Some(Kind::Epoch)),
    ("mpi_win_wait", Some(Kind::Epoch)),
    ("mpi_win_lock", None),
    ("mpi_win_lock_all", None),
    ("mpi_win_unlock", Some(Kind::Lock)),
    ("mpi_win_unlock_all", Some(Kind::Lock)),
    ("mpi_win_attach", Some(Kind::Attach)),
    ("mpi_win_detach", None),
    ("shmem_fence", Some(Kind::LocalFlush)),
    ("shmem_ctx_fence", Some(Kind::LocalFlush)),
    ("shmem_quiet", Some(Kind::Flush)),
    ("shmem_ctx_quiet", Some(Kind::Flush)),
    ("shmem_sync_all", Some(Kind::Barrier)),
    ("shmem_sync", Some(Kind::Barrier)),
    ("shmem_team_sync", Some(Kind::Barrier)),
    ("shmem_set_lock", None),
    ("shmem_clear_lock", Some(Kind::Lock)),
    ("gaspi_wait", Some(Kind::LocalFlush)),
    ("gaspi_barrier", Some(Kind::Barrier)),
    ("gaspi_notify", Some(Kind::Notify)),
    ("gaspi_write_notify", Some(Kind::Notify)),
    ("gaspi_read_notify", Some(Kind::Notify)),
    ("gaspi_notify_waitsome", Some(Kind::Wait)),
    ("gaspi_notify_reset", Some(Kind::Wait)),
];

/// What a call does, as far as its cost goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    LocalFlush,
    Flush,
    Wait,
    Barrier,
    Fence,
    Epoch,
    Lock,
    Notify,
    Copy,
    Attach,
}

/// What each kind of call costs, in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    each: [f64; MEASURED.len()],
    /// Those that somebody said: they hold for any number of processes.
    said: [bool; MEASURED.len()],
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            each: MEASURED.map(|(_, _, cost)| cost),
            said: [false; MEASURED.len()],
        }
    }
}

impl Costs {
    /// The names of the kinds, in the order in which they are told.
    pub fn names() -> impl Iterator<Item = &'static str> {
        MEASURED.iter().map(|(_, name, _)| *name)
    }

    /// A kind of this name costs so much.
    ///
    /// # Errors
    /// There is no such kind, or the cost is no number of microseconds from 0 on: in words.
    pub fn set(&mut self, name: &str, cost: f64) -> Result<(), String> {
        let place = Self::names().position(|known| known == name);
        let names = || Self::names().collect::<Vec<_>>().join(", ");
        let place =
            place.ok_or_else(|| format!("no kind of call is named {name:?}; there are {}", names()))?;
        if !(cost.is_finite() && cost >= 0.0) {
            return Err(format!("{cost} is no number of microseconds"));
        }
        self.each[place] = cost;
        self.said[place] = true;
        Ok(())
    }

    /// Whether somebody said what meetings cost, or calls that complete operations.
    pub(crate) fn are_said(&self) -> bool {
        let kinds = [Kind::Flush, Kind::Barrier, Kind::Fence];
        kinds.into_iter().any(|kind| self.said[kind as usize])
    }

    /// The costs among so many processes: what was measured of two, and where all meet (`barrier`, `fence`) that for
    /// each of the log2 n rounds in which n hear of each other (dissemination, Hensgen et al. 1988). Costs that were
    /// [`set`](Self::set) stay.
    ///
    /// That holds where each process has a processor. Measured here, 4, 8 and 16 processes on two processors, a barrier
    /// takes 6, 21 and 73 times as long as of two, not 2, 3 and 4 (bench/results/2026-11-29-barriers): turns of the
    /// system, of which a flush between two would have as many.
    #[must_use]
    pub fn among(mut self, processes: u32) -> Self {
        let rounds = processes.max(2).next_power_of_two().ilog2();
        for kind in [Kind::Barrier, Kind::Fence].map(|kind| kind as usize) {
            if !self.said[kind] {
                self.each[kind] = MEASURED[kind].2 * f64::from(rounds);
            }
        }
        self
    }

    /// Microseconds that a call of this name costs, in capital or small letters; `None` if the table does not have it.
    #[must_use]
    pub fn of_call(&self, name: &str) -> Option<f64> {
        let name = name.to_ascii_lowercase();
        let of_many_types = || match name.strip_prefix("shmem_")? {
            rest if rest.contains("wait_until") => Some(Some(Kind::Wait)),
            rest if rest.contains("put_signal") => Some(Some(Kind::Notify)),
            _ => None,
        };
        if ["shmem_barrier_all", "shmem_barrier"].contains(&name.as_str()) {
            return Some(self.completing_barrier());
        }
        let known = CALLS.iter().find(|(known, _)| *known == name);
        let kind = known.map(|(_, kind)| *kind).or_else(of_many_types)?;
        Some(kind.map_or(0.0, |kind| self.each[kind as usize]))
    }

    /// Whether all processes meet in a call of this name.
    pub(crate) fn is_meeting(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let known = CALLS.iter().find(|(known, _)| *known == name);
        let meets = |(_, kind): &(&str, Option<Kind>)| matches!(kind, Some(Kind::Barrier | Kind::Fence));
        name.starts_with("shmem_barrier") || known.is_some_and(meets)
    }

    /// What a barrier of OpenSHMEM costs, which completes what was issued before it.
    fn completing_barrier(&self) -> f64 {
        self.each[Kind::Flush as usize] + self.each[Kind::Barrier as usize]
    }

    /// What a suggestion costs each time that its place is passed.
    ///
    /// What is moved or removed costs nothing; what stands in the place of other code costs so much more than that.
    pub(crate) fn of(&self, suggestion: &RawSuggestion, interface: Interface) -> f64 {
        let cost = |code: &Code| match (code, interface) {
            (Code::Barrier, Interface::Shmem) => self.completing_barrier(),
            (Code::SecondBuffer(bytes), _) => {
                let begun = bytes.div_ceil(1024).max(1);
                self.each[Kind::Copy as usize] * begun as f64
            }
            _ => kind(*code).map_or(0.0, |kind| self.each[kind as usize]),
        };
        let new: f64 = suggestion.code.iter().map(cost).sum();
        match suggestion.action {
            Action::Insert => new,
            // One wait in the place of another.
            Action::Replace if matches!(suggestion.code[..], [Code::Await(_)]) => 0.0,
            Action::Replace if suggestion.awaited_besides().is_some() => self.each[Kind::Wait as usize],
            Action::Replace => {
                let old = suggestion.instead_of.as_ref().map_or(0.0, cost);
                (new - old).max(0.0)
            }
            Action::Move | Action::Remove => 0.0,
        }
    }
}

/// What kind of call it is; `None`: it costs nothing, or is no call.
pub(crate) fn kind(code: Code) -> Option<Kind> {
    Some(match code {
        // A lock that is free is taken as fast as a call that does not wait returns; and so threads of one process
        // meet, as long as all of them are there.
        Code::Flush { local: true, .. }
        | Code::Order(_)
        | Code::Exclusion
        | Code::TeamBarrier
        | Code::TaskWait => Kind::LocalFlush,
        // What is not measured: an atomic operation may have to wait for its target.
        Code::Flush { local: false, .. } | Code::AtomicRead | Code::AtomicWrite | Code::AtomicUpdate(_) => {
            Kind::Flush
        }
        Code::WaitForRequest | Code::Await(_) | Code::SetBack => Kind::Wait,
        Code::Barrier | Code::Meet => Kind::Barrier,
        Code::Fence => Kind::Fence,
        Code::Complete | Code::CompleteAndStart | Code::CompleteAndWait | Code::Wait => Kind::Epoch,
        Code::Lock(_) | Code::Unlock(_) | Code::UnlockAll | Code::Kind(_) => Kind::Lock,
        Code::Notify(_) => Kind::Notify,
        Code::SecondBuffer(_) | Code::CopyBefore | Code::CopyAfter => Kind::Copy,
        Code::Attach => Kind::Attach,
        Code::Detach
        | Code::Call(_)
        | Code::Access
        | Code::Static
        | Code::Argument(_)
        | Code::RepeatWhenFull
        | Code::RepeatWhenTimedOut
        | Code::Assertions(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_where_their_costs_do() {
        for (place, (kind, _, _)) in MEASURED.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
        }
    }

    #[test]
    fn what_is_no_cost_is_refused() {
        let mut costs = Costs::default();
        assert_eq!(costs.set("barrier", 7.5), Ok(()));
        assert!(
            costs
                .set("barier", 1.0)
                .is_err_and(|words| words.contains("local-flush, flush"))
        );
        assert!(costs.set("fence", -1.0).is_err() && costs.set("fence", f64::NAN).is_err());
        let barrier = RawSuggestion {
            code: vec![Code::Barrier, Code::Barrier],
            ..RawSuggestion::default()
        };
        assert_eq!(costs.of(&barrier, Interface::Mpi), 15.0);
        assert_eq!(costs.of(&barrier, Interface::Shmem), 2.0 * (7.5 + 20.8));
        let moved = RawSuggestion {
            action: Action::Move,
            ..barrier.clone()
        };
        assert_eq!(costs.of(&moved, Interface::Mpi), 0.0);
        assert_eq!(costs.of_call("MPI_Barrier"), Some(7.5));
        assert!(Costs::is_meeting("MPI_Barrier") && Costs::is_meeting("shmem_barrier_all"));
        assert!(!Costs::is_meeting("MPI_Wait") && !Costs::is_meeting("shmem_quiet"));
        // What was said stays; what was measured of two is more among more.
        let many = |processes| costs.clone().among(processes);
        assert_eq!(many(16).of_call("MPI_Barrier"), Some(7.5));
        for (processes, rounds) in [(1, 1.0), (2, 1.0), (3, 2.0), (4, 2.0), (5, 3.0), (1000, 10.0)] {
            assert_eq!(many(processes).of_call("MPI_Win_fence"), Some(31.4 * rounds));
            assert_eq!(many(processes).of_call("MPI_Win_flush"), Some(20.8));
        }
        assert_eq!(costs.of_call("MPI_Win_start"), Some(0.0));
        assert_eq!(costs.of_call("MPI_Win_attach"), Some(0.01));
        assert_eq!(costs.of_call("shmem_barrier_all"), Some(7.5 + 20.8));
        assert_eq!(costs.of_call("shmem_long_wait_until_any"), Some(0.1));
        assert_eq!(costs.of_call("MPI_Recv"), None);
    }
}
