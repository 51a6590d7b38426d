//! Registers numbered as the parser numbers them.

use crate::ast::{Expression, Process, RegisterId, Statement, StatementKind};

/// Numbers the registers of a process in order of first use, and forgets those that are not used.
pub(super) fn in_order_of_use(process: &mut Process) {
    let mut order = Order {
        names: &process.registers,
        new: Vec::new(),
    };
    order.statements(&mut process.statements);
    process.registers = order
        .new
        .iter()
        .map(|&old| process.registers[old as usize].clone())
        .collect();
}

struct Order<'n> {
    names: &'n [String],
    /// By new number: the old one.
    new: Vec<u32>,
}

impl Order<'_> {
    fn register(&mut self, id: &mut RegisterId) {
        let old = id.0 % self.names.len() as u32;
        let known = self.new.iter().position(|&other| other == old);
        let new = known.unwrap_or_else(|| {
            self.new.push(old);
            self.new.len() - 1
        });
        *id = RegisterId(new as u32);
    }

    fn expression(&mut self, expression: &mut Expression) {
        match expression {
            Expression::Number(_) => {}
            Expression::Register(id) => self.register(id),
            Expression::Negative(inner) | Expression::Not(inner) => self.expression(inner),
            Expression::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
        }
    }

    fn statements(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            match &mut statement.kind {
                StatementKind::Load { into, .. } | StatementKind::Take { into, .. } => self.register(into),
                StatementKind::Store { value, .. } => self.expression(value),
                StatementKind::Assign { into, value } => {
                    self.expression(value);
                    self.register(into);
                }
                StatementKind::While { condition, body, .. } => {
                    self.expression(condition);
                    self.statements(body);
                }
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.expression(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                _ => {}
            }
        }
    }
}
