//! A litmus program with all names resolved.
//!
//! Statements refer to variables and registers by index; [`Program`] holds the names. One language serves all models: a
//! model that does not know a statement refuses the program and names the statement.

use std::ops::Range;

/// A process of the program, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

/// Index into [`Program::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// Index into [`Process::registers`] of the process that the statement belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterId(pub u32);

/// A queue of a process: operations are handed to it, and waited for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Queue(pub u32);

/// A value that is set in a flag at the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// A variable at the target that serves as a flag.
    pub flag: VariableId,
    /// What it is set to.
    pub value: i64,
}

/// Bytes of the source text; empty for programs that were not parsed. Two places always compare equal, so that
/// programs are equal when they say the same.
#[derive(Clone, Debug, Default)]
pub struct Place(pub Range<usize>);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}

/// A litmus program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The word after `RMA`.
    pub name: String,
    /// The quoted lines after the name.
    pub about: Vec<String>,
    /// What an access without a mark is (`accesses nonatomic` turns it round).
    pub accesses: Atomicity,
    /// Variables in the order of the initial state.
    pub variables: Vec<Variable>,
    /// Processes by rank.
    pub processes: Vec<Process>,
    /// What a state shows besides the registers and variables of the condition (`locations [...]`).
    pub locations: Vec<Observable>,
    /// Only final states in which this holds count.
    pub filter: Option<Proposition>,
    /// The final condition; none if only the states are asked for.
    pub condition: Option<Condition>,
}

/// A variable: window memory of its owner, which all processes can access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Unique in the program.
    pub name: String,
    /// The process whose memory it is.
    pub owner: Rank,
    /// First value.
    pub value: i64,
    /// Where it is declared.
    pub place: Place,
}

/// A process: its registers and statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Names in order of first use; unique in the process.
    pub registers: Vec<String>,
    /// In program order.
    pub statements: Vec<Statement>,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub place: Place,
}

/// Whether an access is atomic (paper 000, section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomicity {
    /// `.a`
    Atomic,
    /// `.n`
    NonAtomic,
}

/// One memory interaction of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// What is accessed.
    pub variable: VariableId,
    /// How.
    pub atomicity: Atomicity,
}

/// What a statement does. `into`, `from`, `operand`, `compare`, `swap` are variables of the process itself; `target`
/// may be of any process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `a = X`: local read.
    Load {
        /// Receives the result.
        into: RegisterId,
        /// What is read.
        from: Access,
    },
    /// `X = a + 1`: local write.
    Store {
        /// Receives the result.
        into: Access,
        /// What is written.
        value: Expression,
    },
    /// `a = b + 1`: registers only, no memory interaction.
    Assign {
        /// Receives the result.
        into: RegisterId,
        /// What is written.
        value: Expression,
    },
    /// `X = get(Y@1)`
    Get {
        /// Receives the result.
        into: Access,
        /// At the target.
        target: Access,
    },
    /// `put(Y@1, X)`
    Put {
        /// At the target.
        target: Access,
        /// What is read.
        from: Access,
    },
    /// `X = rga(Y@1, Z)`: remote get accumulate with addition; in the MPI models `MPI_Get_accumulate` with `MPI_SUM`.
    Rga {
        /// Receives the result.
        into: Access,
        /// At the target.
        target: Access,
        /// Goes into the operation.
        operand: Access,
    },
    /// `X = cas(Y@1, C, S)`; in the MPI models `MPI_Compare_and_swap`.
    Cas {
        /// Receives the result.
        into: Access,
        /// At the target.
        target: Access,
        /// Compared with the target.
        compare: Access,
        /// Written if the two are equal.
        swap: Access,
    },
    /// `accumulate(Y@1, X, sum)`
    Accumulate {
        /// At the target.
        target: Access,
        /// Goes into the operation.
        operand: Access,
        /// What is done to the target.
        operation: Operation,
    },
    /// `X = get_accumulate(Y@1, Z, sum)`
    GetAccumulate {
        /// Receives the result.
        into: Access,
        /// At the target.
        target: Access,
        /// Goes into the operation.
        operand: Access,
        /// What is done to the target.
        operation: Operation,
    },
    /// `X = fetch_and_op(Y@1, Z, sum)`
    FetchAndOp {
        /// Receives the result.
        into: Access,
        /// At the target.
        target: Access,
        /// Goes into the operation.
        operand: Access,
        /// What is done to the target.
        operation: Operation,
    },
    /// `X = compare_and_swap(Y@1, C, S)`
    CompareAndSwap {
        /// Receives the result.
        into: Access,
        /// At the target.
        target: Access,
        /// Compared with the target.
        compare: Access,
        /// Written if the two are equal.
        swap: Access,
    },
    /// `put(Y@1, X) on 2`: the operation is handed to this queue; to queue 0 where none is named.
    On {
        /// Which queue of the process.
        queue: Queue,
        /// A put, get, rga, cas, notify, put_notify or get_notify; an rga or cas of an interface that has contexts.
        operation: Box<StatementKind>,
    },
    /// `notify(N@1, 5)`: sets a flag at the target.
    Notify(Notification),
    /// `put_notify(Y@1, X, N@1, 5)`: a put, and a notification that follows its data.
    PutNotify {
        /// At the target.
        target: Access,
        /// What is read.
        from: Access,
        /// At the target.
        notification: Notification,
    },
    /// `X = get_notify(Y@1, N)`: a get, and a flag of the process itself that is set to 1 when its data are there.
    GetNotify {
        /// Receives the result.
        into: Access,
        /// At the target.
        target: Access,
        /// Is set.
        flag: VariableId,
    },
    /// `wait_queue(2)`: waits until the operations of this queue are complete locally.
    WaitQueue(Queue),
    /// `await(N)`: waits until the flag is not 0.
    Await(VariableId),
    /// `a = take(N)`: reads the flag and sets it to 0, in one step.
    Take {
        /// Receives the result.
        into: RegisterId,
        /// Is read and reset.
        flag: VariableId,
    },
    /// `flush(1)`
    Flush(Rank),
    /// `flush_local(1)`
    FlushLocal(Rank),
    /// `flush_all`
    FlushAll,
    /// `flush_local_all`
    FlushLocalAll,
    /// `fence`, `fence(nosucceed, noput)`
    Fence(Vec<Assertion>),
    /// `lock_shared(1)`
    LockShared(Rank),
    /// `lock_exclusive(1)`
    LockExclusive(Rank),
    /// `unlock(1)`
    Unlock(Rank),
    /// `lock_all`
    LockAll,
    /// `unlock_all`
    UnlockAll,
    /// `post(0, 2)`: exposure epoch for these origins.
    Post(Vec<Rank>),
    /// `start(1)`: access epoch to these targets.
    Start(Vec<Rank>),
    /// `complete`
    Complete,
    /// `wait`
    Wait,
    /// `sync`: `MPI_Win_sync`.
    Sync,
    /// `barrier`: of all processes.
    Barrier,
    /// `send(1)`: a message without content; matched in order per pair of processes.
    Send(Rank),
    /// `recv(0)`
    Receive(Rank),
    /// `while (a != 1) bound 3 { ... }`: paths that would need more turns are dropped, and the answer says so.
    While {
        /// Decides.
        condition: Expression,
        /// Turns at most.
        bound: u32,
        /// One turn.
        body: Vec<Statement>,
    },
    /// `if (a = 1) { ... } else { ... }`
    If {
        /// Decides.
        condition: Expression,
        /// If the condition holds.
        then: Vec<Statement>,
        /// If not.
        otherwise: Vec<Statement>,
    },
}

/// What an accumulate does to its target, by MPI's name (`MPI_SUM` is `sum`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `sum`
    Sum,
    /// `prod`
    Product,
    /// `min`
    Minimum,
    /// `max`
    Maximum,
    /// `band`
    And,
    /// `bor`
    Or,
    /// `bxor`
    Xor,
    /// `replace`
    Replace,
    /// `no_op`
    NoOp,
}

/// An assertion of a fence (MPI-4.1 §12.5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assertion {
    /// `nostore`
    NoStore,
    /// `noput`
    NoPut,
    /// `noprecede`
    NoPrecede,
    /// `nosucceed`
    NoSucceed,
}

/// An expression over registers and numbers. Arithmetic wraps; a comparison is 1 or 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// `7`
    Number(i64),
    /// `a`
    Register(RegisterId),
    /// `-e`
    Negative(Box<Expression>),
    /// `!e`
    Not(Box<Expression>),
    /// `e + f`
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
}

/// Between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `==` (`=` is read as well)
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// What a final state shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Observable {
    /// `0:a`
    Register(Rank, RegisterId),
    /// `X`: its value when all is done.
    Variable(VariableId),
}

/// A value of a final state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number.
    Known(i64),
    /// `T`: undefined, the result of a conflict (paper 000's top).
    Undefined,
}

/// A proposition over a final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition {
    /// `true` or `false`
    Constant(bool),
    /// `0:a = 1`, `X = T`
    Equal(Observable, Value),
    /// `0:a != 1`
    NotEqual(Observable, Value),
    /// `~p`
    Not(Box<Proposition>),
    /// `p /\ q`
    And(Box<Proposition>, Box<Proposition>),
    /// `p \/ q`
    Or(Box<Proposition>, Box<Proposition>),
}

/// How the proposition is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `exists`: some outcome has it.
    Exists,
    /// `~exists`: no outcome has it.
    NotExists,
    /// `forall`: every outcome has it.
    Forall,
}

/// The final condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How.
    pub quantifier: Quantifier,
    /// What.
    pub proposition: Proposition,
}
