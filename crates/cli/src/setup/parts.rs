//! The parts that lie beside the command: the package of each, its file, where that goes, what it is for.

use clap::ValueEnum;

/// Where the command looks for its libraries, below the folder that it is installed in.
pub(super) const LIBRARIES: &str = "lib/farside";

/// What can be built and installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
    /// The library that `farside check` preloads
    Preload,
    /// The library that instrumented programs are linked with
    Callbacks,
    /// The plugin for gcc, g++ and gfortran
    GccPlugin,
    /// The plugin for clang 19 and flang 19
    LlvmPlugin,
    /// The reader of LLVM IR for `farside lint`
    LlvmFront,
    /// The OpenSHMEM library and its headers
    Shmem,
    /// The GASPI library and its header
    Gaspi,
}

/// What is known of a part.
struct Known {
    name: &'static str,
    package: &'static str,
    file: &'static str,
    folder: &'static str,
    switches_off: &'static str,
    needs: &'static str,
}

impl Part {
    /// All, those that checking needs first.
    pub(super) fn all() -> &'static [Self] {
        Self::value_variants()
    }

    /// As it is named on the command line.
    pub(super) fn name(self) -> &'static str {
        self.known().name
    }

    /// The package that it is built from.
    pub(super) fn package(self) -> &'static str {
        self.known().package
    }

    /// The file that is built.
    pub(super) fn file(self) -> &'static str {
        self.known().file
    }

    /// Where the file goes, below the folder that everything is installed in.
    pub(super) fn folder(self) -> &'static str {
        self.known().folder
    }

    /// Whether nothing can be checked without it.
    pub(super) fn is_required(self) -> bool {
        self == Self::Preload
    }

    /// Whether the file is a program.
    pub(super) fn is_program(self) -> bool {
        self == Self::LlvmFront
    }

    /// What is missing without it and what to do next, in indented lines.
    pub(super) fn advice(self) -> String {
        let known = self.known();
        format!(
            "             switches off: {}\n             next: {}; then farside setup {}\n",
            known.switches_off, known.needs, known.name
        )
    }

    fn known(self) -> Known {
        let rust = "see what cargo says";
        match self {
            Self::Preload => Known {
                name: "preload",
                package: "farside-interpose",
                file: crate::libraries::INTERPOSE,
                folder: LIBRARIES,
                switches_off: "farside check",
                needs: rust,
            },
            Self::Callbacks => Known {
                name: "callbacks",
                package: "farside-callbacks",
                file: crate::libraries::CALLBACKS,
                folder: LIBRARIES,
                switches_off: "farside cc, cxx, fc and build, and with them loads and stores",
                needs: rust,
            },
            Self::GccPlugin => Known {
                name: "gcc-plugin",
                package: "farside-gcc-filter",
                file: crate::libraries::GCC_PLUGIN,
                folder: LIBRARIES,
                switches_off: "cheap checks of what gcc, g++ and gfortran compile",
                needs: "install gcc 12 with its headers for plugins (Debian: gcc-12-plugin-dev g++)",
            },
            Self::LlvmPlugin => Known {
                name: "llvm-plugin",
                package: "farside-llvm-filter",
                file: "libfarside_filter.so",
                folder: LIBRARIES,
                switches_off: "cheap checks of what clang 19 compiles, and loads and stores of what flang 19 compiles",
                needs: "install LLVM 19 with its headers (Debian: llvm-19-dev g++)",
            },
            Self::LlvmFront => Known {
                name: "llvm-front",
                package: "farside-llvm-front",
                file: "farside-llvm-front",
                folder: "bin",
                switches_off: "farside lint, and farside robust of C programs",
                needs: "install LLVM 19 with its headers (Debian: llvm-19-dev)",
            },
            Self::Shmem => Known {
                name: "shmem",
                package: "farside-shmem",
                file: "libfarside_shmem.so",
                folder: "lib",
                switches_off: "OpenSHMEM programs over the transports of Farside",
                needs: "install a C compiler (Debian: gcc)",
            },
            Self::Gaspi => Known {
                name: "gaspi",
                package: "farside-gaspi",
                file: "libfarside_gaspi.so",
                folder: "lib",
                switches_off: "GASPI programs over the transports of Farside",
                needs: rust,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        for part in Part::all() {
            assert_eq!(part.to_possible_value().unwrap().get_name(), part.name());
        }
    }

    #[test]
    fn what_is_built_goes_where_the_command_looks_for_it() {
        assert_eq!(Part::Preload.folder(), "lib/farside");
        assert_eq!(Part::LlvmFront.folder(), "bin");
        assert!(
            Part::all()
                .iter()
                .all(|part| part.package().starts_with("farside-"))
        );
    }
}
