//! Asks cargo for a part: a package that needs the libraries, for cargo builds a library of a registry only as a
//! dependency; `cargo install` for the program.

use super::failure::Failure;
use super::parts::Part;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// This release: parts of another one are not asked for.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A file that was built, and the folder of the package that it was built from.
#[derive(Debug)]
pub(super) struct Built {
    file: PathBuf,
    package: Option<PathBuf>,
}

impl Built {
    /// The library or program.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The folder of its package; none for a program that cargo has installed itself.
    pub(super) fn package(&self) -> Option<&Path> {
        self.package.as_deref()
    }
}

/// A folder where parts are built, removed with this unless the user named it.
#[derive(Debug)]
pub(super) struct Builder {
    folder: PathBuf,
    _temporary: Option<tempfile::TempDir>,
}

impl Builder {
    /// A package that needs all libraries, in the folder or in a temporary one.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(super) fn new(folder: Option<&Path>) -> Result<Self, Failure> {
        let unwritable = |path: &Path| {
            let path = path.to_path_buf();
            move |error| Failure::Unwritable(path, error)
        };
        let (folder, temporary) = match folder {
            Some(folder) => (std::path::absolute(folder).map_err(unwritable(folder))?, None),
            None => {
                let made = tempfile::Builder::new().prefix("farside-setup-").tempdir();
                let made = made.map_err(unwritable(&std::env::temp_dir()))?;
                (made.path().to_path_buf(), Some(made))
            }
        };
        let source = folder.join("src");
        std::fs::create_dir_all(&source).map_err(unwritable(&source))?;
        for (path, text) in [
            (folder.join("Cargo.toml"), manifest()),
            (source.join("lib.rs"), String::new()),
        ] {
            std::fs::write(&path, text).map_err(unwritable(&path))?;
        }
        // Of an earlier time in this folder: packages may be others since.
        let lock = folder.join("Cargo.lock");
        if lock.exists() {
            std::fs::remove_file(&lock).map_err(unwritable(&lock))?;
        }
        Ok(Self {
            folder,
            _temporary: temporary,
        })
    }

    /// Builds a part. What cargo says goes to stderr.
    ///
    /// # Errors
    /// There is no cargo, or it does not build the part.
    pub(super) fn build(&self, part: Part) -> Result<Built, Failure> {
        if part.is_program() {
            return self.program(part);
        }
        let mut cargo = self.cargo("build");
        cargo
            .args(["--release", "--message-format", "json-render-diagnostics"])
            .arg("--manifest-path")
            .arg(self.folder.join("Cargo.toml"))
            .args(["--package", part.package()])
            .stdout(Stdio::piped());
        let output = cargo.output().map_err(|error| no_cargo(&cargo, error))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let built = said.lines().find_map(|line| artifact(line, part.file()));
        built
            .filter(|_| output.status.success())
            .ok_or(Failure::NotBuilt(part.package(), VERSION))
    }

    fn program(&self, part: Part) -> Result<Built, Failure> {
        let mut cargo = self.cargo("install");
        let root = self.folder.join("programs");
        // Where cargo puts it is no matter of the user's PATH, of which it would speak otherwise.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(root.join("bin")).chain(std::env::split_paths(&path));
        if let Ok(path) = std::env::join_paths(folders) {
            cargo.env("PATH", path);
        }
        cargo
            .args(["--force", "--no-track", "--version"])
            .arg(format!("={VERSION}"))
            .arg("--root")
            .arg(&root)
            .arg(part.package())
            .stdout(Stdio::null());
        let status = cargo.status().map_err(|error| no_cargo(&cargo, error))?;
        if !status.success() {
            return Err(Failure::NotBuilt(part.package(), VERSION));
        }
        Ok(Built {
            file: root.join("bin").join(part.file()),
            package: None,
        })
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let program = std::env::var_os("CARGO").filter(|name| !name.is_empty());
        let mut command = Command::new(program.unwrap_or_else(|| "cargo".into()));
        command
            .arg(subcommand)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit());
        command
    }
}

fn no_cargo(command: &Command, error: std::io::Error) -> Failure {
    Failure::NoCargo(command.get_program().into(), error)
}

/// A package of its own, whatever folder it is in, that needs the libraries of this release.
fn manifest() -> String {
    let mut text = String::from(
        "[package]\nname = \"farside-setup\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [workspace]\n\n\
         # What every recorded event goes through.\n[profile.release]\ncodegen-units = 1\n\n[dependencies]\n",
    );
    for part in Part::all().iter().filter(|part| !part.is_program()) {
        text += &format!("{} = \"={VERSION}\"\n", part.package());
    }
    text
}

/// The file of this name among what cargo says that it has built, and its package's folder.
fn artifact(line: &str, name: &str) -> Option<Built> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    let files = message["filenames"].as_array()?;
    let mut paths = files
        .iter()
        .filter_map(|file| Some(PathBuf::from(file.as_str()?)));
    let file = paths.find(|path| path.file_name().is_some_and(|found| found == name))?;
    let package = Path::new(message["manifest_path"].as_str()?).parent()?;
    Some(Built {
        file,
        package: Some(package.to_path_buf()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_built_is_read_from_what_cargo_says() {
        let line = r#"{"reason":"compiler-artifact","manifest_path":"/p/farside-shmem-1/Cargo.toml",
            "filenames":["/t/libfarside_shmem.rlib","/t/libfarside_shmem.so"]}"#
            .replace('\n', "");
        let built = artifact(&line, "libfarside_shmem.so").unwrap();
        assert_eq!(built.file, Path::new("/t/libfarside_shmem.so"));
        assert_eq!(built.package.as_deref(), Some(Path::new("/p/farside-shmem-1")));
        assert!(artifact(&line, "libfarside_gaspi.so").is_none());
        assert!(
            artifact(
                &line.replace("compiler-artifact", "build-finished"),
                "libfarside_shmem.so"
            )
            .is_none()
        );
        assert!(artifact("no JSON", "libfarside_shmem.so").is_none());
    }

    #[test]
    fn the_package_asks_for_this_release_alone() {
        let text = manifest();
        assert!(text.contains(&format!("farside-interpose = \"={VERSION}\"\n")));
        assert!(!text.contains("farside-llvm-front"));
    }
}
