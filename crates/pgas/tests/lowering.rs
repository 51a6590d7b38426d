//! Programs become automata, and what is wrong with them is named.

use farside_pgas::ast::{Api, Completion, Order};
use farside_pgas::calculus::{Command, Expression, Polls, Program, Undefined};
use farside_pgas::diagnostic::{Diagnostic, line_and_column};
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;

const TWO: Settings = Settings {
    ranks: Some(2),
    domain: Some(2),
    api: None,
    polls: Polls::Awaited,
};

fn lowered(text: &str, settings: Settings) -> Result<Program, Vec<Diagnostic>> {
    lower(
        &parse(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("t", text))),
        settings,
    )
}

fn fine(text: &str) -> Program {
    lowered(text, TWO).unwrap_or_else(|errors| panic!("{}", errors[0].render("t", text)))
}

/// The commands of rank 0 along its only way.
fn commands(program: &Program) -> Vec<&Command> {
    let code = &program.codes[program.code_of_rank[0]];
    let (mut at, mut found) = (0, Vec::new());
    while let Some(step) = code.transitions.iter().find(|step| step.from == at) {
        found.push(&step.command);
        at = step.to;
        assert!(found.len() < 100, "a loop");
    }
    found
}

#[test]
fn figure_1_is_four_commands() {
    let program = fine("shared x = 1, y\nqueue q\nwrite(x, (me + 1) % n, y, q)\nbarrier\nassert y == 1");
    let commands = commands(&program);
    assert!(matches!(
        commands[..],
        [
            Command::Transfer(_),
            Command::Barrier,
            Command::Load { .. },
            Command::Assume { asserted: true, .. }
        ]
    ));
    assert_eq!(program.codes.len(), 1, "all ranks run the same");
    assert_eq!(program.codes[0].states, 5);
    assert_eq!(
        (program.cells.as_slice(), program.first_cells[1].as_slice()),
        (["x", "y"].map(String::from).as_slice(), [1, 0].as_slice())
    );
    let last = program.codes[0].transitions.last().unwrap();
    assert_eq!(
        last.dead.len(),
        1,
        "nobody needs what was loaded after the assertion"
    );
}

#[test]
fn ranks_may_differ_and_conditions_on_the_rank_cost_nothing() {
    let blocks = fine("shared x\nrank 0 { x = 1 } else { r = x }");
    assert_eq!(
        (blocks.codes.len(), blocks.code_of_rank.as_slice()),
        (2, [0, 1].as_slice())
    );
    let conditions = fine("shared x\nif me == 0 { x = 1 } else { r = x }");
    assert_eq!(
        conditions
            .codes
            .iter()
            .map(|code| code.states)
            .collect::<Vec<_>>(),
        [2, 2]
    );
}

#[test]
fn loops_and_choices_have_no_empty_steps() {
    let program = fine("shared x\nloop { x = 1 }\nchoice { x = 0 } or { barrier }\nagain: x = 1\ngoto again");
    let code = &program.codes[0];
    // After the loop and one of the choices, all that is left is to store 1 for ever.
    assert_eq!(code.states, 2, "{code:?}");
    let first: Vec<_> = code.transitions.iter().filter(|step| step.from == 0).collect();
    assert_eq!(first.len(), 3, "a turn, or one of the choices");
    let polled = fine("shared x\nwhile x == 0 { }\nbarrier");
    assert_eq!(polled.codes[0].states, 4, "{:?}", polled.codes[0]);
    assert_eq!(fine("loop { }\nwhile 1 { skip }").codes[0].transitions.len(), 0);
    assert_eq!(
        fine("shared x\nwhile 1 { x = 1\nif x { break } else { continue }\nx = 0 }\nbarrier").codes[0].states,
        5
    );
}

#[test]
fn waits_name_all_of_an_array() {
    let program = fine("shared x\nqueue q[3]\nhandle h\nwait q\nwait q[1]\nwait_local h");
    let waits: Vec<(usize, usize, Completion)> = commands(&program)
        .into_iter()
        .map(|command| match command {
            Command::Wait {
                queues,
                handles,
                completion,
            } => (queues.len(), handles.len(), *completion),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        waits,
        [
            (3, 0, Completion::Full),
            (1, 0, Completion::Full),
            (0, 1, Completion::Local)
        ]
    );
}

#[test]
fn a_queue_without_a_word_is_as_the_api_says() {
    let said = lowered(
        "queue q, p ordered",
        Settings {
            api: Some(Api::Gaspi),
            ..TWO
        },
    )
    .unwrap();
    assert_eq!(said.queues[0].order, Order::Ordered);
    let plain = |api| lowered("queue q", Settings { api, ..TWO }).unwrap().queues[0].order;
    assert_eq!(
        [
            None,
            Some(Api::Armci),
            Some(Api::Gpi),
            Some(Api::Gaspi),
            Some(Api::Shmem),
            Some(Api::Gasnet)
        ]
        .map(plain),
        [
            Order::Ordered,
            Order::Ordered,
            Order::PerTarget,
            Order::Unordered,
            Order::Unordered,
            Order::Unordered
        ]
    );
}

#[test]
fn what_cannot_be_evaluated_is_an_error_and_no_panic() {
    let number = Expression::Constant;
    let of = |operator, left, right| {
        Expression::Binary(operator, Box::new(left), Box::new(right)).value(0, 2, &|_| 0)
    };
    use farside_pgas::ast::BinaryOperator as B;
    assert_eq!(
        of(B::Divide, number(1), number(0)),
        Err(Undefined::DivisionByZero)
    );
    assert_eq!(of(B::Remainder, number(-1), number(3)), Ok(2));
    assert_eq!(
        of(B::Divide, number(i64::MIN), number(-1)),
        Err(Undefined::DivisionByZero)
    );
    assert_eq!(of(B::Multiply, number(i64::MAX), number(2)), Ok(-2));
    assert_eq!(
        of(
            B::And,
            number(0),
            Expression::Element {
                base: 0,
                count: 1,
                index: Box::new(number(7))
            }
        ),
        Ok(0)
    );
    assert_eq!(
        of(
            B::Or,
            number(0),
            Expression::Element {
                base: 0,
                count: 1,
                index: Box::new(number(7))
            }
        ),
        Err(Undefined::OutOfRange)
    );
}

/// One error: line, part of the message, part of the hint.
fn refused(text: &str, settings: Settings, line: usize, message: &str, hint: &str) {
    let errors = lowered(text, settings).expect_err(text);
    let first = &errors[0];
    let at = line_and_column(text, first.place.0.start).0;
    assert!(
        errors.len() == 1
            && at == line
            && first.message.contains(message)
            && first.hint.as_deref().unwrap_or("").contains(hint),
        "{text}\n{errors:?}"
    );
}

#[test]
fn errors_are_named() {
    refused(
        "program p\nranks 2",
        Settings::default(),
        1,
        "domain is unbounded",
        "--domain",
    );
    refused(
        "program p\ndomain 2",
        Settings::default(),
        1,
        "number of ranks is missing",
        "--ranks",
    );
    refused("ranks 0\ndomain 2", Settings::default(), 1, "0 ranks", "");
    refused(
        "ranks 2\ndomain 99999999",
        Settings::default(),
        2,
        "domain of 99999999",
        "",
    );
    refused(
        "shared y\nr = yy",
        TWO,
        2,
        "unknown variable `yy`",
        "did you mean `y`",
    );
    refused(
        "shared x\nwrite(x, 1, x, q)",
        TWO,
        2,
        "unknown queue or handle `q`",
        "queue",
    );
    refused("wait q", TWO, 1, "unknown queue or handle `q`", "queue");
    refused(
        "shared a[2]\nr = a[2]",
        TWO,
        2,
        "address out of range: `a[2]`",
        "0 to 1",
    );
    refused(
        "shared a[2]\nr = a[me + 1]",
        TWO,
        2,
        "address out of range: `a[2]`, for rank 1",
        "0 to 1",
    );
    refused(
        "shared a[2]\nr = mem[9]",
        TWO,
        2,
        "address out of range",
        "0 to 1",
    );
    refused("shared a[2]\nr = a", TWO, 2, "is an array", "a[0]");
    refused("shared a\nr = a[0]", TWO, 2, "is no array", "");
    refused("shared x, x", TWO, 1, "declared twice", "another name");
    refused("shared x = 2", TWO, 1, "2 is outside of the domain", "domain 3");
    refused(
        "shared x\nx = 2",
        TWO,
        2,
        "2 is outside of the domain",
        "domain 3",
    );
    refused(
        "shared a[3] = {1, 1}",
        TWO,
        1,
        "3 elements, but 2 first values",
        "",
    );
    refused("shared x = x", TWO, 1, "known before the run", "");
    refused(
        "shared x\nqueue q\nwrite(x, 2, x, q)",
        TWO,
        3,
        "there is no rank 2",
        "% n",
    );
    refused("rank 2 { skip }", TWO, 1, "there is no rank 2", "");
    refused(
        "goto there\nthere_:",
        TWO,
        1,
        "no label `there`",
        "did you mean `there_`",
    );
    refused("l:\nl:", TWO, 2, "there twice", "");
    refused("break", TWO, 1, "no loop around", "");
    refused(
        "shared x\nqueue q\nr = q",
        TWO,
        3,
        "`q` is a queue, not a shared variable",
        "",
    );
    refused(
        "shared x\nwait x",
        TWO,
        2,
        "`x` is a shared variable, not a queue or a handle",
        "",
    );
    refused("shared a[5000]", TWO, 1, "too large", "");
    refused("shared a[0]", TWO, 1, "no elements", "");
    refused(
        "shared x\nshmem_put(&x, &x, 1, 1)",
        TWO,
        2,
        "no API is chosen",
        "api shmem",
    );
    let shmem = Settings {
        api: Some(Api::Shmem),
        ..TWO
    };
    refused(
        "shared x\nshmem_putt(&x, &x, 1, 1)",
        shmem,
        2,
        "unknown call",
        "did you mean `shmem_put`",
    );
    refused(
        "shared x\nshmem_put(&x, &x, 1)",
        shmem,
        2,
        "takes 4 arguments, not 3",
        "shmem_put(dest",
    );
    refused(
        "shared x\nr = shmem_g(&x, 1) + 1",
        shmem,
        2,
        "within an expression",
        "register first",
    );
    refused("shared x\nr = shmem_quiet()", shmem, 2, "no result", "");
    refused(
        "shared x\nshmem_put(&x, 3, 1, 1)",
        shmem,
        2,
        "address is missing",
        "shmem_put(dest",
    );
    refused(
        "shared shmem_puts\nshmem_quiet()",
        shmem,
        1,
        "the name of what a call stands for",
        "",
    );
}
