//! Which methods of the crate `farside` make the operations that reports name.

/// Operations of a report, under the names that their methods begin with.
const OPERATIONS: [&str; 10] = [
    "put",
    "get",
    "rput",
    "rget",
    "accumulate",
    "raccumulate",
    "get_accumulate",
    "rget_accumulate",
    "fetch_and_op",
    "compare_and_swap",
];

/// What their names may end with.
const ENDS: [&str; 5] = ["", "_value", "_layout", "_own", "_notify"];

/// Whether a method makes an operation of a report.
pub(crate) fn makes(method: &str, operation: &str) -> bool {
    let end = method.strip_prefix(operation);
    OPERATIONS.contains(&operation) && end.is_some_and(|end| ENDS.contains(&end))
}
