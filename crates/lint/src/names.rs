//! Names of functions and variables as the sources have them.

/// How a name of the linker is shown.
pub(crate) type Shown = fn(&str) -> String;

/// The name of a function.
pub(crate) fn of_function(name: &str, shown: Shown) -> String {
    match name {
        // A program has a name in its source only.
        "_QQmain" => "main".to_owned(),
        name => of_fortran(name, 'P').unwrap_or_else(|| shown(name)),
    }
}

/// `heat::win` for what flang calls `_QMheatEwin`, `win` for a variable of a program or procedure: scopes begin with
/// capital letters, which names do not have (flang's `BijectiveInternalNameUniquer`). `kind` is E for variables, P for
/// procedures.
pub(crate) fn of_fortran(name: &str, kind: char) -> Option<String> {
    let (scopes, own) = name.strip_prefix("_Q")?.rsplit_once(kind)?;
    if own.is_empty() || own.contains('.') {
        return None;
    }
    match scopes
        .strip_prefix('M')
        .filter(|module| !module.contains(char::is_uppercase))
    {
        Some(module) => Some(format!("{module}::{own}")),
        None => Some(own.to_owned()),
    }
}
