//! What is written is read back, of any module.

use super::{ARITHMETIC, CONVERSIONS, FLOAT_ARITHMETIC, ORDERINGS, PREDICATES, UPDATES};
use crate::ir::{
    Action, Block, End, FloatPredicate, Function, Global, Instruction, Module, Operand, Ordering, Place, Type,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn one_of<T: Copy + std::fmt::Debug + 'static>(names: super::Names<T>) -> impl Strategy<Value = T> + use<T> {
    select(names.iter().map(|(_, value)| *value).collect::<Vec<T>>())
}

fn ordering() -> impl Strategy<Value = Ordering> {
    one_of(ORDERINGS)
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec![
            "main",
            "MPI_Put",
            "_ZN1a1bEv",
            ".L.str",
            "i32",
            "return",
            "7",
            ""
        ])
        .prop_map(str::to_owned),
        any::<String>(),
        "[a-z\\\\\"\n\r#!%]{0,6}",
    ]
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        (0u32..200).prop_map(Type::Integer),
        Just(Type::Pointer),
        Just(Type::Float),
        Just(Type::Double),
        Just(Type::Extended),
        any::<u64>().prop_map(Type::Wide),
        any::<u64>().prop_map(Type::Opaque),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        (vec((any::<u64>(), inner), 0..4), any::<u64>())
            .prop_map(|(fields, size)| Type::Structure(fields, size))
    })
}

/// Functions and global variables are those of [`module`], and some that are not there.
fn operand() -> impl Strategy<Value = Operand> {
    let leaf = prop_oneof![
        any::<u32>().prop_map(Operand::Register),
        any::<u64>().prop_map(Operand::Integer),
        any::<f64>()
            .prop_filter("a number", |value| !value.is_nan())
            .prop_map(Operand::Float),
        any::<f32>()
            .prop_filter("a number", |value| !value.is_nan())
            .prop_map(Operand::Single),
        select(vec![f64::INFINITY, -f64::INFINITY, -0.0, 1e-300]).prop_map(Operand::Float),
        (0u32..5, any::<i64>()).prop_map(|(global, offset)| Operand::Global(global, offset)),
        (0u32..5, Just(0)).prop_map(|(global, offset)| Operand::Global(global, offset)),
        (0u32..5).prop_map(Operand::Function),
        Just(Operand::Undefined),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| vec(inner, 0..3).prop_map(Operand::Aggregate))
}

fn arrays() -> impl Strategy<Value = Option<Vec<u64>>> {
    option::of(vec(any::<u64>(), 0..3))
}

fn memory_access() -> impl Strategy<Value = Action> {
    prop_oneof![
        (any::<u64>(), operand(), name(), any::<bool>(), arrays()).prop_map(
            |(size, count, name, declared, arrays)| Action::Allocate {
                size,
                count,
                name,
                declared,
                arrays,
            }
        ),
        (operand(), ty(), option::of(ordering())).prop_map(|(address, ty, atomic)| Action::Load {
            address,
            ty,
            atomic
        }),
        (operand(), operand(), ty(), option::of(ordering())).prop_map(|(address, value, ty, atomic)| {
            Action::Store {
                address,
                value,
                ty,
                atomic,
            }
        }),
        (one_of(UPDATES), operand(), operand(), ty(), ordering()).prop_map(
            |(operator, address, value, ty, ordering)| Action::AtomicUpdate {
                operator,
                address,
                value,
                ty,
                ordering,
            }
        ),
        (operand(), operand(), operand(), ty(), ordering()).prop_map(
            |(address, expected, replacement, ty, ordering)| Action::CompareExchange {
                address,
                expected,
                replacement,
                ty,
                ordering,
            }
        ),
        ordering().prop_map(Action::Fence),
    ]
}

fn arithmetic() -> impl Strategy<Value = Action> {
    let two = || (operand(), operand());
    prop_oneof![
        (one_of(ARITHMETIC), any::<u32>(), two()).prop_map(|(operator, bits, (left, right))| {
            Action::Arithmetic {
                operator,
                bits,
                left,
                right,
            }
        }),
        (one_of(FLOAT_ARITHMETIC), ty(), two()).prop_map(|(operator, ty, (left, right))| {
            Action::FloatArithmetic {
                operator,
                ty,
                left,
                right,
            }
        }),
        (one_of(PREDICATES), any::<u32>(), two()).prop_map(|(predicate, bits, (left, right))| {
            Action::Compare {
                predicate,
                bits,
                left,
                right,
            }
        }),
        (any::<[bool; 4]>(), ty(), two()).prop_map(
            |([less, equal, greater, unordered], ty, (left, right))| Action::FloatCompare {
                predicate: FloatPredicate {
                    less,
                    equal,
                    greater,
                    unordered,
                },
                ty,
                left,
                right,
            }
        ),
        (one_of(CONVERSIONS), ty(), ty(), operand()).prop_map(|(conversion, from, to, value)| {
            Action::Convert {
                conversion,
                from,
                to,
                value,
            }
        }),
        (operand(), two()).prop_map(|(condition, (yes, no))| Action::Select { condition, yes, no }),
        (
            operand(),
            any::<i64>(),
            vec((operand(), any::<u32>(), any::<i64>()), 0..3)
        )
            .prop_map(|(base, constant, terms)| Action::Offset {
                base,
                constant,
                terms
            }),
    ]
}

fn other() -> impl Strategy<Value = Action> {
    let path = || vec(any::<u32>(), 0..3);
    prop_oneof![
        (operand(), vec(operand(), 0..4)).prop_map(|(callee, arguments)| Action::Call { callee, arguments }),
        (operand(), path()).prop_map(|(aggregate, path)| Action::Extract { aggregate, path }),
        (operand(), operand(), path()).prop_map(|(aggregate, value, path)| Action::Insert {
            aggregate,
            value,
            path
        }),
        Just(Action::LandingPad),
        Just(Action::Unknown),
    ]
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        any::<u32>().prop_map(End::Goto),
        (operand(), any::<u32>(), any::<u32>()).prop_map(|(condition, yes, no)| End::Branch {
            condition,
            yes,
            no
        }),
        (operand(), vec(any::<(u64, u32)>(), 0..3), any::<u32>()).prop_map(|(value, cases, default)| {
            End::Switch {
                value,
                cases,
                default,
            }
        }),
        option::of(operand()).prop_map(End::Return),
        any::<(u32, u32)>().prop_map(|(normal, unwind)| End::Invoke { normal, unwind }),
        Just(End::Resume),
        Just(End::Unreachable),
        Just(End::Unknown),
    ]
}

fn block() -> impl Strategy<Value = Block> {
    let instruction = (
        0u32..3,
        option::of(any::<u32>()),
        prop_oneof![memory_access(), arithmetic(), other()],
    );
    let instruction = instruction.prop_map(|(place, result, action)| Instruction {
        place,
        result,
        action,
    });
    let phi = (any::<u32>(), vec((any::<u32>(), operand()), 0..3));
    (vec(phi, 0..2), vec(instruction, 0..5), end(), 0u32..3).prop_map(
        |(phis, instructions, end, end_place)| Block {
            phis,
            instructions,
            end,
            end_place,
        },
    )
}

fn module() -> impl Strategy<Value = Module> {
    let place =
        (name(), any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(file, line, column, function)| Place {
            file,
            line,
            column,
            function,
        });
    let global = (
        name(),
        any::<u64>(),
        any::<(bool, bool, bool)>(),
        vec((any::<u64>(), ty(), operand()), 0..3),
        arrays(),
    );
    let global = global.prop_map(
        |(name, size, (external, internal, constant), initial, arrays)| Global {
            name,
            size,
            external,
            internal,
            constant,
            initial,
            arrays,
        },
    );
    let function = (
        name(),
        any::<(u32, u32, bool)>(),
        vec(ty(), 0..3),
        vec(block(), 0..3),
    );
    let function = function.prop_map(
        |(name, (parameters, registers, internal), parameter_types, blocks)| Function {
            name,
            parameters,
            parameter_types,
            registers,
            blocks,
            internal,
        },
    );
    let alias = (name(), name());
    let parts = (
        vec(place, 0..3),
        vec(global, 0..4),
        vec(function, 0..4),
        vec(alias, 0..3),
    );
    parts.prop_map(|(places, globals, functions, aliases)| Module {
        places,
        globals,
        functions,
        aliases,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_written_is_read_back(module in module()) {
        let text = module.to_string();
        let read: Result<Module, _> = text.parse();
        prop_assert_eq!(read, Ok(module), "{}", text);
    }
}

#[test]
fn a_module_is_written_as_its_documentation_shows_it() {
    let text = "declare MPI_Init(ptr, ptr)
global @cells 32
function main(i32, ptr) registers 5 {
0:
  %2 = call &MPI_Init(0, 0)
  store i32 7, @(cells + 4)
  %3 = offset @cells + 8 + %0:32*4 !1
  %4 = load i32, %3
  return %4
}
";
    let module: Module = text.parse().unwrap();
    assert_eq!(module.functions[1].blocks[0].instructions.len(), 4);
    // Global variables come first, in whichever order they were given.
    assert!(
        module
            .to_string()
            .starts_with("global @cells 32\ndeclare MPI_Init(ptr, ptr)\nfunction main")
    );
    assert_eq!(module.to_string().parse(), Ok(module));
}

#[test]
fn a_text_that_is_no_module_is_refused_where_it_is_wrong() {
    let wrong = |text: &str| text.parse::<Module>().unwrap_err().to_string();
    assert_eq!(
        wrong("function f() {\n0:\n  %1 = lod i32, %0\n}"),
        "line 3: expected an instruction"
    );
    assert_eq!(
        wrong("function f() {\n0:\n  %1 = call &g()\n}"),
        "line 3: expected a function of this module"
    );
    assert_eq!(
        wrong("declare f(i32"),
        "line 1: expected a comma, or the end of a list"
    );
    assert_eq!(
        wrong("function f() {\n1:\n  return\n}"),
        "line 2: expected the number of the next block"
    );
}
