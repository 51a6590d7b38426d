//! The generator against brute force.

use crate::instances::is_pivot;
use crate::sequences::{all, least};
use farside_forge::{
    Bounds, Definition, PivotRule, PivotRules, Reads, Removal, SelfDependence, Sequentiality, Test, Walk,
    canonical, units,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What the generator makes of one rule, in the form of [`least`].
fn generated(definition: &Definition) -> BTreeSet<Test> {
    let mut tests = BTreeSet::new();
    let flow = Walk::new(definition).all(&mut |test, _| {
        assert!(canonical::is_canonical(test), "{test:?}");
        assert_eq!(canonical::canonical(test), *test);
        assert!(tests.insert(least(test)), "twice: {test:?}");
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    tests
}

fn compare(definition: &Definition) -> usize {
    let mut total = 0;
    for (rule, bound) in definition.bounds.iter() {
        let one = Definition {
            bounds: Bounds::one(rule, bound),
            ..*definition
        };
        let [fast, slow] = [generated(&one), all(&one, rule)];
        let missing: Vec<&Test> = slow.difference(&fast).collect();
        let surplus: Vec<&Test> = fast.difference(&slow).collect();
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "{rule} {definition:?}: missing {missing:?}, surplus {surplus:?}"
        );
        total += fast.len();
    }
    total
}

#[test]
fn all_tests_of_one_process_are_found() {
    assert!(compare(&Definition::new(1, Bounds::all(6))) > 100);
}

#[test]
fn all_tests_of_two_processes_are_found() {
    let found = compare(&Definition::new(2, Bounds::all(6)));
    assert!(found > 5, "{found}");
}

#[test]
#[ignore = "a quarter of a minute: make nightly"]
fn more_tests_of_two_processes_are_found() {
    let found = compare(&Definition::new(2, Bounds::all(7)));
    assert!(found > 90, "{found}");
}

#[test]
#[ignore = "half a minute: make nightly"]
fn all_tests_of_three_processes_are_found() {
    let definition = Definition {
        reads: Reads::AtLeast,
        interacting: false,
        ..Definition::new(3, Bounds::one(PivotRule::R2, 7))
    };
    assert!(compare(&definition) > 0);
}

#[test]
fn all_tests_are_found_whatever_the_choices_are() {
    let base = Definition::new(2, Bounds::all(5));
    for definition in [
        Definition {
            reads: Reads::AtLeast,
            ..base
        },
        Definition {
            passive: false,
            ..base
        },
        Definition {
            interacting: false,
            ..base
        },
        Definition {
            self_targets: true,
            ..base
        },
        Definition {
            self_targets: true,
            routing_to_self: true,
            ..base
        },
        Definition {
            variables: Some(2),
            ..base
        },
        Definition {
            sequentiality: Sequentiality::OneWay,
            ..base
        },
    ] {
        compare(&definition);
    }
}

/// At sizes where brute force cannot write all sequences down, the decision is compared on `count` candidates of each
/// rule, evenly spaced, and on as many tests that have it as pivot.
fn decisions(definition: &Definition, count: usize) {
    for (rule, bound) in definition.bounds.iter() {
        let definition = Definition {
            bounds: Bounds::one(rule, bound),
            ..*definition
        };
        let mut candidates = Vec::new();
        let mut tests = Vec::new();
        let _ = Walk::new(&definition).candidates(&mut |test, _| {
            candidates.push(test.clone());
            ControlFlow::Continue(())
        });
        let _ = Walk::new(&definition).all(&mut |test, _| {
            tests.push(test.clone());
            ControlFlow::Continue(())
        });
        assert!(!tests.is_empty(), "no test with pivot {rule}");
        let mut pivots = farside_forge::pivot::Pivots::new(&definition);
        let mut wanted = PivotRules::default();
        wanted.insert(rule);
        for some in [&candidates, &tests] {
            let stride = some.len().div_ceil(count);
            for test in some.iter().skip(stride / 2).step_by(stride) {
                let fast = pivots.of(test, wanted).contains(rule);
                assert_eq!(fast, is_pivot(test, rule, &definition), "{rule} of {test:?}");
            }
        }
    }
}

#[test]
fn pivots_are_decided_as_defined_in_tests_of_one_process() {
    decisions(&Definition::new(1, farside_forge::table::bounds(1)), 60);
}

#[test]
fn pivots_are_decided_as_defined_in_tests_of_two_processes() {
    decisions(&Definition::new(2, farside_forge::table::bounds(2)), 60);
}

#[test]
fn pivots_are_decided_as_defined_in_tests_of_three_processes() {
    let mut bounds = Bounds::default();
    [PivotRule::R1, PivotRule::R2, PivotRule::Lo]
        .into_iter()
        .for_each(|rule| bounds.set(rule, 10));
    decisions(&Definition::new(3, bounds), 40);
}

#[test]
fn the_other_readings_of_a_pivot_are_decided_as_defined() {
    for processes in [1, 2] {
        let mut bounds = Bounds::default();
        for rule in [PivotRule::Ga, PivotRule::CasF, PivotRule::CasT, PivotRule::Ws] {
            let bound = farside_forge::table::bounds(processes).of(rule);
            bound.into_iter().for_each(|bound| bounds.set(rule, bound));
        }
        let definition = Definition {
            removal: Removal::Application,
            sequentiality: Sequentiality::OneWay,
            ..Definition::new(processes, bounds)
        };
        decisions(&definition, 40);
    }
}

#[test]
fn comparisons_that_depend_on_themselves_are_decided_as_defined() {
    let definition = Definition {
        self_dependence: SelfDependence::CasF,
        ..Definition::new(1, Bounds::one(PivotRule::CasF, 10))
    };
    decisions(&definition, 60);
}

/// A walk for one rule turns back earlier than a walk for all of them. What it turns back from has no test.
#[test]
fn no_test_is_lost_by_turning_back_early() {
    let base = |processes, size| Definition::new(processes, Bounds::all(size));
    let at_least = |processes, size| Definition {
        reads: Reads::AtLeast,
        ..base(processes, size)
    };
    let to_self = Definition {
        self_targets: true,
        ..base(2, 8)
    };
    for definition in [
        base(1, 8),
        base(2, 9),
        base(3, 9),
        at_least(1, 8),
        at_least(2, 8),
        to_self,
    ] {
        let mut by_rule: [BTreeSet<Test>; PivotRule::ALL.len()] = Default::default();
        let _ = Walk::new(&definition).all(&mut |test, rules| {
            rules.iter().for_each(|rule| {
                by_rule[rule as usize].insert(test.clone());
            });
            ControlFlow::Continue(())
        });
        for (rule, bound) in definition.bounds.iter() {
            let one = Definition {
                bounds: Bounds::one(rule, bound),
                ..definition
            };
            let mut tests = BTreeSet::new();
            let _ = Walk::new(&one).all(&mut |test, _| {
                tests.insert(test.clone());
                ControlFlow::Continue(())
            });
            let all = &by_rule[rule as usize];
            assert!(
                tests == *all,
                "{rule} of {definition:?}: {} tests, not {}",
                tests.len(),
                all.len()
            );
        }
    }
}

#[test]
fn units_are_the_whole_walk_in_order() {
    for (processes, size) in [(1, 7), (2, 8), (3, 9)] {
        let definition = Definition::new(processes, Bounds::all(size));
        let mut whole = Vec::new();
        let _ = Walk::new(&definition).all(&mut |test, rules| {
            whole.push((test.clone(), rules));
            ControlFlow::Continue(())
        });
        let mut parts = Vec::new();
        for unit in units(&definition) {
            let _ = Walk::new(&definition).unit(&unit, &mut |test, rules| {
                parts.push((test.clone(), rules));
                ControlFlow::Continue(())
            });
        }
        assert!(!whole.is_empty());
        let sorted = |mut tests: Vec<(Test, PivotRules)>| {
            tests.sort();
            tests
        };
        assert_eq!(sorted(whole), sorted(parts));
    }
}
