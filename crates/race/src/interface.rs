//! Whose calls a program makes: how they are written, and what they allow.
//!
//! The crate `farside` has the calls of the standard under their own names, with these differences (its deviations 4 and
//! 5): operations with requests, and completion of operations at their origin, are allowed in every epoch; every window
//! can have attached memory; a put can notify its target.

use farside_events::Rank;

/// The interface of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interface {
    /// MPI, in the words of its C binding.
    #[default]
    Mpi,
    /// The crate `farside`.
    Farside,
}

impl Interface {
    /// What the name of a library, as in [`farside_events::EventKind::Init`], says of the programs that use it.
    pub fn of_library(library: &str) -> Self {
        match library.split_whitespace().next() {
            Some("farside") => Self::Farside,
            _ => Self::Mpi,
        }
    }

    /// The name of a call whose name in MPI is `call`.
    pub(crate) fn name(self, call: &'static str) -> &'static str {
        match (self, call) {
            (Self::Mpi, _) => call,
            (Self::Farside, "MPI_Put") => "put",
            (Self::Farside, "MPI_Rput") => "rput",
            (Self::Farside, "MPI_Get") => "get",
            (Self::Farside, "MPI_Rget") => "rget",
            (Self::Farside, "MPI_Accumulate") => "accumulate",
            (Self::Farside, "MPI_Raccumulate") => "raccumulate",
            (Self::Farside, "MPI_Get_accumulate") => "get_accumulate",
            (Self::Farside, "MPI_Rget_accumulate") => "rget_accumulate",
            (Self::Farside, "MPI_Fetch_and_op") => "fetch_and_op",
            (Self::Farside, "MPI_Compare_and_swap") => "compare_and_swap",
            (Self::Farside, "MPI_Finalize") => "finish",
            (Self::Farside, _) => call.strip_prefix("MPI_Win_").unwrap_or(call),
        }
    }

    /// What ends a fence epoch, and begins another.
    pub(crate) fn fence(self) -> &'static str {
        match self {
            Self::Mpi => "MPI_Win_fence(0, win)",
            Self::Farside => "Ok(()) })?; window.fence(|epoch| {",
        }
    }

    /// A call that orders all ranks.
    pub(crate) fn barrier(self) -> &'static str {
        match self {
            Self::Mpi => "MPI_Barrier(comm)",
            Self::Farside => "world.barrier()",
        }
    }

    /// A call that completes operations at a target.
    pub(crate) fn flush(self, target: u32) -> String {
        match self {
            Self::Mpi => format!("MPI_Win_flush({target}, win)"),
            Self::Farside => format!("epoch.flush({target})"),
        }
    }

    /// A call that completes operations to a target at their origin.
    pub(crate) fn flush_local(self, target: u32) -> String {
        match self {
            Self::Mpi => format!("MPI_Win_flush_local({target}, win)"),
            Self::Farside => format!("epoch.flush_local({target})"),
        }
    }

    /// A flush of one target or of all.
    pub(crate) fn flush_of(self, target: Option<Rank>, local: bool) -> String {
        match (target, local, self) {
            (Some(target), true, _) => self.flush_local(target.0),
            (Some(target), false, _) => self.flush(target.0),
            (None, true, Self::Mpi) => "MPI_Win_flush_local_all(win)".into(),
            (None, false, Self::Mpi) => "MPI_Win_flush_all(win)".into(),
            (None, true, Self::Farside) => "epoch.flush_local_all()".into(),
            (None, false, Self::Farside) => "epoch.flush_all()".into(),
        }
    }

    /// A call that completes an operation with a request.
    pub(crate) fn wait(self) -> &'static str {
        match self {
            Self::Mpi => "MPI_Wait(&request, MPI_STATUS_IGNORE)",
            Self::Farside => "request.wait()",
        }
    }

    /// What ends an access epoch.
    pub(crate) fn complete(self) -> &'static str {
        match self {
            Self::Mpi => "MPI_Win_complete(win)",
            Self::Farside => "the end of window.start",
        }
    }

    /// What ends an access epoch and begins another.
    pub(crate) fn complete_and_start(self) -> &'static str {
        match self {
            Self::Mpi => "MPI_Win_complete(win); MPI_Win_start(group, 0, win)",
            Self::Farside => "Ok(()) })?; window.start(&group, |epoch| {",
        }
    }

    /// What ends an exposure epoch.
    pub(crate) fn wait_for_epoch(self) -> &'static str {
        match self {
            Self::Mpi => "MPI_Win_wait(win)",
            Self::Farside => "the end of window.post",
        }
    }

    /// What ends an access epoch and the exposure that it meets.
    pub(crate) fn complete_and_wait(self) -> &'static str {
        match self {
            Self::Mpi => "MPI_Win_complete(win) at the origin and MPI_Win_wait(win) at the target",
            Self::Farside => "the end of window.start at the origin and of window.post at the target",
        }
    }

    /// How to read a word that others write, without polling by loads; and what goes with it.
    pub(crate) fn instead_of_polling(self) -> (&'static str, &'static str) {
        match self {
            Self::Mpi => (
                "MPI_Fetch_and_op(..., MPI_NO_OP, win); MPI_Win_flush_local(rank, win)",
                "read the flag by an atomic operation and set it by MPI_Accumulate",
            ),
            Self::Farside => ("epoch.wait_until(index, ...)", "instead of a loop over loads"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_interfaces() {
        assert_eq!(Interface::of_library("farside 0.1.0, shm"), Interface::Farside);
        assert_eq!(Interface::of_library("MPICH Version: 4.0"), Interface::Mpi);
        for (name, ours) in [
            ("MPI_Rget", "rget"),
            ("MPI_Win_flush_all", "flush_all"),
            ("MPI_Finalize", "finish"),
        ] {
            assert_eq!(Interface::Mpi.name(name), name);
            assert_eq!(Interface::Farside.name(name), ours);
        }
    }
}
