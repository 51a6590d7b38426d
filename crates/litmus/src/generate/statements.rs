//! Statements of one process.

use super::{atomicities, names, values};
use crate::ast::{
    Access, Assertion, BinaryOperator, Expression, Notification, Operation, Place, Process, Queue, Rank,
    RegisterId, Statement, StatementKind, VariableId,
};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;

/// Registers that a process' statements choose from.
const REGISTERS: u32 = 4;

/// What statements can refer to.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) rank: Rank,
    pub(super) processes: u32,
    /// By variable.
    pub(super) owners: Vec<Rank>,
}

/// A process; its registers are not in order yet.
pub(super) fn processes(scope: Scope) -> impl Strategy<Value = Process> {
    let names = btree_set(names(), REGISTERS as usize);
    (names, vec(statements(scope), 0..6)).prop_map(|(names, statements)| Process {
        registers: names.into_iter().collect(),
        statements,
    })
}

fn statements(scope: Scope) -> impl Strategy<Value = Statement> {
    let place = |kind: StatementKind| Statement {
        kind,
        place: Place::default(),
    };
    simple(&scope)
        .prop_map(place)
        .prop_recursive(3, 8, 3, move |inner| {
            let body = || vec(inner.clone(), 0..3);
            prop_oneof![
                (expressions(), 0..=64_u32, body()).prop_map(move |(condition, bound, body)| place(
                    StatementKind::While {
                        condition,
                        bound,
                        body
                    }
                )),
                (expressions(), body(), body()).prop_map(move |(condition, then, otherwise)| place(
                    StatementKind::If {
                        condition,
                        then,
                        otherwise,
                    }
                )),
            ]
        })
}

fn expressions() -> impl Strategy<Value = Expression> {
    use BinaryOperator::{
        Add, And, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Multiply, NotEqual, Or, Subtract,
    };
    let leaf = prop_oneof![
        values().prop_map(Expression::Number),
        registers().prop_map(Expression::Register)
    ];
    leaf.prop_recursive(4, 10, 2, |inner| {
        let operator = select(vec![
            Add, Subtract, Multiply, Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, And, Or,
        ]);
        prop_oneof![
            1 => inner.clone().prop_map(|inner| Expression::Negative(Box::new(inner))),
            1 => inner.clone().prop_map(|inner| Expression::Not(Box::new(inner))),
            4 => (operator, inner.clone(), inner)
                .prop_map(|(operator, left, right)| Expression::Binary(operator, Box::new(left), Box::new(right))),
        ]
    })
}

fn registers() -> impl Strategy<Value = RegisterId> {
    (0..REGISTERS).prop_map(RegisterId)
}

fn simple(scope: &Scope) -> BoxedStrategy<StatementKind> {
    let own = of(scope, |owner| owner == scope.rank);
    let any = of(scope, |_| true);
    let rank = || (0..scope.processes).prop_map(Rank);
    let group =
        || btree_set(rank(), 1..=scope.processes as usize).prop_map(|ranks| ranks.into_iter().collect());
    let registers_only =
        (registers(), expressions()).prop_map(|(into, value)| StatementKind::Assign { into, value });
    let assertion = select(vec![
        Assertion::NoStore,
        Assertion::NoPut,
        Assertion::NoPrecede,
        Assertion::NoSucceed,
    ]);
    let synchronisation = prop_oneof![
        select(vec![
            StatementKind::FlushAll,
            StatementKind::FlushLocalAll,
            StatementKind::LockAll,
            StatementKind::UnlockAll,
            StatementKind::Complete,
            StatementKind::Wait,
            StatementKind::Sync,
            StatementKind::Barrier,
        ]),
        vec(assertion, 0..3).prop_map(StatementKind::Fence),
        rank().prop_map(StatementKind::Flush),
        rank().prop_map(StatementKind::FlushLocal),
        rank().prop_map(StatementKind::LockShared),
        rank().prop_map(StatementKind::LockExclusive),
        rank().prop_map(StatementKind::Unlock),
        rank().prop_map(StatementKind::Send),
        rank().prop_map(StatementKind::Receive),
        group().prop_map(StatementKind::Post),
        group().prop_map(StatementKind::Start),
    ];
    match (own, any) {
        (Some(own), Some(any)) => {
            let queued = queued(own.clone(), any.clone(), scope);
            prop_oneof![1 => registers_only, 3 => synchronisation, 6 => accesses(own, any), 3 => queued]
                .boxed()
        }
        _ => prop_oneof![registers_only, synchronisation].boxed(),
    }
}

/// Accesses to variables of these owners, if there are any.
fn of(scope: &Scope, wanted: impl Fn(Rank) -> bool) -> Option<BoxedStrategy<Access>> {
    let variables: Vec<VariableId> = (0_u32..)
        .zip(&scope.owners)
        .filter(|(_, owner)| wanted(**owner))
        .map(|(variable, _)| VariableId(variable))
        .collect();
    let access = |(variable, atomicity)| Access { variable, atomicity };
    (!variables.is_empty()).then(|| (select(variables), atomicities()).prop_map(access).boxed())
}

/// Queues, and the flags that notifications set.
fn queued(
    own: BoxedStrategy<Access>,
    any: BoxedStrategy<Access>,
    scope: &Scope,
) -> impl Strategy<Value = StatementKind> + use<> {
    let queue = || (0..64_u32).prop_map(Queue);
    let set = |(flag, value): (Access, i64)| Notification {
        flag: flag.variable,
        value: if value == 0 { 1 } else { value },
    };
    let owners = scope.owners.clone();
    let put_notify =
        (any.clone(), own.clone(), any.clone(), values()).prop_map(move |(target, from, flag, value)| {
            let owner = |access: Access| owners[access.variable.0 as usize];
            // The flag lies where the data go.
            let flag = if owner(flag) == owner(target) {
                flag
            } else {
                target
            };
            StatementKind::PutNotify {
                target,
                from,
                notification: set((flag, value)),
            }
        });
    let operation = prop_oneof![
        (own.clone(), any.clone()).prop_map(|(into, target)| StatementKind::Get { into, target }),
        (any.clone(), own.clone()).prop_map(|(target, from)| StatementKind::Put { target, from }),
        (any.clone(), values()).prop_map(move |notification| StatementKind::Notify(set(notification))),
        put_notify,
        (own.clone(), any, own.clone()).prop_map(|(into, target, flag)| StatementKind::GetNotify {
            into,
            target,
            flag: flag.variable
        }),
    ];
    prop_oneof![
        (operation, proptest::option::of(queue())).prop_map(|(operation, queue)| match queue {
            Some(queue) => StatementKind::On {
                queue,
                operation: Box::new(operation)
            },
            None => operation,
        }),
        queue().prop_map(StatementKind::WaitQueue),
        own.clone().prop_map(|flag| StatementKind::Await(flag.variable)),
        (registers(), own).prop_map(|(into, flag)| StatementKind::Take {
            into,
            flag: flag.variable
        }),
    ]
}

fn accesses(own: BoxedStrategy<Access>, any: BoxedStrategy<Access>) -> impl Strategy<Value = StatementKind> {
    let operation = select(vec![
        Operation::Sum,
        Operation::Product,
        Operation::Minimum,
        Operation::Maximum,
        Operation::And,
        Operation::Or,
        Operation::Xor,
        Operation::Replace,
        Operation::NoOp,
    ]);
    let local = prop_oneof![
        (registers(), own.clone()).prop_map(|(into, from)| StatementKind::Load { into, from }),
        (own.clone(), expressions()).prop_map(|(into, value)| StatementKind::Store { into, value }),
    ];
    let three = || (own.clone(), any.clone(), own.clone());
    let four = || (own.clone(), any.clone(), own.clone(), own.clone());
    let remote = prop_oneof![
        (own.clone(), any.clone()).prop_map(|(into, target)| StatementKind::Get { into, target }),
        (any.clone(), own.clone()).prop_map(|(target, from)| StatementKind::Put { target, from }),
        three().prop_map(|(into, target, operand)| StatementKind::Rga {
            into,
            target,
            operand
        }),
        four().prop_map(|(into, target, compare, swap)| StatementKind::Cas {
            into,
            target,
            compare,
            swap
        }),
        four().prop_map(|(into, target, compare, swap)| StatementKind::CompareAndSwap {
            into,
            target,
            compare,
            swap
        }),
        (three(), operation.clone()).prop_map(|((_, target, operand), operation)| {
            StatementKind::Accumulate {
                target,
                operand,
                operation,
            }
        }),
        (three(), operation.clone()).prop_map(|((into, target, operand), operation)| {
            StatementKind::GetAccumulate {
                into,
                target,
                operand,
                operation,
            }
        }),
        (three(), operation).prop_map(|((into, target, operand), operation)| StatementKind::FetchAndOp {
            into,
            target,
            operand,
            operation
        }),
    ];
    prop_oneof![2 => local, 5 => remote]
}
