//! The textual form of a module: what [`Module`](super::Module)'s `Display` writes, and its `FromStr` reads.
//!
//! It is for tests and for people who look at what a compiler made of a program; `farside-llvm-front` hands modules on in
//! another encoding. A program of one function:
//!
//! ```text
//! declare MPI_Init(ptr, ptr)
//! global @cells 32
//! function main(i32, ptr) registers 5 {
//! 0:
//!   %2 = call &MPI_Init(0, 0)
//!   store i32 7, @(cells + 4)
//!   %3 = offset @cells + 8 + %0:32*4
//!   %4 = load i32, %3
//!   return %4
//! }
//! ```
//!
//! Promise: what is written is read back as it was, but for the payload of a floating-point number that is none. Names that are
//! not unique, or not made of letters, digits, `_`, `.` and `$`, are named by their number (`&#3`, `@#0`). `!3` after an
//! instruction says that it stands at place 3.

mod parse;
mod print;
#[cfg(test)]
mod tests;
mod token;

pub use token::Unreadable;

use super::{Arithmetic, AtomicOperator, Conversion, FloatArithmetic, Ordering, Predicate};

/// How something that is one of a few is written.
type Names<T> = &'static [(&'static str, T)];

const ARITHMETIC: Names<Arithmetic> = &[
    ("add", Arithmetic::Add),
    ("sub", Arithmetic::Sub),
    ("mul", Arithmetic::Mul),
    ("udiv", Arithmetic::UDiv),
    ("sdiv", Arithmetic::SDiv),
    ("urem", Arithmetic::URem),
    ("srem", Arithmetic::SRem),
    ("and", Arithmetic::And),
    ("or", Arithmetic::Or),
    ("xor", Arithmetic::Xor),
    ("shl", Arithmetic::Shl),
    ("lshr", Arithmetic::LShr),
    ("ashr", Arithmetic::AShr),
];

const FLOAT_ARITHMETIC: Names<FloatArithmetic> = &[
    ("fadd", FloatArithmetic::Add),
    ("fsub", FloatArithmetic::Sub),
    ("fmul", FloatArithmetic::Mul),
    ("fdiv", FloatArithmetic::Div),
    ("frem", FloatArithmetic::Rem),
    ("fneg", FloatArithmetic::Neg),
];

const PREDICATES: Names<Predicate> = &[
    ("eq", Predicate::Eq),
    ("ne", Predicate::Ne),
    ("ugt", Predicate::Ugt),
    ("uge", Predicate::Uge),
    ("ult", Predicate::Ult),
    ("ule", Predicate::Ule),
    ("sgt", Predicate::Sgt),
    ("sge", Predicate::Sge),
    ("slt", Predicate::Slt),
    ("sle", Predicate::Sle),
];

const CONVERSIONS: Names<Conversion> = &[
    ("zext", Conversion::ZeroExtend),
    ("sext", Conversion::SignExtend),
    ("trunc", Conversion::Truncate),
    ("keep", Conversion::Keep),
    ("ftof", Conversion::FloatToFloat),
    ("stof", Conversion::SignedToFloat),
    ("utof", Conversion::UnsignedToFloat),
    ("ftos", Conversion::FloatToSigned),
    ("ftou", Conversion::FloatToUnsigned),
];

const ORDERINGS: Names<Ordering> = &[
    ("relaxed", Ordering::Relaxed),
    ("acquire", Ordering::Acquire),
    ("release", Ordering::Release),
    ("both", Ordering::Both),
];

const UPDATES: Names<AtomicOperator> = &[
    ("exchange", AtomicOperator::Exchange),
    ("add", AtomicOperator::Add),
    ("sub", AtomicOperator::Sub),
    ("and", AtomicOperator::And),
    ("or", AtomicOperator::Or),
    ("xor", AtomicOperator::Xor),
    ("max", AtomicOperator::Max),
    ("min", AtomicOperator::Min),
    ("umax", AtomicOperator::UMax),
    ("umin", AtomicOperator::UMin),
    ("other", AtomicOperator::Other),
];

fn named<T: Copy>(names: Names<T>, name: &str) -> Option<T> {
    names
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
}

fn name_of<T: Copy + PartialEq>(names: Names<T>, value: T) -> &'static str {
    let found = names.iter().find(|(_, known)| *known == value);
    found.map_or("?", |(name, _)| *name)
}
