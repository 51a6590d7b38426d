//! Datatypes (MPI-4.1 chapter 5), taken apart by `MPI_Type_get_envelope` and `_contents`.
//!
//! Limits, beside those of [`farside_calls::datatype`]: distributed arrays (`MPI_Type_create_darray`) and types made by
//! large-count constructors count as all bytes of their true extent, of type `MPI_BYTE`. A predefined type that the
//! program renames (`MPI_Type_set_name`) is known by that name.

use super::identity::Counter;
use super::table::Table;
use crate::abi::{constants, pmpi};
use crate::call::{After, CallView};
use crate::recorder::define;
use farside_calls::abi::Combiner;
use farside_calls::datatype::{Contents, Datatype, Order, Shape};
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
    let mut shape = combiner(handle)
        .and_then(|(combiner, numbers)| match combiner {
            Combiner::Named | Combiner::F90 => Some(predefined(handle)),
            Combiner::Darray => None,
            _ => contents(handle, combiner, numbers)?.shape(Order::Free),
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

/// How a datatype was made, and of how many integers, addresses and datatypes; `None` for what we do not know.
fn combiner(handle: usize) -> Option<(Combiner, [i32; 3])> {
    let ([mut integers, mut addresses, mut datatypes], mut number) = ([0; 3], 0);
    let status = pmpi::type_get_envelope(
        handle,
        &raw mut integers,
        &raw mut addresses,
        &raw mut datatypes,
        &raw mut number,
    );
    let combiner = constants().numbers.combiner(number)?;
    (status == 0).then_some((combiner, [integers, addresses, datatypes]))
}

/// What a datatype was made of.
fn contents(
    handle: usize,
    combiner: Combiner,
    [integers, addresses, datatypes]: [i32; 3],
) -> Option<Contents> {
    let length = |n: i32| usize::try_from(n).unwrap_or(0);
    let mut ints = vec![0_i32; length(integers) + 1];
    let mut aints = vec![0_isize; length(addresses) + 1];
    let mut words = vec![0_u64; length(datatypes) + 1];
    let status = pmpi::type_get_contents(
        handle,
        integers,
        addresses,
        datatypes,
        ints.as_mut_ptr(),
        aints.as_mut_ptr(),
        words.as_mut_ptr(),
    );
    if status != 0 {
        return None;
    }
    let children = handles(&words, length(datatypes), constants().handle_mask).into_iter();
    let types = children.map(|child| {
        let child_shape = shape(child);
        release(child);
        child_shape
    });
    Some(Contents {
        combiner,
        types: types.collect(),
        integers: ints.into_iter().map(i64::from).collect(),
        addresses: aints.into_iter().map(|address| address as i64).collect(),
    })
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

/// Handles from an array that the library filled in its own width.
fn handles(words: &[u64], count: usize, mask: usize) -> Vec<usize> {
    if mask == usize::MAX {
        return words[..count].iter().map(|word| *word as usize).collect();
    }
    words
        .iter()
        .flat_map(|word| [*word & 0xffff_ffff, *word >> 32])
        .take(count)
        .map(|half| half as usize)
        .collect()
}

/// `MPI_Type_get_contents` gives new handles of derived types, which must be freed.
fn release(child: usize) {
    if !matches!(combiner(child), Some((Combiner::Named | Combiner::F90, _)) | None) {
        let mut handle = child;
        pmpi::type_free(&raw mut handle);
    }
}
