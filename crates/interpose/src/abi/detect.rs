//! Which library is loaded, decided once, when MPI is initialised.

use super::{Constants, mpich, open_mpi, pmpi, standard, symbol};
use farside_calls::abi::Abi;
use std::sync::OnceLock;

static CONSTANTS: OnceLock<Constants> = OnceLock::new();

/// What was found.
pub(crate) enum Detected {
    /// One library, with its own description of itself.
    Library(String),
    /// More than one library, or one that we do not know: stay passive, and say why.
    Unusable(String),
}

/// The constants of the library in use.
///
/// # Panics
/// When called before a successful [`detect`]; no observer runs before.
pub(crate) fn constants() -> &'static Constants {
    CONSTANTS.get().expect("no MPI library was detected")
}

/// Finds the library; called right after `MPI_Init` returned.
pub(crate) fn detect() -> Detected {
    let libraries = symbol::in_modules(c"PMPI_Init").len();
    let description = pmpi::library_version();
    let open_mpi = symbol::global(c"ompi_mpi_comm_world").is_some();
    if libraries > 1 {
        return Detected::Unusable(format!(
            "{libraries} MPI libraries are loaded in one process, the first one is {description}"
        ));
    }
    let abi = if standard_abi() {
        Abi::Standard
    } else if open_mpi {
        Abi::OpenMpi
    } else if ["MPICH", "Intel(R) MPI", "MVAPICH", "CRAY"]
        .iter()
        .any(|name| description.contains(name))
    {
        Abi::Mpich
    } else {
        return Detected::Unusable(format!("unknown MPI library: {description}"));
    };
    CONSTANTS.get_or_init(|| match abi {
        Abi::OpenMpi => open_mpi::constants(),
        Abi::Mpich => mpich::constants(),
        Abi::Standard => standard::constants(),
    });
    Detected::Library(description)
}

/// Whether the library speaks the standard ABI (`MPI_Abi_get_version`, MPI-5.0 §20.2).
fn standard_abi() -> bool {
    let Some(address) = symbol::next(c"PMPI_Abi_get_version") else {
        return false;
    };
    // SAFETY: the function of that name has this type in every library that has it.
    let get_version: extern "C" fn(*mut i32, *mut i32) -> i32 = unsafe { std::mem::transmute(address) };
    let (mut major, mut minor) = (-1, -1);
    get_version(&raw mut major, &raw mut minor) == 0 && major >= 1
}
