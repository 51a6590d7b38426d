//! Derived datatypes as type maps (MPI-4.1 §5.1): which bytes of each element are data, and of which basic type.

use serde::{Deserialize, Serialize};

/// A predefined datatype, known by its MPI name (`MPI_INT`), or an element of the crate `farside`, known by its name in
/// Rust (`f64`), and its size in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BasicType {
    /// The name that `MPI_Type_get_name` gives.
    pub name: Box<str>,
    /// Bytes of one element.
    pub size: u32,
}

impl BasicType {
    /// Whether it holds floating point numbers, also complex ones, so that sums are not those of integers.
    pub fn is_floating(&self) -> bool {
        // By the standard's names, those of Open MPI's objects (`DBLPREC`), and Rust's.
        ["FLOAT", "DOUBLE", "REAL", "DBL", "f32", "f64"]
            .iter()
            .any(|word| self.name.contains(word))
            || self.is_complex()
    }

    /// Whether it holds complex numbers.
    pub fn is_complex(&self) -> bool {
        self.name.contains("COMPLEX") || self.name.contains("CPLEX")
    }

    /// Whether it holds values of true and false, in C, C++ or Fortran.
    pub fn is_logical(&self) -> bool {
        self.name.contains("LOGICAL") || self.name.contains("BOOL")
    }

    /// Whether it holds a value and a second one, its place: what `MPI_MAXLOC` and `MPI_MINLOC` take (MPI-4.1 §6.9.4).
    pub fn is_pair(&self) -> bool {
        let Some(name) = self.name.strip_prefix("MPI_") else {
            return false;
        };
        let values = ["FLOAT", "DOUBLE", "LONG", "SHORT", "LONG_DOUBLE", "LONGDBL"];
        name.starts_with('2')
            || name
                .strip_suffix("_INT")
                .is_some_and(|value| values.contains(&value))
    }
}

/// `count` equal pieces of `length` bytes, `stride` bytes apart, the first at `offset` from the buffer address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TypeBlock {
    /// Bytes from the buffer address to the first piece; may be negative.
    pub offset: i64,
    /// Bytes of one piece: a whole number of basic elements, without gaps.
    pub length: u64,
    /// Number of pieces, at least 1.
    pub count: u64,
    /// Bytes from one piece to the next.
    pub stride: i64,
    /// Index into [`TypeMap::basics`].
    pub basic: u32,
}

/// The data of one element of a datatype, and the distance to the next element.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TypeMap {
    /// Extent in bytes (MPI-4.1 §5.1.6): distance between consecutive elements of a buffer.
    pub extent: i64,
    /// The basic types that occur.
    pub basics: Vec<BasicType>,
    /// The data bytes, in type map order, merged where adjacent and equal in type.
    pub blocks: Vec<TypeBlock>,
}

impl TypeMap {
    /// The only block of an element, if elements lie side by side without gaps.
    #[must_use]
    pub fn dense(&self) -> Option<&TypeBlock> {
        match self.blocks.as_slice() {
            [block] if block.count == 1 && i64::try_from(block.length) == Ok(self.extent) => Some(block),
            _ => None,
        }
    }

    /// In how many pieces of memory an element lies; none if elements lie side by side without gaps.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        let counts = self.blocks.iter().map(|block| block.count);
        match self.dense() {
            Some(_) => 0,
            None => counts.fold(0, u64::saturating_add),
        }
    }

    /// The map of a predefined datatype without gaps.
    pub fn basic(name: &str, size: u32) -> Self {
        Self {
            extent: i64::from(size),
            basics: vec![BasicType {
                name: name.into(),
                size,
            }],
            blocks: vec![TypeBlock {
                offset: 0,
                length: u64::from(size),
                count: 1,
                stride: 0,
                basic: 0,
            }],
        }
    }

    /// Bytes of data in one element.
    pub fn size(&self) -> u64 {
        self.blocks.iter().map(|b| b.length * b.count).sum()
    }
}
