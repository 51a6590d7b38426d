//! Fortran handles as C handles (`MPI_Comm_f2c` and its kin, MPI-4.1 §19.3.4).

use super::{constants, symbol};
use farside_calls::abi::Abi;
use farside_calls::signature::Handle;
use std::ffi::CStr;
use std::sync::OnceLock;

/// The C handle for a Fortran one.
pub(crate) fn from_fortran(kind: Handle, fortran: i32) -> usize {
    if constants().numbers.abi == Abi::Mpich {
        return fortran.cast_unsigned() as usize;
    }
    static CONVERTERS: [OnceLock<usize>; 11] = [const { OnceLock::new() }; 11];
    let address = *CONVERTERS[kind as usize].get_or_init(|| symbol::next(converter(kind)).unwrap_or(0));
    if address == 0 {
        return 0;
    }
    // SAFETY: the converter of this name takes a Fortran integer and returns a pointer-sized handle.
    let convert: unsafe extern "C" fn(i32) -> usize = unsafe { std::mem::transmute(address) };
    // SAFETY: any integer may be asked; an unknown one gives the null handle.
    unsafe { convert(fortran) }
}

fn converter(kind: Handle) -> &'static CStr {
    match kind {
        Handle::Comm => c"PMPI_Comm_f2c",
        Handle::Type => c"PMPI_Type_f2c",
        Handle::Win => c"PMPI_Win_f2c",
        Handle::Request => c"PMPI_Request_f2c",
        Handle::Group => c"PMPI_Group_f2c",
        Handle::Op => c"PMPI_Op_f2c",
        Handle::Info => c"PMPI_Info_f2c",
        Handle::Message => c"PMPI_Message_f2c",
        Handle::Errhandler => c"PMPI_Errhandler_f2c",
        Handle::File => c"PMPI_File_f2c",
        Handle::Session => c"PMPI_Session_f2c",
    }
}
