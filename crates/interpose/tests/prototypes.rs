//! The table of hooked functions agrees with the prototypes in both libraries' headers.

use farside_calls::mpi::Procedure;
use std::collections::BTreeMap;
use std::process::Command;

/// Names and numbers of arguments of the hooked functions: those that the table of calls gives a meaning.
fn table() -> BTreeMap<String, usize> {
    let followed = Procedure::all().filter(|procedure| procedure.meaning().is_some());
    followed
        .flat_map(|procedure| {
            let signature = procedure.signature();
            let large = signature
                .has_large_counts()
                .then(|| format!("{}_c", procedure.name()));
            let names = [procedure.name().to_owned()].into_iter().chain(large);
            names.map(move |name| (name, signature.arity()))
        })
        .collect()
}

/// Names and numbers of arguments in a library's headers.
fn prototypes(compiler: &str) -> BTreeMap<String, usize> {
    let source = std::env::temp_dir().join(format!("farside-prototypes-{}-{compiler}.c", std::process::id()));
    std::fs::write(&source, "#include <mpi.h>\n").expect("a source file can be written");
    let output = Command::new(compiler)
        .args(["-E", "-P"])
        .arg(&source)
        .output()
        .expect("the MPI compiler wrapper runs");
    std::fs::remove_file(&source).expect("the source file can be removed");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).replace(['\n', '\t'], " ");
    text.split(';')
        .filter_map(|declaration| {
            let (_, rest) = declaration.split_once("int MPI_")?;
            let (name, arguments) = rest.split_once('(')?;
            let mut depth = 1;
            let mut commas = 0;
            let mut inside = String::new();
            for character in arguments.chars() {
                match character {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    ',' if depth == 1 => commas += 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
                inside.push(character);
            }
            let count = if inside.trim() == "void" { 0 } else { commas + 1 };
            Some((format!("MPI_{}", name.trim()), count))
        })
        .collect()
}

#[test]
fn numbers_of_arguments_are_those_of_the_headers() {
    let table = table();
    assert!(table.len() > 200, "the table was found");
    let (open_mpi, mpich) = (prototypes("mpicc.openmpi"), prototypes("mpicc.mpich"));
    assert!(
        open_mpi.len() > 300 && mpich.len() > 300,
        "the prototypes were found"
    );
    for (name, arity) in &table {
        for declared in [&open_mpi, &mpich] {
            if let Some(count) = declared.get(name) {
                assert_eq!(count, arity, "{name}");
            }
        }
        // MPI-4 calls are only in MPICH; every name must exist somewhere.
        assert!(
            open_mpi.contains_key(name) || mpich.contains_key(name),
            "{name} is in no header"
        );
    }
}
