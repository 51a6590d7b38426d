//! Datatypes (MPI-4.1 chapter 5), taken apart by `MPI_Type_get_envelope` and `_contents`.
//!
//! Limits, beside those of [`farside_calls::datatype`]: distributed arrays (`MPI_Type_create_darray`) count as
//! all bytes of their true extent, of type `MPI_BYTE`. A predefined type that the program renames (`MPI_Type_set_name`)
//! is known by that name.

use super::constructor::Envelope;
use super::identity::Counter;
use super::table::Table;
use crate::abi::{constants, pmpi};
use crate::call::{After, CallView};
use crate::recorder::define;
use farside_calls::abi::Combiner;
use farside_calls::datatype::{Datatype, Order, Shape};
use farside_calls::signature::Role;
use farside_events::{EventKind, TypeId};
use std::sync::Arc;

static DATATYPES: Table<Datatype> = Table::new();
static NEXT: Counter = Counter::new();

/// The datatype of a handle, announced at its first use; `None` for `MPI_DATATYPE_NULL`.
pub(crate) fn find(handle: usize) -> Option<Arc<Datatype>> {
    if let Some(known) = DATATYPES.get(handle) {
        return Some(known);
    }
    if handle == constants().type_null || handle == 0 {
        return None;
    }
    let id = TypeId(u32::try_from(NEXT.next()).unwrap_or(u32::MAX));
    let datatype = Arc::new(Datatype::new(id, shape(handle)));
    define(EventKind::Type {
        id,
        map: datatype.map().clone(),
    });
    DATATYPES.insert(handle, Arc::clone(&datatype));
    Some(datatype)
}

/// The datatype at a role.
pub(crate) fn argument(view: &CallView, role: Role) -> Option<Arc<Datatype>> {
    find(view.handle(role))
}

/// `MPI_Type_free`: the handle may soon mean another type.
pub(crate) fn free(view: &mut CallView) -> After {
    DATATYPES.remove(view.handle_behind(Role::SendType));
    None
}

/// One element; all bytes of its true extent for what we cannot take apart.
fn shape(handle: usize) -> Shape {
    let (mut lower, mut extent) = (0, 0);
    pmpi::type_get_extent(handle, &raw mut lower, &raw mut extent);
    let (lower, extent) = (lower as i64, extent as i64);
    let mut shape = Envelope::of(handle)
        .and_then(|envelope| match envelope.combiner() {
            Combiner::Named | Combiner::F90 => Some(predefined(handle)),
            Combiner::Darray => None,
            _ => envelope.contents(handle, child)?.shape(Order::Free),
        })
        .unwrap_or_else(|| {
            let (offset, length) = true_extent(handle);
            Shape::bytes(offset, u64::try_from(length).unwrap_or(0), lower, extent)
        });
    // The library knows, with the padding that it adds.
    shape.map.extent = extent;
    shape.lower_bound = lower;
    shape
}

/// The shape of a type that `MPI_Type_get_contents` gave, whose handle is not needed any more.
fn child(handle: usize) -> Shape {
    let shape = shape(handle);
    release(handle);
    shape
}

/// A predefined type: one piece without inner gaps (only `MPI_SHORT_INT` has one, of two bytes).
fn predefined(handle: usize) -> Shape {
    let (offset, size) = true_extent(handle);
    let mut bytes = [0_u8; 512];
    let mut length = 0;
    pmpi::type_get_name(handle, bytes.as_mut_ptr(), &raw mut length);
    let length = usize::try_from(length).unwrap_or(0).min(bytes.len());
    let mut name = String::from_utf8_lossy(&bytes[..length]).into_owned();
    if name.is_empty() {
        name = format!("unnamed predefined type of {size} bytes");
    }
    Shape::basic(&name, offset, u32::try_from(size).unwrap_or(0), size)
}

fn true_extent(handle: usize) -> (i64, i64) {
    let (mut lower, mut extent) = (0, 0);
    pmpi::type_get_true_extent(handle, &raw mut lower, &raw mut extent);
    (lower as i64, extent as i64)
}

/// `MPI_Type_get_contents` gives new handles of derived types, which must be freed.
fn release(child: usize) {
    let is_given = |envelope: Envelope| matches!(envelope.combiner(), Combiner::Named | Combiner::F90);
    if !Envelope::of(child).is_none_or(is_given) {
        let mut handle = child;
        pmpi::type_free(&raw mut handle);
    }
}
