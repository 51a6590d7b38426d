//! The lint's own intermediate representation: what a memory-consistency error can depend on, and nothing of LLVM.
//!
//! A module is functions of basic blocks over registers that are assigned once, as in LLVM IR. Types are reduced to
//! sizes; addresses are integers.

mod action;
mod operator;
mod text;

pub use action::{Action, End};
pub use operator::{
    Arithmetic, AtomicOperator, Conversion, FloatArithmetic, FloatPredicate, Ordering, Predicate,
};
use serde::{Deserialize, Serialize};
pub use text::Unreadable;

/// A program, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Source places; an instruction names one by its index. Index 0 is "not known".
    pub places: Vec<Place>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions, with those that are only declared.
    pub functions: Vec<Function>,
    /// Other names of functions and variables that other modules may use: the name, and what it stands for. Clang makes
    /// one for each constructor and destructor of a class without virtual bases.
    pub aliases: Vec<(String, String)>,
}

/// A place in a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Path, as the compiler recorded it.
    pub file: String,
    /// Line, from 1; 0 if it is not known.
    pub line: u32,
    /// Column, from 1; 0 if it is not known.
    pub column: u32,
    /// Index of the function that holds the code.
    pub function: u32,
}

/// Index of a place in [`Module::places`].
pub type PlaceId = u32;

/// A register of a function.
pub type Register = u32;

/// Index of a block in [`Function::blocks`].
pub type BlockId = u32;

/// A global variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its size in bytes; 0 if it is not known.
    pub size: u64,
    /// Whether another module defines it.
    pub external: bool,
    /// Whether only this module can name it.
    pub internal: bool,
    /// Whether nothing may store to it.
    pub constant: bool,
    /// What it holds at first, at which offset; the rest is zero.
    pub initial: Vec<(u64, Type, Operand)>,
    /// Lengths of the arrays that it consists of, the outermost one first: none if it is a number, a pointer or a
    /// handle. `None` if it has other parts, or if the sources may count elements otherwise than from zero.
    pub arrays: Option<Vec<u64>>,
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Its name, as the linker sees it.
    pub name: String,
    /// Number of parameters, which are the first registers.
    pub parameters: u32,
    /// What the parameters are.
    pub parameter_types: Vec<Type>,
    /// Number of registers.
    pub registers: u32,
    /// Its blocks, the first is the entry; none if it is only declared.
    pub blocks: Vec<Block>,
    /// Whether only this module can call it.
    pub internal: bool,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What the registers of merged control flow receive: for each, the value by predecessor.
    pub phis: Vec<(Register, Vec<(BlockId, Operand)>)>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// How control leaves the block.
    pub end: End,
    /// The place of `end`.
    pub end_place: PlaceId,
}

/// An instruction and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instruction {
    /// Where it stands.
    pub place: PlaceId,
    /// What receives the result.
    pub result: Option<Register>,
    /// What it does.
    pub action: Action,
}

/// What is read by an instruction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// An integer (or a null pointer), zero-extended.
    Integer(u64),
    /// A floating-point number of 64 bits.
    Float(f64),
    /// A floating-point number of 32 bits.
    Single(f32),
    /// An address in a global variable.
    Global(u32, i64),
    /// A function.
    Function(u32),
    /// A structure, field by field.
    Aggregate(Vec<Operand>),
    /// Any value.
    Undefined,
}

/// A type, as far as memory and arithmetic depend on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Type {
    /// An integer of at most 64 bits.
    Integer(u32),
    /// A pointer.
    Pointer,
    /// 32 bits.
    Float,
    /// 64 bits.
    Double,
    /// A `long double` of x86-64, which has 16 bytes in memory. It is computed with the precision of a `double`, whose
    /// bytes are the first 8 here.
    Extended,
    /// Another number of more than 64 bits: bytes in memory. It is not computed.
    Wide(u64),
    /// Fields with their offsets, and the size of the whole.
    Structure(Vec<(u64, Type)>, u64),
    /// Nothing that is followed: bytes in memory.
    Opaque(u64),
}

impl Type {
    /// Bytes that a load or store touches.
    pub fn size(&self) -> u64 {
        match self {
            Self::Integer(bits) => u64::from(*bits).div_ceil(8),
            Self::Pointer | Self::Double => 8,
            Self::Float => 4,
            Self::Extended => 16,
            Self::Wide(size) | Self::Structure(_, size) | Self::Opaque(size) => *size,
        }
    }
}
