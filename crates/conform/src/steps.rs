//! A litmus program as what each rank does.

use farside_litmus::ast::{
    Access, BinaryOperator, Expression, Place, Program, Rank, RegisterId, Statement, StatementKind,
    VariableId,
};

/// A statement that is not of coreRMA, or not of the kind that can be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{statement}` cannot be run on a transport: {reason}")]
pub struct Unsupported {
    /// As printed.
    pub statement: String,
    /// Why.
    pub reason: &'static str,
    /// Where it stands.
    pub place: Place,
}

/// What a rank does, one after the other.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Load {
        into: RegisterId,
        from: VariableId,
    },
    Store {
        into: VariableId,
        value: Expression,
    },
    Assign {
        into: RegisterId,
        value: Expression,
    },
    Get {
        into: VariableId,
        target: VariableId,
    },
    Put {
        target: VariableId,
        from: VariableId,
    },
    FetchAdd {
        into: VariableId,
        target: VariableId,
        operand: VariableId,
    },
    CompareSwap {
        into: VariableId,
        target: VariableId,
        compare: VariableId,
        swap: VariableId,
    },
    Flush(Rank),
    /// All ranks come to it.
    Barrier,
    /// Goes to a step if the condition is 0.
    Unless(Expression, usize),
    /// Goes to a step.
    Jump(usize),
    /// A loop begins: its counter is 0.
    Enter(usize),
    /// Gives up if the loop was run so often.
    Bound(usize, u32),
}

/// A program that can be run.
#[derive(Clone, Debug)]
pub struct Steps<'p> {
    pub(crate) program: &'p Program,
    pub(crate) processes: Vec<Vec<Step>>,
    /// Loops of all processes.
    pub(crate) loops: usize,
}

impl<'p> Steps<'p> {
    /// Of a program of coreRMA.
    ///
    /// # Errors
    /// The first statement that is not coreRMA's, such as a fence of MPI.
    pub fn of(program: &'p Program) -> Result<Self, Unsupported> {
        let mut steps = Self {
            program,
            processes: Vec::new(),
            loops: 0,
        };
        for (process, rank) in program.processes.iter().zip(0..) {
            let mut own = Vec::new();
            steps.block(Rank(rank), &process.statements, &mut own)?;
            steps.processes.push(own);
        }
        Ok(steps)
    }

    fn block(
        &mut self,
        rank: Rank,
        statements: &[Statement],
        steps: &mut Vec<Step>,
    ) -> Result<(), Unsupported> {
        for statement in statements {
            self.statement(rank, statement, steps)?;
        }
        Ok(())
    }

    /// A barrier that not all ranks come to does not end: none stands in a block.
    fn ends(&self, rank: Rank, block: &[Statement]) -> Result<(), Unsupported> {
        let barrier = block
            .iter()
            .find(|statement| statement.kind == StatementKind::Barrier);
        match barrier {
            Some(statement) => Err(Unsupported {
                statement: farside_litmus::print_statement(self.program, rank, &statement.kind),
                reason: "a barrier in a block may not end",
                place: statement.place.clone(),
            }),
            None => Ok(()),
        }
    }

    fn statement(
        &mut self,
        rank: Rank,
        statement: &Statement,
        steps: &mut Vec<Step>,
    ) -> Result<(), Unsupported> {
        use StatementKind as Kind;
        let variable = |access: &Access| access.variable;
        let step = match &statement.kind {
            Kind::Load { into, from } => Step::Load {
                into: *into,
                from: variable(from),
            },
            Kind::Store { into, value } => Step::Store {
                into: variable(into),
                value: value.clone(),
            },
            Kind::Assign { into, value } => Step::Assign {
                into: *into,
                value: value.clone(),
            },
            Kind::Get { into, target } => Step::Get {
                into: variable(into),
                target: variable(target),
            },
            Kind::Put { target, from } => Step::Put {
                target: variable(target),
                from: variable(from),
            },
            Kind::Rga {
                into,
                target,
                operand,
            } => Step::FetchAdd {
                into: variable(into),
                target: variable(target),
                operand: variable(operand),
            },
            Kind::Cas {
                into,
                target,
                compare,
                swap,
            } => Step::CompareSwap {
                into: variable(into),
                target: variable(target),
                compare: variable(compare),
                swap: variable(swap),
            },
            Kind::Flush(target) => Step::Flush(*target),
            Kind::Barrier => Step::Barrier,
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                self.ends(rank, then)?;
                self.ends(rank, otherwise)?;
                return self.choice(rank, condition, then, otherwise, steps);
            }
            Kind::While {
                condition,
                bound,
                body,
            } => {
                self.ends(rank, body)?;
                return self.repeat(rank, condition, *bound, body, steps);
            }
            _ => {
                return Err(Unsupported {
                    statement: farside_litmus::print_statement(self.program, rank, &statement.kind),
                    reason: "only coreRMA's statements can",
                    place: statement.place.clone(),
                });
            }
        };
        steps.push(step);
        Ok(())
    }

    fn choice(
        &mut self,
        rank: Rank,
        condition: &Expression,
        then: &[Statement],
        otherwise: &[Statement],
        steps: &mut Vec<Step>,
    ) -> Result<(), Unsupported> {
        let test = steps.len();
        steps.push(Step::Unless(condition.clone(), 0));
        self.block(rank, then, steps)?;
        let end = steps.len();
        steps.push(Step::Jump(0));
        steps[test] = Step::Unless(condition.clone(), steps.len());
        self.block(rank, otherwise, steps)?;
        steps[end] = Step::Jump(steps.len());
        Ok(())
    }

    fn repeat(
        &mut self,
        rank: Rank,
        condition: &Expression,
        bound: u32,
        body: &[Statement],
        steps: &mut Vec<Step>,
    ) -> Result<(), Unsupported> {
        let number = self.loops;
        self.loops += 1;
        steps.push(Step::Enter(number));
        let test = steps.len();
        steps.push(Step::Unless(condition.clone(), 0));
        steps.push(Step::Bound(number, bound));
        self.block(rank, body, steps)?;
        steps.push(Step::Jump(test));
        steps[test] = Step::Unless(condition.clone(), steps.len());
        Ok(())
    }
}

/// The value of an expression over registers, as the models compute it.
pub(crate) fn value(expression: &Expression, registers: &[i64]) -> i64 {
    match expression {
        Expression::Number(number) => *number,
        Expression::Register(register) => registers[register.0 as usize],
        Expression::Negative(of) => value(of, registers).wrapping_neg(),
        Expression::Not(of) => i64::from(value(of, registers) == 0),
        Expression::Binary(operator, left, right) => {
            let (left, right) = (value(left, registers), value(right, registers));
            match operator {
                BinaryOperator::Add => left.wrapping_add(right),
                BinaryOperator::Subtract => left.wrapping_sub(right),
                BinaryOperator::Multiply => left.wrapping_mul(right),
                BinaryOperator::Equal => i64::from(left == right),
                BinaryOperator::NotEqual => i64::from(left != right),
                BinaryOperator::Less => i64::from(left < right),
                BinaryOperator::LessOrEqual => i64::from(left <= right),
                BinaryOperator::Greater => i64::from(left > right),
                BinaryOperator::GreaterOrEqual => i64::from(left >= right),
                BinaryOperator::And => i64::from(left != 0 && right != 0),
                BinaryOperator::Or => i64::from(left != 0 || right != 0),
            }
        }
    }
}
