//! Property: every tree that can be written parses back from what is printed; and no text makes the parser panic.

use farside_pgas::ast::*;
use farside_pgas::parser::parse;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn header(value: u32) -> Header {
    Header {
        value,
        place: Place::default(),
    }
}

fn name() -> impl Strategy<Value = Name> {
    "[a-z_][a-z0-9_]{2,5}x".prop_map(|text| Name {
        text,
        place: Place::default(),
    })
}

fn target(of: BoxedStrategy<Expression>) -> BoxedStrategy<Target> {
    prop_oneof![
        name().prop_map(Target::Name),
        (name(), of.clone()).prop_map(|(name, index)| Target::Element(name, Box::new(index))),
        of.prop_map(|address| Target::Memory(Box::new(address), Place::default())),
    ]
    .boxed()
}

fn expression() -> BoxedStrategy<Expression> {
    let leaf = prop_oneof![
        (0_i64..100).prop_map(|value| Expression::Number(value, Place::default())),
        Just(Expression::Me(Place::default())),
        Just(Expression::Ranks(Place::default())),
        name().prop_map(|name| Expression::Value(Target::Name(name))),
    ];
    let operator = proptest::sample::select(vec![
        BinaryOperator::Or,
        BinaryOperator::And,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessOrEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterOrEqual,
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Remainder,
    ]);
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let inner = inner.boxed();
        prop_oneof![
            target(inner.clone()).prop_map(Expression::Value),
            target(inner.clone()).prop_map(Expression::Address),
            (name(), vec(inner.clone(), 0..3))
                .prop_map(|(name, arguments)| Expression::Call(Box::new(Call { name, arguments }))),
            (any::<bool>(), inner.clone()).prop_map(|(minus, inner)| {
                let operator = if minus {
                    UnaryOperator::Minus
                } else {
                    UnaryOperator::Not
                };
                Expression::Unary(operator, Box::new(inner))
            }),
            (operator.clone(), inner.clone(), inner).prop_map(|(operator, left, right)| Expression::Binary(
                operator,
                Box::new(left),
                Box::new(right)
            )),
        ]
    })
    .boxed()
}

fn simple() -> BoxedStrategy<StatementKind> {
    let operand = || target(expression());
    prop_oneof![
        (operand(), expression())
            .prop_filter("a lone call is a statement of its own", |(_, value)| !matches!(
                value,
                Expression::Call(_)
            ))
            .prop_map(|(into, value)| StatementKind::Assign { into, value }),
        expression().prop_map(StatementKind::Assume),
        expression().prop_map(StatementKind::Assert),
        Just(StatementKind::Break),
        Just(StatementKind::Continue),
        Just(StatementKind::Skip),
        Just(StatementKind::Barrier),
        name().prop_map(StatementKind::Goto),
        name().prop_map(StatementKind::Label),
        (
            (any::<bool>(), any::<bool>()),
            operand(),
            expression(),
            operand(),
            operand(),
            option::of(operand())
        )
            .prop_map(|((read, after_earlier), local, rank, remote, queue, handle)| {
                StatementKind::Transfer {
                    after_earlier,
                    direction: if read { Direction::Read } else { Direction::Write },
                    local,
                    rank,
                    remote,
                    queue,
                    handle,
                }
            }),
        (
            0_usize..3,
            option::of(operand()),
            expression(),
            operand(),
            (expression(), expression()),
            operand(),
            option::of(operand())
        )
            .prop_map(|(which, local, rank, remote, (first, second), queue, handle)| {
                StatementKind::Atomic {
                    operation: [
                        AtomicOperation::FetchAdd,
                        AtomicOperation::Swap,
                        AtomicOperation::CompareSwap,
                    ][which],
                    local,
                    rank,
                    remote,
                    operands: if which == 2 {
                        vec![first, second]
                    } else {
                        vec![first]
                    },
                    queue,
                    handle,
                }
            }),
        (operand(), any::<bool>()).prop_map(|(what, local)| StatementKind::Wait {
            what,
            completion: if local {
                Completion::Local
            } else {
                Completion::Full
            },
        }),
        (operand(), option::of(expression())).prop_map(|(queue, rank)| StatementKind::Fence { queue, rank }),
        (option::of(operand()), name(), vec(expression(), 0..4)).prop_map(|(into, name, arguments)| {
            StatementKind::Call {
                into,
                call: Call { name, arguments },
            }
        }),
    ]
    .boxed()
}

fn statement() -> impl Strategy<Value = Statement> {
    simple()
        .prop_recursive(3, 20, 4, |inner| {
            let block = || {
                vec(
                    inner.clone().prop_map(|kind| Statement {
                        kind,
                        place: Place::default(),
                    }),
                    0..3,
                )
                .boxed()
            };
            let ranks = vec((0_u32..9, 0_u32..9), 1..3);
            prop_oneof![
                (expression(), block(), block()).prop_map(|(condition, then, otherwise)| StatementKind::If {
                    condition,
                    then,
                    otherwise
                }),
                (expression(), block())
                    .prop_map(|(condition, body)| StatementKind::While { condition, body }),
                block().prop_map(StatementKind::Loop),
                vec(block(), 1..3).prop_map(StatementKind::Choice),
                (ranks, block(), block()).prop_map(|(ranks, body, otherwise)| StatementKind::Rank {
                    ranks,
                    body,
                    otherwise
                }),
            ]
        })
        .prop_map(|kind| Statement {
            kind,
            place: Place::default(),
        })
}

fn declaration() -> impl Strategy<Value = Declaration> {
    let kind = prop_oneof![
        vec(expression(), 0..3).prop_map(DeclarationKind::Shared),
        option::of(expression()).prop_map(DeclarationKind::Register),
        option::of(proptest::sample::select(vec![
            Order::Ordered,
            Order::PerTarget,
            Order::Unordered
        ]))
        .prop_map(DeclarationKind::Queue),
        Just(DeclarationKind::Handle),
    ];
    (name(), kind, option::of(0_u32..9)).prop_map(|(name, kind, count)| {
        let count = match &kind {
            DeclarationKind::Register(_) => None,
            DeclarationKind::Shared(values) if values.len() > 1 => Some(count.unwrap_or(3)),
            _ => count,
        };
        Declaration { name, kind, count }
    })
}

fn program() -> impl Strategy<Value = Program> {
    (
        (name(), vec("[ -!#-~]{0,12}", 0..2)),
        proptest::sample::select(vec![
            None,
            Some(Api::Shmem),
            Some(Api::Armci),
            Some(Api::Gasnet),
            Some(Api::Gpi),
            Some(Api::Gaspi),
        ]),
        (option::of(0_u32..9), option::of((0_u32..9, any::<bool>()))),
        vec(declaration(), 0..4),
        vec(statement(), 0..6),
    )
        .prop_map(
            |((name, about), api, (ranks, domain), declarations, body)| Program {
                name,
                about,
                api,
                ranks: ranks.map(header),
                wraps: domain.is_some_and(|(_, wraps)| wraps),
                domain: domain.map(|(domain, _)| header(domain)),
                declarations,
                body,
            },
        )
}

proptest! {
    #[test]
    fn what_is_printed_parses_back(program in program()) {
        let text = program.to_string();
        match parse(&text) {
            Ok(again) => prop_assert_eq!(again, program, "{}", text),
            Err(errors) => prop_assert!(false, "{}\n{}", errors[0].render("printed", &text), text),
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-z0-9 \\n;(){}\\[\\]=<&+.,:\"!$\u{e4}]{0,80}") {
        if let Err(errors) = parse(&text) {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(!error.render("t", &text).is_empty());
            }
        }
    }

    #[test]
    fn nor_does_a_text_with_pieces_missing(program in program(), cut in 0_usize..400, length in 1_usize..30) {
        let text = program.to_string();
        let kept: String = text.chars().enumerate().filter(|(at, _)| !(cut..cut + length).contains(at)).map(|(_, c)| c).collect();
        let _ = parse(&kept);
    }
}
