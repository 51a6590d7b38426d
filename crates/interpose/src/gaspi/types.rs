//! The two types of elements: bytes, and the words of atomic operations. Each is told at its first use.

use crate::recorder::define;
use farside_events::{EventKind, TypeId, TypeMap};
use std::sync::Once;

/// Those of MPI count from 0, those of OpenSHMEM from the other end.
const BYTE: TypeId = TypeId(1 << 31);
const WORD: TypeId = TypeId((1 << 31) + 1);

/// A byte.
pub(super) fn byte() -> TypeId {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| tell(BYTE, "byte", 1));
    BYTE
}

/// `gaspi_atomic_value_t`.
pub(super) fn word() -> TypeId {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| tell(WORD, "gaspi_atomic_value_t", 8));
    WORD
}

fn tell(id: TypeId, name: &str, size: u32) {
    define(EventKind::Type {
        id,
        map: TypeMap::basic(name, size),
    });
}
