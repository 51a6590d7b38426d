//! Text as a module.

use super::token::{Token, Unreadable, tokens};
use super::{ARITHMETIC, CONVERSIONS, FLOAT_ARITHMETIC, Names, ORDERINGS, PREDICATES, UPDATES, named};
use crate::ir::{
    Action, Block, End, FloatPredicate, Function, Global, Instruction, Module, Operand, Ordering, Place,
    PlaceId, Register, Type,
};
use rustc_hash::FxHashMap as HashMap;
use std::str::FromStr;

impl FromStr for Module {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let tokens = tokens(text)?;
        let mut reader = Reader {
            functions: headers(&tokens, &["function", "declare"]),
            globals: headers(&tokens, &["global"]),
            tokens,
            next: 0,
        };
        reader.module()
    }
}

/// The number of each name that is given after one of these words.
fn headers(tokens: &[(usize, Token)], words: &[&str]) -> HashMap<String, u32> {
    let mut named = HashMap::default();
    let mut number = 0;
    for (at, (line, token)) in tokens.iter().enumerate() {
        let first = at == 0 || tokens[at - 1].0 != *line;
        if !first || !matches!(token, Token::Word(word) if words.contains(&word.as_str())) {
            continue;
        }
        let rest = tokens[at + 1..]
            .iter()
            .find(|(_, token)| *token != Token::Mark('@'));
        if let Some((_, Token::Word(name) | Token::Quoted(name))) = rest {
            named.insert(name.clone(), number);
        }
        number += 1;
    }
    named
}

struct Reader {
    tokens: Vec<(usize, Token)>,
    next: usize,
    functions: HashMap<String, u32>,
    globals: HashMap<String, u32>,
}

type Read<T> = Result<T, Unreadable>;

impl Reader {
    fn module(&mut self) -> Read<Module> {
        let mut module = Module::default();
        while self.next < self.tokens.len() {
            if self.word("place") {
                module.places.push(Place {
                    file: self.name()?,
                    line: self.integer()?,
                    column: self.integer()?,
                    function: self.integer()?,
                });
            } else if self.word("global") {
                module.globals.push(self.global()?);
            } else if self.word("declare") {
                module.functions.push(self.header()?);
            } else if self.word("function") {
                module.functions.push(self.function()?);
            } else if self.word("alias") {
                module.aliases.push((self.name()?, self.name()?));
            } else {
                return Err(self.wrong("place, global, declare, function or alias"));
            }
        }
        Ok(module)
    }

    fn global(&mut self) -> Read<Global> {
        self.expect('@', "@")?;
        let (name, size) = (self.name()?, self.integer()?);
        let (external, internal) = (self.word("external"), self.word("internal"));
        let constant = self.word("constant");
        let initial = match self.mark('=') {
            true => {
                self.expect('[', "[")?;
                self.list(']', |reader| {
                    let offset = reader.integer()?;
                    reader.expect(':', ":")?;
                    Ok((offset, reader.ty()?, reader.operand()?))
                })?
            }
            false => Vec::new(),
        };
        Ok(Global {
            name,
            size,
            external,
            internal,
            constant,
            initial,
            arrays: self.arrays()?,
        })
    }

    fn arrays(&mut self) -> Read<Option<Vec<u64>>> {
        if !self.word("arrays") {
            return Ok(None);
        }
        self.expect('[', "[")?;
        self.list(']', Self::integer).map(Some)
    }

    fn header(&mut self) -> Read<Function> {
        let name = self.name()?;
        self.expect('(', "(")?;
        let parameter_types = self.list(')', Self::ty)?;
        let parameters = match self.word("parameters") {
            true => self.integer()?,
            false => parameter_types.len() as u32,
        };
        let registers = match self.word("registers") {
            true => self.integer()?,
            false => parameters,
        };
        Ok(Function {
            name,
            parameters,
            parameter_types,
            registers,
            blocks: Vec::new(),
            internal: self.word("internal"),
        })
    }

    fn function(&mut self) -> Read<Function> {
        let mut function = self.header()?;
        self.expect('{', "{")?;
        while !self.mark('}') {
            if self.integer::<usize>()? != function.blocks.len() {
                return Err(self.wrong("the number of the next block"));
            }
            self.expect(':', ":")?;
            let block = self.block()?;
            function.blocks.push(block);
        }
        Ok(function)
    }

    fn block(&mut self) -> Read<Block> {
        let (mut phis, mut instructions) = (Vec::new(), Vec::new());
        loop {
            if let Some(end) = self.end()? {
                return Ok(Block {
                    phis,
                    instructions,
                    end,
                    end_place: self.place()?,
                });
            }
            let result = match self.mark('%') {
                true => {
                    let register: Register = self.integer()?;
                    self.expect('=', "=")?;
                    Some(register)
                }
                false => None,
            };
            if let (Some(register), true) = (result, self.word("phi")) {
                self.expect('[', "[")?;
                let incoming = self.list(']', |reader| {
                    let from = reader.integer()?;
                    reader.expect(':', ":")?;
                    Ok((from, reader.operand()?))
                })?;
                phis.push((register, incoming));
                continue;
            }
            let action = self.action()?;
            instructions.push(Instruction {
                place: self.place()?,
                result,
                action,
            });
        }
    }

    fn place(&mut self) -> Read<PlaceId> {
        match self.mark('!') {
            true => self.integer(),
            false => Ok(0),
        }
    }

    /// How control leaves the block, if that comes next.
    fn end(&mut self) -> Read<Option<End>> {
        let Some(Token::Word(word)) = self.peek() else {
            return Ok(None);
        };
        let word = word.clone();
        let begin = self.next;
        self.next += 1;
        Ok(Some(match word.as_str() {
            "goto" => End::Goto(self.integer()?),
            "branch" => End::Branch {
                condition: self.operand()?,
                yes: self.after_comma(Self::integer)?,
                no: self.after_comma(Self::integer)?,
            },
            "switch" => {
                let value = self.operand()?;
                self.expect('[', "[")?;
                let cases = self.list(']', |reader| {
                    let case = reader.integer()?;
                    reader.expect(':', ":")?;
                    Ok((case, reader.integer()?))
                })?;
                End::Switch {
                    value,
                    cases,
                    default: self.integer()?,
                }
            }
            "return" => match self.is_at_line_end() {
                true => End::Return(None),
                false => End::Return(Some(self.operand()?)),
            },
            "invoke" => End::Invoke {
                normal: self.integer()?,
                unwind: self.after_comma(Self::integer)?,
            },
            "resume" => End::Resume,
            "unreachable" => End::Unreachable,
            "jump" => End::Unknown,
            _ => {
                self.next = begin;
                return Ok(None);
            }
        }))
    }

    fn action(&mut self) -> Read<Action> {
        let word = self.any_word("an instruction")?;
        if let Some(operator) = named(ARITHMETIC, &word) {
            return Ok(Action::Arithmetic {
                operator,
                bits: self.bits()?,
                left: self.operand()?,
                right: self.after_comma(Self::operand)?,
            });
        }
        if let Some(operator) = named(FLOAT_ARITHMETIC, &word) {
            return Ok(Action::FloatArithmetic {
                operator,
                ty: self.ty()?,
                left: self.operand()?,
                right: self.after_comma(Self::operand)?,
            });
        }
        if let Some(conversion) = named(CONVERSIONS, &word) {
            let (from, value) = (self.ty()?, self.operand()?);
            if !self.word("to") {
                return Err(self.wrong("to"));
            }
            return Ok(Action::Convert {
                conversion,
                from,
                to: self.ty()?,
                value,
            });
        }
        Ok(match word.as_str() {
            "allocate" | "variable" => {
                let size = self.integer()?;
                self.expect('*', "*")?;
                Action::Allocate {
                    size,
                    count: self.operand()?,
                    name: self.name()?,
                    declared: word == "variable",
                    arrays: self.arrays()?,
                }
            }
            "load" => Action::Load {
                ty: self.ty()?,
                address: self.after_comma(Self::operand)?,
                atomic: self.atomic()?,
            },
            "store" => Action::Store {
                ty: self.ty()?,
                value: self.operand()?,
                address: self.after_comma(Self::operand)?,
                atomic: self.atomic()?,
            },
            "offset" => self.offset()?,
            "compare" => Action::Compare {
                predicate: self.one_of(PREDICATES, "a predicate")?,
                bits: self.bits()?,
                left: self.operand()?,
                right: self.after_comma(Self::operand)?,
            },
            "fcompare" => {
                self.expect('(', "(")?;
                let holds = self.list(')', |reader| reader.any_word("less, equal, greater or unordered"))?;
                let holds = |name: &str| holds.iter().any(|held| held == name);
                let predicate = FloatPredicate {
                    less: holds("less"),
                    equal: holds("equal"),
                    greater: holds("greater"),
                    unordered: holds("unordered"),
                };
                Action::FloatCompare {
                    predicate,
                    ty: self.ty()?,
                    left: self.operand()?,
                    right: self.after_comma(Self::operand)?,
                }
            }
            "select" => Action::Select {
                condition: self.operand()?,
                yes: self.after_comma(Self::operand)?,
                no: self.after_comma(Self::operand)?,
            },
            "call" => {
                let callee = self.operand()?;
                self.expect('(', "(")?;
                Action::Call {
                    callee,
                    arguments: self.list(')', Self::operand)?,
                }
            }
            "update" => Action::AtomicUpdate {
                operator: self.one_of(UPDATES, "an atomic update")?,
                ty: self.ty()?,
                value: self.operand()?,
                address: self.after_comma(Self::operand)?,
                ordering: self.one_of(ORDERINGS, "an ordering")?,
            },
            "swap" => Action::CompareExchange {
                ty: self.ty()?,
                expected: self.operand()?,
                replacement: self.after_comma(Self::operand)?,
                address: self.after_comma(Self::operand)?,
                ordering: self.one_of(ORDERINGS, "an ordering")?,
            },
            "fence" => Action::Fence(self.one_of(ORDERINGS, "an ordering")?),
            "landing" => Action::LandingPad,
            "extract" => Action::Extract {
                aggregate: self.operand()?,
                path: self.path()?,
            },
            "insert" => Action::Insert {
                value: self.operand()?,
                aggregate: self.after_comma(Self::operand)?,
                path: self.path()?,
            },
            "unknown" => Action::Unknown,
            _ => {
                self.next -= 1;
                return Err(self.wrong("an instruction"));
            }
        })
    }

    fn offset(&mut self) -> Read<Action> {
        let base = self.operand()?;
        let constant = self.sign_and_number()?;
        let mut terms = Vec::new();
        while self.mark('+') {
            let index = self.operand()?;
            self.expect(':', ":")?;
            let bits = self.integer()?;
            self.expect('*', "*")?;
            terms.push((index, bits, self.signed()?));
        }
        Ok(Action::Offset {
            base,
            constant,
            terms,
        })
    }

    fn operand(&mut self) -> Read<Operand> {
        if self.mark('%') {
            return Ok(Operand::Register(self.integer()?));
        }
        if self.mark('&') {
            let number = self.reference(|reader| &reader.functions, "a function of this module")?;
            return Ok(Operand::Function(number));
        }
        if self.mark('@') {
            let inside = self.mark('(');
            let number = self.reference(|reader| &reader.globals, "a global variable of this module")?;
            let offset = match inside {
                true => self.offset_within()?,
                false => 0,
            };
            return Ok(Operand::Global(number, offset));
        }
        if self.mark('{') {
            return Ok(Operand::Aggregate(self.list('}', Self::operand)?));
        }
        if self.word("undefined") {
            return Ok(Operand::Undefined);
        }
        if self.word("f64") {
            return Ok(Operand::Float(self.parsed("a floating-point number")?));
        }
        if self.word("f32") {
            return Ok(Operand::Single(self.parsed("a floating-point number")?));
        }
        Ok(Operand::Integer(self.parsed("an operand")?))
    }

    /// What is added to an address in parentheses: `+ 8)`.
    fn offset_within(&mut self) -> Read<i64> {
        let offset = self.sign_and_number()?;
        self.expect(')', ")")?;
        Ok(offset)
    }

    /// The number of something that is named, or numbered: `#3`.
    fn reference(
        &mut self,
        known: impl Fn(&Self) -> &HashMap<String, u32>,
        expected: &'static str,
    ) -> Read<u32> {
        if self.mark('#') {
            return self.integer();
        }
        let name = self.name()?;
        let number = known(self).get(&name).copied();
        number.ok_or_else(|| {
            self.next -= 1;
            self.wrong(expected)
        })
    }

    fn ty(&mut self) -> Read<Type> {
        if self.mark('{') {
            let size = self.integer()?;
            let mut fields = Vec::new();
            while self.mark(',') {
                let offset = self.integer()?;
                self.expect(':', ":")?;
                fields.push((offset, self.ty()?));
            }
            self.expect('}', "}")?;
            return Ok(Type::Structure(fields, size));
        }
        let word = self.any_word("a type")?;
        Ok(match word.as_str() {
            "ptr" => Type::Pointer,
            "float" => Type::Float,
            "double" => Type::Double,
            "extended" => Type::Extended,
            "wide" => Type::Wide(self.in_parentheses()?),
            "opaque" => Type::Opaque(self.in_parentheses()?),
            integer => match integer.strip_prefix('i').and_then(|bits| bits.parse().ok()) {
                Some(bits) => Type::Integer(bits),
                None => {
                    self.next -= 1;
                    return Err(self.wrong("a type"));
                }
            },
        })
    }

    /// The width of an integer type.
    fn bits(&mut self) -> Read<u32> {
        match self.ty()? {
            Type::Integer(bits) => Ok(bits),
            _ => Err(self.wrong("an integer type")),
        }
    }

    fn in_parentheses(&mut self) -> Read<u64> {
        self.expect('(', "(")?;
        let number = self.integer()?;
        self.expect(')', ")")?;
        Ok(number)
    }

    fn path(&mut self) -> Read<Vec<u32>> {
        self.expect('[', "[")?;
        self.list(']', Self::integer)
    }

    fn atomic(&mut self) -> Read<Option<Ordering>> {
        match self.word("atomic") {
            true => self.one_of(ORDERINGS, "an ordering").map(Some),
            false => Ok(None),
        }
    }

    fn one_of<T: Copy>(&mut self, names: Names<T>, expected: &'static str) -> Read<T> {
        let word = self.any_word(expected)?;
        named(names, &word).ok_or_else(|| {
            self.next -= 1;
            self.wrong(expected)
        })
    }

    /// What stands between commas, up to a mark.
    fn list<T>(&mut self, end: char, one: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut all = Vec::new();
        if self.mark(end) {
            return Ok(all);
        }
        loop {
            all.push(one(self)?);
            if self.mark(end) {
                return Ok(all);
            }
            self.expect(',', "a comma, or the end of a list")?;
        }
    }

    fn after_comma<T>(&mut self, one: impl Fn(&mut Self) -> Read<T>) -> Read<T> {
        self.expect(',', "a comma")?;
        one(self)
    }

    /// A number of any sign that begins with it or not.
    fn signed(&mut self) -> Read<i64> {
        match self.peek() {
            Some(Token::Mark('-')) => self.sign_and_number(),
            _ => self.integer(),
        }
    }

    fn sign_and_number(&mut self) -> Read<i64> {
        if self.mark('-') {
            return Ok(0i64.wrapping_sub_unsigned(self.integer()?));
        }
        self.expect('+', "+ or -")?;
        self.integer()
    }

    fn integer<T: FromStr>(&mut self) -> Read<T> {
        self.parsed("a number")
    }

    fn parsed<T: FromStr>(&mut self, expected: &'static str) -> Read<T> {
        let parsed = match self.peek() {
            Some(Token::Word(word) | Token::Quoted(word)) => word.parse().ok(),
            _ => None,
        };
        match parsed {
            Some(parsed) => {
                self.next += 1;
                Ok(parsed)
            }
            None => Err(self.wrong(expected)),
        }
    }

    /// A name, in quotes or not.
    fn name(&mut self) -> Read<String> {
        match self.peek().cloned() {
            Some(Token::Word(name) | Token::Quoted(name)) => {
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.wrong("a name")),
        }
    }

    fn any_word(&mut self, expected: &'static str) -> Read<String> {
        match self.peek().cloned() {
            Some(Token::Word(word)) => {
                self.next += 1;
                Ok(word)
            }
            _ => Err(self.wrong(expected)),
        }
    }

    /// Whether a word comes next, which is passed then.
    fn word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Word(next)) if next == word);
        self.next += usize::from(is_next);
        is_next
    }

    /// Whether a mark comes next, which is passed then.
    fn mark(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Some(&Token::Mark(mark));
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, mark: char, expected: &'static str) -> Read<()> {
        match self.mark(mark) {
            true => Ok(()),
            false => Err(self.wrong(expected)),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    /// Whether nothing more stands in the line but where the instruction stands.
    fn is_at_line_end(&self) -> bool {
        let (line, _) = &self.tokens[self.next - 1];
        match self.tokens.get(self.next) {
            Some((next, token)) => next != line || *token == Token::Mark('!'),
            None => true,
        }
    }

    fn wrong(&self, expected: &'static str) -> Unreadable {
        let at = self.tokens.get(self.next).or(self.tokens.last());
        Unreadable {
            line: at.map_or(1, |(line, _)| *line),
            expected,
        }
    }
}
