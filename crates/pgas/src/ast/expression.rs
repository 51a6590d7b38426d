//! Expressions, and what can be assigned to.

use super::{Call, Name, Place};

/// Something that can be assigned to, or named by a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `x`
    Name(Name),
    /// `a[e]`
    Element(Name, Box<Expression>),
    /// `mem[e]`
    Memory(Box<Expression>, Place),
}

/// An expression. Arithmetic is that of whole numbers; what is stored or sent must be in the domain, and nothing else.
/// A comparison is 1 or 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// `7`
    Number(i64, Place),
    /// `me`: the rank of this process, from 0.
    Me(Place),
    /// `n`: the number of processes.
    Ranks(Place),
    /// A register, or memory that is loaded first.
    Value(Target),
    /// `&x`: an address.
    Address(Target),
    /// `shmem_my_pe()`: a call without effects.
    Call(Box<Call>),
    /// `-e`, `!e`
    Unary(UnaryOperator, Box<Expression>),
    /// `e + f`
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
}

/// Before an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-`
    Minus,
    /// `!`
    Not,
}

/// Between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`: never negative.
    Remainder,
}

impl BinaryOperator {
    /// As it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }

    /// The larger, the closer it binds; all bind to the left.
    #[must_use]
    pub fn precedence(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Equal | Self::NotEqual => 3,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => 4,
            Self::Add | Self::Subtract => 5,
            Self::Multiply | Self::Divide | Self::Remainder => 6,
        }
    }
}

impl Target {
    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> &Place {
        match self {
            Self::Name(name) | Self::Element(name, _) => &name.place,
            Self::Memory(_, place) => place,
        }
    }
}

impl Expression {
    /// Where it begins; of an operation between two expressions, where it is as a whole.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Self::Number(_, place) | Self::Me(place) | Self::Ranks(place) => place.clone(),
            Self::Value(target) | Self::Address(target) => target.place().clone(),
            Self::Call(call) => call.name.place.clone(),
            Self::Unary(_, inner) => inner.place(),
            Self::Binary(_, left, right) => Place(left.place().0.start..right.place().0.end),
        }
    }
}
