//! Constants of MPI libraries, and arguments that are one of them.

use super::messages::Envelope;
use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::request::Elements;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

/// A handle that the library has: the name of Open MPI's object, and MPICH's number.
pub(super) type Constant = (&'static str, i64);

/// Types by their names in Open MPI's header, and their bytes. MPICH's constants say theirs themselves.
const TYPES: &[(&str, u64)] = &[
    ("char", 1),
    ("byte", 1),
    ("signed_char", 1),
    ("unsigned_char", 1),
    ("short", 2),
    ("unsigned_short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("float", 4),
    ("long", 8),
    ("unsigned_long", 8),
    ("long_long_int", 8),
    ("unsigned_long_long", 8),
    ("double", 8),
    ("int8_t", 1),
    ("int16_t", 2),
    ("int32_t", 4),
    ("int64_t", 8),
    ("uint8_t", 1),
    ("uint16_t", 2),
    ("uint32_t", 4),
    ("uint64_t", 8),
    ("aint", 8),
];
/// Types of floating-point numbers: Open MPI's name, MPICH's constant.
const FLOATING: [Constant; 2] = [("ompi_mpi_float", 0x4c00_040a), ("ompi_mpi_double", 0x4c00_080b)];
/// Types of whole numbers whose sums are followed, likewise.
const WHOLE: [Constant; 10] = [
    ("ompi_mpi_int", 0x4c00_0405),
    ("ompi_mpi_unsigned", 0x4c00_0406),
    ("ompi_mpi_long", 0x4c00_0807),
    ("ompi_mpi_unsigned_long", 0x4c00_0808),
    ("ompi_mpi_long_long_int", 0x4c00_0809),
    ("ompi_mpi_int32_t", 0x4c00_0439),
    ("ompi_mpi_int64_t", 0x4c00_083a),
    ("ompi_mpi_uint32_t", 0x4c00_043d),
    ("ompi_mpi_uint64_t", 0x4c00_083e),
    ("ompi_mpi_aint", 0x4c00_0843),
];
/// Operations: Open MPI's name, MPICH's constant.
pub(super) const SUM: Constant = ("ompi_mpi_op_sum", 0x5800_0003);
pub(super) const REPLACE: Constant = ("ompi_mpi_op_replace", 0x5800_000d);
pub(super) const NO_OP: Constant = ("ompi_mpi_op_no_op", 0x5800_000e);
/// Communicators.
pub(super) const WORLD: Constant = ("ompi_mpi_comm_world", 0x4400_0000);
pub(super) const SELF: Constant = ("ompi_mpi_comm_self", 0x4400_0001);
pub(super) const NO_COMMUNICATOR: Constant = ("ompi_mpi_comm_null", 0x0400_0000);
/// `MPI_LOCK_SHARED` of MPICH and of Open MPI.
pub(super) const SHARED: [i64; 2] = [235, 2];

const NO_REQUEST: Constant = ("ompi_request_null", 0x2c00_0000);
/// `MPI_MODE_NOPRECEDE`, `MPI_MODE_NOSUCCEED`.
const NO_PRECEDE: (i64, i64) = (2, 8192);
const NO_SUCCEED: (i64, i64) = (16, 16384);
/// `MPI_IN_PLACE`.
const IN_PLACE: (i64, i64) = (1, -1);
/// `MPI_PROC_NULL`, `MPI_ANY_SOURCE`.
const NOBODY: (i64, i64) = (-2, -1);
const ANYBODY: (i64, i64) = (-1, -2);
/// `MPI_ANY_TAG`, and `MPI_UNDEFINED`.
const ANY_TAG: i64 = -1;
const UNDEFINED: (i64, i64) = (-32766, -32766);
/// Where a status has the source; the tag is next to it.
const SOURCE_AT: (i64, i64) = (0, 8);

impl Machine<'_> {
    /// Whether the program was compiled with the header of Open MPI, whose constants are addresses; else MPICH's.
    pub(super) fn is_open_mpi(&self) -> bool {
        self.module
            .globals
            .iter()
            .any(|global| global.name.starts_with("ompi_"))
    }

    /// The constant of the library at hand.
    fn its(&self, (open_mpi, mpich): (i64, i64)) -> i64 {
        if self.is_open_mpi() { open_mpi } else { mpich }
    }

    /// The type of a handle: a pointer of Open MPI, or an `int` of MPICH.
    pub(super) fn handle_type(&self) -> Type {
        Type::Integer(if self.is_open_mpi() { 64 } else { 32 })
    }

    /// Whether a handle is `MPI_REQUEST_NULL`.
    pub(super) fn is_no_request(&self, handle: &Value) -> bool {
        self.is(handle, NO_REQUEST) || *handle == Value::Known(0)
    }

    /// `MPI_REQUEST_NULL`.
    pub(super) fn no_request(&mut self) -> Value {
        self.constant_value(NO_REQUEST)
    }

    /// `MPI_MODE_NOPRECEDE`.
    pub(super) fn no_precede(&self) -> i64 {
        self.its(NO_PRECEDE)
    }

    /// `MPI_MODE_NOSUCCEED`.
    pub(super) fn no_succeed(&self) -> i64 {
        self.its(NO_SUCCEED)
    }

    /// Whether a buffer is `MPI_IN_PLACE`.
    pub(super) fn is_in_place(&self, buffer: &Value) -> bool {
        constant(buffer, 64) == Some(self.its(IN_PLACE))
    }

    /// Whether a process is `MPI_PROC_NULL`: nothing is done.
    pub(super) fn is_nobody(&self, rank: &Value) -> bool {
        constant(rank, 32) == Some(self.its(NOBODY))
    }

    /// `MPI_PROC_NULL`.
    pub(super) fn nobody(&self) -> u32 {
        self.its(NOBODY) as u32
    }

    /// Whether a process is `MPI_ANY_SOURCE`.
    pub(super) fn is_anybody(&self, rank: &Value) -> bool {
        constant(rank, 32) == Some(self.its(ANYBODY))
    }

    /// Whether a tag is `MPI_ANY_TAG`.
    pub(super) fn is_any_tag(&self, tag: &Value) -> bool {
        constant(tag, 32) == Some(ANY_TAG)
    }

    /// `MPI_UNDEFINED`.
    pub(super) fn undefined(&self) -> Value {
        Value::Known(self.its(UNDEFINED) as u64 & 0xffff_ffff)
    }

    /// Where a status has the source of its message.
    pub(super) fn source_at(&self) -> u64 {
        self.its(SOURCE_AT).unsigned_abs()
    }

    /// The other process of a message; none for `MPI_PROC_NULL`.
    pub(super) fn peer(&mut self, envelope: Envelope<'_>, place: PlaceId) -> Followed<Option<u32>> {
        if constant(envelope.rank(), 32).is_none() {
            return Err(self.lost(place, "a message of a process that is not known"));
        }
        if self.is_nobody(envelope.rank()) {
            return Ok(None);
        }
        let process = self.process(envelope.rank(), envelope.communicator(), place)?;
        let number = constant(&process, 32).unwrap_or(-1);
        match u32::try_from(number).ok().filter(|rank| *rank < self.ranks) {
            Some(rank) => Ok(Some(rank)),
            None => Err(self.lost(place, "a message of a process that is not there")),
        }
    }

    /// A count and a type.
    pub(super) fn elements(&mut self, count: &Value, kind: &Value, place: PlaceId) -> Followed<Elements> {
        let size = self.bytes_of(&Value::Known(1), kind, place)?;
        Ok(Elements::new(self.count(count, place)?, size))
    }

    /// Whether a value is one of a library's constants.
    pub(super) fn is(&self, value: &Value, (variable, number): Constant) -> bool {
        match value {
            Value::Known(bits) => match self.tables.at(*bits) {
                Some((object, 0)) => self.tables.name(object) == variable,
                _ => *bits as i64 == number,
            },
            _ => false,
        }
    }

    /// Whether a type is one of floating-point numbers, or of pairs.
    pub(super) fn is_floating(&self, kind: &Value) -> bool {
        FLOATING.iter().any(|floating| self.is(kind, *floating))
    }

    /// Whether a type is one of whole numbers whose sums are followed.
    pub(super) fn is_whole_number(&self, kind: &Value) -> bool {
        WHOLE.iter().any(|whole| self.is(kind, *whole))
    }

    pub(super) fn bytes_of(&mut self, count: &Value, kind: &Value, place: PlaceId) -> Followed<u64> {
        match self.dense_size(kind) {
            Some(size) => Ok(size.saturating_mul(self.count(count, place)?)),
            None => Err(self.lost(place, "a type whose data has gaps, or that is not known")),
        }
    }
}

/// The bytes of a basic type by its name in Open MPI's header.
pub(super) fn size_of(name: &str) -> Option<u64> {
    let of = name.strip_prefix("ompi_mpi_")?;
    TYPES.iter().find(|(name, _)| *name == of).map(|(_, size)| *size)
}

/// The process of an operation, if it is known before a run.
pub(super) fn target_of(rank: &Value) -> Option<u32> {
    match rank {
        Value::Known(rank) => u32::try_from(*rank).ok(),
        _ => None,
    }
}
