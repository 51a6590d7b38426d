//! CMake starts compilers by a launcher, and links by another one: who sets only the first is told so where it is seen.
//!
//! Objects with callbacks must be linked by `farside cc` as well. With `CMAKE_C_COMPILER_LAUNCHER` alone, CMake links
//! with the bare compiler, whose linker then names callbacks that nobody has heard of.
//!
//! Limit: a launcher of links that is set by the property `RULE_LAUNCH_LINK` is in no cache, and not seen.

use super::Language;
use std::path::Path;

impl Language {
    /// What CMake calls it.
    fn in_cmake(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Cxx => "CXX",
            Self::Fortran => "Fortran",
        }
    }
}

/// What to say to somebody who compiles in `folder`, if CMake's cache there says that it links without this wrapper.
pub(super) fn advice(language: Language, folder: &Path) -> Option<String> {
    let files = folder.ancestors().map(|folder| folder.join("CMakeCache.txt"));
    let cache = files
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .next()?;
    missing_launcher(language, &cache)
}

fn missing_launcher(language: Language, cache: &str) -> Option<String> {
    let name = language.in_cmake();
    let value = |entry: &str| {
        cache.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            let (key, _type) = key.split_once(':')?;
            (key == entry).then_some(value)
        })
    };
    let is_ours = |launcher: &str| {
        let mut words = launcher.split(';');
        words.any(|word| Path::new(word).file_name().is_some_and(|name| name == "farside"))
    };
    let compiler = value(&format!("CMAKE_{name}_COMPILER_LAUNCHER")).filter(|launcher| is_ours(launcher))?;
    let entry = format!("CMAKE_{name}_LINKER_LAUNCHER");
    if value(&entry).is_some_and(is_ours) {
        return None;
    }
    Some(format!(
        "CMake starts this wrapper for compiling only, so that linking will fail: add `-D{entry}=\"{compiler}\"` \
         (CMake 3.21 or later) \
         and empty the build folder"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_for_compiling_alone_is_noticed() {
        let alone = "//No help\nCMAKE_C_COMPILER_LAUNCHER:STRING=/opt/bin/farside;cc\n";
        let advice = missing_launcher(Language::C, alone).unwrap();
        assert!(
            advice.contains("-DCMAKE_C_LINKER_LAUNCHER=\"/opt/bin/farside;cc\""),
            "{advice}"
        );
        assert_eq!(missing_launcher(Language::Cxx, alone), None);
        let both = format!("{alone}CMAKE_C_LINKER_LAUNCHER:STRING=/opt/bin/farside;cc\n");
        assert_eq!(missing_launcher(Language::C, &both), None);
        let other = "CMAKE_C_COMPILER_LAUNCHER:STRING=ccache\n";
        assert_eq!(missing_launcher(Language::C, other), None);
    }
}
