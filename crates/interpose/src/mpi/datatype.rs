//! Datatypes (MPI-4.1 chapter 5): their type maps, taken apart by `MPI_Type_get_envelope` and `_contents`.
//!
//! Limits: distributed arrays (`MPI_Type_create_darray`), types made by large-count constructors, and types of very
//! many irregular blocks count as all bytes of their true extent, of type `MPI_BYTE`. A predefined type that the
//! program renames (`MPI_Type_set_name`) is known by that name.

use super::identity::Counter;
use super::table::Table;
use super::typemap::Layout;
use crate::abi::{constants, pmpi};
use crate::hooks::{After, CallView};
use crate::recorder::define;
use farside_calls::abi::Combiner;
use farside_calls::signature::Role;
use farside_events::{EventKind, TypeId, TypeMap};
use std::sync::Arc;

static DATATYPES: Table<Datatype> = Table::new();
static NEXT: Counter = Counter::new();

/// What we know of a datatype.
#[derive(Debug)]
pub(crate) struct Datatype {
    pub(crate) id: TypeId,
    pub(crate) map: TypeMap,
    /// Bytes of data in one element.
    pub(crate) size: u64,
    /// First data byte and end of the last, from the address of an element.
    lower: i64,
    upper: i64,
}

impl Datatype {
    /// The smallest range that holds all data of `count` elements at `address`: address and length.
    pub(crate) fn span(&self, address: usize, count: u64) -> (usize, usize) {
        if count == 0 || self.size == 0 {
            return (address, 0);
        }
        let last = (count - 1) as i64 * self.map.extent;
        let start = address as i64 + self.lower + last.min(0);
        let end = address as i64 + self.upper + last.max(0);
        (start as usize, (end - start) as usize)
    }

    /// Calls `piece` with address and length of every contiguous piece of `count` elements at `address`.
    pub(crate) fn pieces(&self, address: usize, count: u64, mut piece: impl FnMut(usize, usize)) {
        if let [block] = self.map.blocks.as_slice()
            && block.count == 1
            && block.length as i64 == self.map.extent
        {
            let (start, length) = self.span(address, count);
            if length > 0 {
                piece(start, length);
            }
            return;
        }
        for element in 0..count as i64 {
            for block in &self.map.blocks {
                for k in 0..block.count as i64 {
                    let offset = element * self.map.extent + block.offset + k * block.stride;
                    piece((address as i64 + offset) as usize, block.length as usize);
                }
            }
        }
    }
}

/// The datatype of a handle, announced at its first use; `None` for `MPI_DATATYPE_NULL`.
pub(crate) fn find(handle: usize) -> Option<Arc<Datatype>> {
    if let Some(known) = DATATYPES.get(handle) {
        return Some(known);
    }
    if handle == constants().type_null || handle == 0 {
        return None;
    }
    let map = map(handle);
    let ends = map.blocks.iter().map(|block| {
        let last = (block.count as i64 - 1) * block.stride;
        let low = block.offset + last.min(0);
        (low, block.offset + last.max(0) + block.length as i64)
    });
    let (lower, upper) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0));
    let datatype = Arc::new(Datatype {
        id: TypeId(u32::try_from(NEXT.next()).unwrap_or(u32::MAX)),
        size: map.size(),
        map,
        lower,
        upper,
    });
    define(EventKind::Type {
        id: datatype.id,
        map: datatype.map.clone(),
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

fn map(handle: usize) -> TypeMap {
    let (mut lower, mut extent) = (0, 0);
    pmpi::type_get_extent(handle, &raw mut lower, &raw mut extent);
    layout(handle)
        .and_then(|layout| layout.finish(extent as i64))
        .unwrap_or_else(|| {
            let (lower, true_extent) = true_extent(handle);
            let size = u32::try_from(true_extent).unwrap_or(u32::MAX);
            let mut map = TypeMap::basic("MPI_BYTE", 1);
            map.extent = extent as i64;
            map.blocks[0].offset = lower;
            map.blocks[0].length = u64::from(size);
            map
        })
}

/// The layout of one element; `None` for what we cannot take apart.
fn layout(handle: usize) -> Option<Layout> {
    let constants = constants();
    let (mut integers, mut addresses, mut datatypes, mut number) = (0, 0, 0, 0);
    let status = pmpi::type_get_envelope(
        handle,
        &raw mut integers,
        &raw mut addresses,
        &raw mut datatypes,
        &raw mut number,
    );
    if status != 0 {
        return None;
    }
    let combiner = constants.numbers.combiner(number)?;
    if matches!(combiner, Combiner::Named | Combiner::F90) {
        return Some(predefined(handle));
    }
    if combiner == Combiner::Darray {
        return None;
    }
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
    let children: Vec<usize> = handles(&words, length(datatypes), constants.handle_mask);
    let parts: Vec<Option<(Layout, i64)>> = children
        .iter()
        .map(|child| {
            let (mut lower, mut extent) = (0, 0);
            pmpi::type_get_extent(*child, &raw mut lower, &raw mut extent);
            let child_layout = layout(*child);
            release(*child);
            Some((child_layout?, extent as i64))
        })
        .collect();
    let parts: Vec<(Layout, i64)> = parts.into_iter().collect::<Option<_>>()?;
    combine(combiner, &ints, &aints, &parts)
}

/// The children's layouts put together as the constructor did (MPI-4.1 §5.1.2, arguments as in §5.1.13).
fn combine(combiner: Combiner, ints: &[i32], aints: &[isize], parts: &[(Layout, i64)]) -> Option<Layout> {
    let int = |k: usize| i64::from(ints.get(k).copied().unwrap_or(0));
    let count_at = |k: usize| u64::try_from(int(k)).unwrap_or(0);
    let aint = |k: usize| aints.get(k).copied().unwrap_or(0) as i64;
    let mut out = Layout::default();
    if combiner == Combiner::Struct {
        for (k, (child, extent)) in parts.iter().enumerate() {
            out.add(child, aint(k), count_at(1 + k), *extent);
        }
        return Some(out);
    }
    let (child, extent) = parts.first()?;
    let n = count_at(0) as usize;
    match combiner {
        Combiner::Dup | Combiner::Resized => out.add(child, 0, 1, *extent),
        Combiner::Contiguous => out.add(child, 0, count_at(0), *extent),
        Combiner::Vector | Combiner::Hvector => {
            let stride = if combiner == Combiner::Vector {
                int(2) * extent
            } else {
                aint(0)
            };
            let mut row = Layout::default();
            row.add(child, 0, count_at(1), *extent);
            out.add(&row, 0, count_at(0), stride);
        }
        Combiner::Indexed => {
            for k in 0..n {
                out.add(child, int(1 + n + k) * extent, count_at(1 + k), *extent);
            }
        }
        Combiner::Hindexed => {
            for k in 0..n {
                out.add(child, aint(k), count_at(1 + k), *extent);
            }
        }
        Combiner::IndexedBlock => {
            for k in 0..n {
                out.add(child, int(2 + k) * extent, count_at(1), *extent);
            }
        }
        Combiner::HindexedBlock => {
            for k in 0..n {
                out.add(child, aint(k), count_at(1), *extent);
            }
        }
        Combiner::Subarray => return subarray(ints, child, *extent),
        Combiner::Named | Combiner::F90 | Combiner::Darray | Combiner::Struct => return None,
    }
    Some(out)
}

/// `MPI_Type_create_subarray` (§5.1.3): ndims, sizes, subsizes, starts, order.
fn subarray(ints: &[i32], child: &Layout, extent: i64) -> Option<Layout> {
    let n = usize::try_from(*ints.first()?).ok()?;
    let row = |k: usize| ints.get(1 + k * n..1 + (k + 1) * n);
    let (sizes, subsizes, starts) = (row(0)?, row(1)?, row(2)?);
    let fastest_first: Vec<usize> = if fortran_order(*ints.get(1 + 3 * n)?) {
        (0..n).collect()
    } else {
        (0..n).rev().collect()
    };
    let mut layout = child.clone();
    let mut stride = extent;
    let mut offset = 0;
    for dimension in fastest_first {
        let mut next = Layout::default();
        next.add(&layout, 0, u64::try_from(subsizes[dimension]).ok()?, stride);
        offset += i64::from(starts[dimension]) * stride;
        stride *= i64::from(sizes[dimension]);
        layout = next;
    }
    let mut out = Layout::default();
    out.add(&layout, offset, 1, stride);
    Some(out)
}

/// Whether a number is `MPI_ORDER_FORTRAN`: 57 in MPICH (C is 56), 1 in Open MPI (C is 0), 15 in the standard ABI
/// (C is 12).
fn fortran_order(order: i32) -> bool {
    matches!(order, 57 | 1 | 15)
}

/// A predefined type: one piece without inner gaps (only `MPI_SHORT_INT` has one, of two bytes).
fn predefined(handle: usize) -> Layout {
    let (lower, size) = true_extent(handle);
    let mut bytes = [0_u8; 512];
    let mut length = 0;
    pmpi::type_get_name(handle, bytes.as_mut_ptr(), &raw mut length);
    let length = usize::try_from(length).unwrap_or(0).min(bytes.len());
    let mut name = String::from_utf8_lossy(&bytes[..length]).into_owned();
    if name.is_empty() {
        name = format!("unnamed predefined type of {size} bytes");
    }
    Layout::basic(&name, lower, u32::try_from(size).unwrap_or(0))
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
    let (mut a, mut b, mut c, mut number) = (0, 0, 0, 0);
    pmpi::type_get_envelope(child, &raw mut a, &raw mut b, &raw mut c, &raw mut number);
    let predefined = matches!(
        constants().numbers.combiner(number),
        Some(Combiner::Named | Combiner::F90) | None
    );
    if !predefined {
        let mut handle = child;
        pmpi::type_free(&raw mut handle);
    }
}
