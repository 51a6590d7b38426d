//! What a wait compares a word with.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// What a word is to be like (OpenSHMEM 1.5 §9.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// How the word is compared.
    pub comparison: Comparison,
    /// With what, as many bytes as the word has.
    pub with: u64,
    /// Both are numbers without a sign.
    pub is_unsigned: bool,
}

/// How the two are to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names are those of OpenSHMEM, `SHMEM_CMP_EQ` and so on.
pub enum Comparison {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
}

impl Comparison {
    /// All, in the order of the standard's table.
    pub const ALL: [Self; 6] = [Self::Eq, Self::Ne, Self::Gt, Self::Ge, Self::Lt, Self::Le];

    /// Whether two values, of which this is the order, compare so.
    #[must_use]
    pub fn is(self, order: Ordering) -> bool {
        match self {
            Self::Eq => order.is_eq(),
            Self::Ne => order.is_ne(),
            Self::Gt => order.is_gt(),
            Self::Ge => order.is_ge(),
            Self::Lt => order.is_lt(),
            Self::Le => order.is_le(),
        }
    }
}

impl Condition {
    /// Whether a word of so many bytes (8 at most) is so.
    #[must_use]
    pub fn holds(&self, word: u64, size: u32) -> bool {
        let unused = 64 - 8 * size.clamp(1, 8);
        let order = match self.is_unsigned {
            true => (word << unused).cmp(&(self.with << unused)),
            false => (word << unused)
                .cast_signed()
                .cmp(&(self.with << unused).cast_signed()),
        };
        self.comparison.is(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_as_numbers_of_their_size() {
        let holds = |comparison, word: i64, with: i64, size, is_unsigned| {
            let with = with.cast_unsigned();
            let condition = Condition {
                comparison,
                with,
                is_unsigned,
            };
            condition.holds(word.cast_unsigned(), size)
        };
        assert!(holds(Comparison::Lt, -1, 0, 4, false));
        assert!(!holds(Comparison::Lt, -1, 0, 4, true));
        // What lies above the word does not count.
        assert!(holds(Comparison::Eq, 0x1_0000_0002, 2, 4, false));
        assert!(!holds(Comparison::Eq, 0x1_0000_0002, 2, 8, false));
        assert!(holds(Comparison::Ge, 2, 2, 8, true) && !holds(Comparison::Gt, 2, 2, 8, true));
    }
}
