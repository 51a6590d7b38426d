//! Datatypes (MPI-4.1 §5.1): what their constructors make, and which bytes of a buffer they name.
//!
//! A constructor's arguments are [`Contents`], wherever they come from: from the call that makes the type, or from
//! `MPI_Type_get_contents`. [`Contents::shape`] is the one place that says what each makes of them. A shape that has got an
//! identity is a [`Datatype`].
//!
//! Limits: distributed arrays are not taken apart, and types of very many irregular blocks count as all bytes between
//! their first and their last one, of type `MPI_BYTE`. The padding that a library adds to a structure whose end is not
//! aligned (ε of §5.1.6) is not known here: who asks the library has its extent from there.

mod layout;

use crate::abi::Combiner;
use crate::arguments::Arguments;
use crate::mpi::Procedure;
use crate::signature::Role;
use farside_events::{Buffer, TypeId, TypeMap};
use layout::Layout;
use std::sync::Arc;

/// One element of a datatype: its data, and its lower bound. Its extent stands in the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The data.
    pub map: TypeMap,
    /// Lower bound in bytes (§5.1.6).
    pub lower_bound: i64,
}

/// What a datatype was made of (§5.1.13), as `MPI_Type_get_contents` gives it: the arguments of its constructor, in their
/// order, without the new type.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The constructor.
    pub combiner: Combiner,
    /// Its integers; of a subarray, the order is last.
    pub integers: Vec<i64>,
    /// Its addresses.
    pub addresses: Vec<i64>,
    /// Its datatypes.
    pub types: Vec<Shape>,
}

/// Whether the pieces of a type map keep the order that the standard gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// They do, but in a type of very many pieces. For who moves data.
    Kept,
    /// They need not, and are fewer. For who only asks which bytes are data.
    Free,
}

/// What a process knows of a datatype.
#[derive(Clone, Debug)]
pub struct Datatype {
    id: TypeId,
    shape: Shape,
    size: u64,
    /// First data byte and end of the last, from the address of an element.
    data: (i64, i64),
}

/// Elements in memory, as a call names them.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Where they are.
    pub address: u64,
    /// How many, as the program says; MPI refuses a negative number.
    pub count: i64,
    /// Of which type.
    pub datatype: Arc<Datatype>,
}

impl Combiner {
    /// What a procedure makes a datatype by; `None` for one that makes none, and for distributed arrays.
    pub const fn of(procedure: Procedure) -> Option<Self> {
        Some(match procedure {
            Procedure::Type_dup => Self::Dup,
            Procedure::Type_contiguous => Self::Contiguous,
            Procedure::Type_vector => Self::Vector,
            Procedure::Type_create_hvector | Procedure::Type_hvector => Self::Hvector,
            Procedure::Type_indexed => Self::Indexed,
            Procedure::Type_create_hindexed | Procedure::Type_hindexed => Self::Hindexed,
            Procedure::Type_create_indexed_block => Self::IndexedBlock,
            Procedure::Type_create_hindexed_block => Self::HindexedBlock,
            Procedure::Type_create_struct | Procedure::Type_struct => Self::Struct,
            Procedure::Type_create_subarray => Self::Subarray,
            Procedure::Type_create_resized => Self::Resized,
            _ => return None,
        })
    }
}

impl Contents {
    /// What the constructor makes (§5.1.2, §5.1.3, §5.1.7); `None` for one that is not taken apart here.
    pub fn shape(&self, order: Order) -> Option<Shape> {
        let int = |k: usize| self.integers.get(k).copied().unwrap_or(0);
        let address = |k: usize| self.addresses.get(k).copied().unwrap_or(0);
        let number = |k: usize| u64::try_from(int(k)).unwrap_or(0);
        let mut whole = Layout::new(order);
        if self.combiner == Combiner::Struct {
            for (k, part) in self.types.iter().enumerate() {
                whole.add(
                    &Layout::of(part, order),
                    address(k),
                    number(1 + k),
                    part.map.extent,
                );
            }
            return Some(whole.finish(None));
        }
        let old = self.types.first()?;
        let (element, extent) = (Layout::of(old, order), old.map.extent);
        let n = number(0) as usize;
        let mut bounds = None;
        match self.combiner {
            Combiner::Dup => return Some(old.clone()),
            Combiner::Resized => {
                whole = element;
                bounds = Some((address(0), address(1)));
            }
            Combiner::Contiguous => whole.add(&element, 0, number(0), extent),
            Combiner::Vector | Combiner::Hvector => {
                let stride = match self.combiner {
                    Combiner::Vector => int(2).wrapping_mul(extent),
                    _ => address(0),
                };
                let mut row = Layout::new(order);
                row.add(&element, 0, number(1), extent);
                whole.add(&row, 0, number(0), stride);
            }
            Combiner::Indexed | Combiner::Hindexed => {
                for k in 0..n {
                    let displacement = match self.combiner {
                        Combiner::Indexed => int(1 + n + k).wrapping_mul(extent),
                        _ => address(k),
                    };
                    whole.add(&element, displacement, number(1 + k), extent);
                }
            }
            Combiner::IndexedBlock | Combiner::HindexedBlock => {
                for k in 0..n {
                    let displacement = match self.combiner {
                        Combiner::IndexedBlock => int(2 + k).wrapping_mul(extent),
                        _ => address(k),
                    };
                    whole.add(&element, displacement, number(1), extent);
                }
            }
            Combiner::Subarray => return self.subarray(element, extent, order),
            Combiner::Struct | Combiner::Named | Combiner::F90 | Combiner::Darray => return None,
        }
        Some(whole.finish(bounds))
    }

    /// `MPI_Type_create_subarray` (§5.1.3): dimensions, sizes, subsizes, starts, order.
    fn subarray(&self, element: Layout, extent: i64, order: Order) -> Option<Shape> {
        let n = usize::try_from(*self.integers.first()?).ok()?;
        let row = |k: usize| self.integers.get(1 + k * n..1 + (k + 1) * n);
        let (sizes, subsizes, starts) = (row(0)?, row(1)?, row(2)?);
        let fastest_first: Vec<usize> = match is_fortran_order(*self.integers.get(1 + 3 * n)?) {
            true => (0..n).collect(),
            false => (0..n).rev().collect(),
        };
        let (mut part, mut stride, mut offset) = (element, extent, 0i64);
        for dimension in fastest_first {
            let mut next = Layout::new(order);
            next.add(&part, 0, u64::try_from(subsizes[dimension]).ok()?, stride);
            offset = offset.wrapping_add(starts[dimension].wrapping_mul(stride));
            stride = stride.wrapping_mul(sizes[dimension]);
            part = next;
        }
        let mut whole = Layout::new(order);
        whole.add(&part, offset, 1, stride);
        Some(whole.finish(Some((0, stride))))
    }
}

/// Whether a number is `MPI_ORDER_FORTRAN`: 57 in MPICH (C is 56), 1 in Open MPI (C is 0), 15 in the standard ABI
/// (C is 12).
fn is_fortran_order(order: i64) -> bool {
    matches!(order, 57 | 1 | 15)
}

impl Shape {
    /// A predefined type: `size` bytes at `offset`, one element after another.
    pub fn basic(name: &str, offset: i64, size: u32, extent: i64) -> Self {
        let mut map = TypeMap::basic(name, size);
        map.extent = extent;
        map.blocks[0].offset = offset;
        map.blocks.retain(|block| block.length > 0);
        Self { map, lower_bound: 0 }
    }

    /// So many bytes, whatever lies there.
    pub fn bytes(offset: i64, length: u64, lower_bound: i64, extent: i64) -> Self {
        let mut shape = Self::basic("MPI_BYTE", offset, 1, extent);
        shape.map.blocks[0].length = length;
        shape.lower_bound = lower_bound;
        shape
    }
}

impl Datatype {
    /// The datatype of this identity.
    pub fn new(id: TypeId, shape: Shape) -> Self {
        Self {
            id,
            size: shape.map.size(),
            data: layout::data(&shape.map.blocks).unwrap_or((0, 0)),
            shape,
        }
    }

    /// Its identity.
    pub fn id(&self) -> TypeId {
        self.id
    }

    /// One element.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The data of one element.
    pub fn map(&self) -> &TypeMap {
        &self.shape.map
    }

    /// Bytes of data in one element.
    pub fn size(&self) -> u64 {
        self.size
    }
}

impl Elements {
    /// The elements at three roles: address, count (one element where the call has none), datatype.
    pub fn of<A: Arguments>(call: &mut A, [address, count, datatype]: [Role; 3]) -> Option<Self> {
        Some(Self {
            address: call.address(address),
            count: match call.signature().has(count) {
                true => call.count(count),
                false => 1,
            },
            datatype: call.datatype(datatype)?,
        })
    }

    /// So many elements; none if the number is negative.
    pub fn number(&self) -> u64 {
        u64::try_from(self.count).unwrap_or(0)
    }

    /// Whether they have data.
    pub fn moves(&self) -> bool {
        self.count > 0 && self.datatype.size > 0
    }

    /// Whether it is one element of at most 8 bytes, whose value an event can hold.
    pub fn is_single(&self) -> bool {
        self.count == 1 && self.address != 0 && (1..=8).contains(&self.datatype.size)
    }

    /// As much, elsewhere.
    pub fn at(&self, address: u64) -> Self {
        Self {
            address,
            ..self.clone()
        }
    }

    /// As an event says it.
    pub fn buffer(&self) -> Buffer {
        Buffer {
            address: self.address,
            datatype: self.datatype.id,
            count: self.count.cast_unsigned(),
        }
    }

    /// The smallest range that holds all data: address and length.
    pub fn span(&self) -> (u64, u64) {
        if !self.moves() {
            return (self.address, 0);
        }
        let last = (self.count - 1).wrapping_mul(self.datatype.map().extent);
        let (first, end) = self.datatype.data;
        let start = self.address.wrapping_add_signed(first + last.min(0));
        (start, (end + last.max(0) - first - last.min(0)).cast_unsigned())
    }

    /// Address and length of every contiguous piece, in the order of the type map.
    pub fn pieces(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let map = self.datatype.map();
        let dense =
            matches!(&map.blocks[..], [block] if block.count == 1 && block.length as i64 == map.extent);
        let (elements, times) = match dense {
            true => (self.number().min(1), self.number()),
            false => (self.number(), 1),
        };
        (0..elements).flat_map(move |element| {
            map.blocks.iter().flat_map(move |block| {
                let first = (element as i64)
                    .wrapping_mul(map.extent)
                    .wrapping_add(block.offset);
                (0..block.count).map(move |piece| {
                    let offset = first.wrapping_add((piece as i64).wrapping_mul(block.stride));
                    let length = block.length.saturating_mul(times);
                    (self.address.wrapping_add_signed(offset), length)
                })
            })
        })
    }
}
