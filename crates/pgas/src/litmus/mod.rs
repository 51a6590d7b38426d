//! Tests of `farside litmus` as programs of the calculus.
//!
//! Promise: a program that fits has, in the calculus, the executions that coreRMA (Dan, Lam, Hoefler, Vechev, OOPSLA
//! 2016, Figure 4, stock) has: if it is robust, its outcomes under coreRMA are those of sequential consistency. A test
//! compares the two on all of `litmus-tests` and on random programs. What does not fit is refused with its place.
//!
//! | statement | in the calculus |
//! |---|---|
//! | variable | `shared`, of which only that of its owner is used |
//! | `a = X`, `X = e`, `a = e` | load, store, assign |
//! | `put(Y@p, X)`, `X = get(Y@p)` | `write_after`, `read_after` in the unordered queue `to[p]`: in-order routing (IR) |
//! | `X = rga(Y@p, Z)`, `X = cas(Y@p, C, S)` | loads of the operands, `fence to[p]`, `fetch_add`, `cas` |
//! | `fetch_and_op`, `get_accumulate`, `accumulate`, `compare_and_swap` | the same; `replace` is `swap`, `no_op` is `read_after` |
//! | `flush(p)` | `wait to[p]` before the next local access, the next operation on `p`, or the end: of later operations on others nothing is promised (F1 to F3) |
//! | `if`, `while ... bound` | paths: what follows is repeated after each way; a loop is unrolled to its bound |
//! | `barrier` | `barrier`, after the flushes before it |
//! | `flush_all`, `unlock_all` | `wait` for each target at once |
//! | `flush_local(p)`, `flush_local_all` | `wait_local` |
//! | `fence` | `wait` for each target, then `barrier` |
//! | `lock_shared(p)`, `unlock(p)` | nothing, as there are no exclusive locks; `wait` for the target |
//! | `lock_all`, `sync` | nothing: no conflict is ordered by them (unified model) |
//!
//! A program with a statement of MPI that coreRMA does not have gets no more than MPI promises: operations are not
//! routed in order, and a flush is waited for where it stands. (MPI orders accumulates on one location: that is not
//! used, so a program that needs it is called not robust.)
//!
//! What does not fit: exclusive locks, post-start-complete-wait and messages, which order processes by means that the
//! calculus does not have; fences with assertions; sums aside, accumulates that compute; non-atomic accesses, whose
//! values may be undefined; values below 0 or of more than [`MAX_VALUES`] kinds, since the domain is finite; operands
//! of atomic operations that change while the network may still read them, since the calculus reads them at once;
//! programs with more than [`MAX_STATEMENTS`] statements once loops are unrolled.

mod paths;
mod refusal;
mod values;

use crate::ast::{Declaration, DeclarationKind, Expression, Header, Name, Order, Place, Program, Target};
use crate::diagnostic::Diagnostic;
use crate::lower::{MAX_DOMAIN, MAX_RANKS};
use crate::parser::KEYWORDS;
use farside_litmus::ast as litmus;

/// Most values that a variable may have.
pub const MAX_VALUES: usize = 4096;
/// Most statements of a program whose paths are written out.
pub const MAX_STATEMENTS: usize = 20_000;
/// The queues: one for each target.
const QUEUE: &str = "to";

/// The test as a program.
///
/// # Errors
/// What does not fit; never empty.
pub fn translate(test: &litmus::Program) -> Result<Program, Vec<Diagnostic>> {
    let mut errors = refusal::statements(test);
    let ranks = test.processes.len();
    if ranks == 0 || ranks > MAX_RANKS as usize {
        errors.push(Diagnostic::new(
            format!("{ranks} processes; between 1 and {MAX_RANKS} can be looked at"),
            Place::default(),
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let largest = values::largest(test).map_err(|error| vec![error])?;
    if largest >= i64::from(MAX_DOMAIN) {
        return Err(vec![Diagnostic::new(
            format!("values up to {largest}: a domain has at most {MAX_DOMAIN} values"),
            Place::default(),
        )]);
    }
    let names = Names(test);
    let declarations = names.declarations(ranks);
    let body = paths::processes(test, &names).map_err(|error| vec![error])?;
    Ok(Program {
        name: plain_name(word(&test.name), Place::default()),
        about: test.about.clone(),
        api: None,
        ranks: Some(Header {
            value: ranks as u32,
            place: Place::default(),
        }),
        wraps: false,
        domain: Some(Header {
            value: u32::try_from(largest + 1).unwrap_or(MAX_DOMAIN).max(2),
            place: Place::default(),
        }),
        declarations,
        body,
    })
}

/// What variables and registers are called here: their names, unless they are words of the language.
struct Names<'t>(&'t litmus::Program);

impl Names<'_> {
    fn declarations(&self, ranks: usize) -> Vec<Declaration> {
        let shared = self.0.variables.iter().map(|variable| Declaration {
            name: plain_name(self.unreserved(&variable.name), place(&variable.place)),
            kind: DeclarationKind::Shared(vec![Expression::Number(variable.value, place(&variable.place))]),
            count: None,
        });
        let mut declarations: Vec<Declaration> = shared.collect();
        let mut registers: Vec<&String> = self
            .0
            .processes
            .iter()
            .flat_map(|process| &process.registers)
            .collect();
        registers.sort();
        registers.dedup();
        declarations.extend(registers.into_iter().map(|register| Declaration {
            name: plain_name(self.unreserved(register), Place::default()),
            kind: DeclarationKind::Register(None),
            count: None,
        }));
        declarations.push(Declaration {
            name: plain_name(self.queue(), Place::default()),
            kind: DeclarationKind::Queue(Some(Order::Unordered)),
            count: Some(ranks as u32),
        });
        declarations
    }

    fn variable(&self, variable: litmus::VariableId) -> Target {
        let name = &self.0.variables[variable.0 as usize].name;
        Target::Name(plain_name(self.unreserved(name), Place::default()))
    }

    fn owner(&self, variable: litmus::VariableId) -> u32 {
        self.0.variables[variable.0 as usize].owner.0
    }

    fn register(&self, rank: u32, register: litmus::RegisterId) -> Name {
        let name = &self.0.processes[rank as usize].registers[register.0 as usize];
        plain_name(self.unreserved(name), Place::default())
    }

    /// A name that the test does not have.
    fn free(&self, wish: &str) -> String {
        let taken = |name: &str| {
            let variable = self.0.variables.iter().any(|variable| variable.name == name);
            variable
                || self
                    .0
                    .processes
                    .iter()
                    .any(|process| process.registers.iter().any(|known| known == name))
        };
        let mut name = wish.to_owned();
        while taken(&name) {
            name.push('_');
        }
        name
    }

    fn unreserved(&self, name: &str) -> String {
        if KEYWORDS.contains(&name) {
            self.free(&format!("{name}_"))
        } else {
            name.to_owned()
        }
    }

    fn queue(&self) -> String {
        self.free(QUEUE)
    }
}

fn plain_name(text: String, place: Place) -> Name {
    Name { text, place }
}

/// The name of a test as one word of the language.
fn word(name: &str) -> String {
    let word: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if word.is_empty() {
        "litmus".to_owned()
    } else {
        word
    }
}

fn place(place: &litmus::Place) -> Place {
    Place(place.0.clone())
}
