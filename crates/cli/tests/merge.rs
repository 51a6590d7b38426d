//! `--shard` and `farside merge`: the shards of a run, merged, are what one run writes, in every form; what is no whole
//! run is refused.

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// Runs farside in the top folder of the project.
fn farside(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Without what differs from run to run: every decimal fraction, for times are the only ones in texts and logs.
fn timeless(text: &str) -> String {
    let mut shown = String::new();
    for word in text.split_inclusive(|c: char| !c.is_ascii_digit() && c != '.') {
        let number = word.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
        match number.parse::<f64>() {
            Ok(_) if number.contains('.') => shown += &word.replace(number, "T"),
            _ => shown += word,
        }
    }
    shown
}

fn without_seconds(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match name.as_str() {
                    "seconds" | "milliseconds_per_test" => *value = Value::Null,
                    _ => without_seconds(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_seconds),
        _ => {}
    }
}

/// A result as it is compared. Pictures have no times.
fn compared(form: &str, text: &str) -> String {
    match form {
        "json" => {
            let mut value = serde_json::from_str(text).unwrap();
            without_seconds(&mut value);
            // The layout counts, too.
            format!("{value:#}\n{}", text.lines().count())
        }
        "svg" | "dot" => text.to_owned(),
        _ => timeless(text),
    }
}

/// The files of all shards.
fn shards(folder: &Path, of: u32, arguments: &[&str]) -> Vec<String> {
    let one = |number: u32| {
        let part = folder
            .join(format!("part-{number}-of-{of}"))
            .to_str()
            .unwrap()
            .to_owned();
        let shard = format!("{number}/{of}");
        let output = farside(&[arguments, &["--shard", &shard, "-o", &part]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
        part
    };
    // Later shards first: the order does not matter.
    (1..=of).rev().map(one).collect()
}

fn merge(parts: &[String], options: &[&str]) -> Output {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    farside(&[&["merge"], &parts[..], options].concat())
}

/// Merged, the shards are the run: its result, its complaints and its exit status.
fn same(form: &str, of: &[u32], arguments: &[&str]) {
    let whole = farside(arguments);
    for &of in of {
        let folder = tempfile::tempdir().unwrap();
        // One run writes to a file, too, if it is no shard.
        let file = folder.path().join("whole");
        let written = farside(&[arguments, &["-o", file.to_str().unwrap()]].concat());
        assert_eq!(written.status, whole.status);
        assert_eq!(file.exists(), !whole.stdout.is_empty());
        let parts = shards(folder.path(), of, arguments);
        let merged = merge(&parts, &[]);
        let told = text(&merged.stderr);
        assert_eq!(merged.status, whole.status, "{arguments:?} of {of}: {told}");
        assert_eq!(
            compared(form, &text(&merged.stdout)),
            compared(form, &text(&whole.stdout)),
            "{arguments:?} of {of}"
        );
        assert_eq!(
            timeless(&told),
            timeless(&text(&whole.stderr)),
            "{arguments:?} of {of}"
        );
        // To a file, the same.
        let file = folder.path().join("result");
        let merged = merge(&parts, &["-o", file.to_str().unwrap()]);
        assert_eq!(merged.status, whole.status);
        match fs::read_to_string(file) {
            Ok(written) => assert_eq!(compared(form, &written), compared(form, &text(&whole.stdout))),
            // Of no result, no file is written.
            Err(_) => assert!(whole.stdout.is_empty(), "{arguments:?} of {of}"),
        }
    }
}

#[test]
fn litmus() {
    let papers = "litmus-tests/papers";
    for form in ["herd", "json", "svg", "dot", "html"] {
        same(form, &[1, 3], &["litmus", "--format", form, papers]);
    }
    for of in [2, 7, 40] {
        same("herd", &[of], &["litmus", "--explain", papers]);
    }
    same("herd", &[3], &["litmus", "--model", "all", papers]);
    // One test: a shard has it, the others have none.
    same("herd", &[1, 2], &["litmus", "litmus-tests/papers/Fig6.litmus"]);
}

#[test]
fn litmus_with_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.litmus");
    fs::write(&wrong, "RMA wrong\n{ 0: X = 1; }\n P0 ;\n a = ;\n").unwrap();
    let (wrong, missing) = (wrong.to_str().unwrap(), folder.path().join("missing"));
    let tests = [
        "litmus-tests/papers/Fig6.litmus",
        wrong,
        "litmus-tests/papers/Fig8.litmus",
    ];
    same("herd", &[1, 2, 3], &[&["litmus"], &tests[..]].concat());
    let output = farside(&["litmus", "--shard", "1/2", "-o", missing.to_str().unwrap(), "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("stdin"), "{}", text(&output.stderr));
}

/// The PGAS programs of a folder.
fn programs(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()))
        .filter(|name| name.ends_with(".pgas"))
        .collect();
    names.sort();
    names
}

#[test]
fn robust() {
    let programs = programs("robust-tests/paper");
    let files: Vec<&str> = programs.iter().map(String::as_str).collect();
    for form in ["text", "json", "svg", "dot", "html"] {
        same(
            form,
            &[1, 3],
            &[&["robust", "--format", form], &files[..]].concat(),
        );
    }
    same(
        "text",
        &[2, 5, 30],
        &[&["robust", "--repair", "--superfluous"], &files[..]].concat(),
    );
    same(
        "text",
        &[2],
        &["robust", "robust-tests/paper/missing.pgas", files[0]],
    );
    same("text", &[2], &["robust", "robust-tests/paper/missing.pgas"]);
}

/// Every file of a folder by its name, decompressed, without times; of progress, all but times.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let inner = files(&path).into_iter();
            all.extend(inner.map(|(inner, text)| (format!("{name}/{inner}"), text)));
            continue;
        }
        let mut lines = String::new();
        let mut file = fs::File::open(&path).unwrap();
        match name.ends_with(".gz") {
            true => MultiGzDecoder::new(file).read_to_string(&mut lines),
            false => file.read_to_string(&mut lines),
        }
        .unwrap();
        if name == "progress.json" {
            let mut progress: Value = serde_json::from_str(&lines).unwrap();
            for time in ["generating", "exploring", "elapsed"] {
                progress["counts"][time] = Value::Null;
            }
            // Where pieces of compressed files end depends on when progress was written down.
            progress["log"] = Value::Null;
            progress["archive"] = Value::Null;
            lines = progress.to_string();
        }
        all.insert(name, timeless(&lines));
    }
    all
}

#[test]
fn forge() {
    let asked = [
        "forge",
        "--rule",
        "IR,LO,CAS-F",
        "--procs",
        "1,2",
        "--actions",
        "8",
    ];
    same("text", &[1, 3], &asked);
    same("json", &[2], &[&asked[..], &["--format", "json"]].concat());
    same("text", &[2], &[&asked[..], &["--count"]].concat());
    let folder = tempfile::tempdir().unwrap();
    for archive in [&[][..], &["--archive"]] {
        let at = |name: &str| {
            let path = folder.path().join(format!("{name}{}", archive.len()));
            path.to_str().unwrap().to_owned()
        };
        let whole = farside(&[&asked[..], &["--out", &at("whole")], archive].concat());
        assert!(whole.status.success());
        let expected = files(Path::new(&at("whole")));
        assert!(expected.len() > 3);
        for of in [1, 4, 23] {
            let parts = shards(folder.path(), of, &asked);
            let out = at(&format!("merged-{of}-"));
            let merged = merge(&parts, &[&["--out", &out], archive].concat());
            assert!(merged.status.success(), "{}", text(&merged.stderr));
            assert_eq!(files(Path::new(&out)), expected, "of {of}");
            assert_eq!(timeless(&text(&merged.stdout)), timeless(&text(&whole.stdout)));
            // What is there is not mixed with it.
            let again = merge(&parts, &[&["--out", &out], archive].concat());
            assert_eq!(again.status.code(), Some(2));
        }
    }
}

#[test]
fn conform() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // On the virtual network, a run is decided by its seed; and it reorders, which coreRMA forbids.
    let asked = [
        "conform",
        "--target",
        "farside:sim",
        "--tests",
        "litmus-tests/papers",
        "litmus-tests/shapes",
        "--runs",
        "60",
        "--quiet",
        "--model",
        "coreRMA",
    ];
    assert_eq!(farside(&asked).status.code(), Some(1));
    for form in ["text", "json"] {
        same(form, &[1, 3], &[&asked[..], &["--format", form]].concat());
    }
    let whole = farside(
        &[
            &asked[..],
            &["--log", &at("whole.log"), "--fit", &at("whole.model")],
        ]
        .concat(),
    );
    for of in [1, 2, 9] {
        let parts = shards(folder.path(), of, &asked);
        let merged = merge(
            &parts,
            &["--log", &at("merged.log"), "--fit", &at("merged.model")],
        );
        assert_eq!(merged.status, whole.status, "{}", text(&merged.stderr));
        assert_eq!(timeless(&text(&merged.stdout)), timeless(&text(&whole.stdout)));
        let read = |name: &str| fs::read_to_string(at(name)).unwrap();
        assert_eq!(
            timeless(&read("merged.log")),
            timeless(&read("whole.log")),
            "of {of}"
        );
        assert_eq!(read("merged.model"), read("whole.model"), "of {of}");
    }
}

#[test]
fn what_is_no_whole_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("tests");
    fs::create_dir(&tests).unwrap();
    for name in ["Fig6", "Fig8"] {
        let from = root().join(format!("litmus-tests/papers/{name}.litmus"));
        fs::copy(from, tests.join(format!("{name}.litmus"))).unwrap();
    }
    let tests = tests.to_str().unwrap();
    let parts = shards(folder.path(), 2, &["litmus", tests]);
    let refused = |parts: &[String], options: &[&str], why: &str| {
        let output = merge(parts, options);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(why) && output.stdout.is_empty(), "{told}");
    };
    refused(&parts[..1], &[], "no file of shard 1");
    refused(
        &[parts[0].clone(), parts[0].clone()],
        &[],
        "shard 2 is there twice",
    );
    refused(
        &parts,
        &["--log", "x"],
        "--log is nothing that `farside litmus` writes",
    );
    refused(
        &parts,
        &["--out", "x"],
        "--out is nothing that `farside litmus` writes",
    );
    let of_another = |name: &str, arguments: &[&str]| {
        let part = folder.path().join(name).to_str().unwrap().to_owned();
        let output = farside(&[arguments, &["--shard", "1/2", "-o", &part]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        [parts[0].clone(), part]
    };
    let other = of_another("model", &["litmus", "--model", "dmapp", tests]);
    refused(&other, &[], "their options differ");
    let other = of_another("command", &["robust", "robust-tests/paper/figure-1-no.pgas"]);
    refused(&other, &[], "their options differ");
    // What has no influence on results may differ.
    let other = of_another("threads", &["litmus", "-j", "1", tests]);
    assert_eq!(merge(&other, &[]).status.code(), merge(&parts, &[]).status.code());
    // A shard that ended midway.
    let bytes = fs::read(&parts[1]).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    fs::write(&parts[1], lines[..lines.len() - 1].concat()).unwrap();
    refused(&parts, &[], "ended midway");
    fs::write(&parts[1], &bytes).unwrap();
    // A test that was changed between two shards.
    fs::write(
        Path::new(tests).join("Fig6.litmus"),
        "RMA Fig6\n{ 0: X = 1; }\n P0 ;\n a = X ;\n",
    )
    .unwrap();
    let other = of_another("inputs", &["litmus", tests]);
    refused(&other, &[], "what they read differs");
}

#[test]
fn a_run_of_one_shard_needs_a_file_and_writes_nothing_else() {
    for wrong in [
        &["litmus", "--shard", "1/2", "litmus-tests/papers"][..],
        &["litmus", "--shard", "3/2", "-o", "x", "litmus-tests/papers"],
        &["forge", "--all", "--shard", "1/2", "-o", "x", "--out", "y"],
        &[
            "conform",
            "--target",
            "farside:sim",
            "--tests",
            "x",
            "--shard",
            "1/2",
            "-o",
            "x",
            "--log",
            "y",
        ],
    ] {
        assert_eq!(farside(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
