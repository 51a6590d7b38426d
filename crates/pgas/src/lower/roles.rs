//! Which processes run the same code, for every number of processes from some on.
//!
//! Promise: for each number of ranks from [`Roles::least`] on, the ranks below [`Roles::first`], counted from the
//! front, and the last [`Roles::last`], counted from the end, decide every condition that lowering decides (over
//! numbers, `me` and `n` only, and `rank` blocks) as with any other such number, and all ranks between decide them
//! alike. Conditions that tell ranks apart in another way are choices in [`Roles::program`]: its computations are those
//! of the program, and others.

use super::Settings;
use crate::ast::{
    BinaryOperator, DeclarationKind, Expression, Place, Program, Statement, StatementKind, UnaryOperator,
};
use crate::diagnostic::Diagnostic;
use crate::dialect;
use std::collections::BTreeSet;

/// Which processes run the same code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roles {
    /// So many of the first ranks may run code of their own.
    pub first: u32,
    /// So many of the last ranks may.
    pub last: u32,
    /// From this number of ranks on.
    pub least: u32,
    /// Variables and registers whose first values are not numbers: they depend on the rank, or on how many there are.
    pub varying: BTreeSet<String>,
    /// The program in statements of the calculus, with choices in place of conditions that are not followed.
    pub program: Program,
    /// Those conditions.
    pub chosen: Vec<Place>,
}

/// The roles of a program, whatever the number of its ranks.
///
/// # Errors
/// The mistakes of the program.
pub fn roles(program: &Program, settings: Settings) -> Result<Roles, Vec<Diagnostic>> {
    // Calls become statements of the calculus; for how many ranks does not matter to conditions.
    let program = dialect::translate(program, settings.api, super::MAX_RANKS, settings.polls)?;
    let mut roles = Roles {
        first: 0,
        last: 0,
        least: 1,
        varying: BTreeSet::new(),
        program,
        chosen: Vec::new(),
    };
    for declaration in &roles.program.declarations {
        let is_number = |value: &Expression| matches!(value, Expression::Number(..));
        let numbers = match &declaration.kind {
            DeclarationKind::Shared(values) => values.iter().all(is_number),
            DeclarationKind::Register(value) => value.as_ref().is_none_or(is_number),
            DeclarationKind::Queue(_) | DeclarationKind::Handle => true,
        };
        if !numbers {
            roles.varying.insert(declaration.name.text.clone());
        }
    }
    let mut body = std::mem::take(&mut roles.program.body);
    roles.block(&mut body);
    roles.program.body = body;
    roles.least = roles
        .least
        .max(roles.first.saturating_add(roles.last).saturating_add(1));
    Ok(roles)
}

impl Roles {
    fn block(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            match &mut statement.kind {
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.block(then);
                    self.block(otherwise);
                    if !self.follows(condition) {
                        let ways = vec![std::mem::take(then), std::mem::take(otherwise)];
                        statement.kind = StatementKind::Choice(ways);
                    }
                }
                StatementKind::While { condition, body } => {
                    self.block(body);
                    if !self.follows(condition) {
                        statement.kind = StatementKind::Loop(std::mem::take(body));
                    }
                }
                StatementKind::Loop(body) => self.block(body),
                StatementKind::Choice(ways) => ways.iter_mut().for_each(|way| self.block(way)),
                StatementKind::Rank {
                    ranks,
                    body,
                    otherwise,
                } => {
                    let last = ranks.iter().map(|&(_, last)| last).max();
                    self.first = self.first.max(last.map_or(0, |last| last.saturating_add(1)));
                    self.block(body);
                    self.block(otherwise);
                }
                _ => {}
            }
        }
    }

    /// Whether ranks decide a condition by their roles; one that names memory or registers is left to the run.
    fn follows(&mut self, condition: &Expression) -> bool {
        let follows = !is_known_before_the_run(condition) || self.is_by_role(condition);
        if !follows {
            self.chosen.push(condition.place());
        }
        follows
    }

    fn is_by_role(&mut self, condition: &Expression) -> bool {
        match condition {
            Expression::Unary(UnaryOperator::Not, inner) => self.is_by_role(inner),
            Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                self.is_by_role(left) && self.is_by_role(right)
            }
            Expression::Binary(
                BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual,
                left,
                right,
            ) => match (Sum::of(left), Sum::of(right)) {
                (Some(left), Some(right)) => self.compares(left.less(right)),
                _ => false,
            },
            // `if me`, `while 1`: not 0.
            other => Sum::of(other).is_some_and(|sum| self.compares(sum)),
        }
    }

    /// A sum is compared with 0: where its sign changes, a role begins.
    fn compares(&mut self, sum: Sum) -> bool {
        let (role, at) = match (sum.me, sum.ranks) {
            (0, 0) => return true,
            // Only the number of ranks: large ones are alike.
            (0, -1 | 1) => (&mut self.least, sum.number.saturating_abs().saturating_add(1)),
            // `me` and a number.
            (1 | -1, 0) => (
                &mut self.first,
                sum.number.saturating_mul(-sum.me).saturating_add(1),
            ),
            // `me` and the number of ranks less a number.
            (1, -1) | (-1, 1) => (&mut self.last, sum.number.saturating_mul(sum.me)),
            _ => return false,
        };
        let Ok(at) = u32::try_from(at.max(0)) else {
            return false;
        };
        *role = at.max(*role);
        true
    }
}

/// Whether a condition has a value when rank and number of ranks are known.
fn is_known_before_the_run(expression: &Expression) -> bool {
    match expression {
        Expression::Number(..) | Expression::Me(_) | Expression::Ranks(_) => true,
        Expression::Value(_) | Expression::Address(_) | Expression::Call(_) => false,
        Expression::Unary(_, inner) => is_known_before_the_run(inner),
        Expression::Binary(_, left, right) => is_known_before_the_run(left) && is_known_before_the_run(right),
    }
}

/// `me * a + n * b + c`
#[derive(Clone, Copy)]
struct Sum {
    me: i64,
    ranks: i64,
    number: i64,
}

impl Sum {
    fn of(expression: &Expression) -> Option<Self> {
        let sum = |me, ranks, number| Self { me, ranks, number };
        Some(match expression {
            Expression::Number(value, _) => sum(0, 0, *value),
            Expression::Me(_) => sum(1, 0, 0),
            Expression::Ranks(_) => sum(0, 1, 0),
            Expression::Unary(UnaryOperator::Minus, inner) => sum(0, 0, 0).less(Self::of(inner)?),
            Expression::Binary(BinaryOperator::Add, left, right) => {
                Self::of(left)?.less(sum(0, 0, 0).less(Self::of(right)?))
            }
            Expression::Binary(BinaryOperator::Subtract, left, right) => {
                Self::of(left)?.less(Self::of(right)?)
            }
            _ => return None,
        })
    }

    fn less(self, other: Self) -> Self {
        Self {
            me: self.me.saturating_sub(other.me),
            ranks: self.ranks.saturating_sub(other.ranks),
            number: self.number.saturating_sub(other.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::roles;
    use crate::ast::StatementKind;
    use crate::lower::Settings;
    use crate::parser::parse;

    /// The numbers of first and last ranks, and the least number; whether a condition became a choice.
    fn of(body: &str) -> ((u32, u32, u32), bool) {
        let text = format!("program p\nranks 2\ndomain 2\nshared x\nregister r\n{body}\n");
        let roles = roles(&parse(&text).unwrap(), Settings::default()).unwrap();
        let chosen = |kind: &StatementKind| matches!(kind, StatementKind::Choice(_) | StatementKind::Loop(_));
        let any = roles.program.body.iter().any(|statement| chosen(&statement.kind));
        ((roles.first, roles.last, roles.least), any)
    }

    #[test]
    fn conditions_on_ranks_name_the_first_and_the_last() {
        for (body, expected) in [
            ("x = 1", (0, 0, 1)),
            ("if me == 0 { x = 1 }", (1, 0, 2)),
            ("if me > 2 { x = 1 }", (3, 0, 4)),
            ("if me + 1 < n { x = 1 }", (0, 1, 2)),
            ("if !(me == 0 || me >= n - 2) { x = 1 }", (1, 2, 4)),
            ("rank 0, 2..3 { x = 1 }", (4, 0, 5)),
            ("if n > 5 { x = 1 }", (0, 0, 6)),
            ("if r == me { x = 1 }", (0, 0, 1)),
        ] {
            assert_eq!(of(body), (expected, false), "{body}");
        }
    }

    #[test]
    fn other_conditions_on_ranks_become_choices() {
        for body in [
            "if me % 2 == 0 { x = 1 }",
            "if 2 * me + 1 < n { x = 1 }",
            "while me + me < 3 { x = 1 }",
        ] {
            assert!(of(body).1, "{body}");
        }
    }
}
