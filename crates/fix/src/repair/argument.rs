//! Another argument in a call: what would be right, if that is what was meant.
//!
//! A number is written where the text has that number, or a variable of `main` outside of loops: what another function
//! is given, or what a loop counts, has other values elsewhere. Where the run has a value and the text another one, the
//! two are not of one call, and nothing is written.

use super::{Changes, Repair};
use crate::call::{Call, Role, is_call_of};
use crate::edit::Edit;
use crate::notification::Notification;
use crate::passing::keep_value;
use crate::refusal::Refusal;
use crate::source::{Source, names};
use crate::statement::{Kind, Statement, Step};
use crate::template::Template;
use farside_calls::gaspi;
use farside_events::GaspiArgument;
use farside_findings::Place;
use std::ops::Range;

/// The arguments of MPI's operations by their names in small letters: the target, the displacement, and the counts.
const OPERATIONS: [(&str, usize, usize, &[usize]); 10] = [
    ("mpi_put", 3, 4, &[1, 5]),
    ("mpi_get", 3, 4, &[1, 5]),
    ("mpi_rput", 3, 4, &[1, 5]),
    ("mpi_rget", 3, 4, &[1, 5]),
    ("mpi_accumulate", 3, 4, &[1, 5]),
    ("mpi_raccumulate", 3, 4, &[1, 5]),
    ("mpi_get_accumulate", 6, 7, &[1, 4, 8]),
    ("mpi_rget_accumulate", 6, 7, &[1, 4, 8]),
    ("mpi_fetch_and_op", 3, 4, &[]),
    ("mpi_compare_and_swap", 4, 5, &[]),
];

/// Whether the text of a suggestion is an argument.
pub(super) fn is_argument(code: &str) -> bool {
    Wanted::of(code).is_some()
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Number(What, i64),
    Beginning,
    Window,
    Communicator,
    AsTheOther,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Count,
    Displacement,
    Target,
    Pe,
    OfGaspi(GaspiArgument),
}

impl Wanted {
    fn of(code: &str) -> Option<Self> {
        match code {
            "the beginning of its allocation" => return Some(Self::Beginning),
            "the window of the operation" => return Some(Self::Window),
            "the communicator of the window" => return Some(Self::Communicator),
            "what the other call is given" => return Some(Self::AsTheOther),
            _ => {}
        }
        let (name, value) = code.split_once(' ')?;
        let what = match name {
            "count" => What::Count,
            "displacement" => What::Displacement,
            "target" => What::Target,
            "pe" => What::Pe,
            _ => What::OfGaspi(
                GaspiArgument::ALL
                    .into_iter()
                    .find(|argument| argument.name() == name)?,
            ),
        };
        Some(Self::Number(what, value.parse().ok()?))
    }
}

impl Repair<'_> {
    /// Writes other arguments in a call.
    pub(super) fn argument(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let words = || Refusal::WordsOnly(format!("write {} {}", suggestion.call, suggestion.position));
        let place = suggestion.at.as_ref().ok_or(Refusal::NoPlace("the call"))?;
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let old = suggestion.instead_of.as_deref().unwrap_or_default();
        let wanted = Wanted::of(&suggestion.call);
        let call = self.lone(&source, &path, place, wanted)?;
        let edits = match wanted.ok_or_else(words)? {
            Wanted::Number(what, right) => {
                let Some(Wanted::Number(_, given)) = Wanted::of(old) else {
                    return Err(words());
                };
                let places = match what {
                    What::Pe => vec![call.arguments().len().checked_sub(1).ok_or_else(words)?],
                    _ => places(call.name(), what).ok_or_else(words)?,
                };
                let arguments = places.iter().map(|place| call.arguments().get(*place));
                let arguments: Option<Vec<_>> = arguments.collect();
                let is_once = || path.iter().any(|step| is_main(&source, step)) && !is_in_loop(&path);
                let edit = |(text, range): &(String, Range<usize>)| {
                    if let Some(elements) = of_bytes(text).filter(|_| is_of_bytes(what, given, right)) {
                        return Ok(Edit::replace(range.clone(), elements));
                    }
                    let of_operation = (what == What::Target
                        && completes(call.name())
                        && number(text).is_none_or(|number| number == given))
                    .then(|| self.of_operation(&source, path.last()?, Role::Target))
                    .flatten();
                    if let Some(target) = of_operation {
                        return Ok(Edit::replace(range.clone(), target));
                    }
                    let is_written = match number(text) {
                        Some(number) => number == given,
                        None => is_name(text) && is_once(),
                    };
                    let edit = Edit::replace(range.clone(), right.to_string());
                    is_written
                        .then_some(edit)
                        .ok_or_else(|| Refusal::NotWritten(old.to_owned(), place.clone()))
                };
                let arguments = arguments.filter(|all| !all.is_empty()).ok_or_else(words)?;
                arguments.into_iter().map(edit).collect::<Result<Vec<_>, _>>()?
            }
            Wanted::Beginning => {
                let (text, range) = call.arguments().first().ok_or_else(words)?;
                vec![Edit::replace(range.clone(), beginning(text).ok_or_else(words)?)]
            }
            Wanted::Window => {
                let window = |call: Call| call.role(Role::Window).map(str::to_owned);
                let window = self.parties.iter().find_map(|party| window(self.call_of(party)?));
                let window = window.ok_or_else(words)?;
                let at = call.name_range().start;
                if !source.knows(&window, at) {
                    return Err(Refusal::Unknown(window, place.file.clone()));
                }
                let given = call.role(Role::Window).ok_or_else(words)?;
                let given = call.arguments().iter().rfind(|(text, _)| text == given);
                let (_, range) = given.ok_or_else(words)?;
                vec![Edit::replace(range.clone(), window)]
            }
            Wanted::Communicator => {
                let creation = self.creation();
                let wide = creation.as_ref().and_then(|call| call.role(Role::Communicator));
                let (wide, at) = (wide.ok_or_else(words)?, call.name_range().start);
                if !source.knows(wide, at) {
                    return Err(Refusal::Unknown(wide.to_owned(), place.file.clone()));
                }
                let (_, range) = call.arguments().first().ok_or_else(words)?;
                vec![Edit::replace(range.clone(), wide)]
            }
            Wanted::AsTheOther => {
                let other = self
                    .parties
                    .iter()
                    .rev()
                    .find(|party| party.place() != Some(place));
                let other = other.and_then(|party| self.call_of(party)).ok_or_else(words)?;
                let own = call.name_range().start..call.end();
                let at = own.start;
                let unknown = other.arguments().iter().find(|(text, _)| !source.knows(text, at));
                if let Some((text, _)) = unknown {
                    return Err(Refusal::Unknown(text.clone(), place.file.clone()));
                }
                let arguments: Vec<&str> = other.arguments().iter().map(|(text, _)| text.as_str()).collect();
                let text = format!("{}({})", other.name(), arguments.join(", "));
                if source.part(own.clone()) == text {
                    return Err(words());
                }
                vec![Edit::replace(own, text)]
            }
        };
        let mut changes = vec![(source.file().to_owned(), edits)];
        if let (Some(wait), Some(Wanted::Number(What::OfGaspi(GaspiArgument::NotificationId), number))) =
            (&suggestion.before, wanted)
        {
            changes.push(self.awaited_besides((&source, &call), number, wait)?);
        }
        Ok(changes)
    }

    /// The target of a call that posts a notification waits for this one, before it waits for another one.
    fn awaited_besides(
        &self,
        (source, post): (&Source, &Call),
        number: i64,
        wait: &Place,
    ) -> Result<(String, Vec<Edit>), Refusal> {
        let call = format!("gaspi_notify_waitsome(segment, {number}, 1, &first, GASPI_BLOCK)");
        let template = Template::all(&call)?.swap_remove(0);
        let to = self.sources.get(&wait.file)?;
        let notification = Notification::posted(post, &template)?.alone_in([source, &to]);
        let unknown = || Refusal::Placeholder("notification".to_owned(), call.clone());
        let path = to.path(to.offset(wait)?)?;
        let edits = notification.ok_or_else(unknown)?.wait(&to, &path)?;
        Ok((to.file().to_owned(), edits))
    }

    /// What the operation of a finding is given, that stands above a statement in its block, if that has the same value
    /// there.
    fn of_operation(&self, source: &Source, step: &Step<'_>, role: Role) -> Option<String> {
        let above = step.block().statements().get(..step.index())?;
        self.parties.iter().find_map(|party| {
            let call = self
                .call_of(party)
                .filter(|call| call.is_near(source, step.statement().range().start))?;
            let is_its = |one: &Statement| one.range().contains(&call.name_range().start);
            let at = above.iter().position(is_its)?;
            let text = call.role(role)?;
            keep_value(source, &above[at + 1..], text).then(|| text.to_owned())
        })
    }

    /// The call of a finding at the end of a way, or one that may be given what is wanted, if no other call there is
    /// one.
    fn lone(
        &self,
        source: &Source,
        path: &[Step<'_>],
        place: &Place,
        wanted: Option<Wanted>,
    ) -> Result<Call, Refusal> {
        let party = self.parties.iter().find(|party| party.place() == Some(place));
        let name = party.map(|party| party.operation.as_str()).unwrap_or_default();
        let absent = || Refusal::NoCall(name.to_owned(), place.clone());
        let statement = path.last().ok_or_else(absent)?.statement();
        // A call that takes no part itself has an argument of this name, and stands there alone.
        let has_it = |other: &str| match wanted {
            Some(Wanted::Number(what @ What::OfGaspi(_), _)) => places(other, what).is_some(),
            Some(Wanted::Number(What::Target, _) | Wanted::Window) => completes(other),
            Some(Wanted::Communicator) => other.eq_ignore_ascii_case("MPI_Barrier"),
            _ => false,
        };
        let is_wanted = |other: &str| match party {
            Some(_) => is_call_of(other, name),
            None => has_it(other),
        };
        let call = Call::find(source, statement.range(), &is_wanted).ok_or_else(absent)?;
        match Call::find(source, call.end()..statement.range().end, &is_wanted) {
            Some(_) => Err(absent()),
            None => Ok(call),
        }
    }
}

/// Whether bytes were given for units.
fn is_of_bytes(what: What, given: i64, right: i64) -> bool {
    what == What::Displacement && right > 0 && given > right && given % right == 0
}

/// How many elements a number of bytes is, as it is written: `n` of `n * sizeof(int)`.
fn of_bytes(text: &str) -> Option<String> {
    let (elements, bytes) = text.rsplit_once('*')?;
    let (elements, bytes) = (elements.trim(), bytes.trim());
    let is_size = names(bytes).next() == Some("sizeof") && !bytes.contains(['+', '-', '/']);
    (is_size && (is_name(elements) || number(elements).is_some())).then(|| elements.to_owned())
}

/// Which arguments of a call have the value.
fn places(name: &str, what: What) -> Option<Vec<usize>> {
    let lower = name.to_ascii_lowercase();
    let lower = lower.strip_suffix("_c").unwrap_or(&lower);
    if let Some((_, target, displacement, counts)) = OPERATIONS.iter().find(|row| row.0 == lower) {
        return Some(match what {
            What::Count => counts.to_vec(),
            What::Displacement => vec![*displacement],
            What::Target => vec![*target],
            What::Pe | What::OfGaspi(_) => return None,
        });
    }
    if completes(lower) && !lower.ends_with("_all") {
        return (what == What::Target).then(|| vec![0]);
    }
    if let What::OfGaspi(argument) = what {
        return Some(vec![gaspi::of_name(lower)?.place_of(argument)?]);
    }
    // shmem_[ctx_]TYPE_put([context,] dest, source, nelems, pe), and with two strides before the number.
    let rest = lower.strip_prefix("shmem_")?;
    let first = usize::from(rest.starts_with("ctx_"));
    let moves = |part: &str| rest.contains(part);
    let is_strided = moves("_iput") || moves("_iget");
    let is_move =
        is_strided || moves("_put") || moves("_get") || rest.starts_with("put") || rest.starts_with("get");
    let index = first + if is_strided { 4 } else { 2 };
    (is_move && what == What::Count).then(|| vec![index])
}

/// Whether a call completes operations of MPI, to one target or to all.
fn completes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["mpi_win_flush", "mpi_win_flush_local"].contains(&name.strip_suffix("_all").unwrap_or(&name))
}

/// An address without what is added to it: `x` of `x + 1` and of `&x[1]`.
fn beginning(text: &str) -> Option<String> {
    let inner = |text: &str| -> Option<String> {
        let text = text.trim();
        let (name, rest) = match text.strip_prefix('&') {
            Some(of) => of.split_once('[')?,
            None => text.split_at(text.find(['+', '-'])?),
        };
        let is_plain = is_name(name.trim()) && !rest.contains(['(', '=', '&', '>']) && !rest.contains("++");
        is_plain.then(|| name.trim().to_owned())
    };
    inner(text)
}

/// The value of a number of the text.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    digits.replace(' ', "").parse().ok()
}

fn is_name(text: &str) -> bool {
    names(text).next() == Some(text)
}

fn is_main(source: &Source, step: &Step<'_>) -> bool {
    let head = step.statement().blocks().first().map(|block| block.head());
    let head = head.map(|head| String::from_utf8_lossy(source.code(head)).into_owned());
    step.statement().kind() == Kind::Function && head.is_some_and(|head| head.contains("main("))
}

fn is_in_loop(path: &[Step<'_>]) -> bool {
    path.iter().any(|step| step.statement().kind() == Kind::Loop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_known_by_their_calls() {
        assert_eq!(places("MPI_Put", What::Displacement), Some(vec![4]));
        assert_eq!(places("MPI_Get_accumulate", What::Count), Some(vec![1, 4, 8]));
        assert_eq!(places("MPI_Fetch_and_op", What::Count), Some(vec![]));
        assert_eq!(places("shmem_int_put", What::Count), Some(vec![2]));
        assert_eq!(places("shmem_ctx_int_iput", What::Count), Some(vec![5]));
        assert_eq!(places("shmem_putmem", What::Count), Some(vec![2]));
        assert_eq!(places("shmem_int_p", What::Count), None);
        assert_eq!(places("shmem_int_put", What::Target), None);
        let of = |name, argument| places(name, What::OfGaspi(argument));
        assert_eq!(of("gaspi_write_notify", GaspiArgument::Queue), Some(vec![8]));
        assert_eq!(of("gaspi_read", GaspiArgument::RemoteOffset), Some(vec![4]));
        assert_eq!(of("gaspi_barrier", GaspiArgument::Queue), None);
        let offset = What::OfGaspi(GaspiArgument::LocalOffset);
        assert_eq!(Wanted::of("offset_local 56"), Some(Wanted::Number(offset, 56)));
    }

    #[test]
    fn an_address_has_a_beginning() {
        for text in ["x + 1", "x - n", "&x[3]", "x+sizeof y"] {
            assert_eq!(beginning(text).as_deref(), Some("x"), "{text}");
        }
        for text in ["x", "f() + 1", "*x + 1", "&x", "x++", "(char *)x + 1", "a->x + 1"] {
            assert_eq!(beginning(text), None, "{text}");
        }
    }

    #[test]
    fn bytes_are_so_many_elements() {
        assert_eq!(of_bytes("3 * sizeof(int)").as_deref(), Some("3"));
        assert_eq!(of_bytes("n*sizeof x").as_deref(), Some("n"));
        for text in ["3 * size", "3 * sizeof(int) + 1", "a + 3 * sizeof(int)", "3"] {
            assert_eq!(of_bytes(text), None, "{text}");
        }
        assert!(is_of_bytes(What::Displacement, 12, 3));
        assert!(!is_of_bytes(What::Displacement, 8, 7) && !is_of_bytes(What::Count, 12, 3));
    }

    #[test]
    fn a_number_is_one_of_the_text() {
        assert_eq!(number("8"), Some(8));
        assert_eq!(number("- 1"), Some(-1));
        assert_eq!(number("8ul"), Some(8));
        assert_eq!(number("8 * 2"), None);
        assert_eq!(number("n"), None);
    }
}
