//! A module as text.

use super::token::{is_plain, quoted};
use super::{ARITHMETIC, CONVERSIONS, FLOAT_ARITHMETIC, ORDERINGS, PREDICATES, UPDATES, name_of};
use crate::ir::{Action, Block, End, Function, Instruction, Module, Operand, PlaceId, Type};
use rustc_hash::FxHashMap as HashMap;
use std::fmt::{self, Display, Formatter};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = Names::of(self);
        for place in &self.places {
            let file = quoted(&place.file);
            writeln!(
                f,
                "place {file} {} {} {}",
                place.line, place.column, place.function
            )?;
        }
        for global in &self.globals {
            write!(f, "global @{} {}", header(&global.name), global.size)?;
            write!(f, "{}", flag(global.external, "external"))?;
            write!(f, "{}", flag(global.internal, "internal"))?;
            write!(f, "{}", flag(global.constant, "constant"))?;
            if !global.initial.is_empty() {
                write!(f, " = [")?;
                separated(f, &global.initial, |f, (offset, ty, value)| {
                    write!(f, "{offset}: {ty} {}", names.operand(value))
                })?;
                write!(f, "]")?;
            }
            writeln!(f, "{}", lengths(global.arrays.as_deref()))?;
        }
        for function in &self.functions {
            names.function(f, function)?;
        }
        for (name, target) in &self.aliases {
            writeln!(f, "alias {} {}", header(name), header(target))?;
        }
        Ok(())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(bits) => write!(f, "i{bits}"),
            Self::Pointer => write!(f, "ptr"),
            Self::Float => write!(f, "float"),
            Self::Double => write!(f, "double"),
            Self::Extended => write!(f, "extended"),
            Self::Wide(size) => write!(f, "wide({size})"),
            Self::Opaque(size) => write!(f, "opaque({size})"),
            Self::Structure(fields, size) => {
                write!(f, "{{{size}")?;
                for (offset, field) in fields {
                    write!(f, ", {offset}: {field}")?;
                }
                write!(f, "}}")
            }
        }
    }
}

/// How functions and global variables are referred to.
struct Names<'m> {
    functions: Vec<Option<&'m str>>,
    globals: Vec<Option<&'m str>>,
}

impl<'m> Names<'m> {
    fn of(module: &'m Module) -> Self {
        Self {
            functions: unique(module.functions.iter().map(|function| function.name.as_str())),
            globals: unique(module.globals.iter().map(|global| global.name.as_str())),
        }
    }

    fn function(&self, f: &mut Formatter<'_>, function: &Function) -> fmt::Result {
        let declared = function.blocks.is_empty();
        let word = if declared { "declare" } else { "function" };
        write!(f, "{word} {}(", header(&function.name))?;
        separated(f, &function.parameter_types, |f, ty| write!(f, "{ty}"))?;
        write!(f, ")")?;
        if function.parameters as usize != function.parameter_types.len() {
            write!(f, " parameters {}", function.parameters)?;
        }
        if function.registers != function.parameters {
            write!(f, " registers {}", function.registers)?;
        }
        write!(f, "{}", flag(function.internal, "internal"))?;
        if declared {
            return writeln!(f);
        }
        writeln!(f, " {{")?;
        for (index, block) in function.blocks.iter().enumerate() {
            self.block(f, index, block)?;
        }
        writeln!(f, "}}")
    }

    fn block(&self, f: &mut Formatter<'_>, index: usize, block: &Block) -> fmt::Result {
        writeln!(f, "{index}:")?;
        for (register, incoming) in &block.phis {
            write!(f, "  %{register} = phi [")?;
            separated(f, incoming, |f, (from, value)| {
                write!(f, "{from}: {}", self.operand(value))
            })?;
            writeln!(f, "]")?;
        }
        for Instruction {
            place,
            result,
            action,
        } in &block.instructions
        {
            write!(f, "  ")?;
            if let Some(register) = result {
                write!(f, "%{register} = ")?;
            }
            self.action(f, action)?;
            writeln!(f, "{}", at(*place))?;
        }
        write!(f, "  ")?;
        self.end(f, &block.end)?;
        writeln!(f, "{}", at(block.end_place))
    }

    fn action(&self, f: &mut Formatter<'_>, action: &Action) -> fmt::Result {
        let show = |operand: &Operand| self.operand(operand);
        match action {
            Action::Allocate {
                size,
                count,
                name,
                declared,
                arrays,
            } => {
                let word = if *declared { "variable" } else { "allocate" };
                let lengths = lengths(arrays.as_deref());
                write!(f, "{word} {size} * {} {}{lengths}", show(count), quoted(name))
            }
            Action::Load { address, ty, atomic } => {
                write!(f, "load {ty}, {}", show(address))?;
                atomic.map_or(Ok(()), |ordering| {
                    write!(f, " atomic {}", name_of(ORDERINGS, ordering))
                })
            }
            Action::Store {
                address,
                value,
                ty,
                atomic,
            } => {
                write!(f, "store {ty} {}, {}", show(value), show(address))?;
                atomic.map_or(Ok(()), |ordering| {
                    write!(f, " atomic {}", name_of(ORDERINGS, ordering))
                })
            }
            Action::Offset {
                base,
                constant,
                terms,
            } => {
                write!(f, "offset {} {}", show(base), signed(*constant))?;
                for (index, bits, scale) in terms {
                    write!(f, " + {}:{bits}*{}", show(index), scale)?;
                }
                Ok(())
            }
            Action::Arithmetic {
                operator,
                bits,
                left,
                right,
            } => {
                let name = name_of(ARITHMETIC, *operator);
                write!(f, "{name} i{bits} {}, {}", show(left), show(right))
            }
            Action::FloatArithmetic {
                operator,
                ty,
                left,
                right,
            } => {
                let name = name_of(FLOAT_ARITHMETIC, *operator);
                write!(f, "{name} {ty} {}, {}", show(left), show(right))
            }
            Action::Compare {
                predicate,
                bits,
                left,
                right,
            } => {
                let name = name_of(PREDICATES, *predicate);
                write!(f, "compare {name} i{bits} {}, {}", show(left), show(right))
            }
            Action::FloatCompare {
                predicate,
                ty,
                left,
                right,
            } => {
                write!(f, "fcompare (")?;
                let holds = [
                    (predicate.less, "less"),
                    (predicate.equal, "equal"),
                    (predicate.greater, "greater"),
                    (predicate.unordered, "unordered"),
                ];
                let holds: Vec<&str> = holds
                    .into_iter()
                    .filter_map(|(is, name)| is.then_some(name))
                    .collect();
                separated(f, &holds, |f, name| write!(f, "{name}"))?;
                write!(f, ") {ty} {}, {}", show(left), show(right))
            }
            Action::Convert {
                conversion,
                from,
                to,
                value,
            } => {
                let name = name_of(CONVERSIONS, *conversion);
                write!(f, "{name} {from} {} to {to}", show(value))
            }
            Action::Select { condition, yes, no } => {
                write!(f, "select {}, {}, {}", show(condition), show(yes), show(no))
            }
            Action::Call { callee, arguments } => {
                write!(f, "call {}(", show(callee))?;
                separated(f, arguments, |f, argument| write!(f, "{}", show(argument)))?;
                write!(f, ")")
            }
            Action::AtomicUpdate {
                operator,
                address,
                value,
                ty,
                ordering,
            } => {
                let (name, ordering) = (name_of(UPDATES, *operator), name_of(ORDERINGS, *ordering));
                write!(
                    f,
                    "update {name} {ty} {}, {} {ordering}",
                    show(value),
                    show(address)
                )
            }
            Action::CompareExchange {
                address,
                expected,
                replacement,
                ty,
                ordering,
            } => {
                let ordering = name_of(ORDERINGS, *ordering);
                let (expected, replacement) = (show(expected), show(replacement));
                write!(
                    f,
                    "swap {ty} {expected}, {replacement}, {} {ordering}",
                    show(address)
                )
            }
            Action::Fence(ordering) => write!(f, "fence {}", name_of(ORDERINGS, *ordering)),
            Action::LandingPad => write!(f, "landing"),
            Action::Extract { aggregate, path } => {
                write!(f, "extract {} [", show(aggregate))?;
                separated(f, path, |f, index| write!(f, "{index}"))?;
                write!(f, "]")
            }
            Action::Insert {
                aggregate,
                value,
                path,
            } => {
                write!(f, "insert {}, {} [", show(value), show(aggregate))?;
                separated(f, path, |f, index| write!(f, "{index}"))?;
                write!(f, "]")
            }
            Action::Unknown => write!(f, "unknown"),
        }
    }

    fn end(&self, f: &mut Formatter<'_>, end: &End) -> fmt::Result {
        match end {
            End::Goto(to) => write!(f, "goto {to}"),
            End::Branch { condition, yes, no } => {
                write!(f, "branch {}, {yes}, {no}", self.operand(condition))
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                write!(f, "switch {} [", self.operand(value))?;
                separated(f, cases, |f, (case, to)| write!(f, "{case}: {to}"))?;
                write!(f, "] {default}")
            }
            End::Return(None) => write!(f, "return"),
            End::Return(Some(value)) => write!(f, "return {}", self.operand(value)),
            End::Invoke { normal, unwind } => write!(f, "invoke {normal}, {unwind}"),
            End::Resume => write!(f, "resume"),
            End::Unreachable => write!(f, "unreachable"),
            End::Unknown => write!(f, "jump"),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Register(register) => format!("%{register}"),
            Operand::Integer(value) => value.to_string(),
            Operand::Float(value) => format!("f64 {}", number(format!("{value:?}"))),
            Operand::Single(value) => format!("f32 {}", number(format!("{value:?}"))),
            Operand::Global(global, offset) => {
                let name = reference(&self.globals, *global);
                match offset {
                    0 => format!("@{name}"),
                    offset => format!("@({name} {})", signed(*offset)),
                }
            }
            Operand::Function(function) => format!("&{}", reference(&self.functions, *function)),
            Operand::Aggregate(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| self.operand(field)).collect();
                format!("{{{}}}", fields.join(", "))
            }
            Operand::Undefined => "undefined".to_owned(),
        }
    }
}

/// Names that stand for one thing only, and can be written as they are.
fn unique<'m>(names: impl Iterator<Item = &'m str> + Clone) -> Vec<Option<&'m str>> {
    let mut counts: HashMap<&str, u32> = HashMap::default();
    for name in names.clone() {
        *counts.entry(name).or_default() += 1;
    }
    names
        .map(|name| (counts[name] == 1 && is_plain(name)).then_some(name))
        .collect()
}

fn reference(names: &[Option<&str>], index: u32) -> String {
    match names.get(index as usize) {
        Some(Some(name)) => (*name).to_owned(),
        _ => format!("#{index}"),
    }
}

/// A name where it is given.
fn header(name: &str) -> String {
    match is_plain(name) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// A number whose `e-7` has quotes, as a sign is a mark of its own.
fn number(text: String) -> String {
    match is_plain(&text) {
        true => text,
        false => quoted(&text),
    }
}

fn signed(constant: i64) -> String {
    let sign = if constant < 0 { '-' } else { '+' };
    format!("{sign} {}", constant.unsigned_abs())
}

fn flag(is_set: bool, name: &str) -> String {
    match is_set {
        true => format!(" {name}"),
        false => String::new(),
    }
}

fn at(place: PlaceId) -> String {
    match place {
        0 => String::new(),
        place => format!(" !{place}"),
    }
}

fn separated<T>(
    f: &mut Formatter<'_>,
    all: &[T],
    show: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, one) in all.iter().enumerate() {
        if index > 0 {
            write!(f, ", ")?;
        }
        show(f, one)?;
    }
    Ok(())
}

/// ` of arrays [2, 3]`; nothing if a variable has other parts.
fn lengths(arrays: Option<&[u64]>) -> String {
    let Some(arrays) = arrays else {
        return String::new();
    };
    let lengths: Vec<String> = arrays.iter().map(u64::to_string).collect();
    format!(" arrays [{}]", lengths.join(", "))
}
