//! What a compiler command line asks for, as far as the wrappers must know.
//!
//! Nothing is reordered. Options are kept as they are, with one exception: `thread` is taken out of `-fsanitize=`,
//! because the wrapper asks for it in its own way.

use super::Refusal;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// How far the compiler goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// It only tells something about itself, or has nothing to do.
    Query,
    /// It stops before linking.
    Compile,
    /// It links, and may compile before that.
    Link,
}

/// A command line, understood.
#[derive(Debug)]
pub(super) struct CommandLine {
    /// How far the compiler goes.
    pub(super) task: Task,
    /// The user's arguments; response files are still there unless one of them had to be changed.
    pub(super) arguments: Vec<OsString>,
    /// The user said which debugging information he wants.
    pub(super) debug: bool,
    /// `-static` or `-static-pie`.
    pub(super) static_option: Option<String>,
    /// A sanitizer that cannot be combined with the callbacks of the thread sanitizer.
    pub(super) excluded_sanitizer: Option<String>,
}

/// Options whose value is the next argument, so that the value is not taken for an input.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-L",
    "-D",
    "-U",
    "-B",
    "-J",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-G",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-cxx-isystem",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "--param",
    "-wrapper",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-target",
    "-arch",
    "--sysroot",
    "--serialize-diagnostics",
];

/// Options after which nothing is linked.
const NO_LINK: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--compile",
    "--assemble",
    "--preprocess",
    "-emit-ast",
    "--precompile",
];

/// Options of compilers and MPI wrappers that only print something.
const QUERIES: &[&str] = &[
    "--version",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpmachine",
    "-dumpspecs",
    "--help",
    "-help",
    "-show",
    "-showme",
    "--showme",
    "-compile_info",
    "-link_info",
    "-compile-info",
    "-link-info",
    "-print-search-dirs",
    "-print-resource-dir",
    "-print-multi-lib",
    "-print-multi-directory",
    "-print-multi-os-directory",
    "-print-multiarch",
    "-print-sysroot",
    "-print-libgcc-file-name",
    "-print-target-triple",
    "-print-effective-triple",
    "-print-targets",
    "-print-supported-cpus",
];

/// Beginnings of such options.
const QUERY_PREFIXES: &[&str] = &[
    "--help=",
    "-showme:",
    "--showme:",
    "-print-file-name=",
    "-print-prog-name=",
    "--print-",
];

/// `-g` options that say how, not whether, to write debugging information.
const DEBUG_DETAILS: &[&str] = &[
    "-grecord",
    "-gno-",
    "-gz",
    "-gstrict",
    "-gcolumn",
    "-gas-loc",
    "-gvariable",
    "-gstatement",
    "-ginline",
    "-gdescribe",
    "-gpubnames",
    "-ggnu-pubnames",
    "-gembed",
    "-gsimple",
    "-gmodules",
    "-gcodeview",
    "-gtoggle",
];

impl CommandLine {
    /// Reads the user's arguments, and the response files among them.
    ///
    /// # Errors
    /// A response file cannot be read, although it exists.
    pub(super) fn parse(arguments: &[OsString]) -> Result<Self, Refusal> {
        let mut expanded = Vec::with_capacity(arguments.len());
        for argument in arguments {
            expand(argument, &mut expanded, 0)?;
        }
        let mut line = Self {
            task: Task::Query,
            arguments: Vec::new(),
            debug: false,
            static_option: None,
            excluded_sanitizer: None,
        };
        let (mut query, mut no_link, mut input) = (false, false, false);
        let mut changed = false;
        let mut kept = Vec::with_capacity(expanded.len());
        let mut rest = expanded.into_iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_string_lossy().into_owned();
            if let Some(list) = text.strip_prefix("-fsanitize=") {
                let ours_left_out = line.sanitizers(list);
                if ours_left_out != list {
                    changed = true;
                    if !ours_left_out.is_empty() {
                        kept.push(format!("-fsanitize={ours_left_out}").into());
                    }
                    continue;
                }
            } else if WITH_VALUE.contains(&text.as_str()) {
                kept.push(argument);
                kept.extend(rest.next());
                continue;
            } else if NO_LINK.contains(&text.as_str()) {
                no_link = true;
            } else if QUERIES.contains(&text.as_str()) || QUERY_PREFIXES.iter().any(|p| text.starts_with(p)) {
                query = true;
            } else if text == "-static" || text == "--static" || text == "-static-pie" {
                line.static_option = Some(text);
            } else if text.starts_with("-g") {
                line.debug |= !DEBUG_DETAILS.iter().any(|p| text.starts_with(p));
            } else if text == "-" || !text.starts_with('-') || text.starts_with("-l") {
                input = true;
            }
            kept.push(argument);
        }
        line.task = match (query || !input, no_link) {
            (true, _) => Task::Query,
            (false, true) => Task::Compile,
            (false, false) => Task::Link,
        };
        line.arguments = if changed { kept } else { arguments.to_vec() };
        Ok(line)
    }

    /// Notes what is in the list of a `-fsanitize=` option and returns it without `thread`.
    fn sanitizers(&mut self, list: &str) -> String {
        const EXCLUDED: &[&str] = &[
            "address",
            "kernel-address",
            "hwaddress",
            "leak",
            "memory",
            "dataflow",
            "safe-stack",
            "cfi",
        ];
        let mut left = Vec::new();
        for name in list.split(',') {
            if EXCLUDED.contains(&name) {
                self.excluded_sanitizer = Some(name.to_owned());
            }
            if name != "thread" {
                left.push(name);
            }
        }
        left.join(",")
    }
}

/// Appends `argument`, or what the response file `@NAME` contains. As in GCC and Clang, `@NAME` stands for itself when
/// there is no such file.
fn expand(argument: &OsStr, out: &mut Vec<OsString>, depth: u32) -> Result<(), Refusal> {
    /// GCC gives up after 2000 files; a chain this deep is a cycle.
    const DEEPEST: u32 = 16;
    let Some(name) = argument.as_bytes().strip_prefix(b"@") else {
        out.push(argument.to_owned());
        return Ok(());
    };
    match fs::read(OsStr::from_bytes(name)) {
        Ok(text) if depth < DEEPEST => {
            for word in words(&text) {
                expand(&word, out, depth + 1)?;
            }
            Ok(())
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Refusal::ResponseFile(OsStr::from_bytes(name).to_owned(), error))
        }
        _ => {
            out.push(argument.to_owned());
            Ok(())
        }
    }
}

/// The words of a response file: white space separates, quotes of both kinds group, a backslash takes the next
/// character as it is.
fn words(text: &[u8]) -> Vec<OsString> {
    let mut found = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => word.get_or_insert_default().extend(bytes.next()),
            _ if quote == Some(byte) => quote = None,
            b'"' | b'\'' if quote.is_none() => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            _ if quote.is_none() && byte.is_ascii_whitespace() => {
                found.extend(word.take().map(OsString::from_vec));
            }
            _ => word.get_or_insert_default().push(byte),
        }
    }
    found.extend(word.map(OsString::from_vec));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> CommandLine {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        CommandLine::parse(&arguments).unwrap()
    }

    #[test]
    fn tasks() {
        let check = |arguments: &[&str], task| assert_eq!(parse(arguments).task, task, "{arguments:?}");
        check(&["x.c"], Task::Link);
        check(&["-o", "x", "x.o", "-lm"], Task::Link);
        check(&["-shared", "x.o"], Task::Link);
        check(&["-xc", "-"], Task::Link);
        check(&["-c", "x.c"], Task::Compile);
        check(&["-E", "-"], Task::Compile);
        check(&["-MM", "x.c"], Task::Compile);
        check(&["-v", "x.c"], Task::Link);
        check(&["-###", "x.c"], Task::Link);
        check(&["-v"], Task::Query);
        check(&["--version"], Task::Query);
        check(&["-showme:compile"], Task::Query);
        check(&["-show", "x.c"], Task::Query);
        check(&["-o", "x"], Task::Query);
        check(&[], Task::Query);
    }

    #[test]
    fn debugging_options() {
        assert!(!parse(&["x.c"]).debug);
        assert!(!parse(&["-gno-column-info", "x.c"]).debug);
        for option in ["-g", "-g0", "-g3", "-ggdb", "-gdwarf-4", "-gline-tables-only"] {
            assert!(parse(&[option, "x.c"]).debug, "{option}");
        }
    }

    #[test]
    fn sanitizers_of_the_user() {
        let check = |arguments: &[&str], left: &[&str]| assert_eq!(parse(arguments).arguments, left);
        check(&["-fsanitize=thread", "x.c"], &["x.c"]);
        check(
            &["-fsanitize=thread,undefined", "x.c"],
            &["-fsanitize=undefined", "x.c"],
        );
        check(&["-fno-sanitize=thread", "x.c"], &["-fno-sanitize=thread", "x.c"]);
        assert_eq!(
            parse(&["-fsanitize=undefined,address"])
                .excluded_sanitizer
                .as_deref(),
            Some("address")
        );
    }

    #[test]
    fn static_options() {
        assert_eq!(
            parse(&["-static", "x.c"]).static_option.as_deref(),
            Some("-static")
        );
        assert_eq!(parse(&["-static-libgcc", "x.c"]).static_option, None);
    }

    #[test]
    fn response_files_are_read_and_kept() {
        let folder = std::env::temp_dir().join(format!("farside-response-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let file = folder.join("all");
        std::fs::write(&file, "-c \"a b.c\"\n-D'X=\"1\"' -g").unwrap();
        let name = format!("@{}", file.display());
        let line = parse(&[&name]);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(line.task, Task::Compile);
        assert!(line.debug);
        assert_eq!(line.arguments, [name.as_str()]);
        // A response file that is not there stands for itself, as in the compilers.
        assert_eq!(parse(&[&name]).arguments, [name.as_str()]);
        assert_eq!(
            words(b"-c \"a b.c\"\n-D'X=\"1\"' \\\\"),
            ["-c", "a b.c", "-DX=\"1\"", "\\"]
        );
    }
}
