//! Random programs, written in the language of `.pgas` files and in C: what is followed of the C program must be as
//! robust as the other, which never was C.

mod both;
mod gaspi;
mod mpi;
#[path = "../reading/mod.rs"]
mod reading;
mod shmem;
mod verdict;

use both::Written;
use farside_pgas::ast::Program;
use farside_pgas::parser::parse;
use reading::followed;
use verdict::{is_robust, verdict};

/// Compares this many programs, or as many as the environment says. One of them in `lost` at most may be not known,
/// for a reason that is noted.
fn compare(many: u64, lost: u64, written: fn(u64) -> Written) {
    let number = |name: &str| std::env::var(name).ok().map(|many| many.parse::<u64>().unwrap());
    let programs = number("FARSIDE_PROGRAMS").unwrap_or(many);
    let first = number("FARSIDE_SEED").unwrap_or(0);
    let folder = tempfile::tempdir().unwrap();
    let (mut yes, mut no, mut unknown) = (0, 0, 0);
    for seed in first..first + programs {
        let Written { pgas, c } = written(seed);
        let mut files = Vec::new();
        for (at, text) in c.iter().enumerate() {
            files.push(folder.path().join(format!("random{at}.c")));
            std::fs::write(&files[at], text).unwrap();
        }
        let program: Program = parse(&pgas).unwrap_or_else(|errors| panic!("{errors:?}\n{pgas}"));
        let expected = if is_robust(&program).unwrap() { "yes" } else { "no" };
        let extract = followed(&files, 2, 0, &[]);
        let found = verdict(&extract);
        let shown = || {
            let c = c.join("\n// another source\n");
            format!(
                "seed {seed}\n{pgas}\n{c}\n{:?}\n{}",
                extract.notes(),
                extract.all_ways()
            )
        };
        match found {
            "not known" => {
                assert!(!extract.notes().is_empty(), "{}", shown());
                unknown += 1;
                if std::env::var_os("FARSIDE_PROGRAMS").is_some() {
                    println!("seed {seed}: {:?}", extract.notes());
                }
            }
            found => assert_eq!(found, expected, "{}", shown()),
        }
        let printed = extract.all_ways().to_string();
        assert_eq!(
            parse(&printed).as_ref(),
            Ok(extract.all_ways()),
            "seed {seed}\n{printed}"
        );
        *(if expected == "yes" { &mut yes } else { &mut no }) += 1;
    }
    println!("{yes} robust, {no} not; {unknown} not known");
    // Both answers occur, so that neither can be given without looking.
    assert!(
        yes * 10 > programs && no * 10 > programs,
        "{yes} robust, {no} not"
    );
    assert!(unknown * lost <= programs, "{unknown} not known");
}

#[test]
fn openshmem_in_c_is_as_robust_as_what_it_was_written_as() {
    compare(40, 5, shmem::written);
}

#[test]
fn mpi_in_c_is_as_robust_as_what_it_was_written_as() {
    compare(50, 10, mpi::written);
}

#[test]
fn gaspi_in_c_is_as_robust_as_what_it_was_written_as() {
    compare(50, 10, gaspi::written);
}
