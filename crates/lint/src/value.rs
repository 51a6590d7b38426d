//! Values: what a register or a piece of memory holds, and whether that is known.
//!
//! A value that depends on the outside world (an argument of the program, a result of an unknown function) is carried
//! as a *sample*, together with a symbol that says where it comes from. Equal symbols mean equal values, so that the same
//! condition is decided the same way twice.

use foldhash::quality::FixedState;
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::rc::Rc;

/// Where an unknown value comes from; 0 is "known".
pub(crate) type Symbol = u64;

/// A number or an address, in at most 64 bits, zero-extended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Scalar {
    pub(crate) bits: u64,
    pub(crate) symbol: Symbol,
}

/// What a register holds.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Scalar(Scalar),
    Aggregate(Rc<Vec<Value>>),
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Scalar(scalar) => (0, scalar.bits, scalar.symbol).hash(state),
            Self::Aggregate(fields) => (1, fields).hash(state),
        }
    }
}

impl Default for Value {
    fn default() -> Self {
        Self::known(0)
    }
}

/// Not an unknown value: marks the rank in `MPI_COMM_WORLD`, to see which ranks a program speaks of. Symbols are odd.
pub(crate) const RANK: Symbol = 4;

/// Not an unknown value: marks the address of another process' memory that a library has mapped and need not have
/// mapped. Only whether it is one at all is from outside, see [`is_mapped`].
pub(crate) const MAPPED: Symbol = 8;

/// The symbol of whether a library has mapped memory of others, all of it or none, if these two are compared: an
/// address of such memory, and none.
pub(crate) fn is_mapped(left: Scalar, right: Scalar) -> Option<Symbol> {
    let no_address = |value: Scalar| value == Scalar::known(0);
    let is_asked = left.symbol == MAPPED && no_address(right) || right.symbol == MAPPED && no_address(left);
    is_asked.then(|| source("memory of others is mapped"))
}

/// Not from outside: a value that the program computes, and that was not computed here, as rounds of a loop were taken together.
/// What is computed from it is the same; it says nothing of where a value comes from, and is never equal to itself.
pub(crate) const UNCOMPUTED: Symbol = 1;

/// The bits of a symbol that say on the results of which functions without code it rests: a bit for some of them each.
const UNSEEN: Symbol = 0xff << UNSEEN_AT;
const UNSEEN_AT: u32 = 56;

/// The bits of a symbol that say of which values from outside it is made: a bit for some of them each.
const ORIGINS: Symbol = ((1 << ORIGIN_BITS) - 1) << ORIGINS_AT;
const ORIGINS_AT: u32 = UNSEEN_AT - ORIGIN_BITS;
const ORIGIN_BITS: u32 = 18;

/// The bits of the values from outside that a symbol is made of.
pub(crate) fn origins(symbol: Symbol) -> Symbol {
    symbol & ORIGINS
}

/// The bit of a function without code, by its name.
fn bit_of(function: &str) -> Symbol {
    1 << (UNSEEN_AT + (FixedState::default().hash_one(function) % 8) as u32)
}

/// Whether a symbol may rest on the result of this function, whose code was not given.
pub(crate) fn rests_on(symbol: Symbol, function: &str) -> bool {
    symbol & bit_of(function) != 0
}

impl Scalar {
    /// Whether it rests on the result of a function whose code was not given.
    pub(crate) fn is_unseen(self) -> bool {
        self.symbol & UNSEEN != 0
    }

    /// It is the result of a function whose code was not given.
    pub(crate) fn of_unseen(self, function: &str) -> Self {
        Self {
            symbol: self.symbol | bit_of(function),
            ..self
        }
    }

    /// Whether the value does not depend on the outside world.
    pub(crate) fn is_known(self) -> bool {
        matches!(self.symbol, 0 | RANK | MAPPED)
    }

    /// Whether the program computes it, and it was not computed here.
    pub(crate) fn is_uncomputed(self) -> bool {
        self.symbol & !NEGATED == UNCOMPUTED
    }

    pub(crate) const fn known(bits: u64) -> Self {
        Self { bits, symbol: 0 }
    }

    /// Of what was not computed.
    pub(crate) const fn uncomputed() -> Self {
        Self {
            bits: 0,
            symbol: UNCOMPUTED,
        }
    }

    pub(crate) fn double(self) -> f64 {
        f64::from_bits(self.bits)
    }

    pub(crate) fn signed32(self) -> i32 {
        self.bits as u32 as i32
    }
}

impl Value {
    pub(crate) const fn known(bits: u64) -> Self {
        Self::Scalar(Scalar::known(bits))
    }

    pub(crate) fn scalar(&self) -> Scalar {
        match self {
            Self::Scalar(scalar) => *scalar,
            Self::Aggregate(fields) => fields.first().map(Value::scalar).unwrap_or_default(),
        }
    }

    pub(crate) fn field(&self, path: &[u32]) -> Value {
        match (self, path) {
            (value, []) => value.clone(),
            (Self::Aggregate(fields), [first, rest @ ..]) => fields
                .get(*first as usize)
                .map(|field| field.field(rest))
                .unwrap_or_default(),
            (Self::Scalar(_), _) => self.clone(),
        }
    }

    pub(crate) fn with_field(&self, path: &[u32], value: Value) -> Value {
        let [first, rest @ ..] = path else { return value };
        let mut fields = match self {
            Self::Aggregate(fields) => fields.as_ref().clone(),
            Self::Scalar(_) => Vec::new(),
        };
        let index = *first as usize;
        if fields.len() <= index {
            fields.resize(index + 1, Value::default());
        }
        fields[index] = fields[index].with_field(rest, value);
        Self::Aggregate(Rc::new(fields))
    }
}

/// The symbol of what is computed from others; known if all of them are.
pub(crate) fn derived(what: impl Hash, operands: &[Scalar]) -> Symbol {
    if operands.iter().all(|operand| operand.is_known()) {
        return 0;
    }
    if operands.iter().any(|operand| operand.is_uncomputed()) {
        return UNCOMPUTED;
    }
    let mut hasher = FixedState::default().build_hasher();
    what.hash(&mut hasher);
    for operand in operands {
        // A known operand counts by its value, an unknown one by where it comes from.
        let key = if operand.is_known() {
            (0, operand.bits)
        } else {
            (operand.symbol, 0)
        };
        key.hash(&mut hasher);
    }
    let unknown = operands.iter().filter(|operand| !operand.is_known());
    let inherited = unknown.fold(0, |bits, operand| bits | operand.symbol & (UNSEEN | ORIGINS));
    hasher.finish() & !(NEGATED | UNSEEN | ORIGINS) | inherited | 1
}

/// Set in the symbol of a condition that is the negation of the one that the other bits name.
pub(crate) const NEGATED: Symbol = 2;

/// The symbol of something from outside.
pub(crate) fn source(what: impl Hash) -> Symbol {
    let hash = FixedState::default().hash_one(what);
    let origin = 1 << (ORIGINS_AT + ((hash >> ORIGINS_AT) % u64::from(ORIGIN_BITS)) as u32);
    hash & !(NEGATED | UNSEEN | ORIGINS) | origin | 1
}

/// The low `bits` of a number.
#[must_use]
pub fn mask(value: u64, bits: u32) -> u64 {
    if bits >= 64 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

/// A number of `bits`, sign-extended.
#[must_use]
pub fn signed(value: u64, bits: u32) -> i64 {
    if bits == 0 || bits >= 64 {
        return value as i64;
    }
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}
