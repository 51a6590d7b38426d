//! Each call becomes what its rule says.

use farside_pgas::ast::Api;
use farside_pgas::dialect::{rules, translate};
use farside_pgas::parser::parse;

/// The statements that stand for `body` in a program of that API.
fn translated(api: Api, declarations: &str, body: &str) -> String {
    let text = format!("{declarations}\n{body}\n");
    let program = parse(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
    let program =
        translate(&program, Some(api), 2).unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
    let printed = program.to_string();
    let again =
        parse(&printed).unwrap_or_else(|errors| panic!("{}\n{printed}", errors[0].render("t", &printed)));
    assert_eq!(again, program, "the calculus itself can be read");
    let body = farside_pgas::ast::Program {
        declarations: Vec::new(),
        ..program
    }
    .to_string();
    body.lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn first() {
    assert_eq!(
        translated(Api::Shmem, "shared x, y", "shmem_int_put(&y, &x, 1, 1)"),
        "write(x, 1, y, shmem_puts, shmem_put)\nwait_local shmem_put"
    );
}

#[test]
fn library() {
    fn walk(at: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for e in std::fs::read_dir(at).unwrap() {
            let p = e.unwrap().path();
            if p.is_dir() {
                walk(&p, found)
            } else if p.extension().is_some_and(|e| e == "pgas") {
                found.push(p)
            }
        }
    }
    let mut files = Vec::new();
    walk(
        std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../robust-tests")),
        &mut files,
    );
    let mut bad = 0;
    for f in files {
        let text = std::fs::read_to_string(&f).unwrap();
        match parse(&text).and_then(|p| translate(&p, None, p.ranks.unwrap().value)) {
            Ok(p) => {
                let t = p.to_string();
                assert_eq!(parse(&t).unwrap(), p);
                if std::env::var("SHOW").is_ok_and(|s| f.to_str().unwrap().contains(&s)) {
                    println!("{t}")
                }
            }
            Err(es) => {
                bad += 1;
                for e in es {
                    println!("{}", e.render(f.to_str().unwrap(), &text))
                }
            }
        }
    }
    assert_eq!(bad, 0);
    assert!(!rules(Api::Gpi).is_empty());
}
