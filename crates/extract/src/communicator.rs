//! Communicators of MPI, teams and active sets of OpenSHMEM, groups of GASPI, as all their processes know them.

use farside_calls::grid::Grid;

/// A communicator: its processes, in the order of their ranks in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Communicator {
    members: Vec<u32>,
    made: Made,
    grid: Option<Grid>,
}

/// How a communicator was made, so that two of the same processes are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// `MPI_COMM_WORLD`.
    World,
    /// `MPI_COMM_SELF`.
    Alone,
    /// An active set of OpenSHMEM or a group of GASPI, which is its processes.
    Set,
    /// By a call on another communicator, the so-many-th of its processes.
    From { parent: u32, call: u32 },
}

impl Communicator {
    /// `MPI_COMM_WORLD`.
    pub(crate) fn world(ranks: u32) -> Self {
        Self {
            members: (0..ranks).collect(),
            made: Made::World,
            grid: None,
        }
    }

    /// `MPI_COMM_SELF` of a process.
    pub(crate) fn alone(rank: u32) -> Self {
        Self {
            members: vec![rank],
            made: Made::Alone,
            grid: None,
        }
    }

    /// An active set of OpenSHMEM, or a group of GASPI.
    pub(crate) fn set(members: Vec<u32>) -> Self {
        Self {
            members,
            made: Made::Set,
            grid: None,
        }
    }

    /// One of these processes that was made of another one, whose number this is, by its so-many-th such call.
    pub(crate) fn child(members: Vec<u32>, (parent, call): (u32, u32), grid: Option<Grid>) -> Self {
        Self {
            members,
            made: Made::From { parent, call },
            grid,
        }
    }

    /// Its processes, as ranks of `MPI_COMM_WORLD`, in the order of their ranks in it.
    pub(crate) fn members(&self) -> &[u32] {
        &self.members
    }

    /// The grid that its processes are in.
    pub(crate) fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }

    /// The rank in it of a process of `MPI_COMM_WORLD`.
    pub(crate) fn rank_of(&self, process: u32) -> Option<u32> {
        let at = self.members.iter().position(|member| *member == process)?;
        u32::try_from(at).ok()
    }

    /// Whether each of its processes has the rank that it has in `MPI_COMM_WORLD`, of which none is missing.
    pub(crate) fn is_like_world(&self, ranks: u32) -> bool {
        self.members.iter().copied().eq(0..ranks)
    }
}
