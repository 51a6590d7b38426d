//! Memory that is communicated, as declarations: an array for each object, with a cell for each piece that it is taken
//! apart in.

use crate::knowledge::Knowledge;
use crate::program::{name, number};
use crate::tables::{Object, ObjectKind, Span, Tables, Window};
use farside_lint::ir::{Module, Operand, Type};
use farside_lint::signed;
use farside_pgas::ast::{Declaration, DeclarationKind, Order};

/// The variable that stands for an object: its name where that says which it is.
pub(crate) fn variable(tables: &Tables, object: Object) -> String {
    let mut text: String = tables
        .name(object)
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, 'v');
    }
    // Names of the language, of registers and of tables are not taken.
    format!("{text}_{}", object.number())
}

/// The declarations.
pub(crate) fn memory(module: &Module, tables: &Tables, knowledge: &mut Knowledge) -> Vec<Declaration> {
    let objects = knowledge.shared_objects();
    objects
        .into_iter()
        .map(|object| {
            let mut starts = knowledge.cell_starts(object);
            // The end of the last cell is a bound, too, if all of the object is communicated.
            starts.retain(|at| *at < tables.size(object));
            starts.push(tables.size(object));
            let mut values = Vec::new();
            for cell in starts.windows(2) {
                values.push(initial(
                    module,
                    tables,
                    knowledge,
                    Span::new(object, cell[0], cell[1]),
                ));
            }
            let count = (starts.len() - 1).max(1);
            values.resize(count, 0);
            let values = if values.iter().all(|value| *value == 0) {
                Vec::new()
            } else {
                values
            };
            Declaration {
                name: name(&variable(tables, object)),
                kind: DeclarationKind::Shared(values.into_iter().map(number).collect()),
                count: Some(count as u32),
            }
        })
        .collect()
}

/// The queue of puts and gets of a window of MPI.
pub(crate) fn transfers(window: u32) -> String {
    format!("mpi_transfers_{window}")
}

/// The queues of its locations, for atomic operations.
pub(crate) fn atomics(window: u32) -> String {
    format!("mpi_atomics_{window}")
}

/// The queues of its locations, for loads and stores of windows in shared memory.
pub(crate) fn reached(window: u32) -> String {
    format!("mpi_reached_{window}")
}

/// The handles of its processes, of stores there.
pub(crate) fn stores(window: u32) -> String {
    format!("mpi_stores_{window}")
}

/// The handle of a load there.
pub(crate) fn loads(window: u32) -> String {
    format!("mpi_loads_{window}")
}

/// Whether a queue or a handle of that name is of stores of a window in shared memory.
pub(crate) fn is_of_stores(name: &str) -> bool {
    name.starts_with("mpi_stores_") || name.starts_with("mpi_reached_")
}

/// The queue of its exclusive locks.
pub(crate) fn locks(window: u32) -> String {
    format!("mpi_locks_{window}")
}

/// What operations of a handle do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Puts, of which a process may wait until they have read what they take along.
    Writes,
    /// Atomic operations that give nothing back. When they have read what they take along is not looked at.
    Changes,
    /// Operations that give something back: they are over when they have.
    Gives,
}

impl Effect {
    const ALL: [Self; 3] = [Self::Writes, Self::Changes, Self::Gives];
}

/// The handles of its targets, of operations with this effect.
pub(crate) fn handle(window: u32, effect: Effect) -> String {
    let of = match effect {
        Effect::Writes => "writes",
        Effect::Changes => "changes",
        Effect::Gives => "results",
    };
    format!("mpi_{of}_{window}")
}

/// The handles of requests of operations: of those that give something back, or of the others.
pub(crate) fn request_handle(window: u32, gives: bool) -> String {
    let of = if gives { "results" } else { "writes" };
    format!("mpi_requested_{of}_{window}")
}

/// The queue of what stands for messages.
pub(crate) const MESSAGES: &str = "messages";

/// The window that a queue or a handle of that name is of.
pub(crate) fn window_of(name: &str) -> Option<u32> {
    let number: u32 = name.rsplit_once('_')?.1.parse().ok()?;
    let mut names = vec![
        transfers(number),
        atomics(number),
        request_handle(number, false),
        request_handle(number, true),
        stores(number),
        reached(number),
    ];
    names.extend(Effect::ALL.map(|effect| handle(number, effect)));
    names.iter().any(|known| known == name).then_some(number)
}

/// Whether a queue or a handle of that name is of atomic operations, which no local wait of MPI is for.
pub(crate) fn is_of_atomics(name: &str) -> bool {
    name.starts_with("mpi_atomics_") || name.starts_with("mpi_changes_")
}

/// The queues and handles of all windows.
pub(crate) fn windows(tables: &Tables, knowledge: &Knowledge, ranks: u32) -> Vec<Declaration> {
    let declaration = |text: String, kind, count| Declaration {
        name: name(&text),
        kind,
        count,
    };
    let of = |(number, window): (u32, &Window)| {
        let object = tables.at(window.parts().0).map(|(object, _)| object);
        let memory = object.into_iter().chain(knowledge.attached_to(number));
        let cells = memory.map(|object| knowledge.cell_starts(object).len()).max();
        let cells = cells.unwrap_or(0).max(1);
        let mut all = vec![
            declaration(
                transfers(number),
                DeclarationKind::Queue(Some(Order::Unordered)),
                None,
            ),
            declaration(
                atomics(number),
                DeclarationKind::Queue(Some(Order::PerTarget)),
                Some(cells as u32),
            ),
            declaration(
                handle(number, Effect::Writes),
                DeclarationKind::Handle,
                Some(ranks),
            ),
            declaration(
                handle(number, Effect::Gives),
                DeclarationKind::Handle,
                Some(ranks),
            ),
        ];
        if object.is_some_and(|object| knowledge.is_reached(object)) {
            let queues = DeclarationKind::Queue(Some(Order::PerTarget));
            all.push(declaration(reached(number), queues, Some(cells as u32)));
            all.push(declaration(stores(number), DeclarationKind::Handle, Some(ranks)));
            all.push(declaration(loads(number), DeclarationKind::Handle, Some(1)));
        }
        if knowledge.is_changed_by_others(number) {
            let name = handle(number, Effect::Changes);
            all.push(declaration(name, DeclarationKind::Handle, Some(ranks)));
        }
        if knowledge.is_locked_exclusively(number) {
            let kind = DeclarationKind::Queue(Some(Order::Unordered));
            all.push(declaration(locks(number), kind, None));
        }
        for gives in [false, true] {
            let requests = knowledge.requests(number, gives);
            if requests > 0 {
                let name = request_handle(number, gives);
                all.push(declaration(name, DeclarationKind::Handle, Some(requests * ranks)));
            }
        }
        all
    };
    let mut all: Vec<Declaration> = (0..).zip(tables.windows()).flat_map(of).collect();
    if knowledge.has_messages() {
        let kind = DeclarationKind::Queue(Some(Order::Unordered));
        all.push(declaration(MESSAGES.to_owned(), kind, None));
    }
    all
}

/// What a cell holds at first. Memory that was allocated is taken to hold zeros.
fn initial(module: &Module, tables: &Tables, knowledge: &Knowledge, span: Span) -> i64 {
    if !knowledge.is_followed(span) || knowledge.is_lost(span) {
        return 0;
    }
    let ObjectKind::Global(global) = tables.kind(span.object()) else {
        return knowledge.bias();
    };
    let initial = &module.globals[*global as usize].initial;
    let found = initial.iter().find(|(at, _, _)| *at == span.start());
    let value = match found {
        Some((_, Type::Integer(bits), Operand::Integer(value))) => signed(*value, *bits),
        _ => 0,
    };
    (value + knowledge.bias()).max(0)
}
