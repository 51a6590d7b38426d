//! Expressions over registers and numbers.

use super::cursor::Cursor;
use super::statement::Body;
use crate::ast::{BinaryOperator, Expression};
use crate::error::ParseError;
use crate::lexer::TokenKind;

/// Deeper nesting than this is refused, so that no text can exhaust the stack.
pub(super) const MOST_NESTING: usize = 64;
/// Operators in one expression: a chain of them is a tree as deep as it is long.
const MOST_OPERATORS: usize = 256;

/// How tightly an operator binds; higher is tighter.
pub(crate) fn binding(operator: BinaryOperator) -> u8 {
    use BinaryOperator::{
        Add, And, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Multiply, NotEqual, Or, Subtract,
    };
    match operator {
        Or => 1,
        And => 2,
        Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual => 3,
        Add | Subtract => 4,
        Multiply => 5,
    }
}

pub(super) fn operator(kind: TokenKind<'_>) -> Option<BinaryOperator> {
    let TokenKind::Symbol(symbol) = kind else {
        return None;
    };
    Some(match symbol {
        "+" => BinaryOperator::Add,
        "-" => BinaryOperator::Subtract,
        "*" => BinaryOperator::Multiply,
        "==" | "=" => BinaryOperator::Equal,
        "!=" | "<>" => BinaryOperator::NotEqual,
        "<" => BinaryOperator::Less,
        "<=" => BinaryOperator::LessOrEqual,
        ">" => BinaryOperator::Greater,
        ">=" => BinaryOperator::GreaterOrEqual,
        "&&" | "/\\" => BinaryOperator::And,
        "||" | "\\/" => BinaryOperator::Or,
        _ => return None,
    })
}

impl Body<'_> {
    pub(super) fn expression(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Expression, ParseError> {
        let mut operators = 0;
        self.binary(cursor, 1, 0, &mut operators)
    }

    /// The right side of an assignment: an expression, perhaps in parentheses, which are no nesting.
    pub(super) fn value(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Expression, ParseError> {
        let ends = |kind| matches!(kind, None | Some(TokenKind::Symbol(";" | "}")));
        if cursor
            .closing()
            .is_some_and(|ahead| ends(cursor.peek_at(ahead + 1)))
        {
            cursor.next();
            let value = self.expression(cursor)?;
            cursor.expect(")", "close what `(` opened")?;
            return Ok(value);
        }
        self.expression(cursor)
    }

    /// Operators that bind at least as tightly as `least`, to the left.
    fn binary(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        least: u8,
        depth: usize,
        operators: &mut usize,
    ) -> Result<Expression, ParseError> {
        let mut left = self.unary(cursor, depth, operators)?;
        while let Some(operator) = cursor
            .peek()
            .and_then(operator)
            .filter(|next| binding(*next) >= least)
        {
            *operators += 1;
            if *operators > MOST_OPERATORS {
                let error = ParseError::new(cursor.place(), "this expression is too long");
                return Err(error.hint(format!(
                    "at most {MOST_OPERATORS} operators; assign parts of it to registers"
                )));
            }
            cursor.next();
            let right = self.binary(cursor, binding(operator) + 1, depth + 1, operators)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        operators: &mut usize,
    ) -> Result<Expression, ParseError> {
        if depth > MOST_NESTING {
            let error = ParseError::new(cursor.place(), "this expression is nested too deeply");
            return Err(error.hint(format!("at most {MOST_NESTING} levels")));
        }
        let place = cursor.place();
        match cursor.peek() {
            Some(TokenKind::Symbol("(")) => {
                cursor.next();
                let inner = self.binary(cursor, 1, depth + 1, operators)?;
                cursor.expect(")", "close what `(` opened")?;
                Ok(inner)
            }
            Some(TokenKind::Symbol("!" | "~")) => {
                cursor.next();
                Ok(Expression::Not(Box::new(self.unary(
                    cursor,
                    depth + 1,
                    operators,
                )?)))
            }
            Some(TokenKind::Symbol("-")) => {
                if let Some(TokenKind::Number(_)) = cursor.peek_at(1) {
                    return Ok(Expression::Number(number(cursor)?));
                }
                cursor.next();
                Ok(Expression::Negative(Box::new(self.unary(
                    cursor,
                    depth + 1,
                    operators,
                )?)))
            }
            Some(TokenKind::Number(_)) => Ok(Expression::Number(number(cursor)?)),
            Some(TokenKind::Word(word)) => {
                cursor.next();
                if self.scope.variable(word).is_some() {
                    let error = ParseError::new(
                        place,
                        format!("`{word}` is a variable: an expression has only registers and numbers"),
                    );
                    return Err(error.hint(format!("read it into a register first: `r = {word}`")));
                }
                Ok(Expression::Register(self.register(word, place)?))
            }
            _ => Err(cursor
                .unexpected("a register or a number")
                .hint("`a`, `a + 1`, `(a == 1)`")),
        }
    }
}

/// A number with an optional sign.
pub(super) fn number(cursor: &mut Cursor<'_, '_>) -> Result<i64, ParseError> {
    let place = cursor.place();
    let negative = cursor.take("-");
    let error = cursor.unexpected("a number");
    let Some(TokenKind::Number(size)) = cursor.peek() else {
        return Err(error);
    };
    cursor.next();
    let value = if negative {
        0_i64.checked_sub_unsigned(size)
    } else {
        i64::try_from(size).ok()
    };
    value.ok_or_else(|| ParseError::new(place, "this number is too large").hint("values are 64-bit integers"))
}
