//! The words for waiting and ordering: of the calculus, and of each API.

use super::Kind;
use crate::ast::{
    Api, Call, Completion, Declaration, DeclarationKind, Expression, Name, Order, Place, Program, Statement,
    StatementKind, Target,
};

/// The argument of `writeDmaGPI` and `readDmaGPI` that is the queue.
const QUEUE_ARGUMENT: usize = 4;

/// Which argument of a call that puts an operation into a queue by its number is that number.
pub(super) fn queue_argument(call: &Call) -> Option<usize> {
    match call.name.text.as_str() {
        "writeDmaGPI" | "readDmaGPI" => Some(QUEUE_ARGUMENT),
        // How long it waits comes last.
        "gaspi_write" | "gaspi_notify" | "gaspi_write_notify" => call.arguments.len().checked_sub(2),
        _ => None,
    }
}

fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        place: Place::default(),
    }
}

pub(super) fn call(function: &str, arguments: Vec<Expression>) -> StatementKind {
    StatementKind::Call {
        into: None,
        call: Call {
            name: name(function),
            arguments,
        },
    }
}

pub(super) fn value(text: &str) -> Expression {
    Expression::Value(Target::Name(name(text)))
}

/// A declared name; each element of a small array besides the array.
fn targets(declaration: &Declaration) -> Vec<Target> {
    const FEW: u32 = 8;
    let whole = Target::Name(name(&declaration.name.text));
    let elements = declaration.count.filter(|&count| count <= FEW).unwrap_or(0);
    let element = |at| {
        let index = Expression::Number(i64::from(at), Place::default());
        Target::Element(name(&declaration.name.text), Box::new(index))
    };
    (0..elements).map(element).chain([whole]).collect()
}

/// The words of the calculus: for each queue and handle.
pub(super) fn own_words(program: &Program) -> Vec<(Kind, StatementKind)> {
    let mut words = Vec::new();
    for declaration in &program.declarations {
        let wait = |what| StatementKind::Wait {
            what,
            completion: Completion::Full,
        };
        let wait_local = |what| StatementKind::Wait {
            what,
            completion: Completion::Local,
        };
        match declaration.kind {
            DeclarationKind::Handle => {
                words.extend(
                    targets(declaration)
                        .into_iter()
                        .map(|handle| (Kind::Wait, wait(handle))),
                );
            }
            DeclarationKind::Queue(order) => {
                // The sources read is less than all of it, and enough for who writes to them again.
                for queue in targets(declaration) {
                    words.push((Kind::Wait, wait_local(queue.clone())));
                    words.push((Kind::Wait, wait(queue)));
                }
                if order == Some(Order::Unordered) {
                    let fence = |queue| StatementKind::Fence { queue, rank: None };
                    // A fence is of one queue, so of each element of an array by itself.
                    words.extend(
                        targets(declaration)
                            .into_iter()
                            .filter(|queue| {
                                declaration.count.is_none() || matches!(queue, Target::Element(..))
                            })
                            .map(|queue| (Kind::Fence, fence(queue))),
                    );
                }
            }
            DeclarationKind::Shared(_) | DeclarationKind::Register(_) => {}
        }
    }
    words.push((Kind::Barrier, StatementKind::Barrier));
    words
}

/// The contexts of OpenSHMEM that operations name.
fn contexts(operations: &[&Statement]) -> Vec<Expression> {
    let mut found = Vec::new();
    for statement in operations {
        if let StatementKind::Call { call, .. } = &statement.kind
            && call.name.text.starts_with("shmem_ctx_")
            && let Some(context) = call.arguments.first()
            && !found.contains(context)
        {
            found.push(context.clone());
        }
    }
    found
}

/// The words of an API, narrow waits first.
pub(super) fn words_of(api: Api, program: &Program, operations: &[&Statement]) -> Vec<(Kind, StatementKind)> {
    let calls = || {
        operations.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Call { call, into } => Some((call, into)),
            _ => None,
        })
    };
    // The different arguments at a place of calls of some functions.
    let arguments = |functions: &[(&str, usize)]| {
        let mut found: Vec<Expression> = Vec::new();
        for (call, _) in calls() {
            for &(_, at) in functions
                .iter()
                .filter(|(function, _)| *function == call.name.text)
            {
                match call.arguments.get(at) {
                    Some(argument) if !found.contains(argument) => found.push(argument.clone()),
                    _ => {}
                }
            }
        }
        found
    };
    let waits = |calls: Vec<StatementKind>| calls.into_iter().map(|call| (Kind::Wait, call));
    let mut words: Vec<(Kind, StatementKind)> = Vec::new();
    match api {
        Api::Shmem => {
            words.extend(waits(vec![call("shmem_quiet", Vec::new())]));
            words.push((Kind::Fence, call("shmem_fence", Vec::new())));
            for context in contexts(operations) {
                words.extend(waits(vec![call("shmem_ctx_quiet", vec![context.clone()])]));
                words.push((Kind::Fence, call("shmem_ctx_fence", vec![context])));
            }
            words.push((Kind::Barrier, call("shmem_barrier_all", Vec::new())));
        }
        Api::Armci => {
            let handles = arguments(&[("ARMCI_NbPut", 4), ("ARMCI_NbGet", 4)]);
            let null = value("NULL");
            words.extend(waits(
                handles
                    .into_iter()
                    .filter(|handle| *handle != null)
                    .map(|handle| call("ARMCI_Wait", vec![handle]))
                    .collect(),
            ));
            let targets = arguments(&[("ARMCI_Put", 3), ("ARMCI_NbPut", 3), ("ARMCI_PutValueInt", 2)]);
            words.extend(waits(
                targets
                    .into_iter()
                    .map(|target| call("ARMCI_Fence", vec![target]))
                    .collect(),
            ));
            words.extend(waits(vec![
                call("ARMCI_WaitAll", Vec::new()),
                call("ARMCI_AllFence", Vec::new()),
            ]));
            words.push((Kind::Barrier, call("ARMCI_Barrier", Vec::new())));
        }
        Api::Gasnet => {
            let mut handles: Vec<Target> = Vec::new();
            for target in
                calls().filter_map(|(call, into)| into.as_ref().filter(|_| call.name.text.contains("_nb")))
            {
                if !handles.contains(target) {
                    handles.push(target.clone());
                }
            }
            let sync = |handle| call("gasnet_wait_syncnb", vec![Expression::Value(handle)]);
            words.extend(waits(handles.into_iter().map(sync).collect()));
            words.extend(waits(vec![
                call("gasnet_wait_syncnbi_puts", Vec::new()),
                call("gasnet_wait_syncnbi_gets", Vec::new()),
            ]));
            words.push((Kind::Barrier, call("gasnet_barrier", Vec::new())));
        }
        Api::Gpi => {
            let queues = arguments(&[("writeDmaGPI", QUEUE_ARGUMENT), ("readDmaGPI", QUEUE_ARGUMENT)]);
            words.extend(waits(
                queues
                    .into_iter()
                    .map(|queue| call("waitDmaGPI", vec![queue]))
                    .collect(),
            ));
            words.push((Kind::Barrier, call("barrierGPI", Vec::new())));
        }
        Api::Gaspi | Api::Gaspi17 => {
            let queues = arguments(&[
                ("gaspi_write", 6),
                ("gaspi_read", 6),
                ("gaspi_notify", 4),
                ("gaspi_write_notify", 8),
                ("gaspi_read_notify", 7),
            ]);
            let block = value("GASPI_BLOCK");
            words.extend(waits(
                queues
                    .into_iter()
                    .map(|queue| call("gaspi_wait", vec![queue, block.clone()]))
                    .collect(),
            ));
            words.push((
                Kind::Barrier,
                call("gaspi_barrier", vec![value("GASPI_GROUP_ALL"), block]),
            ));
        }
    }
    // A program of an API may have queues of its own.
    if program
        .declarations
        .iter()
        .any(|declaration| matches!(declaration.kind, DeclarationKind::Queue(_)))
    {
        words.extend(
            own_words(program)
                .into_iter()
                .filter(|(kind, _)| *kind != Kind::Barrier),
        );
    }
    words
}
