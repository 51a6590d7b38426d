//! The types of elements, each told at its first use.

use crate::recorder::define;
use farside_calls::shmem::{Class, Element};
use farside_events::{EventKind, TypeId, TypeMap};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The type of an element, and the distance to the next.
pub(super) fn of(element: Element, stride: usize) -> TypeId {
    static TOLD: Mutex<BTreeMap<(u32, bool, usize), TypeId>> = Mutex::new(BTreeMap::new());
    let is_float = element.class == Class::Float;
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    // Those of MPI count from the other end.
    let next = TypeId(u32::MAX - told.len() as u32);
    *told.entry((element.size, is_float, stride)).or_insert_with(|| {
        let mut map = TypeMap::basic(if is_float { "FLOAT" } else { "integer" }, element.size);
        map.extent = i64::from(element.size).saturating_mul(stride as i64);
        define(EventKind::Type { id: next, map });
        next
    })
}
