//! The table of an API's calls, as its file has it: `dialects/shmem.calls` and the others.
//!
//! Promise: what a call is translated to, what the documentation prints of it, and which names it has beside its own
//! come from the one text; [`reader`] says how that is written.

mod context;
mod reader;

use crate::ast::{Api, Direction, Expression, Order, Statement, StatementKind, Target};
use std::sync::LazyLock;

/// What stands in the file of an API.
#[derive(Default)]
pub(super) struct Table {
    /// The order of a queue that a program declares without one.
    own_order: Option<Order>,
    declared: Vec<Declared>,
    typed: Vec<Typed>,
    /// A name, and others that mean it.
    same: Vec<(String, Vec<String>)>,
    words: Vec<Word>,
    values: Vec<Value>,
    rules: Vec<Rule>,
}

/// A queue, handle, cell or register that meanings use; added to programs whose calls need it.
pub(super) struct Declared {
    name: String,
    kind: DeclaredKind,
    size: Size,
}

/// What a [`Declared`] is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclaredKind {
    Queue(Order),
    Handle,
    Shared,
    Register,
}

/// How many of it there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    One,
    /// `[n]`: one for each process.
    Ranks,
    /// `[64]`: as many as programs give numbers to, at most so many.
    Numbers(u32),
}

impl Declared {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn kind(&self) -> DeclaredKind {
        self.kind
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }
}

/// Element types that may stand in a name: before them, after them, and the types.
struct Typed {
    before: String,
    after: String,
    types: Vec<String>,
}

/// A word that stands for a choice among several, in place of another of its kind.
pub struct Word {
    kind: String,
    name: String,
    /// What it makes of its operands, if it has any.
    operation: Option<(Vec<String>, Expression)>,
    text: String,
}

impl Word {
    /// What is chosen.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The word.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `WORD(a, b) = a == b`, as it stands in the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn operation(&self) -> Option<(&[String], &Expression)> {
        let (operands, result) = self.operation.as_ref()?;
        Some((operands, result))
    }
}

/// A call without arguments that may stand within an expression.
pub struct Value {
    name: String,
    meaning: Expression,
    text: String,
    source: String,
}

impl Value {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What stands for it in the calculus.
    #[must_use]
    pub fn meaning(&self) -> &str {
        &self.text
    }

    /// Where that comes from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    pub(super) fn expression(&self) -> &Expression {
        &self.meaning
    }
}

/// How a call is translated.
pub struct Rule {
    name: String,
    form: String,
    meaning: String,
    source: String,
    result: Option<Parameter>,
    parameters: Vec<Parameter>,
    body: Vec<Statement>,
}

/// A parameter, or the result, of a call.
#[derive(Clone)]
pub(super) struct Parameter {
    name: String,
    kind: ParameterKind,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterKind {
    /// Any expression.
    Value,
    /// The address of shared memory, or a segment.
    Memory,
    /// A number of elements.
    Elements,
    /// A handle, or `NULL`.
    Handle,
    /// Where a result goes.
    Result,
    /// This word, or another of its kind.
    Word,
}

impl Parameter {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn kind(&self) -> ParameterKind {
        self.kind
    }
}

impl Rule {
    /// The name, in its shortest form.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The call with its arguments.
    #[must_use]
    pub fn form(&self) -> &str {
        &self.form
    }

    /// What stands for it in the calculus, on one line.
    #[must_use]
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// Where that comes from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    pub(super) fn result(&self) -> Option<&Parameter> {
        self.result.as_ref()
    }

    pub(super) fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    pub(super) fn body(&self) -> &[Statement] {
        &self.body
    }

    /// Which argument is the handle of the operations that the call begins, and which way their data goes.
    pub(super) fn handle(&self) -> Option<(usize, Direction)> {
        let at = self
            .parameters
            .iter()
            .position(|parameter| parameter.kind == ParameterKind::Handle)?;
        Some((at, direction_with(&self.parameters[at].name, &self.body)?))
    }
}

/// Which way the data of the transfers with this handle goes.
fn direction_with(name: &str, body: &[Statement]) -> Option<Direction> {
    body.iter().find_map(|statement| match &statement.kind {
        StatementKind::Transfer {
            direction,
            handle: Some(Target::Name(handle)),
            ..
        } if handle.text == name => Some(*direction),
        StatementKind::If { then, otherwise, .. } => {
            direction_with(name, then).or_else(|| direction_with(name, otherwise))
        }
        _ => None,
    })
}

impl Table {
    /// That of an API.
    pub(super) fn of(api: Api) -> &'static Self {
        const GASPI_FILE: (&str, &str) = ("gaspi.calls", include_str!("../../../dialects/gaspi.calls"));
        static SHMEM: LazyLock<Table> =
            LazyLock::new(|| Table::read(&[("shmem.calls", include_str!("../../../dialects/shmem.calls"))]));
        static ARMCI: LazyLock<Table> =
            LazyLock::new(|| Table::read(&[("armci.calls", include_str!("../../../dialects/armci.calls"))]));
        static GASNET: LazyLock<Table> = LazyLock::new(|| {
            Table::read(&[("gasnet.calls", include_str!("../../../dialects/gasnet.calls"))])
        });
        static GPI: LazyLock<Table> =
            LazyLock::new(|| Table::read(&[("gpi.calls", include_str!("../../../dialects/gpi.calls"))]));
        static GASPI: LazyLock<Table> = LazyLock::new(|| Table::read(&[GASPI_FILE]));
        static GASPI17: LazyLock<Table> = LazyLock::new(|| {
            let by_the_standard = ("gaspi17.calls", include_str!("../../../dialects/gaspi17.calls"));
            Table::read(&[GASPI_FILE, by_the_standard])
        });
        match api {
            Api::Shmem => &SHMEM,
            Api::Armci => &ARMCI,
            Api::Gasnet => &GASNET,
            Api::Gpi => &GPI,
            Api::Gaspi => &GASPI,
            Api::Gaspi17 => &GASPI17,
        }
    }

    /// The files, each with its name; a rule of a later one takes the place of an earlier one.
    ///
    /// # Panics
    /// If one cannot be read. They are part of this crate, and its tests read them all.
    fn read(files: &[(&str, &str)]) -> Self {
        let mut table = Self::default();
        for (name, text) in files {
            if let Err(errors) = reader::read(text, &mut table) {
                let shown: Vec<String> = errors.iter().map(|error| error.render(name, text)).collect();
                panic!("{}", shown.concat());
            }
        }
        table
    }

    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    pub(super) fn own_order(&self) -> Order {
        self.own_order.unwrap_or(Order::Ordered)
    }

    /// What is declared under this name.
    pub(super) fn declared(&self, name: &str) -> Option<&Declared> {
        self.declared.iter().find(|declared| declared.name == name)
    }

    /// Whether this is the array of queues for which a program may give one that it declares.
    pub(super) fn is_first_of_numbered_queues(&self, declared: &Declared) -> bool {
        let mut numbered = self.declared.iter().filter(|declared| {
            matches!(declared.kind, DeclaredKind::Queue(_)) && matches!(declared.size, Size::Numbers(_))
        });
        numbered.next().is_some_and(|first| first.name == declared.name)
    }

    /// The rule of a call, whatever element types or widths its name has.
    pub(super) fn rule(&self, name: &str) -> Option<&Rule> {
        let name = self.normal(name);
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// A word by any of its names.
    pub(super) fn word(&self, name: &str) -> Option<&Word> {
        let name = self.main_name(name);
        self.words.iter().find(|word| word.name == name)
    }

    /// The name without element types and widths, of which the calculus knows none.
    pub(super) fn normal(&self, name: &str) -> String {
        let untyped = self.typed.iter().find_map(|typed| typed.strip(name));
        self.main_name(untyped.as_deref().unwrap_or(name)).to_owned()
    }

    fn main_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.same
            .iter()
            .find(|(_, others)| others.iter().any(|other| other == name))
            .map_or(name, |(main, _)| main)
    }

    /// Takes a rule in, in place of one of that name.
    fn put(&mut self, rule: Rule) {
        match self.rules.iter_mut().find(|old| old.name == rule.name) {
            Some(old) => *old = rule,
            None => self.rules.push(rule),
        }
    }
}

impl Typed {
    /// The name without a type, if it has one.
    fn strip(&self, name: &str) -> Option<String> {
        let rest = name.strip_prefix(self.before.as_str())?;
        self.types.iter().find_map(|kind| {
            let rest = rest.strip_prefix(kind.as_str())?;
            if self.after.is_empty() {
                return rest.is_empty().then(|| self.before.clone());
            }
            Some(format!(
                "{}{}",
                self.before,
                rest.strip_prefix(self.after.as_str())?
            ))
        })
    }
}
