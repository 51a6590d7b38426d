//! `farside robust` from the outside: verdicts, exit status, forms, bad input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn library(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../robust-tests")
        .join(name)
}

fn robust(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("robust")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A program in a file of its own.
fn written(content: &[u8]) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.pgas");
    fs::write(&path, content).unwrap();
    let name = path.display().to_string();
    (folder, name)
}

#[test]
fn every_number_of_ranks_is_proved_refuted_or_not_known() {
    let path = |name: &str| library(name).display().to_string();
    for (name, status, words) in [
        (
            "waits/ring-token-yes.pgas",
            0,
            &[
                "every number of ranks: robust",
                "2 to 8 ranks: robust",
                "2 ranks and more",
            ][..],
        ),
        (
            "paper/figure-1-no.pgas",
            1,
            &["every number of ranks: not robust", "2 ranks: not robust"],
        ),
        (
            "waits/pipeline-yes.pgas",
            0,
            &[
                "every number of ranks: robust",
                "takes effect late, but in turn",
                "whose values count rounds",
            ],
        ),
        (
            "waits/counted-gather-yes.pgas",
            0,
            &[
                "every number of ranks: robust",
                "waits until all have raised the counter",
            ],
        ),
        (
            "data-structures/work-stealing-by-put-fence-yes.pgas",
            4,
            &[
                "every number of ranks: not known",
                "ranks: robust",
                "may be overtaken",
            ],
        ),
        (
            "mutual-exclusion/dekker-shmem-yes.pgas",
            4,
            &[
                "2 ranks: robust",
                "3 to 8 ranks: no program; with 3, there is no rank -1",
            ],
        ),
    ] {
        let output = robust(&["--prove", &path(name)]);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(status), "{name}\n{said}");
        for word in words {
            assert!(said.contains(word), "{name}: {word}\n{said}");
        }
    }
    let output = robust(&["--prove", "--ranks", "3", &path("waits/ring-token-yes.pgas")]);
    assert_eq!(output.status.code(), Some(2));
    let output = robust(&["--prove", "--format", "json", &path("halo/put-yes.pgas")]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let every = &report["programs"][0]["every"];
    assert_eq!(every["verdict"], "robust");
    assert_eq!(every["argument"]["complete_at_barriers"], true);
    assert_eq!(every["decided"].as_array().unwrap().len(), 7);
    let output = robust(&["--prove", "--format", "html", &path("halo/put-yes.pgas")]);
    assert!(text(&output.stdout).contains("lie between two barriers"));
}

#[test]
fn the_status_is_the_verdict() {
    let not = library("paper/figure-1-no.pgas");
    let is = library("paper/figure-1-wait-yes.pgas");
    let polls = library("waits/ring-exchange-yes.pgas");
    let (not, is, polls) = (
        not.to_str().unwrap(),
        is.to_str().unwrap(),
        polls.to_str().unwrap(),
    );
    for (arguments, status, words) in [
        (&[is][..], 0, "values 0 to 1: robust"),
        (&[not], 1, "--cf--> reads (0, y) before it is overwritten by"),
        (
            &[is, not],
            1,
            "2 programs: 1 robust, 1 not robust, 0 inconclusive",
        ),
        (&[is, "--ranks", "3"], 0, "3 ranks"),
        (&[is, "--states", "5"], 4, "--states"),
        (&["--repair", not], 1, "repair: cost 2"),
        (&["--repair", "--cost", "wait=7", not], 1, "repair: cost 7"),
        (
            &["--repair", "--cost", "wait=7,barrier=3", not],
            1,
            "repair: cost 7",
        ),
        (&["--superfluous", is], 0, "no synchronisation is superfluous"),
        (&["--engine", "product", is], 0, ": robust"),
        (&["--engine", "product", not], 1, "--cf-->"),
        (&["--polls", "observed", polls], 1, "not robust"),
        (&[polls], 0, "1 poll awaited: robust"),
        (&["--engine", "direct", is], 0, ": robust"),
        (&["--engine", "direct", not], 1, "--cf-->"),
        (&["--no-reduction", is], 0, ": robust"),
    ] {
        let output = robust(arguments);
        let said = text(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}\n{said}{}",
            text(&output.stderr)
        );
        assert!(said.contains(words), "{arguments:?}\n{said}");
    }
}

#[test]
fn a_program_without_a_domain_gets_one_that_has_its_values() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("counts.pgas");
    let read = |body: &str| {
        std::fs::write(
            &program,
            format!("program counts\nranks 2\nshared x\nregister r\n{body}\n"),
        )
        .unwrap();
        robust(&[program.to_str().unwrap()])
    };
    let output = read("while r < 9 { r = r + 1 }");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("values 0 to 15: robust"),
        "{}",
        text(&output.stdout)
    );
    // No domain has all of these.
    for body in ["while 1 { r = r + 1 }", "r = 0 - 1"] {
        let output = read(body);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        assert!(
            text(&output.stderr).contains("outside of the domain"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn forms() {
    let program = library("paper/figure-1-no.pgas");
    let form = |form| text(&robust(&["--format", form, program.to_str().unwrap()]).stdout);
    let json: serde_json::Value = serde_json::from_str(&form("json")).unwrap();
    assert_eq!(json["programs"][0]["verdict"], "not-robust");
    assert_eq!(
        json["programs"][0]["violation"]["events"]
            .as_array()
            .unwrap()
            .len(),
        9
    );
    assert!(
        form("svg").starts_with("<svg")
            && form("dot").starts_with("digraph")
            && form("html").contains("</html>")
    );
    let schema = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["schema", "robust"])
        .output()
        .unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(schema["properties"]["programs"].is_object());
}

#[test]
fn bad_input_is_named_with_its_place() {
    for (program, words) in [
        (
            "program p\ndomain 2\nbarrier\n",
            ":1:9\n  |\n1 | program p\n  |         ^\n  = help: add a line `ranks 2`",
        ),
        (
            "ranks 2\ndomain 2\nshared a[2]\na[2] = 1\n",
            "address out of range: `a[2]`",
        ),
        ("ranks 2\ndomain 2\nwait q\n", "unknown queue or handle `q`"),
        (
            "ranks 2\ndomain 2\nshared x\nqueue q\nwrite(x, 5, x, q)\n",
            "there is no rank 5",
        ),
        ("ranks 2\ndomain 2\nshmem_quiet()\n", "add the line `api shmem`"),
        ("\u{0}\u{1b}[31m", "no part of the language"),
        ("", ":1:1\n  |\n1 | \n  | ^\n  = help: a program begins with"),
        (" \n\n", "the text is empty"),
        ("program p\ndomain 2\nbarrier\n", "the number of ranks is missing"),
        ("ranks 0\ndomain 2\nbarrier\n", ":1:7"),
        ("ranks 65\ndomain 2\nbarrier\n", "between 1 and 64"),
        ("ranks 2\ndomain 70000\nbarrier\n", ":2:8"),
        ("ranks 99999999999\ndomain 2\nbarrier\n", "larger than 4294967295"),
        (
            "api mpi\nranks 2\ndomain 2\nbarrier\n",
            "one of shmem, armci, gasnet, gpi, gaspi, gaspi17",
        ),
        (
            "ranks 2\ndomain 2\nshared x = 2\nbarrier\n",
            "2 is outside of the domain",
        ),
        (
            "ranks 2\ndomain 2\nshared x[5000]\nbarrier\n",
            "at most 4096 cells",
        ),
        (
            "ranks 2\ndomain 2\nshared x\nmem[3] = 1\n",
            "address out of range: `mem[3]`",
        ),
        ("ranks 2\ndomain 2\nrank 2 { skip }\n", "there is no rank 2"),
        ("ranks 2\ndomain 2\ngoto l\n", "no label `l`"),
        ("RMA\n", "a name of one word is expected"),
        (
            &format!("ranks 2\ndomain 2\n{}", "if 1 {".repeat(5000)),
            "nested more than 64 deep",
        ),
        (
            &format!("ranks 2\ndomain 2\nr = {}1", "(".repeat(50_000)),
            "nested more than 64 deep",
        ),
        (
            &format!("ranks 2\ndomain 2\nr = {}1", "!".repeat(50_000)),
            "nested more than 64 deep",
        ),
        (
            &format!("ranks 2\ndomain 2\nr = 1{}", "+1".repeat(50_000)),
            "more than 64 operators",
        ),
    ] {
        let (_folder, path) = written(program.as_bytes());
        let output = robust(&[&path]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains(words) && said.contains("p.pgas:") && !said.contains('\u{1b}'),
            "{said}"
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn files_that_are_no_programs() {
    let (_binary, binary) = written(&[0xff, 0xfe, 0]);
    let (_large, large) = written(&vec![b' '; 2 << 20]);
    for (path, words) in [
        (binary.as_str(), "no text in UTF-8"),
        (&large, "bytes"),
        ("/nowhere/p.pgas", "cannot read /nowhere/p.pgas"),
    ] {
        let output = robust(&[path]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
    for arguments in [
        &[][..],
        &["--api", "mpi", "x"],
        &["--repair", "--cost", "wait", "x"],
        &["--repair", "--cost", "sleep=1", "x"],
        &["--cost", "wait=1", "x"],
        &["--repaired", "y", "x"],
        &["--engine", "slow", "x"],
        &["--engine", "direct", "--queue-bound", "0", "x"],
        &["--states", "0", "x"],
    ] {
        assert_eq!(robust(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn litmus_tests_that_fit_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests");
    let run = |name: &str| robust(&[folder.join(name).to_str().unwrap()]);
    let sb = run("shapes/sb-put-local.litmus");
    let said = text(&sb.stdout);
    assert_eq!(sb.status.code(), Some(1), "{said}{}", text(&sb.stderr));
    assert!(said.contains("a = X") && said.contains("put(Y@1, A)"), "{said}");
    let flushed = run("shapes/sb-put-flush-local.litmus");
    assert_eq!(flushed.status.code(), Some(0), "{}", text(&flushed.stdout));
    let refused = run("rules/mpi3/10-race.litmus");
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("`lock_exclusive(1)` has no form in the calculus") && said.contains("10-race.litmus:"),
        "{said}"
    );
    let (_folder, path) = written(b"RMA x\n{ 0: X = -1; }\n P0    ;\n X = 2 ;\n");
    let output = robust(&[&path]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("-1 is outside of every domain") && said.contains("p.pgas:2:"),
        "{said}"
    );
}

#[test]
fn the_repaired_program_is_written_and_robust() {
    let (folder, path) = written(
        b"program p\napi shmem\nranks 2\ndomain 2\nshared x = 1, y\nshmem_put(&y, &x, 1, (me + 1) % n) // \
            copies\nshmem_sync_all()\nassert y == 1\n",
    );
    let repaired = folder.path().join("repaired.pgas").display().to_string();
    let run = robust(&["--repair", "--repaired", &repaired, &path]);
    let said = text(&run.stdout);
    assert_eq!(run.status.code(), Some(1), "{said}{}", text(&run.stderr));
    assert!(
        said.contains("+   7  shmem_barrier_all() // changed: wait"),
        "{said}"
    );
    assert!(
        fs::read_to_string(&repaired)
            .unwrap()
            .contains("// copies\nshmem_barrier_all()")
    );
    assert_eq!(robust(&[&repaired]).status.code(), Some(0));
    let several = robust(&["--repair", "--repaired", &repaired, &path, &path]);
    assert_eq!(several.status.code(), Some(2));
    assert!(text(&several.stderr).contains("several are given"));
}

#[test]
fn the_direct_engine_does_not_call_what_it_bounds_robust() {
    let (_folder, path) =
        written(b"program p\nranks 1\ndomain 2\nshared x, y\nqueue q\nloop { write(x, 0, y, q) }\n");
    let run = robust(&["--engine", "direct", "--queue-bound", "2", &path]);
    let said = text(&run.stdout);
    assert_eq!(run.status.code(), Some(4), "{said}");
    assert!(said.contains("with at most 2 open operations"), "{said}");
    assert_eq!(robust(&[&path]).status.code(), Some(0));
}

/// A value that the domain does not have comes first, whatever is asked: no verdict, no repair.
#[test]
fn a_value_outside_of_the_domain_is_bad_input() {
    let neighbour = "ranks 6\ndomain 4\nshared x, y\nqueue q\nr = (me + 1) % n\nwrite(x, r, y, q)\ns = x\n";
    let counter = "ranks 2\ndomain 3\nshared x, y, c\nqueue q\nrank 0 {\nc = c + 1\nc = c + 1\nc = c + 1\n}\n\
                   write(x, 1 - me, y, q)\ns = y\n";
    for (program, place, said) in [
        (neighbour, ":5:6", "`(me + 1) % n` is 4 for rank 3"),
        (counter, ":8:1", "`c = c + 1` gives 3 for rank 0"),
    ] {
        let (folder, path) = written(program.as_bytes());
        let repaired = folder.path().join("repaired.pgas");
        for more in [
            &["--engine", "delay"][..],
            &["--engine", "product"],
            &["--engine", "direct"],
            &["--repair", "--repaired", repaired.to_str().unwrap()],
            &["--superfluous"],
            &["--format", "json"],
        ] {
            let output = robust(&[&[path.as_str()][..], more].concat());
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{more:?}\n{told}");
            assert!(output.stdout.is_empty() && !repaired.exists(), "{more:?}");
            assert!(
                told.contains(&format!("{path}{place}")) && told.contains(said),
                "{told}"
            );
            assert!(
                told.contains("the domain, whose values are 0 to ")
                    && told.contains("help: enlarge it: `domain "),
                "{told}"
            );
        }
    }
    // What says that it wraps has a verdict.
    let (_folder, path) = written(counter.replace("c + 1", "(c + 1) % 3").as_bytes());
    assert_eq!(robust(&[&path]).status.code(), Some(1));
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests/shapes/sb-put-local.litmus");
    let output = robust(&["--domain", "1", test.to_str().unwrap()]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("sb-put-local.litmus:") && told.contains("outside of the domain"),
        "{told}"
    );
}
