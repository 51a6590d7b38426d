//! The text form: what parses, what is refused and where, and that printing is the inverse of parsing.

use farside_pgas::ast::{Api, Expression, StatementKind};
use farside_pgas::diagnostic::line_and_column;
use farside_pgas::parser::{MAX_BYTES, MAX_DEPTH, parse};

const FIGURE_1: &str = "program 1to1
\"Figure 1 (a) of paper 003\"
ranks 2
domain 2

shared x = 1, y
queue q

write(x, (me + 1) % n, y, q)
barrier()
assert y == 1
";

#[test]
fn figure_1_reads_as_in_the_paper() {
    let program = parse(FIGURE_1).unwrap();
    assert_eq!(program.name.text, "1to1");
    assert_eq!(program.about, ["Figure 1 (a) of paper 003"]);
    assert_eq!(
        (program.ranks.unwrap().value, program.domain.unwrap().value),
        (2, 2)
    );
    assert_eq!(program.declarations.len(), 3);
    let kinds: Vec<String> = program
        .body
        .iter()
        .map(|statement| farside_pgas::printer::head(&statement.kind))
        .collect();
    assert_eq!(
        kinds,
        ["write(x, (me + 1) % n, y, q)", "barrier", "assert y == 1"]
    );
}

#[test]
fn every_statement_survives_printing() {
    let text = "program all api shmem ranks 3 domain 4"
        .replace(" api", "\napi")
        .replace(" ranks", "\nranks")
        .replace(" domain", "\ndomain")
        + "
shared x = me, a[3] = {1, 2, me * 2}, b[2] = 1
register r = 2
register s
queue q[2] unordered
queue p ordered per target
queue o
handle h, g[2]
start:
r = a[r + 1] - (2 - 3) - -1; mem[&a[1]] = !(r == 1) || s && 1
r <- x
assume r != 1
assert (a[0] < 2) == 1
if r { skip } else if s { x = 1 } else { x = 2 }
while x == 0 { continue }
loop { break }
choice { r = 1 }
or { r = 2 }
rank 0, 1..2 { goto start } else { skip }
read(x, me + 1, a[1], q[0])
write(mem[0], 0, x, p, h)
fetch_add(x, 1, x, 1, p)
fetch_add(_, 1, x, 1, p)
write_after(x, 1, x, p)
read_after(x, 1, x, p, h)
swap(x, 1, x, r, o, g[1])
cas(x, 1, x, 0, 1, o)
barrier; wait q[r]; wait_local h
fence p; fence p, 1
h = call(&x, 1 + f(2), a)
r = f(1) + 2
g()
";
    let program = parse(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
    assert_eq!(program.api, Some(Api::Shmem));
    let printed = program.to_string();
    let again =
        parse(&printed).unwrap_or_else(|errors| panic!("{}\n{printed}", errors[0].render("t", &printed)));
    assert_eq!(again, program, "{printed}");
    assert_eq!(again.to_string(), printed);
}

#[test]
fn operators_bind_as_in_c() {
    let program = parse("r = 1 + 2 * 3 - 4 == 5 && 6 < 7 || 8").unwrap();
    let StatementKind::Assign { value, .. } = &program.body[0].kind else {
        panic!("no assignment")
    };
    let explicit = parse("r = ((((1 + (2 * 3)) - 4) == 5) && (6 < 7)) || 8").unwrap();
    let StatementKind::Assign { value: expected, .. } = &explicit.body[0].kind else {
        panic!("no assignment")
    };
    assert_eq!(value, expected);
    assert!(matches!(value, Expression::Binary(..)));
}

/// A text, and of each error: line, column, part of the message, part of the hint.
fn refused(text: &str, expected: &[(usize, usize, &str, &str)]) {
    let errors = parse(text).expect_err(text);
    let found: Vec<_> = errors
        .iter()
        .map(|e| {
            (
                line_and_column(text, e.place.0.start),
                e.message.as_str(),
                e.hint.as_deref().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(found.len(), expected.len(), "{text}\n{found:?}");
    for (&((line, column), message, hint), &(l, c, m, h)) in found.iter().zip(expected) {
        assert!(
            (line, column) == (l, c) && message.contains(m) && hint.contains(h),
            "{text}\n{found:?}"
        );
    }
}

#[test]
fn errors_have_place_and_hint_and_the_parser_goes_on() {
    refused(
        "barier\nx = \nwrite(x, 1)\nbarrier",
        &[
            (1, 1, "begins no statement", "did you mean `barrier`"),
            (2, 5, "expression is missing", "number"),
            (3, 11, "`,` is missing", "write `,`"),
        ],
    );
    refused(
        "shared x = 1\nx = 1\nshared y",
        &[(3, 1, "before the first statement", "top")],
    );
    refused("if x == 1 {\n x = 2\n", &[(3, 1, "`}` is missing", "write `}`")]);
    refused("x = 1\n}\nx = 2", &[(2, 1, "closes nothing", "remove")]);
    refused(
        "x = 1 $ 2",
        &[
            (1, 7, "no part of the language", ""),
            (1, 9, "over here", "new line"),
        ],
    );
    refused("x = 99999999999", &[(1, 5, "larger than", "")]);
    refused("api mpi", &[(1, 5, "no such API", "shmem, armci")]);
    refused("ranks two", &[(1, 7, "number is missing", "")]);
    refused(
        "queue q ordered per rank",
        &[(1, 21, "per", "ordered per target")],
    );
    refused(
        "shared barrier",
        &[(1, 8, "word of the language", "another name")],
    );
    refused("while x = 1 { }", &[(1, 9, "`{` is missing", "")]);
    refused("program \"x", &[(1, 9, "", "")]);
}

#[test]
fn size_and_nesting_are_bounded() {
    let long = " ".repeat(MAX_BYTES + 1);
    assert!(parse(&long).unwrap_err()[0].message.contains("bytes"));
    for (open, close) in [("(", ")"), ("-", ""), ("a[", "]"), ("1 + (", ")")] {
        let fits = format!(
            "r = {}1{}",
            open.repeat(MAX_DEPTH / 2 - 1),
            close.repeat(MAX_DEPTH / 2 - 1)
        );
        assert!(parse(&fits).is_ok(), "{open}");
        let deep = format!("r = {}1{}", open.repeat(100_000), close.repeat(100_000));
        assert!(
            parse(&deep)
                .unwrap_err()
                .iter()
                .any(|e| e.message.contains("nested")),
            "{open}"
        );
    }
    for block in ["loop { ", "if 1 { ", "rank 0 { ", "choice { "] {
        let deep = format!("{}{}", block.repeat(10_000), "}".repeat(10_000));
        assert!(
            parse(&deep)
                .unwrap_err()
                .iter()
                .any(|e| e.message.contains("nested")),
            "{block}"
        );
    }
    let chain = format!("if 1 {{ }} {}", "else if 1 { } ".repeat(10_000));
    assert!(parse(&chain).unwrap_err()[0].message.contains("nested"));
    let row = format!("r = 1{}", " + 1".repeat(200_000));
    assert!(parse(&row).unwrap_err()[0].message.contains("in a row"));
}
