//! The table against what the standard says of it.

use super::*;
use std::collections::BTreeMap;

fn all() -> Vec<Function> {
    let mut all = Vec::new();
    macro_rules! each {
        ($name:expr, $meaning:expr, $size:expr, $class:ident, $context:expr, $words:expr) => {
            all.push(Function::new(
                $name,
                $meaning,
                Element {
                    size: $size,
                    class: Class::$class,
                },
                $context,
                $words,
            ));
        };
    }
    crate::functions_of_openshmem!(each);
    all
}

#[test]
fn names_are_those_of_one_function_each() {
    let all = all();
    let mut by_name = BTreeMap::new();
    for function in &all {
        assert!(
            by_name.insert(function.name(), function).is_none(),
            "{}",
            function.name()
        );
        assert_eq!(
            function.first() == 1,
            function.name().starts_with("shmem_ctx_")
                && !["shmem_ctx_create", "shmem_ctx_destroy"].contains(&function.name()),
            "{}",
            function.name()
        );
        // What is in memory beyond the registers is on the stack.
        assert!(function.words() <= 9, "{}", function.name());
    }
    // 24 types with 8 forms, 5 sizes with 6 and bytes with 4, each with and without a context.
    let moves = all.iter().filter(|function| {
        matches!(
            function.meaning(),
            Meaning::Put(..) | Meaning::Get(..) | Meaning::PutValue | Meaning::GetValue
        )
    });
    assert_eq!(moves.count(), 2 * (24 * 8 + 5 * 6 + 4));
    let swap = by_name["shmem_ctx_double_atomic_swap"];
    assert_eq!(
        swap.meaning(),
        Meaning::Atomic(Atomic::Swap, Some(Returns::Complete))
    );
    assert_eq!((swap.element().size, swap.first(), swap.words()), (8, 1, 4));
    assert!(by_name.contains_key("shmem_complexd_prod_to_all"));
    assert!(!by_name.contains_key("shmem_float_and_to_all"));
}

/// Where Debian's OpenSHMEM is installed: each function of the table that it has takes as many arguments as its header
/// says.
#[test]
fn arguments_are_those_of_an_installed_header() {
    let header = "/usr/lib/x86_64-linux-gnu/openmpi/include/shmem.h";
    let Ok(text) = std::fs::read_to_string(header) else {
        eprintln!("skipped: there is no {header}");
        return;
    };
    let text = text.replace('\n', " ");
    let text = text
        .replace("OSHMEM_COMPLEX_TYPE(float)", "float")
        .replace("OSHMEM_COMPLEX_TYPE(double)", "double");
    let mut found = 0;
    for function in all() {
        let Some(place) = text
            .find(&format!(" {}(", function.name()))
            .or_else(|| text.find(&format!("*{}(", function.name())))
        else {
            continue;
        };
        let arguments = &text[place..][text[place..].find('(').unwrap() + 1..];
        let arguments = arguments[..arguments.find(')').unwrap()].trim();
        let words = match arguments {
            "" | "void" => 0,
            arguments => arguments.split(',').count(),
        };
        assert_eq!(words, function.words(), "{}({arguments})", function.name());
        found += 1;
    }
    assert!(found > 500, "{found} functions of the table are in the header");
}
