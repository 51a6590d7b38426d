//! What a program calls a function of the runtime.

use std::borrow::Cow;

/// The words that a name of the runtime has after the intrinsic's own.
const KINDS: [&str; 6] = ["Integer", "Real", "Complex", "Logical", "Character", "Dim"];

/// The intrinsic of Fortran that a function of the runtime stands for, by its name without `_FortranA`: `sum` of
/// `SumReal8`. Other words stay as they are.
pub(super) fn intrinsic(name: &str) -> Cow<'_, str> {
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return Cow::Borrowed(name);
    }
    let ends = KINDS
        .iter()
        .filter_map(|kind| name.find(kind))
        .filter(|at| *at > 0);
    let word = &name[..ends.min().unwrap_or(name.len())];
    // The size of its numbers stands after an underscore: `Norm2_8`.
    let word = word.split('_').next().unwrap_or(word);
    Cow::Owned(match word {
        "DotProduct" => "dot_product".into(),
        word => word.to_lowercase(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_fortran() {
        for (name, word) in [
            ("SumReal8", "sum"),
            ("MaxvalDim", "maxval"),
            ("DotProductInteger4", "dot_product"),
            ("MatmulReal8Real8", "matmul"),
            ("Norm2_8", "norm2"),
            ("Norm2DimReal16", "norm2"),
            ("Reshape", "reshape"),
            ("allocate", "allocate"),
        ] {
            assert_eq!(intrinsic(name), word);
        }
    }
}
