//! A lock of threads around statements of one block: a critical section of OpenMP, or a mutex that the file declares.
//!
//! The lock has a name of its own, and what is in it waits for nothing: so it is the innermost one, and nobody waits
//! for ever. A section is whole statements of one block, which are executed to their end.

use super::include::including;
use super::statement::above;
use super::{Changes, Repair, leaves};
use crate::edit::{Edit, end_of};
use crate::language::Language;
use crate::passing::may_leave;
use crate::refusal::Refusal;
use crate::source::{Source, names};
use crate::statement::{Kind, Step};
use crate::template::{Known, Template};
use farside_findings::{Place, Section};
use std::ops::Range;
use std::rc::Rc;

/// What a lock is called, if nothing in the sources is.
const NAME: &str = "exclusive_access";

/// A lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    /// OpenMP in C and C++.
    Critical,
    /// OpenMP in Fortran.
    FortranCritical,
    /// `pthread_mutex_t`.
    Pthread,
    /// `std::mutex`.
    Std,
}

impl Lock {
    /// That of a suggestion, as the source can write it.
    fn of(word: &str, source: &Source) -> Result<Self, Refusal> {
        let includes = |header: &str| source.text().contains(&format!("#include <{header}>"));
        let is_cxx = !source.file().ends_with(".c");
        match (word, source.language()) {
            ("#pragma omp critical", Language::C) => Ok(Self::Critical),
            ("!$omp critical", Language::Fortran) if !source.is_fixed() => Ok(Self::FortranCritical),
            ("mutex", Language::C) if includes("pthread.h") => Ok(Self::Pthread),
            ("mutex", Language::C) if is_cxx && ["mutex", "thread"].into_iter().any(includes) => {
                Ok(Self::Std)
            }
            _ => Err(Refusal::NoLock(source.file().to_owned())),
        }
    }

    /// What is written before a section, and what after it.
    fn around(self, name: &str) -> [String; 2] {
        match self {
            Self::Critical => [format!("#pragma omp critical({name})"), String::new()],
            Self::FortranCritical => [
                format!("!$omp critical ({name})"),
                format!("!$omp end critical ({name})"),
            ],
            Self::Pthread => [
                format!("pthread_mutex_lock(&{name});"),
                format!("pthread_mutex_unlock(&{name});"),
            ],
            Self::Std => [format!("{name}.lock();"), format!("{name}.unlock();")],
        }
    }

    /// Its declaration, for those that have one.
    fn declaration(self, name: &str) -> Option<String> {
        match self {
            Self::Critical | Self::FortranCritical => None,
            Self::Pthread => Some(format!(
                "static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;"
            )),
            Self::Std => Some(format!("static std::mutex {name};")),
        }
    }
}

/// A section in its source.
struct Found {
    source: Rc<Source>,
    /// From the first statement to the last one.
    range: Range<usize>,
    /// Where the function begins that it is in.
    function: usize,
    is_braced: bool,
    is_under_directive: bool,
}

impl Repair<'_> {
    /// Takes a lock around each section.
    pub(super) fn exclude(&self) -> Result<Changes, Refusal> {
        let (ahead, word) = match self.suggestion.call.rsplit_once("; ") {
            Some((ahead, word)) => (Template::all(ahead)?, word),
            None => (Vec::new(), self.suggestion.call.as_str()),
        };
        let sections = self.suggestion.sections.iter();
        let found: Vec<Found> = sections
            .map(|section| self.section(section))
            .collect::<Result<_, _>>()?;
        let first = found.first().ok_or(Refusal::NoPlace("the lock"))?;
        let lock = Lock::of(word, &first.source)?;
        let declared = lock.declaration(NAME).is_some();
        if declared && found.iter().any(|one| one.source.file() != first.source.file()) {
            return Err(Refusal::NoCommonFile(word.to_owned()));
        }
        let is_taken = |name: &str| {
            let has = |one: &Found| names(one.source.text()).any(|other| other == name);
            found.iter().any(has)
        };
        let others = (2..).map(|number| format!("{NAME}_{number}"));
        let name = std::iter::once(NAME.to_owned())
            .chain(others)
            .find(|name| !is_taken(name))
            .unwrap_or_default();
        let mut changes = Changes::new();
        let mut add = |source: &Source, edit: Edit| {
            let file = source.file();
            match changes.iter_mut().find(|(known, _)| known == file) {
                Some((_, edits)) => edits.push(edit),
                None => changes.push((file.to_owned(), vec![edit])),
            }
        };
        for one in &found {
            let calls = self.completing(one, &ahead)?;
            add(&one.source, one.locked(lock, &name, &calls)?);
        }
        if let Some(declaration) = lock.declaration(&name) {
            let function = found.iter().map(|one| one.function).min().unwrap_or_default();
            for edit in declared_before(&first.source, function, lock, &declaration) {
                add(&first.source, edit);
            }
        }
        Ok(changes)
    }

    /// The statements of a section.
    fn section(&self, section: &Section) -> Result<Found, Refusal> {
        let place = &section.from;
        let source = self.sources.get(&place.file)?;
        if section.to.file != place.file {
            return Err(Refusal::OtherBlock(self.suggestion.call.clone()));
        }
        let [first, last] = [
            source.path(source.offset(place)?)?,
            source.path(source.offset(&section.to)?)?,
        ];
        let (Some((from, outer)), Some((to, other))) = (first.split_last(), last.split_last()) else {
            return Err(Refusal::NoCode(place.clone()));
        };
        let is_one_way = outer.len() == other.len() && outer.iter().zip(other).all(|(a, b)| a.is(b));
        if !is_one_way || from.number() != to.number() || from.index() > to.index() {
            return Err(Refusal::OtherBlock(self.suggestion.call.clone()));
        }
        let function = first
            .iter()
            .find(|step| step.statement().kind() == Kind::Function)
            .map(|_| first[0].statement().range().start);
        let range = from.statement().range().start..to.statement().range().end;
        let found = Found {
            function: function.ok_or_else(|| Refusal::NoCode(place.clone()))?,
            range,
            is_braced: from.block().is_braced(),
            is_under_directive: source.is_under_directive(from.statement()),
            source: Rc::clone(&source),
        };
        found.check(from, to, place)?;
        Ok(found)
    }

    /// Calls that go into a section after its operation; none into one without it.
    fn completing(&self, section: &Found, calls: &[Template]) -> Result<Vec<String>, Refusal> {
        let Some(place) = self.suggestion.after.as_ref().filter(|_| !calls.is_empty()) else {
            return Ok(Vec::new());
        };
        let source = &section.source;
        let at = match place.file == source.file() {
            true => source.offset(place)?,
            false => return Ok(Vec::new()),
        };
        if !section.range.contains(&at) {
            return Ok(Vec::new());
        }
        let path = source.path(at)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let known = self.calls(place, source, step)?;
        let creation = self.creation();
        let known = Known::new(&known, creation.as_ref(), self.variable());
        calls.iter().map(|call| call.fill(&known, source, at)).collect()
    }
}

impl Found {
    /// Whether its statements can be put under a lock as they are.
    fn check(&self, from: &Step<'_>, to: &Step<'_>, place: &Place) -> Result<(), Refusal> {
        let source = &self.source;
        let statements = &from.block().statements()[from.index()..=to.index()];
        let ends = [from.statement(), to.statement()];
        if ends
            .iter()
            .any(|end| end.kind() != Kind::Simple || leaves(source, end))
        {
            return Err(Refusal::InCondition(place.clone()));
        }
        for statement in statements {
            let code = String::from_utf8_lossy(source.code(statement.range())).into_owned();
            if source.declares(statement) {
                return Err(Refusal::Declares(place.clone()));
            }
            if source.is_labelled(statement) {
                return Err(Refusal::Labelled(place.clone()));
            }
            if may_leave(statement, &code) {
                return Err(Refusal::MayLeave(self.text().to_owned(), place.clone()));
            }
        }
        // A directive holds for the first statement alone, or orders what is in it by itself.
        let directive = source.directive_above(from.statement()).unwrap_or_default();
        let has_others = ["atomic", "simd", "ordered"]
            .iter()
            .any(|word| directive.contains(word));
        let is_directive = |line: &str| line.trim_start().starts_with(['#', '!']);
        let within = self.text().lines().skip(1).any(is_directive);
        if has_others || within || self.is_under_directive && statements.len() > 1 {
            return Err(Refusal::Directive(place.clone()));
        }
        Ok(())
    }

    fn text(&self) -> &str {
        self.source.part(self.range.clone())
    }

    /// The statements with calls after them, and a lock around all of it.
    fn locked(&self, lock: Lock, name: &str, calls: &[String]) -> Result<Edit, Refusal> {
        let source = &self.source;
        let outer = source.indentation(self.range.start).to_owned();
        let end = end_of(source, self.range.end);
        let text = source.part(self.range.start..end);
        let [before, after] = lock.around(name);
        let is_one =
            calls.is_empty() && lock == Lock::Critical && !text.contains('\n') && self.is_one_statement();
        let needs_braces = match lock {
            Lock::Critical => !is_one,
            Lock::FortranCritical if !self.is_braced => {
                return Err(Refusal::OtherBlock(self.suggestion_of(lock)));
            }
            Lock::FortranCritical => false,
            Lock::Pthread | Lock::Std => !self.is_braced || self.is_under_directive,
        };
        let level = if needs_braces { source.level(&outer) } else { "" };
        let inner = format!("{outer}{level}");
        let mut lines: Vec<String> = text.lines().map(|line| indented(line, level)).collect();
        if let Some(first) = lines.first_mut() {
            *first = format!("{inner}{}", first.trim_start());
        }
        lines.extend(calls.iter().map(|call| format!("{inner}{call}")));
        let is_inside = !matches!(lock, Lock::Critical);
        if is_inside {
            lines.insert(0, format!("{inner}{before}"));
            lines.push(format!("{inner}{after}"));
        }
        if needs_braces {
            lines.insert(0, format!("{outer}{{"));
            lines.push(format!("{outer}}}"));
        }
        if !is_inside {
            lines.insert(0, format!("{outer}{before}"));
        }
        let new = lines.join("\n");
        let new = match source.is_first(self.range.start) {
            true => new.trim_start().to_owned(),
            false => format!("\n{new}"),
        };
        Ok(Edit::replace(self.range.start..end, new))
    }

    fn is_one_statement(&self) -> bool {
        self.source
            .code(self.range.clone())
            .iter()
            .filter(|byte| **byte == b';')
            .count()
            == 1
    }

    fn suggestion_of(&self, lock: Lock) -> String {
        lock.around(NAME)[0].clone()
    }
}

/// A line with so much more before it, if there is something in it.
fn indented(line: &str, level: &str) -> String {
    match line.trim().is_empty() {
        true => line.to_owned(),
        false => format!("{level}{line}"),
    }
}

/// The declaration of a lock before a function, with what it needs.
fn declared_before(source: &Source, function: usize, lock: Lock, declaration: &str) -> Vec<Edit> {
    let at = above(source, source.line_start(function));
    let mut edits = vec![Edit::insert(at, 1, format!("{declaration}\n\n"))];
    if lock == Lock::Std {
        edits.extend(including(source, "mutex", at));
    }
    edits
}
