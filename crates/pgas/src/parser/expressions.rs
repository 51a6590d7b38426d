//! Expressions, by precedence; and what can be assigned to.

use super::{KEYWORDS, MAX_DEPTH, Parsed, Parser};
use crate::ast::{BinaryOperator, Call, Expression, Target, UnaryOperator};
use crate::lexer::Word;

const OPERATORS: [BinaryOperator; 13] = [
    BinaryOperator::Or,
    BinaryOperator::And,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::LessOrEqual,
    BinaryOperator::Greater,
    BinaryOperator::GreaterOrEqual,
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
];

impl Parser<'_> {
    /// A whole expression.
    pub(crate) fn expression(&mut self) -> Parsed<Expression> {
        self.nested(|parser| parser.binary(0))
    }

    /// Operators that bind closer than `above`.
    fn binary(&mut self, above: u8) -> Parsed<Expression> {
        let mut left = self.unary()?;
        let mut links = 0;
        while let Some(operator) = self.operator() {
            if operator.precedence() <= above {
                break;
            }
            // Each link makes the tree one deeper.
            links += 1;
            if links > MAX_DEPTH {
                return self.fail(
                    format!("more than {MAX_DEPTH} operators in a row"),
                    "give a part of it to a register first",
                );
            }
            self.step();
            let right = self.nested(|parser| parser.binary(operator.precedence()))?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operator(&self) -> Option<BinaryOperator> {
        let Word::Sign(sign) = self.word() else {
            return None;
        };
        OPERATORS.into_iter().find(|operator| operator.sign() == sign)
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let operator = match self.word() {
            Word::Sign("-") => UnaryOperator::Minus,
            Word::Sign("!") => UnaryOperator::Not,
            _ => return self.primary(),
        };
        self.step();
        let inner = self.nested(Self::unary)?;
        Ok(Expression::Unary(operator, Box::new(inner)))
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let place = self.place();
        match self.word() {
            Word::Number(value) => {
                self.step();
                Ok(Expression::Number(value, place))
            }
            Word::Name("me") => {
                self.step();
                Ok(Expression::Me(place))
            }
            Word::Name("n") => {
                self.step();
                Ok(Expression::Ranks(place))
            }
            Word::Sign("(") => {
                self.step();
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            Word::Sign("&") => {
                self.step();
                Ok(Expression::Address(self.target()?))
            }
            Word::Name(name) if self.word_after() == Word::Sign("(") && !KEYWORDS.contains(&name) => {
                Ok(Expression::Call(Box::new(self.call()?)))
            }
            Word::Name(_) => Ok(Expression::Value(self.target()?)),
            _ => self.fail(
                "an expression is missing here",
                "write a number, a register, a variable, `me`, `n` or a bracket",
            ),
        }
    }

    /// `f(e, e)`; the name is the next word.
    pub(crate) fn call(&mut self) -> Parsed<Call> {
        let Word::Name(text) = self.word() else {
            return self.fail("a call is missing here", "write `name(...)`");
        };
        let name = self.name_here(text);
        self.expect("(")?;
        let mut arguments = Vec::new();
        if !self.take(")") {
            loop {
                arguments.push(self.expression()?);
                if !self.take(",") {
                    break;
                }
                self.skip_ends();
            }
            self.expect(")")?;
        }
        Ok(Call { name, arguments })
    }

    fn is_keyword(&self, text: &str) -> bool {
        KEYWORDS.contains(&text) && !self.names.contains(&text)
    }

    /// `x`, `a[e]`, `mem[e]`
    pub(super) fn target(&mut self) -> Parsed<Target> {
        let start = self.place();
        if self.take_name("mem") {
            self.expect("[")?;
            let address = self.expression()?;
            self.expect("]")?;
            return Ok(Target::Memory(Box::new(address), self.since(&start)));
        }
        let name = match self.word() {
            Word::Name(text) if !self.is_keyword(text) && !text.starts_with(|c: char| c.is_ascii_digit()) => {
                self.name_here(text)
            }
            Word::Name(text) => {
                return self.fail(format!("`{text}` is no variable"), "a name is expected here");
            }
            _ => return self.fail("a variable is missing here", "write its name"),
        };
        if !self.take("[") {
            return Ok(Target::Name(name));
        }
        let index = self.expression()?;
        self.expect("]")?;
        Ok(Target::Element(name, Box::new(index)))
    }
}
