//! The group that a process posts for: another group of the program, or fewer members of its own.
//!
//! What is in a group is told by the text alone: a list of numbers, or one, that is given to `MPI_Group_incl` in the
//! same function and has no other value there.

use super::{Changes, Repair};
use crate::call::Call;
use crate::edit::Edit;
use crate::refusal::Refusal;
use crate::source::{Source, names};
use crate::statement::Kind;
use std::ops::Range;

/// A group that `MPI_Group_incl` makes.
struct Made {
    /// What it is made of.
    base: String,
    /// What holds it.
    group: String,
    ranks: Vec<u32>,
    /// Where the number of its members is written.
    count: Range<usize>,
}

/// The members of a group, of the text of a suggestion: `group {0, 2}`.
fn members(code: &str) -> Option<Vec<u32>> {
    let list = code.strip_prefix("group {")?.strip_suffix('}')?;
    numbers(list)
}

/// Whether the text of a suggestion is a group.
pub(super) fn is_group(code: &str) -> bool {
    members(code).is_some()
}

impl Repair<'_> {
    /// Lets a post have another group.
    pub(super) fn group(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let place = suggestion.at.as_ref().ok_or(Refusal::NoPlace("the call"))?;
        let old = suggestion.instead_of.as_deref().unwrap_or_default();
        let not_written = || Refusal::NotWritten(old.to_owned(), place.clone());
        let (given, right) = members(old)
            .zip(members(&suggestion.call))
            .ok_or_else(not_written)?;
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let is_post = |name: &str| name == "MPI_Win_post";
        let call = Call::find(&source, step.statement().range(), &is_post);
        let call = call.ok_or_else(|| Refusal::NoCall("MPI_Win_post".to_owned(), place.clone()))?;
        let (group, range) = call.arguments().first().ok_or_else(not_written)?;
        let function = path.iter().find(|step| step.statement().kind() == Kind::Function);
        let function = function.ok_or_else(not_written)?.statement().range();
        let groups = made(&source, function.clone(), call.name_range().start);
        let mut own = groups.iter().filter(|made| made.group == *group);
        let (Some(of_own), None) = (own.next(), own.next()) else {
            return Err(not_written());
        };
        if of_own.ranks != given {
            return Err(not_written());
        }
        let other = groups.iter().find(|made| {
            let is_lone = groups.iter().filter(|other| other.group == made.group).count() == 1;
            let mut ranks = made.ranks.clone();
            ranks.sort_unstable();
            is_lone && made.base == of_own.base && ranks == right
        });
        let edit = match other {
            Some(other) => Edit::replace(range.clone(), other.group.clone()),
            None if of_own.ranks.starts_with(&right) && uses(&source, function.clone(), group) <= 4 => {
                Edit::replace(of_own.count.clone(), right.len().to_string())
            }
            None => return Err(not_written()),
        };
        Ok(vec![(source.file().to_owned(), vec![edit])])
    }
}

/// How often a name stands in a part of a source. Four times: where it is declared, made, posted for and freed.
fn uses(source: &Source, within: Range<usize>, name: &str) -> usize {
    let code = String::from_utf8_lossy(source.code(within)).into_owned();
    names(&code).filter(|other| *other == name).count()
}

/// The groups that a function makes before an offset, as far as the text tells what is in them.
fn made(source: &Source, function: Range<usize>, before: usize) -> Vec<Made> {
    let makes = |name: &str| name == "MPI_Group_incl";
    let mut found = Vec::new();
    for call in Call::all(source, function.start..before, &makes) {
        let [(base, _), (count, range), (ranks, _), (group, _)] = call.arguments() else {
            continue;
        };
        let Some(list) = values(source, function.clone(), ranks) else {
            continue;
        };
        let count = count.parse::<usize>().ok().filter(|count| *count <= list.len());
        if let (Some(count), Some(group)) = (count, group.strip_prefix('&')) {
            found.push(Made {
                base: base.clone(),
                group: group.trim().to_owned(),
                ranks: list[..count].to_vec(),
                count: range.clone(),
            });
        }
    }
    found
}

/// The numbers that a list has, or a variable whose address is given, if they are the same all the time.
fn values(source: &Source, function: Range<usize>, text: &str) -> Option<Vec<u32>> {
    if let Some((head, list)) = text.split_once('{') {
        let is_literal = head.trim_start().starts_with('(') && head.trim_end().ends_with("[])");
        return numbers(list.strip_suffix('}')?).filter(|_| is_literal);
    }
    let name = text.strip_prefix('&').unwrap_or(text).trim();
    if names(name).next() != Some(name) {
        return None;
    }
    let code = String::from_utf8_lossy(source.code(function)).into_owned();
    let mut value = None;
    for (at, _) in code.match_indices(name) {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if before.ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        let is_element = after.trim_start().starts_with('[');
        let rest = match is_element {
            true => after.split_once(']')?.1,
            false => after,
        };
        let rest = rest.trim_start();
        if rest.starts_with("++") || rest.starts_with("--") || before.trim_end().ends_with("++") {
            return None;
        }
        let given = rest.strip_prefix('=').filter(|rest| !rest.starts_with('='));
        let is_changed = rest.chars().nth(1) == Some('=') && rest.starts_with(['+', '-', '*', '/', '|', '&']);
        match given {
            _ if is_changed => return None,
            // Its address may be given to what fills it.
            None if before.trim_end().ends_with('&') && !is_given_to_incl(before) => return None,
            None => {}
            Some(_) if value.is_some() => return None,
            Some(given) => {
                let given = given.trim_start();
                value = match given.strip_prefix('{') {
                    Some(list) => Some(numbers(list.split_once('}')?.0)?),
                    None => Some(numbers(given.split([',', ';']).next()?)?),
                };
            }
        }
    }
    value
}

/// Whether an address stands in a call of `MPI_Group_incl`, which reads it.
fn is_given_to_incl(before: &str) -> bool {
    let call = before.rsplit(';').next().unwrap_or_default();
    call.contains("MPI_Group_incl")
}

fn numbers(list: &str) -> Option<Vec<u32>> {
    list.split(',').map(|number| number.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values_in(text: &str, of: &str) -> Option<Vec<u32>> {
        let text = format!("int main(void) {{\n{text}\n}}\n");
        let length = text.len();
        let source = Source::read("a.c", text).unwrap();
        values(&source, 0..length, of)
    }

    #[test]
    fn a_list_is_told_by_its_declaration() {
        assert_eq!(values_in("int a[2] = {0, 2};", "a"), Some(vec![0, 2]));
        assert_eq!(values_in("int b = 7, a = 3;", "&a"), Some(vec![3]));
        assert_eq!(
            values_in("int a[] = {1}; MPI_Group_incl(w, 1, a, &g);", "a"),
            Some(vec![1])
        );
        assert_eq!(
            values_in("int a = 1; MPI_Group_incl(w, 1, &a, &g);", "&a"),
            Some(vec![1])
        );
        assert_eq!(values_in("", "(int[]){4, 5}"), Some(vec![4, 5]));
    }

    #[test]
    fn what_may_have_another_value_is_not_told() {
        for text in [
            "int a[2] = {0, 2}; a[1] = 3;",
            "int a = 1; a++;",
            "int a = 1; a += 2;",
            "int a = 1; MPI_Comm_rank(c, &a);",
            "int a;",
            "int a = b;",
        ] {
            assert_eq!(values_in(text, "a"), None, "{text}");
        }
        assert_eq!(values_in("int a = 1;", "a + 1"), None);
    }

    #[test]
    fn a_group_has_members() {
        assert_eq!(members("group {0, 2}"), Some(vec![0, 2]));
        assert!(is_group("group {1}") && !is_group("group {}") && !is_group("target 1"));
    }
}
