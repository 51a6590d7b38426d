//! What each name stands for.

use super::{MAX_CELLS, MAX_DOMAIN, MAX_QUEUES};
use crate::ast::{self, DeclarationKind, Expression, Name, Order};
use crate::calculus::{Queue, Register};
use crate::diagnostic::{Diagnostic, closest};
use std::collections::BTreeMap;

/// A range of numbered things: an array, or one of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) base: i64,
    pub(super) count: i64,
    pub(super) array: bool,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Shared(Range),
    Register(Register),
    Queue(Range),
    Handle(Range),
}

impl Meaning {
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Shared(_) => "a shared variable",
            Self::Register(_) => "a register",
            Self::Queue(_) => "a queue",
            Self::Handle(_) => "a handle",
        }
    }
}

/// What to do about a value that the domain does not have.
pub(super) fn into_domain(value: i64, domain: u32) -> String {
    match value.checked_add(1) {
        Some(enough) if (1..=i64::from(MAX_DOMAIN)).contains(&enough) => {
            format!(
                "enlarge it: `domain {enough}` has the values 0 to {value}; or write `% {domain}` where it is to wrap"
            )
        }
        _ => format!("write `% {domain}` where it is to wrap: `(...) % {domain}` is never negative"),
    }
}

/// All names of a program.
pub(super) struct Names {
    pub(super) ranks: u32,
    pub(super) domain: u32,
    wraps: bool,
    meanings: BTreeMap<String, Meaning>,
    registers: Vec<String>,
    cells: Vec<String>,
    queues: Vec<Queue>,
    handles: Vec<String>,
    temporaries: Vec<Register>,
}

impl Names {
    /// The names that are declared, and the registers that are assigned to.
    pub(super) fn new(program: &ast::Program, ranks: u32, domain: u32, errors: &mut Vec<Diagnostic>) -> Self {
        let mut names = Self {
            ranks,
            domain,
            wraps: program.wraps,
            meanings: BTreeMap::new(),
            registers: Vec::new(),
            cells: Vec::new(),
            queues: Vec::new(),
            handles: Vec::new(),
            temporaries: Vec::new(),
        };
        for declaration in &program.declarations {
            names.declare(declaration, errors);
        }
        names.assigned(&program.body);
        names
    }

    fn declare(&mut self, declaration: &ast::Declaration, errors: &mut Vec<Diagnostic>) {
        let Name { text, place } = &declaration.name;
        if self.meanings.contains_key(text) {
            errors.push(
                Diagnostic::new(format!("`{text}` is declared twice"), place.clone())
                    .hint("choose another name"),
            );
            return;
        }
        let most = match &declaration.kind {
            DeclarationKind::Shared(_) => MAX_CELLS - self.cells.len(),
            DeclarationKind::Queue(_) => MAX_QUEUES - self.queues.len(),
            DeclarationKind::Handle => MAX_QUEUES - self.handles.len(),
            DeclarationKind::Register(_) => 1,
        };
        let count = usize::try_from(declaration.count.unwrap_or(1)).unwrap_or(usize::MAX);
        if count == 0 || count > most {
            errors.push(Diagnostic::new(
                match count {
                    0 => format!("`{text}` has no elements"),
                    _ => format!(
                        "`{text}` is too large: at most {MAX_CELLS} cells, {MAX_QUEUES} queues and handles"
                    ),
                },
                place.clone(),
            ));
            return;
        }
        let array = declaration.count.is_some();
        let each = (0..count).map(|at| {
            if array {
                format!("{text}[{at}]")
            } else {
                text.clone()
            }
        });
        let range = |base: usize| Range {
            base: i64::try_from(base).unwrap_or(i64::MAX),
            count: i64::try_from(count).unwrap_or(i64::MAX),
            array,
        };
        let meaning = match &declaration.kind {
            DeclarationKind::Shared(_) => {
                let base = range(self.cells.len());
                self.cells.extend(each);
                Meaning::Shared(base)
            }
            DeclarationKind::Register(_) => Meaning::Register(self.new_register(text.clone())),
            DeclarationKind::Queue(order) => {
                let order = order.unwrap_or(Order::Ordered);
                let base = range(self.queues.len());
                self.queues.extend(each.map(|name| Queue { name, order }));
                Meaning::Queue(base)
            }
            DeclarationKind::Handle => {
                let base = range(self.handles.len());
                self.handles.extend(each);
                Meaning::Handle(base)
            }
        };
        self.meanings.insert(text.clone(), meaning);
    }

    /// A name that is assigned to and not declared is a register.
    fn assigned(&mut self, statements: &[ast::Statement]) {
        use ast::StatementKind as S;
        for statement in statements {
            match &statement.kind {
                S::Assign {
                    into: ast::Target::Name(name),
                    ..
                } if !self.meanings.contains_key(&name.text) => {
                    let register = self.new_register(name.text.clone());
                    self.meanings
                        .insert(name.text.clone(), Meaning::Register(register));
                }
                S::If { then, otherwise, .. }
                | S::Rank {
                    body: then,
                    otherwise,
                    ..
                } => {
                    self.assigned(then);
                    self.assigned(otherwise);
                }
                S::While { body, .. } | S::Loop(body) => self.assigned(body),
                S::Choice(ways) => ways.iter().for_each(|way| self.assigned(way)),
                _ => {}
            }
        }
    }

    fn new_register(&mut self, name: String) -> Register {
        self.registers.push(name);
        Register(self.registers.len() - 1)
    }

    /// The `at`-th register for values that are loaded for an expression.
    pub(super) fn temporary(&mut self, at: usize) -> Register {
        while self.temporaries.len() <= at {
            let register = self.new_register(format!("${}", self.temporaries.len()));
            self.temporaries.push(register);
        }
        self.temporaries[at]
    }

    /// What a name stands for.
    pub(super) fn find(&self, name: &Name) -> Result<Meaning, Diagnostic> {
        self.meanings.get(&name.text).copied().ok_or_else(|| {
            let known = self.meanings.keys().map(String::as_str);
            let hint = match closest(&name.text, known) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!(
                    "declare it, for instance with `shared {}`; a register is assigned to somewhere",
                    name.text
                ),
            };
            Diagnostic::new(format!("unknown variable `{}`", name.text), name.place.clone()).hint(hint)
        })
    }

    /// Names of the registers.
    pub(super) fn registers(&self) -> Vec<String> {
        self.registers.clone()
    }

    /// Names of the memory cells.
    pub(super) fn cells(&self) -> Vec<String> {
        self.cells.clone()
    }

    /// The queues.
    pub(super) fn queues(&self) -> Vec<Queue> {
        self.queues.clone()
    }

    /// Names of the handles.
    pub(super) fn handles(&self) -> Vec<String> {
        self.handles.clone()
    }

    /// First values of the declared registers, a row a rank.
    pub(super) fn first_registers(
        &self,
        program: &ast::Program,
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<Vec<u32>> {
        let mut rows = vec![vec![0; self.registers.len()]; self.ranks as usize];
        for declaration in &program.declarations {
            if let (DeclarationKind::Register(Some(value)), Some(Meaning::Register(register))) =
                (&declaration.kind, self.meanings.get(&declaration.name.text))
            {
                for (rank, row) in (0..).zip(&mut rows) {
                    row[register.0] = self.first_value(value, rank, errors);
                }
            }
        }
        rows
    }

    /// First values of the memory, a row a rank.
    pub(super) fn first_cells(&self, program: &ast::Program, errors: &mut Vec<Diagnostic>) -> Vec<Vec<u32>> {
        let mut rows = vec![vec![0; self.cells.len()]; self.ranks as usize];
        for declaration in &program.declarations {
            let (DeclarationKind::Shared(values), Some(Meaning::Shared(range))) =
                (&declaration.kind, self.meanings.get(&declaration.name.text))
            else {
                continue;
            };
            let (base, count) = (range.base as usize, range.count as usize);
            if values.len() > 1 && values.len() != count {
                errors.push(Diagnostic::new(
                    format!(
                        "`{}` has {count} elements, but {} first values",
                        declaration.name.text,
                        values.len()
                    ),
                    declaration.name.place.clone(),
                ));
                continue;
            }
            for (rank, row) in (0..).zip(&mut rows) {
                for (at, cell) in row[base..base + count].iter_mut().enumerate() {
                    // One value is for all elements.
                    if let Some(value) = values.get(at).or(values.first()) {
                        *cell = self.first_value(value, rank, errors);
                    }
                }
            }
        }
        rows
    }

    fn first_value(&self, expression: &Expression, rank: u32, errors: &mut Vec<Diagnostic>) -> u32 {
        match self.constant(expression, rank) {
            Some(value) => match u32::try_from(value) {
                Ok(value) if value < self.domain => return value,
                _ => errors.push(self.outside(value, expression, rank)),
            },
            None => errors.push(
                Diagnostic::new("a first value is known before the run", expression.place())
                    .hint("use numbers, `me` and `n` only"),
            ),
        }
        0
    }

    /// Whether what is stored or sent is reduced modulo the domain.
    pub(super) fn wraps(&self) -> bool {
        self.wraps
    }

    /// The error of a value that the domain does not have.
    pub(super) fn outside(&self, value: i64, expression: &Expression, rank: u32) -> Diagnostic {
        let shown = match expression {
            Expression::Number(..) => value.to_string(),
            _ => format!("`{expression}` is {value} for rank {rank}, which"),
        };
        Diagnostic::new(
            format!(
                "{shown} is outside of the domain, whose values are 0 to {}",
                self.domain - 1
            ),
            expression.place(),
        )
        .hint(into_domain(value, self.domain))
        .of_value(value)
    }

    /// The value of an expression without registers, memory and calls.
    pub(super) fn constant(&self, expression: &Expression, rank: u32) -> Option<i64> {
        let plain = match expression {
            Expression::Number(value, _) => crate::calculus::Expression::Constant(*value),
            Expression::Me(_) => crate::calculus::Expression::Me,
            Expression::Ranks(_) => crate::calculus::Expression::Ranks,
            Expression::Unary(operator, inner) => crate::calculus::Expression::Unary(
                *operator,
                Box::new(crate::calculus::Expression::Constant(self.constant(inner, rank)?)),
            ),
            Expression::Binary(operator, left, right) => crate::calculus::Expression::Binary(
                *operator,
                Box::new(crate::calculus::Expression::Constant(self.constant(left, rank)?)),
                Box::new(crate::calculus::Expression::Constant(self.constant(right, rank)?)),
            ),
            Expression::Value(_) | Expression::Address(_) | Expression::Call(_) => return None,
        };
        plain.value(rank, self.ranks, &|_| 0).ok()
    }
}
