//! Tests as litmus programs, and litmus programs as tests.

use super::{Kind, Step, Test, VariableName};
use crate::{MOST_ACTIONS, MOST_PROCESSES, MOST_VARIABLES};
use farside_litmus::ast::{
    Access, Atomicity, Expression, Place, Process, Program, Rank, RegisterId, Statement, StatementKind,
    Variable, VariableId,
};

/// Why a litmus program is none of the tests that are generated here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATest {
    /// A statement, an expression or an access that generated tests do not have.
    #[error("`{0}` is no statement of a generated test")]
    Statement(String),
    /// Too many processes, variables or actions.
    #[error("the program has too many processes, variables or actions")]
    TooLarge,
}

impl Test {
    /// As a litmus program. Variables are `X`, `Y`, ... in order of first use, registers `a`, `b`, ... over all
    /// processes; values as [`crate::definition`] says (open detail 6).
    #[must_use]
    pub fn program(&self, name: &str) -> Program {
        let variables = self.variables();
        let id = |variable: VariableName| {
            let index = variables.iter().position(|&other| other == variable);
            // Every variable of a step is in the list that was made of all steps.
            VariableId(u32::try_from(index.unwrap_or(0)).unwrap_or(0))
        };
        let access = |variable: VariableName| Access {
            variable: id(variable),
            atomicity: Atomicity::Atomic,
        };
        let mut registers = 0;
        let mut stored = variables.len() as i64;
        let processes = self.processes.iter().map(|steps| {
            let mut process = Process::default();
            for step in steps {
                let [first, second, third, fourth] = step.operands;
                let kind = match step.kind {
                    Kind::Load => {
                        let into = RegisterId(u32::try_from(process.registers.len()).unwrap_or(0));
                        process.registers.push(letters('a', registers));
                        registers += 1;
                        StatementKind::Load {
                            into,
                            from: access(first),
                        }
                    }
                    Kind::Store => {
                        stored += 1;
                        StatementKind::Store {
                            into: access(first),
                            value: Expression::Number(stored - 1),
                        }
                    }
                    Kind::Get => StatementKind::Get {
                        into: access(first),
                        target: access(second),
                    },
                    Kind::Put => StatementKind::Put {
                        target: access(first),
                        from: access(second),
                    },
                    Kind::Rga => StatementKind::Rga {
                        into: access(first),
                        target: access(second),
                        operand: access(third),
                    },
                    Kind::Cas => StatementKind::Cas {
                        into: access(first),
                        target: access(second),
                        compare: access(third),
                        swap: access(fourth),
                    },
                    Kind::Flush => StatementKind::Flush(Rank(u32::from(first.owner()))),
                };
                process.statements.push(Statement {
                    kind,
                    place: Place::default(),
                });
            }
            process
        });
        let processes = processes.collect();
        Program {
            name: name.to_owned(),
            about: Vec::new(),
            accesses: Atomicity::Atomic,
            processes,
            locations: Vec::new(),
            filter: None,
            condition: None,
            variables: (0_usize..)
                .zip(&variables)
                .map(|(index, variable)| Variable {
                    name: ["X", "Y", "Z", "U", "V", "W"]
                        .get(index)
                        .map_or_else(|| format!("V{index}"), |&name| name.to_owned()),
                    owner: Rank(u32::from(variable.owner())),
                    value: (variables.len() - 1 - index) as i64,
                    place: Place::default(),
                })
                .collect(),
        }
    }

    /// The test that a litmus program is, its values and the names of its registers left aside.
    ///
    /// # Errors
    /// What generated tests do not have.
    pub fn of_program(program: &Program) -> Result<Self, NotATest> {
        let mut owned = [0_u8; MOST_PROCESSES];
        let mut names = Vec::new();
        if program.processes.len() > MOST_PROCESSES {
            return Err(NotATest::TooLarge);
        }
        for variable in &program.variables {
            let owner = variable.owner.0 as usize;
            if usize::from(owned[owner]) == MOST_VARIABLES {
                return Err(NotATest::TooLarge);
            }
            names.push(VariableName::new(owner as u8, owned[owner]));
            owned[owner] += 1;
        }
        let mut test = Self::default();
        for (rank, process) in (0..).zip(&program.processes) {
            let mut steps = Vec::new();
            for statement in &process.statements {
                let refuse = || {
                    NotATest::Statement(farside_litmus::print_statement(
                        program,
                        Rank(rank),
                        &statement.kind,
                    ))
                };
                let name = |access: &Access| match access.atomicity {
                    Atomicity::Atomic => Ok(names[access.variable.0 as usize]),
                    Atomicity::NonAtomic => Err(refuse()),
                };
                steps.push(match &statement.kind {
                    StatementKind::Load { from, .. } => Step::new(Kind::Load, &[name(from)?]),
                    StatementKind::Store {
                        into,
                        value: Expression::Number(_),
                    } => Step::new(Kind::Store, &[name(into)?]),
                    StatementKind::Get { into, target } => {
                        Step::new(Kind::Get, &[name(into)?, name(target)?])
                    }
                    StatementKind::Put { target, from } => {
                        Step::new(Kind::Put, &[name(target)?, name(from)?])
                    }
                    StatementKind::Rga {
                        into,
                        target,
                        operand,
                    } => Step::new(Kind::Rga, &[name(into)?, name(target)?, name(operand)?]),
                    StatementKind::Cas {
                        into,
                        target,
                        compare,
                        swap,
                    } => Step::new(
                        Kind::Cas,
                        &[name(into)?, name(target)?, name(compare)?, name(swap)?],
                    ),
                    StatementKind::Flush(target) => Step::flush(target.0 as u8),
                    _ => return Err(refuse()),
                });
            }
            test.processes.push(steps);
        }
        if test.size() - test.variables().len() > MOST_ACTIONS {
            return Err(NotATest::TooLarge);
        }
        Ok(test)
    }
}

/// `a`, `b`, ..., `z`, `a1`, ...
pub(crate) fn letters(first: char, index: u8) -> String {
    let letter = char::from(first as u8 + index % 26);
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
