//! Expressions over the rank of a process and the number of ranks, and when two of them can be equal.
//!
//! Promise: [`meet`] says "never" only if no two processes, of any number of ranks from `least` on, give the same
//! value.

use farside_pgas::ast::{BinaryOperator, UnaryOperator};
use farside_pgas::calculus::Expression;

/// Which processes run a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// The rank of this number, counted from the front.
    First(u32),
    /// All between the first and the last.
    Middle,
    /// This rank from the end: 1 is the last one.
    Last(u32),
}

impl Role {
    fn me(self) -> Form {
        match self {
            Self::First(rank) => Form::number(i64::from(rank)),
            Self::Middle => Form::Sum(Sum {
                me: 1,
                ..Sum::default()
            }),
            Self::Last(rank) => Form::Sum(Sum {
                me: 0,
                ranks: 1,
                number: -i64::from(rank),
            }),
        }
    }
}

/// How many processes have roles of their own, and from which number of ranks on an argument holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    first: i64,
    last: i64,
    least: i64,
}

impl Bounds {
    /// So many first and last ranks, and at least so many ranks.
    pub(super) fn new(first: u32, last: u32, least: u32) -> Self {
        Self {
            first: first.into(),
            last: last.into(),
            least: least.into(),
        }
    }

    /// The smallest number of ranks.
    pub(super) fn least(self) -> i64 {
        self.least
    }
}

/// `me * a + n * b + c`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    me: i64,
    ranks: i64,
    number: i64,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// This sum.
    Sum(Sum),
    /// This sum modulo `n`; without a part of `n`.
    Modulo(Sum),
    /// Nothing.
    Unknown,
}

/// When two values of two processes are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Never,
    /// Only if the second process is so many ranks after the first, modulo their number.
    Apart(i64),
    /// Nothing is known.
    Maybe,
}

impl Form {
    /// A number.
    pub(super) fn number(number: i64) -> Self {
        Self::Sum(Sum {
            number,
            ..Sum::default()
        })
    }

    /// The rank of a process itself.
    pub(super) fn me(role: Role) -> Self {
        role.me()
    }

    /// What two ways to a place agree in.
    pub(super) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Unknown }
    }

    /// Its number, if it is one.
    pub(super) fn as_number(self) -> Option<i64> {
        match self {
            Self::Sum(Sum {
                me: 0,
                ranks: 0,
                number,
            }) => Some(number),
            _ => None,
        }
    }

    /// Whether two evaluations by one process are equal.
    pub(super) fn is_same(self, other: Self) -> bool {
        self == other && self != Self::Unknown
    }

    /// The value of an expression; `registers` are those of the process.
    pub(super) fn of(expression: &Expression, registers: &[Form], role: Role, bounds: Bounds) -> Self {
        let of = |inner: &Expression| Self::of(inner, registers, role, bounds);
        match expression {
            Expression::Constant(value) => Self::number(*value),
            Expression::Me => role.me(),
            Expression::Ranks => Self::Sum(Sum {
                ranks: 1,
                ..Sum::default()
            }),
            Expression::Register(register) => registers[register.0],
            Expression::Unary(UnaryOperator::Minus, inner) => Self::number(0).less(of(inner)),
            Expression::Unary(UnaryOperator::Not, inner) => match of(inner).as_number() {
                Some(value) => Self::number(i64::from(value == 0)),
                None => Self::Unknown,
            },
            Expression::Element { .. } => Self::Unknown,
            Expression::Binary(operator, left, right) => {
                let (left, right) = (of(left), of(right));
                match (operator, left.as_number(), right.as_number()) {
                    (_, Some(_), Some(_)) => {
                        let plain = |value: Option<i64>| Box::new(Expression::Constant(value.unwrap_or(0)));
                        let both =
                            Expression::Binary(*operator, plain(left.as_number()), plain(right.as_number()));
                        both.value(0, 1, &|_| 0).map_or(Self::Unknown, Self::number)
                    }
                    (BinaryOperator::Add, ..) => left.and(right),
                    (BinaryOperator::Subtract, ..) => left.less(right),
                    (BinaryOperator::Multiply, Some(by), None) => right.times(by),
                    (BinaryOperator::Multiply, None, Some(by)) => left.times(by),
                    (BinaryOperator::Remainder, ..)
                        if right == Self::of(&Expression::Ranks, &[], role, bounds) =>
                    {
                        left.modulo(bounds)
                    }
                    _ => Self::Unknown,
                }
            }
        }
    }

    /// So many ranks after a process of a role is the process that a value names, modulo their number.
    pub(super) fn offset(self, role: Role) -> Option<i64> {
        match (self.sum()?, role.me().sum()?) {
            (sum, own) if sum.me == own.me => Some(sum.number.saturating_sub(own.number)),
            _ => None,
        }
    }

    /// The number of processes between the first and the last.
    pub(super) fn middle(bounds: Bounds) -> Self {
        Self::Sum(Sum {
            ranks: 1,
            number: bounds.first.saturating_add(bounds.last).saturating_neg(),
            ..Sum::default()
        })
    }

    /// The sum of two values.
    pub(super) fn and(self, other: Self) -> Self {
        self.less(Self::number(0).less(other))
    }

    /// Whether a value is at least another one, whatever the process and the number of ranks.
    pub(super) fn is_never_below(self, other: Self, bounds: Bounds) -> bool {
        match self.less(other) {
            Self::Sum(Sum { me: 0, ranks, number }) => {
                ranks >= 0 && ranks.saturating_mul(bounds.least).saturating_add(number) >= 0
            }
            _ => false,
        }
    }

    fn less(self, other: Self) -> Self {
        match (self, other) {
            (Self::Sum(one), Self::Sum(other)) => Self::Sum(Sum {
                me: one.me.saturating_sub(other.me),
                ranks: one.ranks.saturating_sub(other.ranks),
                number: one.number.saturating_sub(other.number),
            }),
            _ => Self::Unknown,
        }
    }

    /// The value so many times.
    pub(super) fn times(self, by: i64) -> Self {
        match self {
            Self::Sum(sum) => Self::Sum(Sum {
                me: sum.me.saturating_mul(by),
                ranks: sum.ranks.saturating_mul(by),
                number: sum.number.saturating_mul(by),
            }),
            _ => Self::Unknown,
        }
    }

    /// The value modulo `n`.
    fn modulo(self, bounds: Bounds) -> Self {
        let Self::Sum(sum) = self else {
            // What is reduced already stays as it is.
            return self;
        };
        let rest = Sum { ranks: 0, ..sum };
        match (sum.me, sum.number) {
            (1, 0) => Self::Sum(rest),
            (0, number) if (0..bounds.least).contains(&number) => Self::Sum(rest),
            (0, number) if (-bounds.least..0).contains(&number) => Self::Sum(Sum { ranks: 1, ..rest }),
            _ => Self::Modulo(rest),
        }
    }

    fn sum(self) -> Option<Sum> {
        match self {
            Self::Sum(sum) | Self::Modulo(sum) => Some(sum),
            Self::Unknown => None,
        }
    }
}

/// When a value of a process of one role equals one of a process of another; both lie between 0 and `n`, or are the
/// same sums.
pub(super) fn meet(one: (Form, Role), other: (Form, Role), bounds: Bounds) -> Meeting {
    let (Some(left), Some(right)) = (one.0.sum(), other.0.sum()) else {
        return Meeting::Maybe;
    };
    let plain = matches!((one.0, other.0), (Form::Sum(_), Form::Sum(_)));
    let apart = left.number.saturating_sub(right.number);
    match (left.me, right.me) {
        (0, 0) if plain => match left.ranks.saturating_sub(right.ranks) {
            0 if apart == 0 => Meeting::Maybe,
            0 => Meeting::Never,
            // n * b = a number that is smaller than every n.
            _ if apart.abs() < bounds.least => Meeting::Never,
            _ => Meeting::Maybe,
        },
        // The same multiple of both ranks.
        (by, of) if plain && by == of && left.ranks == right.ranks => match apart.checked_rem(by) {
            Some(0) => Meeting::Apart(apart / by),
            _ => Meeting::Never,
        },
        // A multiple of the rank, and a number.
        (by, 0) if plain && one.1 == Role::Middle && left.ranks == right.ranks => {
            multiple_in_the_middle(by, apart.saturating_neg(), bounds)
        }
        (0, by) if plain && other.1 == Role::Middle && left.ranks == right.ranks => {
            multiple_in_the_middle(by, apart, bounds)
        }
        // Equal modulo n, at least.
        (1, 1) => Meeting::Apart(apart),
        // A process of the middle is none of the first, and none of the last.
        (1, 0) if one.1 == Role::Middle => {
            not_in_the_middle(right.number.saturating_sub(left.number), bounds)
        }
        (0, 1) if other.1 == Role::Middle => {
            not_in_the_middle(left.number.saturating_sub(right.number), bounds)
        }
        _ => Meeting::Maybe,
    }
}

/// `me * by` is this number: `me` is whole, and not below the first of the middle.
fn multiple_in_the_middle(by: i64, number: i64, bounds: Bounds) -> Meeting {
    if number.checked_rem(by) == Some(0) && number / by >= bounds.first {
        Meeting::Maybe
    } else {
        Meeting::Never
    }
}

/// `me` is this number, modulo `n`: never in the middle, if that is a rank of the first or of the last.
fn not_in_the_middle(me: i64, bounds: Bounds) -> Meeting {
    if (-bounds.last..bounds.first).contains(&me) {
        Meeting::Never
    } else {
        Meeting::Maybe
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_pgas::ast::BinaryOperator as B;

    const BOUNDS: Bounds = Bounds {
        first: 1,
        last: 1,
        least: 5,
    };

    fn binary(operator: B, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Random sums, with and without a remainder.
    fn expressions() -> Vec<Expression> {
        let mut found = Vec::new();
        for number in [-3, -1, 0, 1, 2, 7] {
            for base in [Expression::Me, Expression::Ranks, Expression::Constant(0)] {
                let sum = binary(B::Add, base, Expression::Constant(number));
                found.push(binary(B::Remainder, sum.clone(), Expression::Ranks));
                found.push(sum);
            }
            let twice = binary(B::Multiply, Expression::Constant(2), Expression::Me);
            found.push(binary(B::Add, twice, Expression::Constant(number)));
            let both = binary(B::Add, Expression::Me, Expression::Ranks);
            let less = binary(B::Subtract, both, Expression::Constant(number));
            found.push(binary(B::Remainder, less, Expression::Ranks));
        }
        found
    }

    fn roles() -> [Role; 3] {
        [Role::First(0), Role::Middle, Role::Last(1)]
    }

    fn ranks_of(role: Role, ranks: u32) -> std::ops::Range<u32> {
        match role {
            Role::First(rank) => rank..rank + 1,
            Role::Middle => 1..ranks - 1,
            Role::Last(rank) => ranks - rank..ranks - rank + 1,
        }
    }

    #[test]
    fn what_never_meets_never_does_and_what_is_apart_is() {
        let mut told = [0, 0];
        for one in &expressions() {
            for other in &expressions() {
                for (left, right) in roles()
                    .into_iter()
                    .flat_map(|left| roles().map(|right| (left, right)))
                {
                    let form = |expression, role| (Form::of(expression, &[], role, BOUNDS), role);
                    let said = meet(form(one, left), form(other, right), BOUNDS);
                    for ranks in 5..11 {
                        for p in ranks_of(left, ranks) {
                            for q in ranks_of(right, ranks) {
                                let value = |of: &Expression, me| of.value(me, ranks, &|_| 0).unwrap();
                                let range = 0..i64::from(ranks);
                                let (x, y) = (value(one, p), value(other, q));
                                // Ranks and indices are in range, or the program is none.
                                if x != y || !range.contains(&x) {
                                    continue;
                                }
                                match said {
                                    Meeting::Never => {
                                        panic!("{one:?} {left:?} {p}, {other:?} {right:?} {q}: {ranks}")
                                    }
                                    Meeting::Apart(by) => {
                                        let after =
                                            (i64::from(q) - i64::from(p) - by).rem_euclid(i64::from(ranks));
                                        assert_eq!(after, 0, "{one:?} {p}, {other:?} {q} of {ranks}");
                                    }
                                    Meeting::Maybe => {}
                                }
                            }
                        }
                    }
                    told[0] += usize::from(said == Meeting::Never);
                    told[1] += usize::from(matches!(said, Meeting::Apart(_)));
                }
            }
        }
        assert!(told.iter().all(|&count| count > 100), "{told:?}");
    }
}
