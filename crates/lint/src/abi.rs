//! The constants of the MPI whose headers the program was compiled with: Open MPI's or MPICH's.

use crate::ir::Module;
use crate::layout::Globals;
use farside_calls::abi::{Abi as Family, MPICH, Numbers, OPEN_MPI, OPERATORS};
use farside_calls::datatype::Shape;
use farside_events::AccumulateOp;
use rustc_hash::FxHashMap as HashMap;

/// Constants and predefined handles.
#[derive(Debug)]
pub(crate) struct Abi {
    /// What is a number, and not the address of an object.
    numbers: &'static Numbers,
    /// Addresses of the library's objects, with their names.
    names: HashMap<u64, String>,
    addresses: HashMap<String, u64>,
}

/// Values of handles that we give out: small numbers, so that they fit in any ABI.
pub(crate) const HANDLES: u64 = 0x3000_0000;

impl Abi {
    /// The ABI that the module's external variables show.
    pub(crate) fn of(module: &Module, globals: &Globals) -> Self {
        let open_mpi = module
            .globals
            .iter()
            .any(|global| global.name.starts_with("ompi_"));
        let objects = module
            .globals
            .iter()
            .zip(globals.addresses())
            .filter(|(global, _)| global.name.starts_with("ompi_"));
        let names: HashMap<u64, String> = objects.map(|(global, at)| (*at, global.name.clone())).collect();
        let addresses = names.iter().map(|(at, name)| (name.clone(), *at)).collect();
        Self {
            numbers: if open_mpi { &OPEN_MPI } else { &MPICH },
            names,
            addresses,
        }
    }

    /// What is a number, and not the address of an object.
    pub(crate) fn numbers(&self) -> &'static Numbers {
        self.numbers
    }

    /// Whether handles are addresses of Open MPI's objects.
    pub(crate) fn is_open_mpi(&self) -> bool {
        self.numbers.abi == Family::OpenMpi
    }

    fn name(&self, handle: u64) -> Option<&str> {
        self.names.get(&handle).map(String::as_str)
    }

    pub(crate) fn is_world(&self, handle: u64) -> bool {
        handle as u32 == 0x4400_0000 || self.name(handle) == Some("ompi_mpi_comm_world")
    }

    pub(crate) fn is_self(&self, handle: u64) -> bool {
        handle as u32 == 0x4400_0001 || self.name(handle) == Some("ompi_mpi_comm_self")
    }

    /// The null handle of a kind: `comm`, `win`, `request`, `datatype`, `group`.
    pub(crate) fn null(&self, kind: &str) -> u64 {
        if self.is_open_mpi() {
            let name = match kind {
                "request" => "ompi_request_null".to_owned(),
                kind => format!("ompi_mpi_{kind}_null"),
            };
            return self.addresses.get(&name).copied().unwrap_or(HANDLES - 1);
        }
        match kind {
            "comm" => 0x0400_0000,
            "win" => 0x2000_0000,
            "request" => 0x2c00_0000,
            "datatype" => 0x0c00_0000,
            _ => 0x0800_0000,
        }
    }

    /// Name and size of a predefined datatype.
    pub(crate) fn basic_type(&self, handle: u64) -> Option<(String, u32)> {
        if !self.is_open_mpi() {
            let handle = handle as u32;
            let plain = handle & 0xffff_0000 == 0x4c00_0000;
            return plain.then(|| {
                (
                    mpich_type(handle).map_or_else(|| format!("type {handle:x}"), str::to_owned),
                    (handle >> 8) & 0xff,
                )
            });
        }
        let name = self.name(handle)?.strip_prefix("ompi_mpi_")?;
        let size = match name {
            "char" | "signed_char" | "unsigned_char" | "byte" | "packed" | "int8_t" | "uint8_t"
            | "cxx_bool" | "c_bool" | "character" => 1,
            "short" | "unsigned_short" | "int16_t" | "uint16_t" => 2,
            "int" | "unsigned" | "float" | "int32_t" | "uint32_t" | "wchar" | "integer" | "real"
            | "logical" => 4,
            "long" | "unsigned_long" | "long_long_int" | "unsigned_long_long" | "double" | "int64_t"
            | "uint64_t" | "aint" | "offset" | "count" | "2int" | "float_int" | "c_float_complex"
            | "c_complex" | "dblprec" | "cplex" | "complex8" | "cxx_cplex" | "integer8" | "real8"
            | "logical8" => 8,
            "long_double" | "c_double_complex" | "dblcplex" | "complex16" | "cxx_dblcplex" | "double_int"
            | "long_int" => 16,
            _ => return None,
        };
        Some((format!("MPI_{}", name.to_uppercase()), size))
    }

    /// The types of value and index of `MPI_MINLOC` and `MPI_MAXLOC` (MPI-4.1 §6.9.4): from the first byte of the value
    /// to the last of the index.
    pub(crate) fn pair_type(&self, handle: u64) -> Option<Shape> {
        let (name, size, extent) = match (self.name(handle), handle as u32) {
            (Some("ompi_mpi_float_int"), _) | (None, 0x8c00_0000) => ("MPI_FLOAT_INT", 8, 8),
            (Some("ompi_mpi_double_int"), _) | (None, 0x8c00_0001) => ("MPI_DOUBLE_INT", 12, 16),
            (Some("ompi_mpi_long_int"), _) | (None, 0x8c00_0002) => ("MPI_LONG_INT", 12, 16),
            (Some("ompi_mpi_short_int"), _) | (None, 0x8c00_0003) => ("MPI_SHORT_INT", 8, 8),
            (Some("ompi_mpi_longdbl_int"), _) | (None, 0x8c00_0004) => ("MPI_LONG_DOUBLE_INT", 20, 32),
            (Some("ompi_mpi_2int"), _) | (None, 0x4c00_0816) => ("MPI_2INT", 8, 8),
            (Some("ompi_mpi_2integer"), _) | (None, 0x4c00_0820) => ("MPI_2INTEGER", 8, 8),
            (Some("ompi_mpi_2real"), _) | (None, 0x4c00_0821) => ("MPI_2REAL", 8, 8),
            (Some("ompi_mpi_2dblprec"), _) | (None, 0x4c00_1023) => ("MPI_2DOUBLE_PRECISION", 16, 16),
            _ => return None,
        };
        Some(Shape::basic(name, 0, size, extent))
    }

    /// The operator that a handle stands for.
    pub(crate) fn operator(&self, handle: u64) -> AccumulateOp {
        let name = self
            .name(handle)
            .and_then(|name| name.strip_prefix("ompi_mpi_op_"));
        let found = OPERATORS.iter().find(|known| match name {
            Some(name) => name == known.open_mpi,
            None => handle as u32 == known.mpich,
        });
        found.map_or(AccumulateOp::Other, |known| known.operator)
    }
}

fn mpich_type(handle: u32) -> Option<&'static str> {
    Some(match handle {
        0x4c00_0101 => "MPI_CHAR",
        0x4c00_0102 => "MPI_UNSIGNED_CHAR",
        0x4c00_010d => "MPI_BYTE",
        0x4c00_0203 => "MPI_SHORT",
        0x4c00_0405 => "MPI_INT",
        0x4c00_0406 => "MPI_UNSIGNED",
        0x4c00_040a => "MPI_FLOAT",
        0x4c00_0807 => "MPI_LONG",
        0x4c00_0808 => "MPI_UNSIGNED_LONG",
        0x4c00_080b => "MPI_DOUBLE",
        0x4c00_041c => "MPI_REAL",
        0x4c00_0427 => "MPI_REAL4",
        0x4c00_0829 => "MPI_REAL8",
        0x4c00_081f => "MPI_DOUBLE_PRECISION",
        0x4c00_0809 => "MPI_LONG_LONG_INT",
        0x4c00_0437 => "MPI_INT32_T",
        0x4c00_0838 => "MPI_INT64_T",
        _ => return None,
    })
}
