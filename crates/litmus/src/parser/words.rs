//! The words of the language.

use crate::ast::{Assertion, Operation};

/// Words that are statements or parts of them: no variable or register can have such a name.
pub(crate) const RESERVED: [&str; 44] = [
    "get",
    "put",
    "rga",
    "cas",
    "accumulate",
    "get_accumulate",
    "fetch_and_op",
    "compare_and_swap",
    "notify",
    "put_notify",
    "get_notify",
    "wait_queue",
    "await",
    "take",
    "flush",
    "flush_local",
    "flush_all",
    "flush_local_all",
    "fence",
    "lock_shared",
    "lock_exclusive",
    "unlock",
    "lock_all",
    "unlock_all",
    "post",
    "start",
    "complete",
    "wait",
    "sync",
    "barrier",
    "send",
    "recv",
    "while",
    "bound",
    "if",
    "else",
    "exists",
    "forall",
    "locations",
    "filter",
    "accesses",
    "true",
    "false",
    "T",
];

/// Calls that stand alone, with or without arguments.
pub(super) const CALLS: [&str; 26] = [
    "put",
    "accumulate",
    "notify",
    "put_notify",
    "wait_queue",
    "await",
    "flush",
    "flush_local",
    "flush_all",
    "flush_local_all",
    "fence",
    "lock_shared",
    "lock_exclusive",
    "unlock",
    "lock_all",
    "unlock_all",
    "post",
    "start",
    "complete",
    "wait",
    "sync",
    "barrier",
    "send",
    "recv",
    "while",
    "if",
];

/// Calls whose result is a variable.
pub(super) const RESULTS: [&str; 7] = [
    "get",
    "rga",
    "cas",
    "get_accumulate",
    "fetch_and_op",
    "compare_and_swap",
    "get_notify",
];

/// Words that stand after the processes.
pub(super) const TAIL: [&str; 4] = ["exists", "forall", "locations", "filter"];

pub(super) const OPERATIONS: [(&str, Operation); 9] = [
    ("sum", Operation::Sum),
    ("prod", Operation::Product),
    ("min", Operation::Minimum),
    ("max", Operation::Maximum),
    ("band", Operation::And),
    ("bor", Operation::Or),
    ("bxor", Operation::Xor),
    ("replace", Operation::Replace),
    ("no_op", Operation::NoOp),
];

pub(super) const ASSERTIONS: [(&str, Assertion); 4] = [
    ("nostore", Assertion::NoStore),
    ("noput", Assertion::NoPut),
    ("noprecede", Assertion::NoPrecede),
    ("nosucceed", Assertion::NoSucceed),
];

/// How a call is written.
pub(super) fn usage(call: &str) -> &'static str {
    match call {
        "put" => "`put(X@1, Y)`: X at process 1 receives Y",
        "get" => "`X = get(Y@1)`",
        "notify" => "`notify(N@1)`, `notify(N@1, 5)`: the flag N at process 1 is set to 1, to 5",
        "put_notify" => {
            "`put_notify(X@1, Y, N@1, 5)`: X at process 1 receives Y, then the flag N is set to 5"
        }
        "get_notify" => "`X = get_notify(Y@1, N)`: the process' own flag N is set when X is there",
        "wait_queue" => "`wait_queue(1)`",
        "await" => "`await(N)`: waits until the process' own flag N is not 0",
        "take" => "`a = take(N)`: reads the process' own flag N and sets it to 0",
        "rga" => "`X = rga(Y@1, Z)`",
        "cas" => "`X = cas(Y@1, C, S)`",
        "compare_and_swap" => "`X = compare_and_swap(Y@1, C, S)`",
        "accumulate" => "`accumulate(X@1, Y, sum)`",
        "get_accumulate" => "`X = get_accumulate(Y@1, Z, sum)`",
        "fetch_and_op" => "`X = fetch_and_op(Y@1, Z, sum)`",
        "fence" => "`fence`, `fence(noprecede)`",
        "post" => "`post(0, 2)`: the origins of the exposure epoch",
        "start" => "`start(1)`: the targets of the access epoch",
        "send" => "`send(1)`",
        "recv" => "`recv(0)`",
        "while" => "`while (a != 1) bound 3 { ... }`",
        "if" => "`if (a == 1) { ... } else { ... }`",
        "flush" => "`flush(1)`",
        "flush_local" => "`flush_local(1)`",
        "lock_shared" => "`lock_shared(1)`",
        "lock_exclusive" => "`lock_exclusive(1)`",
        "unlock" => "`unlock(1)`",
        _ => "this call has no arguments",
    }
}
