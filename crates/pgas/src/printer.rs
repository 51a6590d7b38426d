//! Tree to text; what it prints parses back to the same tree.

use crate::ast::{
    AtomicOperation, Completion, Declaration, DeclarationKind, Direction, Expression, Order, Program,
    Statement, StatementKind, Target, UnaryOperator,
};
use std::fmt::{self, Write as _};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {}", self.name.text)?;
        for line in &self.about {
            writeln!(f, "\"{line}\"")?;
        }
        if let Some(api) = self.api {
            writeln!(f, "api {}", api.name())?;
        }
        if let Some(ranks) = &self.ranks {
            writeln!(f, "ranks {}", ranks.value)?;
        }
        if let Some(domain) = &self.domain {
            let wraps = if self.wraps { " wraps" } else { "" };
            writeln!(f, "domain {}{wraps}", domain.value)?;
        }
        if !self.declarations.is_empty() {
            writeln!(f)?;
        }
        for declaration in &self.declarations {
            writeln!(f, "{declaration}")?;
        }
        writeln!(f)?;
        block(f, &self.body, 0)
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count.map_or_else(String::new, |count| format!("[{count}]"));
        let name = format!("{}{count}", self.name.text);
        match &self.kind {
            DeclarationKind::Shared(values) => match values.as_slice() {
                [] => write!(f, "shared {name}"),
                [value] => write!(f, "shared {name} = {value}"),
                values => write!(f, "shared {name} = {{{}}}", list(values)),
            },
            DeclarationKind::Register(None) => write!(f, "register {name}"),
            DeclarationKind::Register(Some(value)) => write!(f, "register {name} = {value}"),
            DeclarationKind::Queue(order) => write!(
                f,
                "queue {name}{}",
                match order {
                    None => "",
                    Some(Order::Ordered) => " ordered",
                    Some(Order::PerTarget) => " ordered per target",
                    Some(Order::Unordered) => " unordered",
                }
            ),
            DeclarationKind::Handle => write!(f, "handle {name}"),
        }
    }
}

fn block(f: &mut fmt::Formatter<'_>, statements: &[Statement], depth: usize) -> fmt::Result {
    for statement in statements {
        print(f, statement, depth)?;
    }
    Ok(())
}

fn print(f: &mut fmt::Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
    let margin = "    ".repeat(depth);
    write!(f, "{margin}")?;
    let body = |f: &mut fmt::Formatter<'_>, statements: &[Statement]| {
        writeln!(f, " {{")?;
        block(f, statements, depth + 1)?;
        write!(f, "{margin}}}")
    };
    let otherwise = |f: &mut fmt::Formatter<'_>, statements: &[Statement]| {
        if !statements.is_empty() {
            write!(f, " else")?;
            body(f, statements)?;
        }
        Ok(())
    };
    match &statement.kind {
        StatementKind::If {
            then,
            otherwise: other,
            ..
        } => {
            write!(f, "{}", head(&statement.kind))?;
            body(f, then)?;
            otherwise(f, other)?;
        }
        StatementKind::Rank {
            body: then,
            otherwise: other,
            ..
        } => {
            write!(f, "{}", head(&statement.kind))?;
            body(f, then)?;
            otherwise(f, other)?;
        }
        StatementKind::While { body: inner, .. } | StatementKind::Loop(inner) => {
            write!(f, "{}", head(&statement.kind))?;
            body(f, inner)?;
        }
        StatementKind::Choice(ways) => {
            for (at, way) in ways.iter().enumerate() {
                write!(f, "{}", if at == 0 { "choice" } else { " or" })?;
                body(f, way)?;
            }
        }
        kind => write!(f, "{}", head(kind))?,
    }
    writeln!(f)
}

/// A statement without the blocks in it: one line, as answers quote it.
#[must_use]
pub fn head(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Assign { into, value } => format!("{into} = {value}"),
        StatementKind::Assume(condition) => format!("assume {condition}"),
        StatementKind::Assert(condition) => format!("assert {condition}"),
        StatementKind::If { condition, .. } => format!("if {condition}"),
        StatementKind::While { condition, .. } => format!("while {condition}"),
        StatementKind::Loop(_) => "loop".to_owned(),
        StatementKind::Choice(_) => "choice".to_owned(),
        StatementKind::Rank { ranks, .. } => {
            let ranges = ranks.iter().map(|&(first, last)| {
                if first == last {
                    first.to_string()
                } else {
                    format!("{first}..{last}")
                }
            });
            format!("rank {}", ranges.collect::<Vec<_>>().join(", "))
        }
        StatementKind::Break => "break".to_owned(),
        StatementKind::Continue => "continue".to_owned(),
        StatementKind::Goto(label) => format!("goto {}", label.text),
        StatementKind::Label(label) => format!("{}:", label.text),
        StatementKind::Skip => "skip".to_owned(),
        StatementKind::Transfer {
            direction,
            local,
            rank,
            remote,
            queue,
            handle,
            after_earlier,
        } => {
            let name = match (direction, after_earlier) {
                (Direction::Read, false) => "read",
                (Direction::Read, true) => "read_after",
                (Direction::Write, false) => "write",
                (Direction::Write, true) => "write_after",
            };
            format!(
                "{name}({local}, {rank}, {remote}, {queue}{})",
                after_comma(handle.as_ref())
            )
        }
        StatementKind::Atomic {
            operation,
            local,
            rank,
            remote,
            operands,
            queue,
            handle,
        } => {
            let name = match operation {
                AtomicOperation::FetchAdd => "fetch_add",
                AtomicOperation::Swap => "swap",
                AtomicOperation::CompareSwap => "cas",
            };
            let operands = list(operands);
            let local = local.as_ref().map_or_else(|| "_".to_owned(), ToString::to_string);
            format!(
                "{name}({local}, {rank}, {remote}, {operands}, {queue}{})",
                after_comma(handle.as_ref())
            )
        }
        StatementKind::Barrier => "barrier".to_owned(),
        StatementKind::Wait {
            what,
            completion: Completion::Full,
        } => format!("wait {what}"),
        StatementKind::Wait {
            what,
            completion: Completion::Local,
        } => format!("wait_local {what}"),
        StatementKind::Fence { queue, rank } => format!("fence {queue}{}", after_comma(rank.as_ref())),
        StatementKind::Call { into, call } => {
            let into = into
                .as_ref()
                .map_or_else(String::new, |into| format!("{into} = "));
            format!("{into}{}({})", call.name.text, list(&call.arguments))
        }
    }
}

fn after_comma(value: Option<&impl fmt::Display>) -> String {
    value.map_or_else(String::new, |value| format!(", {value}"))
}

fn list(expressions: &[Expression]) -> String {
    let mut text = String::new();
    for (at, expression) in expressions.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{expression}", if at == 0 { "" } else { ", " });
    }
    text
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{}", name.text),
            Self::Element(name, index) => write!(f, "{}[{index}]", name.text),
            Self::Memory(address, _) => write!(f, "mem[{address}]"),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value, _) => write!(f, "{value}"),
            Self::Me(_) => write!(f, "me"),
            Self::Ranks(_) => write!(f, "n"),
            Self::Value(target) => write!(f, "{target}"),
            Self::Address(target) => write!(f, "&{target}"),
            Self::Call(call) => write!(f, "{}({})", call.name.text, list(&call.arguments)),
            Self::Unary(operator, inner) => {
                let sign = match operator {
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Not => "!",
                };
                match **inner {
                    Self::Binary(..) => write!(f, "{sign}({inner})"),
                    _ => write!(f, "{sign}{inner}"),
                }
            }
            Self::Binary(operator, left, right) => {
                let own = operator.precedence();
                side(f, left, |inner| inner < own)?;
                write!(f, " {} ", operator.sign())?;
                side(f, right, |inner| inner <= own)
            }
        }
    }
}

/// One side of an operator, in brackets if its own operator would not bind first.
fn side(f: &mut fmt::Formatter<'_>, inner: &Expression, brackets: impl Fn(u8) -> bool) -> fmt::Result {
    match inner {
        Expression::Binary(operator, ..) if brackets(operator.precedence()) => write!(f, "({inner})"),
        _ => write!(f, "{inner}"),
    }
}
