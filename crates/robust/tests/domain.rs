//! Values that the domain does not have: an error of the program, whoever looks and whatever is asked.

use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::lower::{Settings, lower, outside_domain};
use farside_pgas::{ast, calculus, parser::parse};
use farside_robust::repair::{Costs, Repair, Superfluous, repair, superfluous};
use farside_robust::{Options, Procedure, Verdict, decide, direct};

fn read(head: &str, body: &str) -> (String, ast::Program) {
    let text = format!("program p\n{head}\n{body}\n");
    let tree = parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    (text, tree)
}

fn lowered(tree: &ast::Program) -> Result<calculus::Program, Vec<Diagnostic>> {
    lower(tree, Settings::default())
}

/// What each engine says: the error, or a word.
fn all_engines(text: &str, program: &calculus::Program) -> Vec<String> {
    let shown =
        |rank, transition, value| outside_domain(program, rank, transition, value).render("p.pgas", text);
    let mut all = Vec::new();
    for procedure in [Procedure::Delay, Procedure::FourParts] {
        for reduce in [true, false] {
            let options = Options {
                procedure,
                reduce,
                ..Options::default()
            };
            all.push(match decide(program, &options, &mut || false).verdict {
                Verdict::Robust => "robust".to_owned(),
                Verdict::NotRobust(_) => "not robust".to_owned(),
                Verdict::OutsideDomain(at) => shown(at.rank, at.transition, at.value),
                Verdict::Inconclusive(limit) => format!("{limit:?}"),
            });
        }
    }
    let explored = direct::explore(program, &direct::Options::default(), &|| false);
    all.push(match explored.verdict {
        direct::Verdict::Robust | direct::Verdict::RobustUpTo(_) => "robust".to_owned(),
        direct::Verdict::NotRobust(_) => "not robust".to_owned(),
        direct::Verdict::OutsideDomain(at) => shown(at.rank, at.transition, at.value),
        direct::Verdict::Inconclusive(limit) => format!("{limit:?}"),
    });
    all
}

const TWO: &str = "ranks 2\ndomain 3\nshared x, y, c\nqueue q\nregister r";

/// A message of test programs: not robust by itself.
const BUFFERING: &str = "write(x, 1 - me, y, q)\nr = y";

#[test]
fn what_numbers_me_and_n_give_is_known_before_the_run() {
    let six = "ranks 6\ndomain 4\nshared x\nqueue q";
    for (head, body, place, said) in [
        (
            six,
            "r = (me + 1) % n",
            "6:6",
            "`(me + 1) % n` is 4 for rank 3, which is outside",
        ),
        (six, "r = n", "6:5", "`n` is 6 for rank 0"),
        (six, "r = me", "6:5", "`me` is 4 for rank 4"),
        (six, "x = 0 - 1", "6:5", "`0 - 1` is -1 for rank 0"),
        (six, "x = -1", "6:6", "`-1` is -1 for rank 0"),
        (
            six,
            "x = 4",
            "6:5",
            "4 is outside of the domain, whose values are 0 to 3",
        ),
        (
            six,
            "fetch_add(x, 0, x, 2 + 2, q)",
            "6:20",
            "`2 + 2` is 4 for rank 0",
        ),
        (six, "cas(x, 0, x, n, 1, q)", "6:14", "`n` is 6 for rank 0"),
        (six, "swap(x, 0, x, 7, q)", "6:15", "7 is outside"),
        (
            "ranks 6\ndomain 4\nshared x = me",
            "skip",
            "4:12",
            "`me` is 4 for rank 4",
        ),
        (
            "ranks 6\ndomain 4\nregister k = n - 1",
            "skip",
            "4:14",
            "`n - 1` is 5 for rank 0",
        ),
    ] {
        let (text, tree) = read(head, body);
        let errors = lowered(&tree).expect_err(body);
        let [error] = &errors[..] else {
            panic!("{errors:?}")
        };
        let shown = error.render("p.pgas", &text);
        assert!(
            shown.contains(&format!("p.pgas:{place}")) && shown.contains(said),
            "{body}: {shown}"
        );
        let hint = error.hint.as_deref().expect("what to do");
        assert!(hint.contains("% 4"), "{hint}");
    }
    let (_, tree) = read(six, "r = (me + 1) % n");
    let errors = lowered(&tree).expect_err("outside");
    assert!(
        errors[0]
            .hint
            .as_deref()
            .is_some_and(|hint| hint.contains("`domain 5` has the values 0 to 4"))
    );
}

#[test]
fn what_a_run_makes_is_found_by_every_engine() {
    for (body, said) in [
        // The counter that wrapped: 3 in a domain of 3.
        (
            "rank 0 {\nc = c + 1\nc = c + 1\nc = c + 1\n}",
            "`c = c + 1` gives 3 for rank 0",
        ),
        ("r = 0\nwhile (r < 5) {\nr = r + 1\n}", "`r = r + 1` gives 3"),
        ("r = c\nr = r - 1", "`r = r - 1` gives -1"),
        ("fetch_add(_, 0, c, 2, q)\nwait q", "gives 4"),
        ("r = 2\nfetch_add(_, me, c, r * 2, q)", "gives 4"),
        ("fetch_add(_, me, c, 0 - 1, q)\nwait q", "gives -1"),
        ("r = 1\nfetch_add(_, me, c, 0 - 2 * r, q)\nwait q", "gives -2"),
        ("r = 2\ncas(_, me, c, r + r, 1, q)", "gives 4"),
        ("r = &c\nr = r + 1", "`r = r + 1` gives 3"),
        // What is not robust, too, and sooner.
        (
            &*format!("{BUFFERING}\nbarrier\nr = 2\nr = r + 1"),
            "`r = r + 1` gives 3",
        ),
    ] {
        let (text, tree) = read(TWO, body);
        let program = lowered(&tree).unwrap_or_else(|errors| panic!("{body}: {errors:?}"));
        for shown in all_engines(&text, &program) {
            let values = "which is outside of the domain, whose values are 0 to 2";
            assert!(
                shown.contains("p.pgas:") && shown.contains(said) && shown.contains(values),
                "{body}\n{shown}"
            );
        }
        // Nothing is proposed for a program without a meaning.
        let options = Options::default();
        let found = repair(
            &tree,
            Settings::default(),
            &Costs::default(),
            &options,
            &mut || false,
        );
        assert!(matches!(found, Repair::Impossible(_)), "{found:?} {body}");
        let found = superfluous(&tree, Settings::default(), &options, &mut || false);
        assert_eq!(found, Superfluous::default(), "{body}");
    }
}

#[test]
fn within_expressions_and_in_comparisons_all_whole_numbers_are_there() {
    for (body, verdict) in [
        ("r = (c + 5) % 3", "robust"),
        ("r = (c + 1) % n\nif (r < 7) { y = r }", "robust"),
        (
            "rank 0 {\nc = (c + 1) % 3\nc = (c + 1) % 3\nc = (c + 1) % 3\n}",
            "robust",
        ),
        ("r = c\nassert r != 9", "robust"),
        // The sum would be 3, but nobody comes there.
        ("r = c\nassume r == 2\nr = r + 1", "robust"),
        ("r = 1\nfetch_add(_, me, c, r, q)\nwait q", "robust"),
        // Less than nothing is added to what is there.
        (
            "c = 2\nfetch_add(_, me, c, 0 - 2, q)\nwait q\nr = c\nassert r == 0",
            "robust",
        ),
        (BUFFERING, "not robust"),
        // After the cycle: a computation that no sequentially consistent one is like.
        (&*format!("{BUFFERING}\nr = (r + 2) % 3"), "not robust"),
    ] {
        let (text, tree) = read(TWO, body);
        let program = lowered(&tree).unwrap_or_else(|errors| panic!("{body}: {errors:?}"));
        for said in all_engines(&text, &program) {
            assert_eq!(said, verdict, "{body}");
        }
    }
}

#[test]
fn a_domain_that_wraps_has_all_values() {
    let head = "ranks 2\ndomain 3 wraps\nshared x, y, c\nqueue q\nregister r";
    for (body, words) in [
        // Only those that go on where the sum is what it is modulo 3 come to the exchange, which is not robust.
        ("r = 2 + me + 4\nassume r == me", "not robust"),
        ("r = 2 + me + 4\nassume r != me", "robust"),
        ("r = 0 - 1\nassume r == 2", "not robust"),
        (
            "fetch_add(_, me, c, 2, q)\nfetch_add(_, me, c, 2, q)\nwait q\nr = c\nassume r == 1",
            "not robust",
        ),
        (
            "fetch_add(_, me, c, 2, q)\nfetch_add(_, me, c, 2, q)\nwait q\nr = c\nassume r != 1",
            "robust",
        ),
    ] {
        let body = &format!("{body}\n{BUFFERING}");
        let (text, tree) = read(head, body);
        let program = lowered(&tree).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        assert!(
            all_engines(&text, &program).iter().all(|said| said == words),
            "{text}"
        );
        // A repair, or whoever prints it, keeps the word.
        assert!(tree.to_string().contains("domain 3 wraps"), "{tree}");
        assert_eq!(parse(&tree.to_string()).map(|tree| tree.wraps), Ok(true));
    }
}
