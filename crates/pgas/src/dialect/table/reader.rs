//! How a file of calls is written.
//!
//! Words, expressions and statements are those of the language of programs. A line each:
//! - `queues unordered`: the order of a queue that a program declares without one.
//! - `queue q, a[n], b[64] unordered`, `handle h`, `shared x`, `register r`: what meanings use. `[n]` is one for each
//!   process, `[64]` as many as programs give numbers to. A name that begins with `_` is the end of a name: `s_notify`
//!   belongs to the variable that is the argument `s`.
//! - `memory dest`, `elements nelems`, `handles h`: what arguments of these names are. `sizeof(int)` is a number of
//!   elements too, `&r` of any other name is where a result goes, and a name in capitals is the word that must stand
//!   there.
//! - `typed "shmem_*_", "shmem_ctx_*_": char, int`: types that may stand in names, where the star is.
//! - `same shmem_put: shmem_putmem`: other names of a call or a word.
//! - `word comparison SHMEM_CMP_EQ(a, b) = a == b`: words of one kind; any may stand where a form has one of them.
//! - `value shmem_my_pe() = me "SOURCE"`: a call without arguments.
//! - `call r = shmem_g(source, pe) { MEANING } "SOURCE"`: the form of a call, and what stands for it.
//! - `context ctx: shmem_puts: shmem_put, shmem_fence "SOURCE"`: calls that are there for a context as well, as
//!   `shmem_ctx_put(ctx, ...)`: what stands for each, in queues of the context, `shmem_ctx_puts[ctx]`.
//!
//! In a meaning, a parameter stands for its argument. A transfer between two arguments is one for each element, if an
//! argument says how many. A cell with an index, `shmem_value[e]`, is one that holds `e` from the start. What depends
//! on arguments is decided when a program is translated:
//! - `if known(e)`: the value is known before the run; `if single(count)`: there is one element; `if given(h)`: the
//!   handle is not `NULL`; `if of_puts(h)`: the program gives it to puts, not to gets; `if is(WORD)`: the word stands
//!   there.
//! - `WORD(a, b)`: what the word that stands there makes of them.
//! - `wait_handles_of_gets()` waits for each handle that the program gives to gets.
//! - `wait_for_some(a[i], count, into, seen)` polls so many elements at once, and gives the index of one that is not 0.
//! - Another call of the file stands for its meaning.

use super::context::Context;
use super::{Declared, DeclaredKind, Parameter, ParameterKind, Rule, Size, Table, Typed, Value, Word};
use crate::ast::{Expression, Order, Target};
use crate::diagnostic::Diagnostic;
use crate::lexer;
use crate::parser::{Parsed, Parser};

/// Reads a file into the table.
///
/// # Errors
/// All that is wrong with it.
pub(super) fn read(text: &str, into: &mut Table) -> Result<(), Vec<Diagnostic>> {
    let mut reader = Reader {
        text,
        parser: Parser::new(text).with_names(&["rank", "queue"]),
        memory: Vec::new(),
        elements: vec!["sizeof".to_owned()],
        handles: Vec::new(),
    };
    reader.file(into);
    let errors = reader.parser.into_errors();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

struct Reader<'t> {
    text: &'t str,
    parser: Parser<'t>,
    memory: Vec<String>,
    elements: Vec<String>,
    handles: Vec<String>,
}

impl Reader<'_> {
    fn file(&mut self, table: &mut Table) {
        loop {
            self.parser.skip_ends();
            let lexer::Word::Name(keyword) = self.parser.word() else {
                if self.parser.word() != lexer::Word::Eof {
                    _ = self
                        .parser
                        .fail::<()>("a line begins with a word", "write `call`");
                }
                return;
            };
            self.parser.step();
            let done = self.line(keyword, table);
            self.parser.end_of_statement(done);
        }
    }

    fn line(&mut self, keyword: &str, table: &mut Table) -> Parsed<()> {
        match keyword {
            "queues" => table.own_order = Some(self.order()?),
            "queue" => {
                let names = self.sized_names()?;
                let kind = DeclaredKind::Queue(self.order()?);
                table.declared.extend(declared(names, kind));
            }
            "handle" => table
                .declared
                .extend(declared(self.sized_names()?, DeclaredKind::Handle)),
            "shared" => table
                .declared
                .extend(declared(self.sized_names()?, DeclaredKind::Shared)),
            "register" => table
                .declared
                .extend(declared(self.sized_names()?, DeclaredKind::Register)),
            "memory" => self.memory = self.names()?,
            "elements" => {
                let names = self.names()?;
                self.elements.extend(names);
            }
            "handles" => self.handles = self.names()?,
            "typed" => {
                let mut patterns = vec![self.quoted()?];
                while self.parser.take(",") {
                    patterns.push(self.quoted()?);
                }
                self.parser.expect(":")?;
                let types = self.names()?;
                for pattern in patterns {
                    let Some((before, after)) = pattern.split_once('*') else {
                        return self.parser.fail("no `*` in the pattern", "write `\"shmem_*_\"`");
                    };
                    table.typed.push(Typed {
                        before: before.to_owned(),
                        after: after.to_owned(),
                        types: types.clone(),
                    });
                }
            }
            "context" => {
                let name = self.name()?;
                self.parser.expect(":")?;
                let queues = self.names()?;
                self.parser.expect(":")?;
                let calls = self.names()?;
                let source = self.quoted()?;
                let context = Context::new(name, queues, source);
                for call in calls {
                    if !context.add(&call, table) {
                        return self
                            .parser
                            .fail(format!("there is no call `{call}`"), "write it above");
                    }
                }
            }
            "same" => {
                let name = self.name()?;
                self.parser.expect(":")?;
                table.same.push((name, self.names()?));
            }
            "word" => table.words.push(self.word()?),
            "value" => table.values.push(self.value()?),
            "call" => {
                let rule = self.call(table)?;
                table.put(rule);
            }
            _ => {
                return self
                    .parser
                    .fail(format!("`{keyword}` begins no line"), "write `call`");
            }
        }
        Ok(())
    }

    fn name(&mut self) -> Parsed<String> {
        Ok(self.parser.new_name("name")?.text)
    }

    /// `a, b`; a line may end after a comma.
    fn names(&mut self) -> Parsed<Vec<String>> {
        let mut names = vec![self.name()?];
        while self.parser.take(",") {
            self.parser.skip_ends();
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// `a, b[n], c[64]`
    fn sized_names(&mut self) -> Parsed<Vec<(String, Size)>> {
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            let mut size = Size::One;
            if self.parser.take("[") {
                size = if self.parser.take_name("n") {
                    Size::Ranks
                } else {
                    Size::Numbers(self.parser.number()?)
                };
                self.parser.expect("]")?;
            }
            names.push((name, size));
            if !self.parser.take(",") {
                return Ok(names);
            }
        }
    }

    fn order(&mut self) -> Parsed<Order> {
        match self.parser.order()? {
            Some(order) => Ok(order),
            None => self.parser.fail("an order is missing here", "write `unordered`"),
        }
    }

    fn quoted(&mut self) -> Parsed<String> {
        let lexer::Word::Quoted(text) = self.parser.word() else {
            return self.parser.fail("a quotation is missing here", "write `\"...\"`");
        };
        self.parser.step();
        Ok(text.to_owned())
    }

    /// `comparison SHMEM_CMP_EQ(a, b) = a == b`
    fn word(&mut self) -> Parsed<Word> {
        let kind = self.name()?;
        let start = self.parser.place();
        let name = self.name()?;
        let mut operation = None;
        if self.parser.take("(") {
            let operands = self.names()?;
            self.parser.expect(")")?;
            self.parser.expect("=")?;
            operation = Some((operands, self.parser.expression()?));
        }
        Ok(Word {
            kind,
            name,
            operation,
            text: self.text[self.parser.since(&start).0].to_owned(),
        })
    }

    /// `shmem_my_pe() = me "SOURCE"`
    fn value(&mut self) -> Parsed<Value> {
        let name = self.name()?;
        self.parser.expect("(")?;
        self.parser.expect(")")?;
        self.parser.expect("=")?;
        let start = self.parser.place();
        let meaning = self.parser.expression()?;
        let text = self.text[self.parser.since(&start).0].to_owned();
        let source = self.quoted()?;
        Ok(Value {
            name,
            meaning,
            text,
            source,
        })
    }

    /// `r = shmem_g(source, pe) { MEANING } "SOURCE"`
    fn call(&mut self, table: &Table) -> Parsed<Rule> {
        let start = self.parser.place();
        let result = self.result()?;
        let call = self.parser.call()?;
        let form = one_line(&self.text[self.parser.since(&start).0]);
        let mut parameters = Vec::new();
        for argument in &call.arguments {
            let Some(parameter) = self.parameter(argument) else {
                return self
                    .parser
                    .fail("a form has names only", "write `NAME` or `&NAME`");
            };
            parameters.push(parameter);
        }
        let start = self.parser.place();
        let body = self.parser.block()?;
        let meaning = &self.text[self.parser.since(&start).0];
        let meaning = one_line(meaning.trim_start_matches('{').trim_end_matches('}'));
        Ok(Rule {
            name: table.normal(&call.name.text),
            form,
            meaning,
            source: self.quoted()?,
            result,
            parameters,
            body,
        })
    }

    /// `r =`, if that begins the form.
    fn result(&mut self) -> Parsed<Option<Parameter>> {
        if !self.parser.next_is_assigned() {
            return Ok(None);
        }
        let name = self.name()?;
        self.parser.expect("=")?;
        let kind = if self.handles.contains(&name) {
            ParameterKind::Handle
        } else {
            ParameterKind::Result
        };
        Ok(Some(Parameter { name, kind }))
    }

    fn parameter(&self, argument: &Expression) -> Option<Parameter> {
        let (name, address) = match argument {
            Expression::Value(Target::Name(name)) => (&name.text, false),
            Expression::Address(Target::Name(name)) => (&name.text, true),
            Expression::Call(call) => (&call.name.text, false),
            _ => return None,
        };
        let kind = if self.memory.contains(name) {
            ParameterKind::Memory
        } else if self.handles.contains(name) {
            ParameterKind::Handle
        } else if self.elements.contains(name) {
            ParameterKind::Elements
        } else if address {
            ParameterKind::Result
        } else if !name.contains(|c: char| c.is_ascii_lowercase()) {
            ParameterKind::Word
        } else {
            ParameterKind::Value
        };
        Some(Parameter {
            name: name.clone(),
            kind,
        })
    }
}

fn declared(names: Vec<(String, Size)>, kind: DeclaredKind) -> impl Iterator<Item = Declared> {
    names
        .into_iter()
        .map(move |(name, size)| Declared { name, kind, size })
}

/// The lines of a meaning with `;` between its statements.
fn one_line(text: &str) -> String {
    let mut all = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !all.is_empty() {
            all += if all.ends_with('{') || line.starts_with('}') {
                " "
            } else {
                "; "
            };
        }
        all += line;
    }
    all
}
