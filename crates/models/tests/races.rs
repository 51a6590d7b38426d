//! Models of races: the shipped ones say what the paper says, and what is wrong with a file is told.

use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::conflicts::{Access, Meeting, Role, accesses};
use farside_models::mpi3::rules::RuleName;
use farside_models::mpi3::{MemoryModel, RaceModel};
use farside_models::{Model, named, of_mpi, parse_model};

/// §3.3.1, with deviation 3, as a function: what the sentence of the conflict begins with.
fn by_the_paper(memory: MemoryModel, a: &Access, b: &Access, same_location: bool) -> Option<&'static str> {
    if !same_location {
        let remote_write = |x: &Access| x.role == Role::Target && x.writes;
        let local_store = |x: &Access| x.role != Role::Target && x.writes;
        let crossed = remote_write(a) && local_store(b) || remote_write(b) && local_store(a);
        return (memory == MemoryModel::Separate && crossed).then_some("in the separate model");
    }
    if a.role == Role::Own && b.role == Role::Own || !a.writes && !b.writes {
        return None;
    }
    if a.role == Role::Origin || b.role == Role::Origin {
        return Some("an operation's own buffer");
    }
    match (a.kind.is_accumulate(), b.kind.is_accumulate()) {
        (true, true) => None,
        _ if a.kind == ActionKind::Rcp || b.kind == ActionKind::Rcp => Some("one of the two is a put"),
        (false, false) => Some("a get reads"),
        _ => Some("exactly one of the two"),
    }
}

#[test]
fn shipped_conflicts_are_those_of_the_paper() {
    let all = accesses();
    let mut kinds = std::collections::BTreeSet::new();
    for memory in MemoryModel::ALL {
        let model = of_mpi(memory);
        for a in &all {
            for b in &all {
                for meeting in Meeting::ALL {
                    let conflict = model.conflicts().between(a, b, meeting);
                    let said = conflict.map(|conflict| model.conflicts().sentence(conflict));
                    let expected = by_the_paper(memory, a, b, meeting.same_location);
                    let alike = match (said, expected) {
                        (Some(said), Some(begin)) => said.starts_with(begin),
                        (None, None) => true,
                        _ => false,
                    };
                    assert!(
                        alike,
                        "{memory:?} {a:?} {b:?} {meeting:?}: {said:?}, not {expected:?}"
                    );
                    kinds.extend(expected);
                }
            }
        }
    }
    assert_eq!(kinds.len(), 5, "every kind of conflict occurs: {kinds:?}");
}

fn races(text: &str) -> RaceModel {
    match parse_model(text, &|_| None) {
        Ok(Model::Mpi3(model)) => model,
        other => panic!("{text}: {other:?}"),
    }
}

fn first_error(text: &str) -> String {
    match parse_model(text, &|_| None) {
        Ok(model) => panic!("{text}: {model:?}"),
        Err(errors) => errors[0].to_string(),
    }
}

/// As strict as MPI's own.
fn strict(model: &RaceModel) -> bool {
    model.is_at_least_as_strict_as(of_mpi(model.memory()))
}

#[test]
fn strictness_is_seen() {
    let Some(Model::Mpi3(same_op)) = named("mpi3-same-op") else {
        panic!("shipped");
    };
    assert!(strict(&same_op));
    assert_eq!(same_op.memory(), MemoryModel::Unified);
    assert!(strict(&races("model \"m\" include \"mpi3-separate\"")));
    assert!(!strict(&races("model \"m\" races unified rules all")));
    assert!(!strict(&races(
        "model \"m\" include \"mpi3-unified\" races separate"
    )));
    let less = races("model \"m\" include \"mpi3-unified\" without R13 polling");
    assert!(!strict(&less));
    let rules = less.rules();
    assert!(!rules.has(RuleName::R13) && !rules.has(RuleName::Seen) && rules.has(RuleName::R12));
    let again = "model \"m\" include \"mpi3-unified\" without R13 rules R13";
    assert!(strict(&races(again)));
    let all = "model \"m\" races unified conflict _ * _ as \"anything\"";
    assert!(strict(&races(all)));
}

#[test]
fn errors_have_place_and_hint() {
    let head = "model \"m\"\nraces unified\n";
    let with = |text: &str| first_error(&format!("{head}{text}"));
    let expected = [
        (
            "conflict put as \"x\"",
            "3:10: a conflict is a relation; this is a set (`S * T` relates all of S to all of T)",
        ),
        (
            "conflict loc",
            "3:13: a conflict has a reason, found the end (`as \"why they conflict, in a sentence\"`)",
        ),
        (
            "conflict lok as \"x\"",
            "3:10: `lok` is not known (did you mean `loc`?)",
        ),
        (
            "conflict put & loc as \"x\"",
            "3:14: one side of `&` is a set, the other one a relation (`S * T` makes a relation of two sets)",
        ),
        ("conflict loc * put as \"x\"", "3:14: `*` stands between two sets"),
        ("conflict (loc as \"x\"", "3:15: expected `)`, found `as`"),
        (
            "order po",
            "3:1: a model of races has no `order` (it has `races`, `rules`, `without`, `let` and `conflict`)",
        ),
        ("without R99", "3:9: there is no rule `R99` (did you mean `R19`?)"),
        (
            "let put = get",
            "3:5: `put` has a meaning already (take another name)",
        ),
        (
            "let a = get let a = put",
            "3:17: `a` has a meaning already (take another name)",
        ),
        (
            "include \"coreRMA\"",
            "coreRMA:5:7: there is no rule `R1` (did you mean `R10`?)",
        ),
    ];
    for (text, error) in expected {
        let found = with(text);
        assert!(found.starts_with(error), "{text}: {found}");
    }
    assert_eq!(
        first_error("model \"m\" conflict loc as \"x\""),
        "1:11: `conflict` belongs to a model of races (begin it with `races unified` or `include \"mpi3-unified\"`)"
    );
    assert_eq!(
        first_error("model \"m\" include \"coreRMA\" races unified"),
        "1:29: this is no model of races (it stands before all rules, names and orders)"
    );
    assert_eq!(
        first_error("model \"m\" races both"),
        "1:17: expected `unified` or `separate`, found `both`"
    );
}

/// Names that are opened again and again, and parentheses, take bounded time and memory.
#[test]
fn hostile_texts_end() {
    let mut doubling = "model \"m\" races unified let a0 = put".to_owned();
    for level in 1..60 {
        doubling += &format!(" let a{level} = a{} | a{}", level - 1, level - 1);
    }
    assert!(first_error(&doubling).contains("at most 10000 parts"));
    // A chain is as long as it may be, and not deep.
    let all = accesses();
    let put = all.iter().find(|access| access.kind == ActionKind::Rcp).unwrap();
    for operator in ["|", "&", "\\"] {
        let chain = format!("put{}", format!(" {operator} put").repeat(9_900));
        let model = races(&format!(
            "model \"m\" races unified conflict ({chain}) * Own as \"x\""
        ));
        let meet = model.conflicts().between(put, &all[0], Meeting::ALL[0]);
        assert_eq!(meet.is_some(), operator != "\\", "{operator}");
    }
    let chain = " | put".repeat(5_000);
    let much = format!("model \"m\" races unified let b = put{chain} let c = put{chain}");
    assert!(first_error(&much).contains("at most 10000 parts"));
    let deep = format!("model \"m\" races unified let a = {}put", "(".repeat(100_000));
    assert!(first_error(&deep).contains("nest at most 100 deep"));
    let many = format!(
        "model \"m\" races unified {}",
        "conflict loc as \"x\" ".repeat(2000)
    );
    assert!(first_error(&many).contains("at most 1000"));
}
