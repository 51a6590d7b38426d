//! What basic types hold, as their names tell: asked once a datatype, for calls are many and names are long.

use super::UNKNOWN;
use farside_events::{AccumulateOp, BasicType, TypeMap};

/// What one basic type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    size: u32,
    is_named: bool,
    is_known: bool,
    is_byte: bool,
    is_floating: bool,
    is_complex: bool,
    is_logical: bool,
    is_pair: bool,
}

impl Kind {
    fn of(basic: &BasicType) -> Self {
        Self {
            size: basic.size,
            is_named: basic.name.starts_with("MPI_"),
            is_known: &*basic.name != UNKNOWN,
            is_byte: &*basic.name == "MPI_BYTE",
            is_floating: basic.is_floating(),
            is_complex: basic.is_complex(),
            is_logical: basic.is_logical(),
            is_pair: basic.is_pair(),
        }
    }

    /// The kinds that the data of one element are of, each once.
    pub(super) fn all_of(map: &TypeMap) -> Vec<Self> {
        let used = |index: usize| map.blocks.iter().any(|block| block.basic as usize == index);
        let basics = map.basics.iter().enumerate().filter(|(index, _)| used(*index));
        let mut kinds = Vec::new();
        for kind in basics.map(|(_, basic)| Self::of(basic)) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// Bytes of one element.
    pub(crate) fn size(self) -> u32 {
        self.size
    }

    /// Whether it has one of MPI's names, by which its kind is known.
    pub(crate) fn is_named(self) -> bool {
        self.is_named
    }

    /// Whether a simulation knows it, and its size.
    pub(crate) fn is_known(self) -> bool {
        self.is_known
    }

    /// Whether it holds real or complex numbers.
    pub(crate) fn is_floating(self) -> bool {
        self.is_floating
    }

    /// Whether it is a number by MPI's names: not a byte or a character, a complex number or a pair, as `MPI_2INT`.
    pub(crate) fn is_number(self) -> bool {
        self.size > 1 && self.is_named && !self.is_pair && !self.is_complex
    }

    /// Whether one holds real numbers and the other does not, or they are of two sizes.
    pub(crate) fn is_unlike(self, other: Self) -> bool {
        (self.size, self.is_floating) != (other.size, other.is_floating)
    }

    /// Whether an operator is one of it (MPI-4.1 §6.9.2, §6.9.4). Characters, which have none, are taken for integers,
    /// as many programs do; bytes as bytes only if they are `alone`: several also stand for a datatype that is not
    /// looked into.
    pub(crate) fn takes(self, operator: AccumulateOp, alone: bool) -> bool {
        use AccumulateOp::{
            Band, Bor, Bxor, Land, Lor, Lxor, Max, Maxloc, Min, Minloc, NoOp, Other, Prod, Replace, Sum,
        };
        let is_byte = self.is_byte && alone;
        match operator {
            Replace | NoOp | Other => true,
            Maxloc | Minloc => self.is_pair,
            _ if self.is_pair => false,
            Sum | Prod => !self.is_logical && !is_byte,
            Max | Min => !self.is_logical && !is_byte && !self.is_complex,
            Land | Lor | Lxor => !self.is_floating && !is_byte,
            Band | Bor | Bxor => !self.is_floating && !self.is_logical,
        }
    }
}
