//! Datatypes: what a constructor makes is `farside-calls`'s. Of a transfer, each piece of memory that both sides have
//! in one is a transfer of its own: the standard says nothing of their order (MPI-4.1 §12.3).

use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::value::Value;
use farside_calls::datatype::{Contents, Order, Shape};
use farside_calls::mpi::Procedure;
use farside_calls::signature::{Direction, Kind, Parameter};
use farside_lint::ir::{PlaceId, Type};

/// More pieces of one operation are not told apart.
const MOST_PIECES: usize = 64;
/// More elements of an array of a constructor are not followed.
const MOST_ELEMENTS: i64 = 1024;

/// Bytes from an address on: how far away they begin, and how many they are.
type Piece = (i64, u64);

impl Machine<'_> {
    /// What is made and asked of datatypes; false if it is none of these.
    pub(super) fn type_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("Type_commit" | "Type_free" | "Type_set_name", _) => return Ok(true),
            ("Type_size", [kind, to]) => {
                let size = self.shape_of(kind, place)?.map.size();
                self.store(to, &Value::Known(size), &Type::Integer(32), place)?;
                return Ok(true);
            }
            ("Type_get_extent", [kind, bound, extent]) => {
                let shape = self.shape_of(kind, place)?;
                let long = Type::Integer(64);
                self.store(bound, &Value::Known(shape.lower_bound as u64), &long, place)?;
                self.store(extent, &Value::Known(shape.map.extent as u64), &long, place)?;
                return Ok(true);
            }
            _ => {}
        }
        let Some((procedure, false)) = Procedure::of_name(&format!("MPI_{call}")) else {
            return Ok(false);
        };
        let (Some(combiner), Some((to, arguments))) = (procedure.combiner(), values.split_last()) else {
            return Ok(false);
        };
        let mut contents = Contents {
            combiner,
            integers: Vec::new(),
            addresses: Vec::new(),
            types: Vec::new(),
        };
        let parameters = procedure.signature().parameters().iter();
        let given = parameters.filter(|parameter| parameter.direction == Direction::In);
        for (parameter, value) in given.zip(arguments) {
            self.take_argument(&mut contents, parameter, value, place)?;
        }
        let Some(shape) = contents.shape(Order::Kept) else {
            return Err(self.lost(place, "a datatype that is not followed"));
        };
        let handle = Value::Known(self.tables.datatype(shape));
        self.store(to, &handle, &self.handle_type(), place)?;
        Ok(true)
    }

    /// Takes an argument of a constructor: an array is as long as the first number says (MPI-4.1 §5.1.13).
    fn take_argument(
        &mut self,
        contents: &mut Contents,
        parameter: &Parameter,
        value: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let first = contents.integers.first().copied().unwrap_or(0);
        let length = match parameter.array {
            true if first > MOST_ELEMENTS => {
                return Err(self.lost(place, "a datatype of too many parts"));
            }
            true => first.max(0),
            false => 1,
        };
        let ty = match parameter.kind {
            Kind::Handle(_) => self.handle_type(),
            Kind::Address => Type::Integer(64),
            _ => Type::Integer(32),
        };
        for at in 0..length as u64 {
            let value = match parameter.array {
                true => {
                    let from = self.moved(value, at * ty.size(), place)?;
                    self.load(&from, &ty, u32::MAX, place)?
                }
                false => value.clone(),
            };
            if let Kind::Handle(_) = parameter.kind {
                contents.types.push(self.shape_of(&value, place)?);
                continue;
            }
            let bits = 8 * ty.size() as u32;
            let Some(number) = constant(&value, bits) else {
                return Err(self.lost(place, "a datatype that is not known before a run"));
            };
            match parameter.kind {
                Kind::Address => contents.addresses.push(number),
                _ => contents.integers.push(number),
            }
        }
        Ok(())
    }

    /// The datatype of a handle.
    pub(super) fn shape_of(&mut self, kind: &Value, place: PlaceId) -> Followed<Shape> {
        let made = match kind {
            Value::Known(handle) => self.tables.datatype_at(*handle).cloned(),
            _ => None,
        };
        if let Some(shape) = made {
            return Ok(shape);
        }
        match self.basic_size(kind) {
            Some(size) => Ok(Shape::basic("", 0, size as u32, size as i64)),
            None => Err(self.lost(place, "a datatype that is not known")),
        }
    }

    /// The bytes of one element, if they lie without gaps from its address on, one element after the other.
    pub(super) fn dense_size(&mut self, kind: &Value) -> Option<u64> {
        let made = match kind {
            Value::Known(handle) => self.tables.datatype_at(*handle),
            _ => None,
        };
        match made {
            Some(shape) => match &pieces_of(shape, 1)[..] {
                [(0, size)] if shape.map.extent == *size as i64 => Some(*size),
                _ => None,
            },
            None => self.basic_size(kind),
        }
    }

    /// The bytes of so many elements.
    pub(super) fn pieces(&mut self, count: &Value, kind: &Value, place: PlaceId) -> Followed<Vec<Piece>> {
        let count = self.count(count, place)?;
        if let Some(size) = self.dense_size(kind) {
            return Ok(match count {
                0 => Vec::new(),
                _ => vec![(0, size.saturating_mul(count))],
            });
        }
        let shape = self.shape_of(kind, place)?;
        let pieces = match count <= MOST_PIECES as u64 {
            true => pieces_of(&shape, count),
            false => Vec::new(),
        };
        if pieces.len() > MOST_PIECES || pieces.is_empty() && count > 0 && shape.map.size() > 0 {
            return Err(self.lost(place, "a transfer of too many pieces of memory"));
        }
        Ok(pieces)
    }

    /// An address so many bytes further on, or back.
    pub(super) fn shifted(&mut self, address: &Value, by: i64, place: PlaceId) -> Followed<Value> {
        // Addresses wrap.
        self.moved(address, by as u64, place)
    }

    /// The bytes of a basic type.
    pub(super) fn basic_size(&self, kind: &Value) -> Option<u64> {
        let Value::Known(bits) = kind else {
            return None;
        };
        match self.tables.at(*bits) {
            Some((object, 0)) => super::constants::size_of(self.tables.name(object)),
            // A basic type of MPICH has its bytes in its second byte.
            _ if bits >> 16 == 0x4c00 => Some((bits >> 8) & 0xff),
            _ => None,
        }
    }
}

/// The pieces of so many elements, joined where one follows the other.
fn pieces_of(shape: &Shape, count: u64) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for element in 0..count as i64 {
        for block in &shape.map.blocks {
            for at in 0..block.count as i64 {
                if pieces.len() > MOST_PIECES {
                    return pieces;
                }
                let from = element * shape.map.extent + block.offset + at * block.stride;
                match pieces.last_mut() {
                    Some((start, length)) if *start + *length as i64 == from => *length += block.length,
                    _ => pieces.push((from, block.length)),
                }
            }
        }
    }
    pieces.retain(|(_, length)| *length > 0);
    pieces
}

/// What two sides of a transfer have in one piece each: where it begins on both, and how long it is. Nothing if one
/// side has more.
pub(super) fn common(one: &[Piece], other: &[Piece]) -> Option<Vec<(i64, i64, u64)>> {
    let total = |pieces: &[Piece]| pieces.iter().map(|(_, length)| length).sum::<u64>();
    if total(one) != total(other) {
        return None;
    }
    let (mut left, mut right) = (one.iter().copied(), other.iter().copied());
    let (mut from, mut to) = (left.next(), right.next());
    let mut found = Vec::new();
    while let (Some((a, have)), Some((b, take))) = (from, to) {
        let length = have.min(take);
        found.push((a, b, length));
        let rest = |at: i64, of: u64| (of > length).then_some((at + length as i64, of - length));
        from = rest(a, have).or_else(|| left.next());
        to = rest(b, take).or_else(|| right.next());
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn two_sides_are_cut_where_either_is() {
        let cut = common(&[(0, 8), (16, 4)], &[(0, 4), (100, 8)]);
        assert_eq!(cut, Some(vec![(0, 0, 4), (4, 100, 4), (16, 104, 4)]));
        assert_eq!(common(&[(0, 8)], &[(0, 4)]), None);
        assert_eq!(common(&[], &[]), Some(Vec::new()));
    }
}
