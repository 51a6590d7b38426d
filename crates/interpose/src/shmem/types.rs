//! The types of elements, each told at its first use.

use crate::recorder::define;
use farside_calls::shmem::{Class, Element};
use farside_events::{EventKind, TypeId, TypeMap};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What is told, by size, name and distance to the next element.
static TOLD: Mutex<BTreeMap<(u32, &'static str, usize), TypeId>> = Mutex::new(BTreeMap::new());

/// The type of an element, and the distance to the next.
pub(super) fn of(element: Element, stride: usize) -> TypeId {
    let name = match element.class {
        Class::Float => "FLOAT",
        Class::Integer => "integer",
    };
    told((element.size, name, stride))
}

/// The type of a signal, by what updates it: updates that set are atomic to one another, and so are those that add, but
/// neither to those of the other kind, nor to atomic operations (OpenSHMEM 1.5 §9.8.1).
pub(super) fn of_signal(sets: bool) -> TypeId {
    let name = if sets {
        "signal that is set"
    } else {
        "signal that is added to"
    };
    told((8, name, 1))
}

fn told(of: (u32, &'static str, usize)) -> TypeId {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    // Those of MPI count from the other end.
    let next = TypeId(u32::MAX - told.len() as u32);
    *told.entry(of).or_insert_with(|| {
        let (size, name, stride) = of;
        let mut map = TypeMap::basic(name, size);
        map.extent = i64::from(size).saturating_mul(stride as i64);
        define(EventKind::Type { id: next, map });
        next
    })
}
