//! `farside setup` with a cargo that is a script: what is asked of it, where files go, and what is said of parts that
//! it does not build. With the real one, from packages: `scripts/publish install`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Builds what the file `builds` beside it names, package by package; anything else fails as cargo does.
const CARGO: &str = r#"#!/bin/sh
here=$(dirname "$0")
echo "$@" >> "$here/asked"
while [ $# -gt 0 ]; do
    case $1 in
        --package) package=$2 ;;
        --root) root=$2 ;;
        farside-*) package=$1 ;;
    esac
    shift
done
file=$(sed -n "s/^$package //p" "$here/builds")
[ -n "$file" ] || { echo "error: no $package" >&2; exit 101; }
mkdir -p "$here/sources/$package/include"
echo "built of $package" > "$here/$file"
if [ -n "$root" ]; then
    mkdir -p "$root/bin" && cp "$here/$file" "$root/bin/$file"
else
    [ "$package" != farside-shmem ] || echo '// header' > "$here/sources/$package/include/shmem.h"
    printf '{"reason":"compiler-artifact","manifest_path":"%s/sources/%s/Cargo.toml","filenames":["%s/%s"]}\n' \
        "$here" "$package" "$here" "$file"
fi
"#;

struct Workshop(tempfile::TempDir);

impl Workshop {
    fn new(builds: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cargo = folder.path().join("cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("builds"), builds).unwrap();
        Self(folder)
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }

    fn setup(&self, arguments: &[&str]) -> Output {
        setup(&self.0.path().join("cargo"), &self.root(), arguments)
    }
}

fn setup(cargo: &Path, root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("setup")
        .arg("--root")
        .arg(root)
        .args(arguments)
        .env("CARGO", cargo)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn parts_go_where_the_command_looks_for_them() {
    let workshop = Workshop::new(
        "farside-interpose libfarside_interpose.so\nfarside-shmem libfarside_shmem.so\nfarside-llvm-front \
         farside-llvm-front\n",
    );
    let output = workshop.setup(&["preload", "shmem", "llvm-front"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output.stdout);
    for file in [
        "lib/farside/libfarside_interpose.so",
        "lib/libfarside_shmem.so",
        "bin/farside-llvm-front",
    ] {
        let path = workshop.root().join(file);
        assert!(
            path.is_file() && said.contains(&path.display().to_string()),
            "{said}"
        );
    }
    assert!(workshop.root().join("include/farside/shmem.h").is_file());
    let mode = fs::metadata(workshop.root().join("bin/farside-llvm-front"));
    assert_eq!(mode.unwrap().permissions().mode() & 0o777, 0o755);
    assert!(said.contains("export FARSIDE_LIBRARIES="), "{said}");
    // This release, and no other.
    let asked = fs::read_to_string(workshop.0.path().join("asked")).unwrap();
    let version = concat!("--version =", env!("CARGO_PKG_VERSION"));
    assert!(asked.contains(version), "{asked}");
}

#[test]
fn what_this_machine_cannot_build_is_left_out_and_named() {
    let workshop = Workshop::new("farside-interpose libfarside_interpose.so\n");
    let output = workshop.setup(&[]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("left out   llvm-front"), "{said}");
    assert!(
        said.contains("switches off: farside lint") && said.contains("llvm-19-dev"),
        "{said}"
    );
    assert!(text(&output.stderr).contains("error: no farside-llvm-front"));
    // It was asked for.
    assert_eq!(workshop.setup(&["llvm-front"]).status.code(), Some(2));
}

#[test]
fn a_library_without_the_plugin_is_not_called_installed() {
    let workshop = Workshop::new("farside-gcc-filter libfarside_gcc_filter.so\n");
    let said = text(&workshop.setup(&["gcc-plugin"]).stdout);
    assert!(
        said.starts_with("without    gcc-plugin") && said.contains("gcc-12-plugin-dev"),
        "{said}"
    );
}

#[test]
fn checking_needs_the_preloaded_library() {
    let workshop = Workshop::new("farside-callbacks libfarside_callbacks.so\n");
    let output = workshop.setup(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("switches off: farside check"));
}

#[test]
fn without_cargo_the_next_step_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = setup(Path::new("/nowhere/cargo"), folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.contains("/nowhere/cargo") && told.contains("install a package of farside"),
        "{told}"
    );
}

#[test]
fn a_root_that_cannot_be_written_is_named() {
    let workshop = Workshop::new("farside-interpose libfarside_interpose.so\n");
    let file = workshop.0.path().join("builds");
    let output = setup(&workshop.0.path().join("cargo"), &file, &["preload"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--root FOLDER"), "{output:?}");
}
