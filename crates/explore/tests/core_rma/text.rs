//! Programs as text, in as much of the format as these tests need.

use farside_litmus::ast::{
    Access, Atomicity, BinaryOperator, Expression, Observable, Place, Process, Program, Rank, RegisterId, Statement,
    StatementKind, Variable, VariableId,
};

/// Reads `{ 0: X = 0; 1: Y = 1; }`, columns with `|` and `;`, and `locations [...]`.
pub(super) fn read(name: &str, text: &str) -> Program {
    let (initial, body) = text
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'))
        .expect("an initial state");
    let variables: Vec<Variable> = initial
        .split(';')
        .filter(|part| !part.trim().is_empty())
        .map(|part| {
            let (owner, assignment) = part.split_once(':').expect("an owner");
            let (name, value) = assignment.split_once('=').expect("a value");
            Variable {
                name: name.trim().into(),
                owner: Rank(owner.trim().parse().expect("a rank")),
                value: value.trim().parse().expect("a number"),
                place: Place::default(),
            }
        })
        .collect();
    let mut rows = body.lines().filter(|line| line.trim_end().ends_with(';'));
    let columns = rows.next().expect("a row of processes").split('|').count();
    let mut reader = Reader {
        variables: &variables,
        default: if text.contains("accesses nonatomic") {
            Atomicity::NonAtomic
        } else {
            Atomicity::Atomic
        },
        processes: vec![Process::default(); columns],
    };
    for row in rows {
        let row = row.trim_end().trim_end_matches(';');
        for (rank, cell) in row.split('|').enumerate() {
            if !cell.trim().is_empty() {
                let kind = reader.statement(rank, cell.trim());
                reader.processes[rank].statements.push(Statement {
                    kind,
                    place: Place::default(),
                });
            }
        }
    }
    let Reader {
        default, processes, ..
    } = reader;
    let mut program = Program {
        name: name.into(),
        about: Vec::new(),
        accesses: default,
        variables,
        processes,
        locations: Vec::new(),
        filter: None,
        condition: None,
    };
    if let Some((_, shown)) = body.split_once("locations [") {
        let shown = shown.split(']').next().unwrap_or_default();
        program.locations = shown.split_whitespace().map(|item| observable(&program, item)).collect();
    }
    program
}

/// `0:a` or `X`
pub(super) fn observable(program: &Program, item: &str) -> Observable {
    match item.split_once(':') {
        Some((rank, register)) => {
            let rank: u32 = rank.parse().expect("a rank");
            let registers = &program.processes[rank as usize].registers;
            let index = registers.iter().position(|name| name == register).expect("a register");
            Observable::Register(Rank(rank), RegisterId(u32::try_from(index).expect("small")))
        }
        None => {
            let index = program.variables.iter().position(|variable| variable.name == item);
            Observable::Variable(VariableId(u32::try_from(index.expect("a variable")).expect("small")))
        }
    }
}

struct Reader<'r> {
    variables: &'r [Variable],
    default: Atomicity,
    processes: Vec<Process>,
}

impl Reader<'_> {
    fn statement(&mut self, rank: usize, text: &str) -> StatementKind {
        let call = |text: &str, name: &str| {
            text.trim()
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix('('))
                .and_then(|rest| rest.strip_suffix(')'))
                .map(|inner| inner.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>())
        };
        if let Some(operands) = call(text, "flush") {
            return StatementKind::Flush(Rank(operands[0].parse().expect("a rank")));
        }
        if let Some(operands) = call(text, "put") {
            return StatementKind::Put {
                target: self.access(&operands[0]),
                from: self.access(&operands[1]),
            };
        }
        let (left, right) = text.split_once('=').expect("a statement");
        let (left, right) = (left.trim(), right.trim());
        let Some(into) = self.variable(left) else {
            let into = self.register(rank, left);
            return match self.variable(right) {
                Some(from) => StatementKind::Load { into, from },
                None => StatementKind::Assign {
                    into,
                    value: self.expression(rank, right),
                },
            };
        };
        let get = call(right, "get");
        let rga = call(right, "rga");
        let cas = call(right, "cas");
        match (get, rga, cas) {
            (Some(operands), ..) => StatementKind::Get {
                into,
                target: self.access(&operands[0]),
            },
            (_, Some(operands), _) => StatementKind::Rga {
                into,
                target: self.access(&operands[0]),
                operand: self.access(&operands[1]),
            },
            (_, _, Some(operands)) => StatementKind::Cas {
                into,
                target: self.access(&operands[0]),
                compare: self.access(&operands[1]),
                swap: self.access(&operands[2]),
            },
            _ => StatementKind::Store {
                into,
                value: self.expression(rank, right),
            },
        }
    }

    /// `1`, `a`, `a + 1`
    fn expression(&mut self, rank: usize, text: &str) -> Expression {
        if let Some((left, right)) = text.split_once('+') {
            let [left, right] = [left, right].map(|side| Box::new(self.expression(rank, side.trim())));
            return Expression::Binary(BinaryOperator::Add, left, right);
        }
        match text.parse() {
            Ok(number) => Expression::Number(number),
            Err(_) => Expression::Register(self.register(rank, text)),
        }
    }

    fn register(&mut self, rank: usize, name: &str) -> RegisterId {
        let registers = &mut self.processes[rank].registers;
        let index = registers.iter().position(|known| known == name).unwrap_or_else(|| {
            registers.push(name.into());
            registers.len() - 1
        });
        RegisterId(u32::try_from(index).expect("small"))
    }

    fn access(&self, text: &str) -> Access {
        self.variable(text).expect("a variable")
    }

    /// `X`, `X@1`, `X.n`, `X.n@1`
    fn variable(&self, text: &str) -> Option<Access> {
        let text = text.split('@').next().unwrap_or_default();
        let (name, mark) = text.split_once('.').unwrap_or((text, ""));
        let index = self.variables.iter().position(|variable| variable.name == name)?;
        Some(Access {
            variable: VariableId(u32::try_from(index).ok()?),
            atomicity: match mark {
                "a" => Atomicity::Atomic,
                "n" => Atomicity::NonAtomic,
                _ => self.default,
            },
        })
    }
}
