//! A copy of what one call of OpenSHMEM both reads and writes, where the two must not overlap.
//!
//! What a put or a collective call reads is copied right before it, and the call is given the copy: what comes out is
//! what would come out if all was read before anything is written. What a get brings comes from another process, where
//! it cannot be copied, so the copy is what it writes, and is brought to its place right after it. The copy is static,
//! for collective calls and gets to other processes want symmetric memory.

use super::between::check_beside;
use super::include::including;
use super::second_buffer::{PARTS, is_constant_size, new_name};
use super::{Changes, Repair, check_statement};
use crate::call::{Call, is_call_of};
use crate::edit::{Edit, Side, beside};
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::names;

/// The two buffers of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Buffers {
    /// The numbers of its arguments.
    dest: usize,
    source: usize,
    /// How many elements lie from the first one that is read to the last one.
    count: String,
    element: &'static str,
    /// What is written is copied, and not what is read.
    gets: bool,
}

impl Buffers {
    /// Those of a call by its name; `None` if it is not known how much it reads, or of what type.
    fn of(name: &str, arguments: &[&str]) -> Option<Self> {
        let rest = name.strip_prefix("shmem_")?;
        let (rest, of_context) = match rest.strip_prefix("ctx_") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (rest, is_begun) = match rest.strip_suffix("_nbi") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let typed = PARTS
            .iter()
            .filter_map(|(part, element)| Some((rest.strip_prefix(part)?.strip_prefix('_')?, *element)));
        let sized = [
            ("32", "unsigned"),
            ("64", "unsigned long long"),
            ("mem", "unsigned char"),
        ]
        .into_iter()
        .filter_map(|(size, element)| Some((rest.strip_suffix(size)?, element)));
        let (what, element) = typed.chain(sized).next()?;
        let of_active_set = rest.ends_with("_to_all") || rest.ends_with("32") || rest.ends_with("64");
        let is_collective = ["broadcast", "collect", "fcollect"].contains(&what)
            || what.ends_with("_reduce")
            || what.ends_with("_to_all");
        let (is_strided, gets) = match what {
            "put" => (false, false),
            "iput" => (true, false),
            // Before it is complete there is nothing to be brought to its place.
            "get" if !is_begun => (false, true),
            _ if is_collective => (false, false),
            _ => return None,
        };
        let dest = usize::from(of_context || is_collective && !of_active_set);
        let source = dest + 1;
        let argument = |place: usize| arguments.get(place).copied();
        let count = match is_strided {
            false => argument(source + 1)?.to_owned(),
            true => format!("({} - 1) * {} + 1", argument(source + 3)?, argument(source + 2)?),
        };
        Some(Self {
            dest,
            source,
            count,
            element,
            gets,
        })
    }
}

impl Repair<'_> {
    /// Lets a call read a copy, or write one.
    pub(super) fn copy_apart(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let place = suggestion.before.as_ref().or(suggestion.after.as_ref());
        let place = place.ok_or(Refusal::NoPlace("the call"))?;
        let source = self.sources.get(&place.file)?;
        let no_copy = |why: &str| Refusal::NoCopy(why.to_owned(), place.clone());
        if source.language() != Language::C {
            return Err(no_copy("copies are written in C and C++"));
        }
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        for side in [Side::Before, Side::After] {
            check_statement(&source, step, side, place)?;
            check_beside(&source, step, (source.offset(place)?, side), place)?;
        }
        let range = step.statement().range();
        let party = self.parties.iter().find(|party| party.place() == Some(place));
        let name = party.map(|party| party.operation.as_str()).unwrap_or_default();
        let is_wanted = |other: &str| is_call_of(other, name);
        let call = Call::find(&source, range.clone(), &is_wanted);
        let call = call.ok_or_else(|| Refusal::NoCall(name.to_owned(), place.clone()))?;
        let arguments: Vec<&str> = call.arguments().iter().map(|(text, _)| text.as_str()).collect();
        let buffers = Buffers::of(call.name(), &arguments);
        let buffers = buffers.ok_or_else(|| no_copy("how much it reads, or of what type, is not known"))?;
        let is_plain = |count: &str| is_constant_size(&source, &count.replace(['(', ')'], " "));
        if !is_plain(&buffers.count) {
            return Err(no_copy("how much it moves is not known before the program runs"));
        }
        let copied = match buffers.gets {
            true => buffers.dest,
            false => buffers.source,
        };
        let (text, given) = &call.arguments()[copied];
        let variable = names(text).next();
        let variable = variable.ok_or_else(|| no_copy("what it is given has no name"))?;
        if text.contains('(') || text.contains("++") || text.contains("--") {
            return Err(no_copy("what it is given is the value of a call"));
        }
        let copy = new_name(&source, variable, &call, &is_wanted);
        let mut lines = vec![format!("static {} {copy}[{}];", buffers.element, buffers.count)];
        let mut edits = vec![Edit::replace(given.clone(), copy.clone())];
        if buffers.gets {
            if !source.code(call.end()..range.end).trim_ascii().eq(b";") {
                return Err(no_copy("the call is a part of a statement"));
            }
            let indentation = match source.is_first(range.start) {
                true => source.indentation(range.start).to_owned(),
                false => {
                    let outer = source.indentation(range.start);
                    format!("{outer}{}", source.level(outer))
                }
            };
            let back = format!(";\n{indentation}memcpy({text}, {copy}, sizeof {copy});");
            edits.push(Edit::replace(range.end - 1..range.end, back));
        } else {
            lines.push(format!("memcpy({copy}, {text}, sizeof {copy});"));
        }
        edits.extend(beside(&source, step, Side::Before, &lines));
        edits.extend(including(&source, "string.h", range.start));
        Ok(vec![(source.file().to_owned(), edits)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_known_by_the_call() {
        let of = |name: &str, arguments: &[&str]| {
            let known = Buffers::of(name, arguments)?;
            Some((known.dest, known.source, known.count, known.element, known.gets))
        };
        let plain = ["x + 2", "x", "4", "0"];
        let told = |dest, source, element, gets| Some((dest, source, "4".to_owned(), element, gets));
        assert_eq!(of("shmem_int_put", &plain), told(0, 1, "int", false));
        assert_eq!(of("shmem_int_get", &plain), told(0, 1, "int", true));
        assert_eq!(of("shmem_putmem", &plain), told(0, 1, "unsigned char", false));
        assert_eq!(of("shmem_fcollect32", &plain), told(0, 1, "unsigned", false));
        assert_eq!(of("shmem_int_sum_to_all", &plain), told(0, 1, "int", false));
        let of_team = ["team", "x + 2", "x", "4"];
        assert_eq!(of("shmem_long_max_reduce", &of_team), told(1, 2, "long", false));
        let strided = of("shmem_int_iput", &["x", "x + 2", "2", "3", "2", "0"]);
        assert_eq!(strided.map(|known| known.2).as_deref(), Some("(2 - 1) * 3 + 1"));
        // A get with strides leaves gaps as they are; what is only begun is not there yet.
        for name in [
            "shmem_int_iget",
            "shmem_int_get_nbi",
            "shmem_int_alltoall",
            "shmem_int_p",
        ] {
            assert_eq!(of(name, &plain), None, "{name}");
        }
    }
}
