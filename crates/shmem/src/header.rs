//! The text of `include/shmem.h`, made of the table.
//!
//! A declaration for each function; then a C11 macro for each family of the standard that is generic by type, which
//! chooses by the type of its first argument, or of the second one where the first is a context or a team. In C++ there
//! are the names with types only.

use crate::table::{shmem_table, type_sets};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A line of the table.
struct Family {
    /// `plain`, `typed`, `sized` or `foreign`.
    form: &'static str,
    set: &'static str,
    /// `ctx`: there is a second form with a context.
    context: &'static str,
    /// As in the table, without parentheses.
    name: &'static str,
    arguments: &'static str,
    result: &'static str,
}

macro_rules! sets {
    ($($set:ident { $($name:tt: $type:ty),* })*) => {
        /// Names of the types of each set.
        const SETS: &[(&str, &[&str])] = &[$((stringify!($set), &[$(stringify!($name)),*])),*];
    };
}

macro_rules! families {
    (@ [$($done:tt)*]) => {
        const FAMILIES: &[Family] = &[$($done)*];
    };
    (@ [$($done:tt)*] plain $name:tt $arguments:tt -> $result:ty = $handler:path; $($rest:tt)*) => {
        families! { @ [$($done)* Family { form: "plain", set: "", context: "", name: stringify!($name),
            arguments: stringify!($arguments), result: stringify!($result) },] $($rest)* }
    };
    (@ [$($done:tt)*] $form:ident $set:ident $name:tt $arguments:tt -> $result:ty = $handler:path; $($rest:tt)*) => {
        families! { @ [$($done)* Family { form: stringify!($form), set: stringify!($set), context: "",
            name: stringify!($name), arguments: stringify!($arguments), result: stringify!($result) },] $($rest)* }
    };
    (@ [$($done:tt)*] $form:ident $set:ident $context:ident $name:tt $arguments:tt -> $result:ty = $handler:path;
        $($rest:tt)*) => {
        families! { @ [$($done)* Family { form: stringify!($form), set: stringify!($set),
            context: stringify!($context), name: stringify!($name), arguments: stringify!($arguments),
            result: stringify!($result) },] $($rest)* }
    };
    ($($lines:tt)*) => { families! { @ [] $($lines)* } };
}

type_sets! { sets }
shmem_table! { families }

/// The longest line.
const WIDTH: usize = 120;

const HEAD: &str = include_str!("header_head.h");

/// A type of C, by its name in names of functions.
fn c_name(name: &str) -> &'static str {
    match name {
        "float" => "float",
        "double" => "double",
        "longdouble" => "long double",
        "char" => "char",
        "schar" => "signed char",
        "short" => "short",
        "int" => "int",
        "long" => "long",
        "longlong" => "long long",
        "uchar" => "unsigned char",
        "ushort" => "unsigned short",
        "uint" => "unsigned int",
        "ulong" => "unsigned long",
        "ulonglong" => "unsigned long long",
        "int8" => "int8_t",
        "int16" => "int16_t",
        "int32" => "int32_t",
        "int64" => "int64_t",
        "uint8" => "uint8_t",
        "uint16" => "uint16_t",
        "uint32" => "uint32_t",
        "uint64" => "uint64_t",
        "size" => "size_t",
        "ptrdiff" => "ptrdiff_t",
        "complexd" => "double _Complex",
        "complexf" => "float _Complex",
        _ => "void",
    }
}

/// The type that a name of C stands for: those of `stdint.h` are others by other names, on 64-bit Linux.
fn plain_type(name: &str) -> &'static str {
    match name {
        "int8" => "signed char",
        "int16" => "short",
        "int32" => "int",
        "int64" | "ptrdiff" => "long",
        "uint8" => "unsigned char",
        "uint16" => "unsigned short",
        "uint32" => "unsigned int",
        "uint64" | "size" => "unsigned long",
        other => c_name(other),
    }
}

/// A type of the table in C, with `of` for `T`.
fn c_type(rust: &str, of: &str) -> String {
    let rust: String = rust.split_whitespace().collect();
    let pointer = |rest: &str| format!("{} *", c_type(rest, of));
    if let Some(rest) = rust.strip_prefix("*mut") {
        return pointer(rest);
    }
    if let Some(rest) = rust.strip_prefix("*const") {
        return format!("const {}", pointer(rest));
    }
    match &*rust {
        "T" => of,
        "usize" => "size_t",
        "isize" => "ptrdiff_t",
        "u64" => "uint64_t",
        "c_int" => "int",
        "c_long" => "long",
        "c_char" => "char",
        "Ctx" => "shmem_ctx_t",
        "Team" => "shmem_team_t",
        "TeamConfig" => "shmem_team_config_t",
        _ => "void",
    }
    .to_owned()
}

impl Family {
    fn types(&self) -> &'static [&'static str] {
        SETS.iter()
            .find(|(set, _)| *set == self.set)
            .map_or(&[], |(_, types)| types)
    }

    /// The parts of the name: a stem and what comes after the type.
    fn parts(&self) -> (&'static str, &'static str) {
        let name = self.name.trim_matches(['(', ')']);
        match self.form {
            "sized" => name.split_once(' ').unwrap_or((name, "")),
            _ => ("", name),
        }
    }

    fn arguments(&self) -> Vec<(&'static str, &'static str)> {
        let inner = self
            .arguments
            .trim()
            .trim_start_matches('(')
            .trim_end_matches(')');
        inner
            .split(',')
            .filter_map(|argument| argument.split_once(':'))
            .map(|(name, rust)| (name.trim(), rust.trim()))
            .collect()
    }

    /// Names of the functions, each with its type and whether it has a context in front.
    fn functions(&self) -> Vec<(String, &'static str, bool)> {
        let (stem, suffix) = self.parts();
        let types: &[&str] = match (self.form, self.set) {
            ("plain", _) => return vec![(suffix.to_owned(), "", false)],
            ("foreign", _) => &["longdouble"],
            _ => self.types(),
        };
        let contexts: &[bool] = if self.context == "ctx" {
            &[false, true]
        } else {
            &[false]
        };
        let name = |of: &str, ctx: bool| {
            let ctx = if ctx { "ctx_" } else { "" };
            format!("shmem_{ctx}{stem}{of}{suffix}")
        };
        let both = |&ctx: &bool| {
            types
                .iter()
                .map(move |&of| (name(of, ctx), of, ctx))
                .collect::<Vec<_>>()
        };
        contexts.iter().flat_map(both).collect()
    }

    /// The macro that is generic by type, if the standard has one.
    fn generic(&self) -> Option<String> {
        let (_, suffix) = self.parts();
        let old = suffix.ends_with("_to_all") || suffix == "_wait";
        (self.form == "typed" && !old).then(|| format!("shmem{suffix}"))
    }
}

/// Names of all functions that the library exports, without their second names.
#[must_use]
pub fn names() -> Vec<String> {
    let functions = FAMILIES.iter().flat_map(Family::functions);
    functions.map(|(name, ..)| name).collect()
}

/// The text of `shmem.h`.
#[must_use]
pub fn header() -> String {
    let mut text = HEAD.to_owned();
    for family in FAMILIES {
        for (name, of, ctx) in family.functions() {
            text.push_str(&declaration(family, &name, of, ctx));
        }
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n");
    text.push_str(
        "\n/* Functions generic by type (C11): by the first argument, or the second one after a context or a team. */\n\
         #if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n\
         void shmem_no_such_type_(void);\n\
         #define SHMEM_FIRST_(first, ...) first\n\
         #define SHMEM_SECOND_(first, second, ...) second\n\
         #define shmem_sync(...) _Generic(SHMEM_FIRST_(__VA_ARGS__, 0), shmem_team_t: shmem_team_sync, \\\n    \
         default: shmem_sync)(__VA_ARGS__)\n",
    );
    let mut done = BTreeSet::new();
    for family in FAMILIES {
        if let Some(name) = family.generic().filter(|name| done.insert(name.clone())) {
            text.push_str(&generic(family, &name));
        }
    }
    text.push_str("#endif\n\n#endif\n");
    text
}

/// A prototype, in lines of at most [`WIDTH`].
fn declaration(family: &Family, name: &str, of: &str, ctx: bool) -> String {
    let of = match family.form {
        "sized" => "void",
        _ => c_name(of),
    };
    let mut arguments: Vec<String> = ctx.then(|| "shmem_ctx_t ctx".to_owned()).into_iter().collect();
    arguments.extend(family.arguments().iter().map(|(name, rust)| {
        let c = c_type(rust, of);
        let space = if c.ends_with('*') { "" } else { " " };
        format!("{c}{space}{name}")
    }));
    match name {
        "shmem_pcontrol" => arguments.push("...".to_owned()),
        _ if arguments.is_empty() => arguments.push("void".to_owned()),
        _ => {}
    }
    let result = c_type(family.result, of);
    let space = if result.ends_with('*') { "" } else { " " };
    let mut text = format!("{result}{space}{name}(");
    let mut column = text.len();
    for (number, argument) in arguments.iter().enumerate() {
        let end = if number + 1 == arguments.len() { ");" } else { "," };
        if column + argument.len() + end.len() + 1 > WIDTH {
            text.push_str("\n    ");
            column = 4;
        } else if number > 0 {
            text.push(' ');
            column += 1;
        }
        let _ = write!(text, "{argument}{end}");
        column += argument.len() + end.len();
    }
    text.push('\n');
    text
}

/// A macro that chooses a function of a family, by types that are not the same by another name.
fn generic(family: &Family, name: &str) -> String {
    let (_, suffix) = family.parts();
    let lines = FAMILIES
        .iter()
        .filter(|other| other.parts().1 == suffix && matches!(other.form, "typed" | "foreign"));
    let types: Vec<&str> = lines
        .flat_map(|line| line.functions())
        .filter(|(_, _, ctx)| !ctx)
        .map(|(_, of, _)| of)
        .collect();
    let mut known = BTreeSet::new();
    let types: Vec<&str> = types
        .into_iter()
        .filter(|of| known.insert(plain_type(of)))
        .collect();
    let arguments = family.arguments();
    let after_team = arguments.first().is_some_and(|(_, rust)| *rust == "Team");
    let is_const = arguments.first().is_some_and(|(_, rust)| rust.contains("const"));
    let choices = |ctx: &str| {
        let mut text = String::new();
        for of in &types {
            let function = format!("shmem_{ctx}{of}{suffix}");
            let _ = write!(text, " \\\n    {} *: {function},", plain_type(of));
            if is_const {
                let _ = write!(text, " \\\n    const {} *: {function},", plain_type(of));
            }
        }
        text
    };
    if after_team {
        return format!(
            "#define {name}(...) _Generic(SHMEM_SECOND_(__VA_ARGS__, 0, 0),{} \\\n    default: \
             shmem_no_such_type_)(__VA_ARGS__)\n",
            choices("")
        );
    }
    let with_context = if family.context == "ctx" {
        format!(
            " \\\n    shmem_ctx_t: _Generic(SHMEM_SECOND_(__VA_ARGS__, 0, 0),{} \\\n    default: \
             shmem_no_such_type_),",
            choices("ctx_")
        )
    } else {
        String::new()
    };
    format!(
        "#define {name}(...) _Generic(SHMEM_FIRST_(__VA_ARGS__, 0),{with_context}{} \\\n    default: \
         shmem_no_such_type_)(__VA_ARGS__)\n",
        choices("")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cargo run -p farside-shmem --example header > crates/shmem/include/shmem.h` writes it anew.
    #[test]
    fn the_committed_header_is_that_of_the_table() {
        let committed = include_str!("../include/shmem.h");
        let differ = header()
            .lines()
            .zip(committed.lines())
            .position(|(now, then)| now != then);
        assert_eq!(differ, None, "the first line that differs, from 0");
        assert_eq!(header().len(), committed.len());
    }

    /// Counts by the tables of the specification: 24 types, two forms and so on.
    #[test]
    fn families_have_the_functions_of_the_standard() {
        let names: BTreeSet<String> = names().into_iter().collect();
        assert_eq!(names.len(), super::names().len(), "a name is there twice");
        let count = |suffix: &str| {
            let of_family = |name: &&String| {
                let known = |of: &str| {
                    [format!("shmem_{of}{suffix}"), format!("shmem_ctx_{of}{suffix}")].contains(*name)
                };
                SETS.iter()
                    .flat_map(|(_, types)| types.iter())
                    .any(|of| known(of))
            };
            names.iter().filter(of_family).count()
        };
        let expected = [
            ("_put", 48),
            ("_get", 48),
            ("_p", 48),
            ("_g", 48),
            ("_iput", 48),
            ("_iget", 48),
            ("_put_nbi", 48),
            ("_atomic_fetch", 28),
            ("_atomic_swap_nbi", 28),
            ("_atomic_compare_swap", 24),
            ("_atomic_fetch_inc", 24),
            ("_atomic_xor", 14),
            ("_atomic_fetch_and_nbi", 14),
            ("_put_signal", 48),
            ("_wait_until", 14),
            ("_test_some_vector", 14),
            ("_and_reduce", 14),
            ("_max_reduce", 24),
            ("_sum_reduce", 26),
            ("_broadcast", 24),
            ("_sum_to_all", 9),
            ("_and_to_all", 4),
        ];
        for (suffix, number) in expected {
            assert_eq!(count(suffix), number, "{suffix}");
        }
        for name in [
            "shmem_putmem_signal_nbi",
            "shmem_ctx_iget128",
            "shmem_ctx_longdouble_g",
            "shmem_broadcastmem",
        ] {
            assert!(names.contains(name), "{name}");
        }
    }
}
