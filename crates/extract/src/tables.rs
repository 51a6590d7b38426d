//! Names that stay the same over all ranks and all attempts: objects in memory, calls within calls, registers of the
//! calculus, and notes on what is not known.

use crate::communicator::Communicator;
use crate::expression::Register;
use crate::message::Message;
use crate::request::{Elements, Handles, Request};
use farside_calls::datatype::Shape;
use std::collections::HashMap;

/// Something in memory that has an address of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Object(u32);

impl Object {
    /// Which of all objects it is.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Span {
    object: Object,
    start: u64,
    end: u64,
}

impl Span {
    pub(crate) fn new(object: Object, start: u64, end: u64) -> Self {
        Self { object, start, end }
    }

    pub(crate) fn object(self) -> Object {
        self.object
    }

    /// The first byte.
    pub(crate) fn start(self) -> u64 {
        self.start
    }

    /// The first byte after it.
    pub(crate) fn end(self) -> u64 {
        self.end
    }

    /// Whether all bytes of the other one are in it.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.object == other.object && self.start <= other.start && other.end <= self.end
    }

    /// Whether they have a byte in common.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.object == other.object && self.start < other.end && other.start < self.end
    }
}

/// A chain of calls from `main` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Path(u32);

/// A note: why something is not known, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NoteId(u32);

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObjectKind {
    /// A global variable, by its number in the module.
    Global(u32),
    /// A local variable: the call, and its register.
    Local(Path, u32),
    /// What the call of `shmem_malloc` of this number gave.
    Symmetric(u32),
    /// The memory of a window of MPI: the so-many-th of the communicator of a number.
    Window(u32, u32),
    /// The memory of a window in shared memory as it is at another process: what is reached there directly.
    Reached(Object, u32),
    /// What was read there last.
    ReachedResult(u32),
    /// What stands for the exclusive lock of that window.
    Lock(u32),
    /// What that lock was when a process last tried to take it.
    LockResult(u32),
    /// What says that a message has come.
    MessageFlag(Message),
    /// The values that go along with it.
    MessageValues(Message),
    /// The segment of GASPI of this number; how many there were before it.
    Segment(u32, u32),
    /// `argv`, and the word of this number in it.
    Arguments,
    Argument(u32),
    /// What `malloc` gave at this place of a call, for the so-many-th time.
    Heap(Path, u32, u32),
}

/// What a register of the calculus holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RegisterUse {
    /// A register of the C program.
    Local(Path, u32),
    /// Private memory.
    Memory(Object, u64),
    /// What a call there writes through a pointer.
    Given(Path, u32),
    /// Nothing that is looked at.
    Unused,
    /// What a lock of MPI is taken to be.
    Guess,
    /// A value on its way to another register.
    Exchange(u32),
}

/// A window of MPI: where its memory begins, and the bytes of its unit; its communicator, and how many that had before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    base: u64,
    unit: i64,
    made: (u32, u32),
}

impl Window {
    pub(crate) fn new(base: u64, unit: i64, made: (u32, u32)) -> Self {
        Self { base, unit, made }
    }

    /// The number of its communicator.
    pub(crate) fn communicator(self) -> u32 {
        self.made.0
    }

    /// The address of its memory, and the bytes of its unit.
    pub(crate) fn parts(self) -> (u64, i64) {
        (self.base, self.unit)
    }
}

/// A context of OpenSHMEM: its number among those of its process, and the communicator by whose ranks it names
/// processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Context {
    number: u32,
    communicator: u32,
}

impl Context {
    pub(crate) fn new(number: u32, communicator: u32) -> Self {
        Self { number, communicator }
    }

    pub(crate) fn number(self) -> u32 {
        self.number
    }

    pub(crate) fn communicator(self) -> u32 {
        self.communicator
    }
}

/// Where addresses of objects begin: each has so many bytes for itself, and begins in the middle of them.
const ROOM: u64 = 1 << 32;
const MIDDLE: u64 = 1 << 31;
/// Where functions have their addresses.
const FUNCTIONS: u64 = 1 << 62;

/// What handles of communicators, windows, requests, groups and datatypes are: numbers that an `int` has room
/// for, since they are one in MPICH.
const COMMUNICATORS: u64 = 0x1800_0000;
const WINDOWS: u64 = 0x2000_0000;
const REQUESTS: u64 = 0x2800_0000;
const GROUPS: u64 = 0x3000_0000;
const DATATYPES: u64 = 0x3800_0000;
/// What handles of contexts of OpenSHMEM are.
const CONTEXTS: u64 = 0x4000_0000;

/// The tables.
pub(crate) struct Tables {
    objects: HashMap<ObjectKind, Object>,
    described: Vec<(ObjectKind, u64, String)>,
    /// An object has become larger, or a window has got memory.
    grown: bool,
    paths: HashMap<(Path, u32, u32, u32), Path>,
    depths: Vec<u32>,
    registers: HashMap<RegisterUse, Register>,
    notes: Vec<(u32, String)>,
    windows: Vec<Window>,
    messages: HashMap<Message, Elements>,
    requests: Handles<Request>,
    groups: Handles<Vec<u32>>,
    communicators: Handles<Communicator>,
    datatypes: Handles<Shape>,
    contexts: Handles<Context>,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            objects: HashMap::new(),
            described: Vec::new(),
            grown: false,
            paths: HashMap::new(),
            depths: Vec::new(),
            registers: HashMap::new(),
            notes: Vec::new(),
            windows: Vec::new(),
            messages: HashMap::new(),
            requests: Handles::from(REQUESTS),
            groups: Handles::from(GROUPS),
            communicators: Handles::from(COMMUNICATORS),
            datatypes: Handles::from(DATATYPES),
            contexts: Handles::from(CONTEXTS),
        }
    }
}

impl Tables {
    /// The object of this kind; the first who asks says its name. Processes may ask for different sizes, of which it
    /// has the largest.
    pub(crate) fn object(&mut self, kind: ObjectKind, size: u64, name: &str) -> Object {
        let next = Object(self.described.len() as u32);
        let object = *self.objects.entry(kind.clone()).or_insert(next);
        if object == next {
            self.described.push((kind, size, name.to_owned()));
        } else if self.size(object) < size {
            self.described[object.0 as usize].1 = size;
            self.grown = true;
        }
        object
    }

    /// An object is also what another kind says; false if that is another one, or it is so by a third one already.
    pub(crate) fn bind(&mut self, kind: ObjectKind, object: Object) -> bool {
        let known = self.objects.get(&kind).copied();
        let mut others = self.objects.iter().filter(|(_, of)| **of == object);
        let is_own = |of: &ObjectKind| *of == kind || of == &self.described[object.0 as usize].0;
        if known.is_some_and(|known| known != object) || !others.all(|(of, _)| is_own(of)) {
            return false;
        }
        self.objects.insert(kind, object);
        true
    }

    /// Whether an object has become larger, or a window has got memory, since this was last asked.
    pub(crate) fn take_grown(&mut self) -> bool {
        std::mem::take(&mut self.grown)
    }

    /// The object of this kind, if somebody has asked for it before.
    pub(crate) fn find(&self, kind: &ObjectKind) -> Option<Object> {
        self.objects.get(kind).copied()
    }

    pub(crate) fn kind(&self, object: Object) -> &ObjectKind {
        &self.described[object.0 as usize].0
    }

    pub(crate) fn size(&self, object: Object) -> u64 {
        self.described[object.0 as usize].1
    }

    pub(crate) fn name(&self, object: Object) -> &str {
        &self.described[object.0 as usize].2
    }

    /// The address of a byte.
    pub(crate) fn address(object: Object, offset: i64) -> u64 {
        ((u64::from(object.0) + 1) * ROOM + MIDDLE).wrapping_add_signed(offset)
    }

    /// The object at an address, and where in it, if it is not too far from it.
    pub(crate) fn at(&self, address: u64) -> Option<(Object, i64)> {
        let object = Object(u32::try_from((address / ROOM).checked_sub(1)?).ok()?);
        let offset = (address % ROOM) as i64 - MIDDLE as i64;
        ((object.0 as usize) < self.described.len()).then_some((object, offset))
    }

    pub(crate) fn function_address(function: u32) -> u64 {
        FUNCTIONS + u64::from(function)
    }

    pub(crate) fn function_at(address: u64) -> Option<u32> {
        u32::try_from(address.checked_sub(FUNCTIONS)?).ok()
    }

    /// The number of a window; none if another process made another one in its place. Processes may give it no memory.
    pub(crate) fn window_number(&mut self, window: Window) -> Option<u32> {
        let known = self.windows.iter().position(|known| known.made == window.made);
        let number = known.unwrap_or(self.windows.len());
        if known.is_none() {
            self.windows.push(window);
        }
        let known = &mut self.windows[number];
        if known.base == 0 && window.base != 0 {
            *known = window;
            self.grown = true;
        }
        (window.base == 0 || *known == window).then_some(number as u32)
    }

    /// A window that was made.
    pub(crate) fn window(&self, number: u32) -> Window {
        self.windows[number as usize]
    }

    /// All windows, by number.
    pub(crate) fn windows(&self) -> &[Window] {
        &self.windows
    }

    pub(crate) fn window_address(number: u32) -> u64 {
        WINDOWS + u64::from(number)
    }

    /// The window of a handle.
    pub(crate) fn window_at(&self, handle: u64) -> Option<u32> {
        let number = u32::try_from(handle.checked_sub(WINDOWS)?).ok()?;
        ((number as usize) < self.windows.len()).then_some(number)
    }

    /// Whether a message has these elements; the first who asks says so.
    pub(crate) fn is_message(&mut self, message: Message, elements: Elements) -> bool {
        *self.messages.entry(message).or_insert(elements) == elements
    }

    /// The handle of a request.
    pub(crate) fn request(&mut self, request: Request) -> u64 {
        self.requests.handle(request)
    }

    /// The request of a handle.
    pub(crate) fn request_at(&self, handle: u64) -> Option<&Request> {
        self.requests.at(handle)
    }

    /// The handle of a datatype that the program made.
    pub(crate) fn datatype(&mut self, shape: Shape) -> u64 {
        self.datatypes.handle(shape)
    }

    /// The datatype of a handle, if the program made it.
    pub(crate) fn datatype_at(&self, handle: u64) -> Option<&Shape> {
        self.datatypes.at(handle)
    }

    /// The handle of a context of OpenSHMEM.
    pub(crate) fn context(&mut self, context: Context) -> u64 {
        self.contexts.handle(context)
    }

    /// The context of a handle.
    pub(crate) fn context_at(&self, handle: u64) -> Option<Context> {
        self.contexts.at(handle).copied()
    }

    /// The handle of a communicator.
    pub(crate) fn communicator(&mut self, communicator: Communicator) -> u64 {
        self.communicators.handle(communicator)
    }

    /// The number of a communicator, which it may have already.
    pub(crate) fn number_of(&mut self, communicator: Communicator) -> u32 {
        let handle = self.communicator(communicator);
        (handle - COMMUNICATORS) as u32
    }

    /// The number of the communicator of a handle.
    pub(crate) fn communicator_at(&self, handle: u64) -> Option<u32> {
        self.communicators.at(handle)?;
        u32::try_from(handle - COMMUNICATORS).ok()
    }

    /// The communicator of a number.
    pub(crate) fn communicator_of(&self, number: u32) -> &Communicator {
        // Numbers are given by the table.
        &self.communicators.all()[number as usize]
    }

    /// The handle of a group.
    pub(crate) fn group(&mut self, members: Vec<u32>) -> u64 {
        self.groups.handle(members)
    }

    /// The processes of a group.
    pub(crate) fn group_at(&self, handle: u64) -> Option<&Vec<u32>> {
        self.groups.at(handle)
    }

    /// The chain of calls with one more: of the instruction there.
    pub(crate) fn path(&mut self, from: Path, function: u32, block: u32, at: u32) -> Path {
        let next = Path(self.paths.len() as u32 + 1);
        let path = *self.paths.entry((from, function, block, at)).or_insert(next);
        if path == next {
            let depth = self.depth(from) + 1;
            self.depths.push(depth);
        }
        path
    }

    /// How many calls a chain has.
    pub(crate) fn depth(&self, path: Path) -> u32 {
        match path.0 {
            0 => 0,
            number => self.depths[number as usize - 1],
        }
    }

    pub(crate) fn register(&mut self, of: RegisterUse) -> Register {
        let next = Register::new(self.registers.len() as u32);
        *self.registers.entry(of).or_insert(next)
    }

    /// A note on something at a line of the source.
    pub(crate) fn note(&mut self, line: u32, text: String) -> NoteId {
        let note = (line, text);
        let known = self.notes.iter().position(|known| *known == note);
        let number = known.unwrap_or(self.notes.len());
        if known.is_none() {
            self.notes.push(note);
        }
        NoteId(number as u32)
    }

    pub(crate) fn note_text(&self, note: NoteId) -> (u32, &str) {
        let (line, text) = &self.notes[note.0 as usize];
        (*line, text)
    }
}
