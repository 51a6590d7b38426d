//! Fortran handles as C handles (`MPI_Comm_f2c` and its kin, MPI-4.1 §19.3.4).

use super::{Abi, HandleKind, constants, symbol};
use std::ffi::CStr;
use std::sync::OnceLock;

/// The C handle for a Fortran one.
pub(crate) fn from_fortran(kind: HandleKind, fortran: i32) -> usize {
    if constants().abi == Abi::Mpich {
        return fortran.cast_unsigned() as usize;
    }
    static CONVERTERS: [OnceLock<usize>; 8] = [const { OnceLock::new() }; 8];
    let address = *CONVERTERS[kind as usize].get_or_init(|| symbol::next(converter(kind)).unwrap_or(0));
    if address == 0 {
        return 0;
    }
    // SAFETY: the converter of this name takes a Fortran integer and returns a pointer-sized handle.
    let convert: unsafe extern "C" fn(i32) -> usize = unsafe { std::mem::transmute(address) };
    // SAFETY: any integer may be asked; an unknown one gives the null handle.
    unsafe { convert(fortran) }
}

fn converter(kind: HandleKind) -> &'static CStr {
    match kind {
        HandleKind::Comm => c"PMPI_Comm_f2c",
        HandleKind::Type => c"PMPI_Type_f2c",
        HandleKind::Win => c"PMPI_Win_f2c",
        HandleKind::Request => c"PMPI_Request_f2c",
        HandleKind::Group => c"PMPI_Group_f2c",
        HandleKind::Op => c"PMPI_Op_f2c",
        HandleKind::Info => c"PMPI_Info_f2c",
        HandleKind::Message => c"PMPI_Message_f2c",
    }
}
