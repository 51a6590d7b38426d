//! `shared x = 1, a[4] = {1, 2}`, `register r`, `queue q unordered`, `handle h`.

use super::{Parsed, Parser};
use crate::ast::{Declaration, DeclarationKind, Order};
use crate::lexer::Word;

impl Parser<'_> {
    /// One line of declarations; the keyword is the next word.
    pub(super) fn declarations(&mut self, into: &mut Vec<Declaration>) -> Parsed<()> {
        let Word::Name(keyword) = self.word() else {
            return self.fail("a declaration is missing here", "write `shared x`");
        };
        self.step();
        let first = into.len();
        loop {
            let name = self.new_name(match keyword {
                "shared" => "variable",
                "register" => "register",
                "queue" => "queue",
                _ => "handle",
            })?;
            let count = if keyword != "register" && self.take("[") {
                let count = self.number()?;
                self.expect("]")?;
                Some(count)
            } else {
                None
            };
            let kind = match keyword {
                "shared" => DeclarationKind::Shared(self.first_values(count.is_some())?),
                "register" => DeclarationKind::Register(self.first_values(false)?.pop()),
                "queue" => DeclarationKind::Queue(None),
                _ => DeclarationKind::Handle,
            };
            into.push(Declaration { name, kind, count });
            if !self.take(",") {
                break;
            }
            while self.word() == Word::End {
                self.step();
            }
        }
        if keyword == "queue" {
            let order = self.order()?;
            for declaration in &mut into[first..] {
                declaration.kind = DeclarationKind::Queue(order);
            }
        }
        Ok(())
    }

    fn first_values(&mut self, array: bool) -> Parsed<Vec<crate::ast::Expression>> {
        if !self.take("=") {
            return Ok(Vec::new());
        }
        if !(array && self.take("{")) {
            return Ok(vec![self.expression()?]);
        }
        let mut values = vec![self.expression()?];
        while self.take(",") {
            values.push(self.expression()?);
        }
        self.expect("}")?;
        Ok(values)
    }

    pub(crate) fn order(&mut self) -> Parsed<Option<Order>> {
        if self.take_name("unordered") {
            return Ok(Some(Order::Unordered));
        }
        if !self.take_name("ordered") {
            return Ok(None);
        }
        if !self.take_name("per") {
            return Ok(Some(Order::Ordered));
        }
        if self.take_name("target") {
            return Ok(Some(Order::PerTarget));
        }
        self.fail("`ordered per` what?", "write `ordered per target`")
    }
}
