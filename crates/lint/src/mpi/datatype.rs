//! Datatypes (MPI-4.1 §5.1): type maps, and the bytes that a buffer names.

use crate::flow::Flow;
use crate::handles::{DataType, HandleKind};
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::{MOST_PIECES, Part};
use crate::site::Site;
use crate::value::Scalar;
use farside_calls::mpi::Procedure as P;
use farside_events::{BasicType, EventKind, TypeBlock, TypeId, TypeMap};

/// Bytes that the simulation moves in about the time of an instruction.
const BYTES_A_STEP: u64 = 128;

impl Job<'_> {
    /// The datatype of a handle, announced to the detector at its first use.
    pub(crate) fn datatype(&mut self, site: &Site, handle: u64) -> DataType {
        let handles = &mut self.processes.of_mut(site.rank).handles;
        if let Some(index) = HandleKind::Type.index(handle)
            && let Some(known) = handles.types.get(index)
        {
            return known.clone();
        }
        if let Some(known) = handles.basics.get(&handle) {
            return known.clone();
        }
        let map = self.abi.pair_type(handle).unwrap_or_else(|| {
            let (name, size) = self
                .abi
                .basic_type(handle)
                .unwrap_or_else(|| ("unknown".into(), 1));
            TypeMap::basic(&name, size)
        });
        let made = self.new_type(site, map);
        self.processes
            .of_mut(site.rank)
            .handles
            .basics
            .insert(handle, made.clone());
        made
    }

    fn new_type(&mut self, site: &Site, map: TypeMap) -> DataType {
        let handles = &mut self.processes.of_mut(site.rank).handles;
        handles.next_type += 1;
        let id = TypeId(handles.next_type);
        self.emit(site.at(), EventKind::Type { id, map: map.clone() });
        DataType { id, map }
    }

    /// `MPI_Type_*`.
    pub(crate) fn type_call(&mut self, site: &Site, a: &Invocation) -> Flow {
        let at = |index: usize| a[index];
        let large = self.large_counts;
        let number = |index: usize| match large {
            true => at(index).bits as i64,
            false => i64::from(at(index).signed32()),
        };
        let ints = |job: &Self, index: usize, count: i64| -> Vec<i64> {
            (0..count.clamp(0, 1 << 16) as u64)
                .map(|i| job.number_at(site, at(index).bits, i as usize))
                .collect()
        };
        let longs = |job: &Self, index: usize, count: i64| -> Vec<i64> {
            (0..count.clamp(0, 1 << 16) as u64)
                .map(|i| job.memory(site.rank, 0).load(at(index).bits + 8 * i, 8).bits as i64)
                .collect()
        };
        // The displacements of the third argument in bytes: elements of the type of the fourth, or bytes already.
        let offsets = |job: &mut Self, elements: bool| -> Vec<i64> {
            if !elements {
                return longs(job, 2, number(0));
            }
            let extent = job.datatype(site, at(3).bits).map.extent;
            let offsets = ints(job, 2, number(0)).into_iter();
            offsets.map(|offset| offset * extent).collect()
        };
        let (pieces, old, result): (Vec<(i64, i64, usize)>, Vec<u64>, usize) = match a.procedure() {
            P::Type_contiguous => (vec![(0, number(0), 0)], vec![at(1).bits], 2),
            P::Type_vector | P::Type_create_hvector | P::Type_hvector => {
                let extent = if a.procedure() == P::Type_vector {
                    self.datatype(site, at(3).bits).map.extent
                } else {
                    1
                };
                let stride = if a.procedure() == P::Type_vector {
                    number(2)
                } else {
                    at(2).bits as i64
                };
                (
                    (0..number(0))
                        .map(|i| (i * stride * extent, number(1), 0))
                        .collect(),
                    vec![at(3).bits],
                    4,
                )
            }
            P::Type_indexed | P::Type_create_hindexed | P::Type_hindexed => {
                let lengths = ints(self, 1, number(0));
                let offsets = offsets(self, a.procedure() == P::Type_indexed);
                let pieces = offsets.into_iter().zip(lengths);
                (
                    pieces.map(|(offset, length)| (offset, length, 0)).collect(),
                    vec![at(3).bits],
                    4,
                )
            }
            P::Type_create_indexed_block | P::Type_create_hindexed_block => {
                let offsets = offsets(self, a.procedure() == P::Type_create_indexed_block).into_iter();
                (
                    offsets.map(|offset| (offset, number(1), 0)).collect(),
                    vec![at(3).bits],
                    4,
                )
            }
            P::Type_create_struct | P::Type_struct => {
                let (lengths, offsets) = (ints(self, 1, number(0)), longs(self, 2, number(0)));
                let old = (0..number(0).max(0) as u64)
                    .map(|i| self.handle_at(site, at(3).bits + self.abi.numbers.handle_size * i))
                    .collect();
                let pieces = offsets.iter().zip(lengths).enumerate();
                (pieces.map(|(i, (o, l))| (*o, l, i)).collect(), old, 4)
            }
            P::Type_dup => (vec![(0, 1, 0)], vec![at(0).bits], 1),
            P::Type_create_resized => {
                let mut map = self.datatype(site, at(0).bits).map;
                map.extent = at(2).bits as i64;
                return self.give_type(site, map, at(3).bits);
            }
            P::Type_create_subarray => {
                let count = number(0);
                let (sizes, subsizes, starts) =
                    (ints(self, 1, count), ints(self, 2, count), ints(self, 3, count));
                let old = self.datatype(site, at(5).bits).map;
                let map = subarray(&sizes, &subsizes, &starts, self.is_fortran_order(number(4)), &old);
                return self.give_type(site, map, at(6).bits);
            }
            P::Type_size => {
                let size = self.datatype(site, at(0).bits).map.size();
                self.put_number(site, at(1).bits, size as i64);
                return Flow::Return(Scalar::known(0));
            }
            P::Type_get_extent => {
                let extent = self.datatype(site, at(0).bits).map.extent;
                self.put_long(site, at(1).bits, 0);
                self.put_long(site, at(2).bits, extent as u64);
                return Flow::Return(Scalar::known(0));
            }
            P::Type_commit | P::Type_free | P::Type_set_name => {
                return Flow::Return(Scalar::known(0));
            }
            _ => return self.unknown_call(site, a.name()),
        };
        let maps: Vec<TypeMap> = old
            .iter()
            .map(|handle| self.datatype(site, *handle).map)
            .collect();
        let Some(first) = maps.first() else {
            return self.unknown_call(site, a.name());
        };
        let mut map = TypeMap {
            extent: 0,
            basics: Vec::new(),
            blocks: Vec::new(),
        };
        let mut end = 0;
        for (offset, count, which) in pieces {
            let old = maps.get(which).unwrap_or(first);
            append(&mut map, old, offset, count);
            end = end.max(offset + count * old.extent);
        }
        map.extent = end;
        if a.procedure() == P::Type_dup {
            map.extent = first.extent;
        }
        self.give_type(site, map, at(result).bits)
    }

    fn give_type(&mut self, site: &Site, map: TypeMap, result: u64) -> Flow {
        let made = self.new_type(site, map);
        let handles = &mut self.processes.of_mut(site.rank).handles;
        handles.types.push(made);
        let handle = HandleKind::Type.handle(handles.types.len() - 1);
        self.put_handle(site, result, handle);
        Flow::Return(Scalar::known(0))
    }

    fn is_fortran_order(&self, order: i64) -> bool {
        order == if self.abi.is_open_mpi() { 1 } else { 57 }
    }

    /// The bytes of a buffer, in their order.
    pub(crate) fn pack(&self, rank: u32, buffer: &Part) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, length) in buffer.spans() {
            let memory = self.memory(rank, at);
            bytes.extend(memory.bytes(at, length));
            if memory.is_forgotten(at, length) {
                self.moved_uncomputed.set(true);
            }
        }
        bytes
    }

    /// Writes bytes into a buffer, as far as they go.
    pub(crate) fn unpack(&mut self, rank: u32, buffer: &Part, bytes: &[u8]) {
        // Moving much data takes its time, as instructions do.
        self.budget.spend(bytes.len() as u64 / BYTES_A_STEP);
        let mut rest = bytes;
        for (at, length) in buffer.spans() {
            let (piece, left) = rest.split_at((length as usize).min(rest.len()));
            let forget = self.moved_uncomputed.get();
            let memory = self.memory_mut(rank, at);
            memory.write(at, piece);
            if forget {
                memory.forget(at, piece.len() as u64);
            }
            rest = left;
            if rest.is_empty() {
                break;
            }
        }
    }
}

/// Adds `count` elements of `old` at `offset`, and joins what is adjacent.
fn append(map: &mut TypeMap, old: &TypeMap, offset: i64, count: i64) {
    for element in 0..count.clamp(0, MOST_PIECES as i64) {
        for block in &old.blocks {
            let basic = basic_index(map, &old.basics[block.basic as usize]);
            let start = offset + element * old.extent + block.offset;
            if let Some(last) = map.blocks.last_mut()
                && last.count == 1
                && block.count == 1
                && last.basic == basic
                && last.offset + last.length as i64 == start
            {
                last.length += block.length;
                continue;
            }
            map.blocks.push(TypeBlock {
                offset: start,
                basic,
                ..*block
            });
        }
    }
}

fn basic_index(map: &mut TypeMap, basic: &BasicType) -> u32 {
    if let Some(index) = map.basics.iter().position(|known| known == basic) {
        return index as u32;
    }
    map.basics.push(basic.clone());
    map.basics.len() as u32 - 1
}

fn subarray(sizes: &[i64], subsizes: &[i64], starts: &[i64], fortran: bool, old: &TypeMap) -> TypeMap {
    let dimensions = sizes.len();
    let mut map = TypeMap {
        extent: old.extent * sizes.iter().product::<i64>(),
        basics: Vec::new(),
        blocks: Vec::new(),
    };
    // From the fastest dimension to the slowest.
    let order: Vec<usize> = if fortran {
        (0..dimensions).collect()
    } else {
        (0..dimensions).rev().collect()
    };
    let total = subsizes.iter().product::<i64>();
    for element in 0..total.clamp(0, MOST_PIECES as i64) {
        let (mut rest, mut scale, mut position) = (element, 1, 0);
        for &dimension in &order {
            position += (starts[dimension] + rest % subsizes[dimension]) * scale;
            rest /= subsizes[dimension];
            scale *= sizes[dimension];
        }
        append(&mut map, old, position * old.extent, 1);
    }
    map
}
