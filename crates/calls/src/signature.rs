//! What a call's parameters are, and which roles they play: the words of every interface's table.

/// One parameter of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the standard.
    pub name: &'static str,
    /// What it is, which decides how it is passed.
    pub kind: Kind,
    /// Who gives it a value.
    pub direction: Direction,
    /// Whether it is an array.
    pub array: bool,
    /// Whether the bindings of Fortran lack it (`argc`, `argv`).
    pub c_only: bool,
    /// Whether only the form with large counts has it.
    pub large_only: bool,
    /// The roles that it plays; one parameter may play several, as the datatype of `MPI_Fetch_and_op` does.
    pub roles: &'static [Role],
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A choice buffer: an address, or `MPI_IN_PLACE`.
    Buffer,
    /// The address of memory that the library gives.
    Pointer,
    /// An `int`.
    Int,
    /// An `int` that is true or false; `logical` in Fortran.
    Logical,
    /// An `int`, or `MPI_Count` or `MPI_Aint` in the form with large counts.
    Count,
    /// `MPI_Aint`, `MPI_Offset` or `MPI_Count` in every form.
    Address,
    /// A string.
    Text,
    /// A status.
    Status,
    /// A handle.
    Handle(Handle),
    /// A callback.
    Procedure,
    /// None of these.
    Other,
}

/// The kinds of handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The standard's names.
pub enum Handle {
    Comm,
    Type,
    Win,
    Request,
    Group,
    Op,
    Info,
    Message,
    Errhandler,
    File,
    Session,
}

/// Who gives a parameter its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The caller.
    In,
    /// The library.
    Out,
    /// Both.
    Inout,
}

/// What a parameter means to a call, in every interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // Those without a line are what their names say.
#[repr(u8)]
pub enum Role {
    /// What a one-sided operation reads at the origin.
    OriginBuffer,
    OriginCount,
    OriginType,
    /// What a one-sided operation writes at the origin.
    ResultBuffer,
    ResultCount,
    ResultType,
    /// What a compare-and-swap compares with, read at the origin.
    CompareBuffer,
    TargetRank,
    TargetDisplacement,
    TargetCount,
    TargetType,
    Operator,
    Window,
    Request,
    /// `assert` of a synchronising call.
    Assertion,
    Group,
    LockType,
    /// Where the program's memory for a window begins.
    Base,
    Size,
    /// `disp_unit`
    Unit,
    /// Where the address of a window's memory is given.
    BasePointer,
    Info,
    Communicator,
    NewCommunicator,
    /// A name that the program gives.
    Text,
    Flag,
    Status,
    Message,
    /// What a message or a collective operation takes from this process.
    SendBuffer,
    SendCount,
    SendDisplacements,
    SendType,
    /// What it gives to this process.
    ReceiveBuffer,
    ReceiveCount,
    ReceiveDisplacements,
    ReceiveType,
    Destination,
    SendTag,
    Source,
    ReceiveTag,
    Root,
    PackBuffer,
    /// Where in a packed buffer.
    Position,
    RequestCount,
    Requests,
    Statuses,
    /// Which requests completed: one index, or an array of them.
    Index,
    /// A number that the call gives: how many requests completed.
    Result,
}

/// Number of roles.
const ROLES: usize = Role::Result as usize + 1;

/// In no place.
const ABSENT: u8 = u8::MAX;

/// The bindings of Fortran that have a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interfaces {
    /// `mpif.h` and `use mpi`.
    pub mpif: bool,
    /// `use mpi_f08`.
    pub f08: bool,
}

impl Interfaces {
    /// C only.
    pub const C: Self = Self {
        mpif: false,
        f08: false,
    };
    /// All.
    pub const ALL: Self = Self {
        mpif: true,
        f08: true,
    };
    /// `mpif.h` and `use mpi`, not `use mpi_f08`.
    pub const MPIF: Self = Self {
        mpif: true,
        f08: false,
    };
    /// `use mpi_f08` only.
    pub const F08: Self = Self {
        mpif: false,
        f08: true,
    };
}

/// What a call returns in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// An error code; in Fortran it is a subroutine, with `ierror` as its last argument.
    Code,
    /// A floating-point number.
    Double,
    /// An address.
    Address,
    /// Something else.
    Other,
}

/// The signature of a call. Places count the parameters as in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    name: &'static str,
    large: bool,
    returns: Returns,
    interfaces: Interfaces,
    parameters: &'static [Parameter],
    places: [u8; ROLES],
}

impl Signature {
    /// A signature; `large` says whether there is a form with large counts.
    pub const fn new(
        name: &'static str,
        large: bool,
        returns: Returns,
        interfaces: Interfaces,
        parameters: &'static [Parameter],
    ) -> Self {
        let mut places = [ABSENT; ROLES];
        let mut place = 0;
        while place < parameters.len() {
            let roles = parameters[place].roles;
            let mut k = 0;
            while k < roles.len() {
                assert!(
                    places[roles[k] as usize] == ABSENT,
                    "two parameters play one role"
                );
                places[roles[k] as usize] = place as u8;
                k += 1;
            }
            place += 1;
        }
        Self {
            name,
            large,
            returns,
            interfaces,
            parameters,
            places,
        }
    }

    /// The name in C, of the form without large counts.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether there is a form with large counts.
    pub const fn has_large_counts(&self) -> bool {
        self.large
    }

    /// What it returns in C.
    pub const fn returns(&self) -> Returns {
        self.returns
    }

    /// Which bindings of Fortran have it.
    pub const fn interfaces(&self) -> Interfaces {
        self.interfaces
    }

    /// The parameters in C, those that only the form with large counts has among them.
    pub const fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    /// Where the parameter stands that plays a role.
    pub const fn place(&self, role: Role) -> Option<usize> {
        match self.places[role as usize] {
            ABSENT => None,
            place => Some(place as usize),
        }
    }

    /// Whether a parameter plays this role.
    pub const fn has(&self, role: Role) -> bool {
        self.places[role as usize] != ABSENT
    }

    /// The parameter that plays a role.
    pub const fn parameter(&self, role: Role) -> Option<&'static Parameter> {
        match self.place(role) {
            Some(place) => Some(&self.parameters[place]),
            None => None,
        }
    }

    /// Number of parameters in C, in the form without large counts.
    pub const fn arity(&self) -> usize {
        let mut count = 0;
        let mut place = 0;
        while place < self.parameters.len() {
            count += !self.parameters[place].large_only as usize;
            place += 1;
        }
        count
    }

    /// Number of parameters that Fortran does not pass; they are the first ones.
    pub const fn dropped(&self) -> usize {
        let mut count = 0;
        while count < self.parameters.len() && self.parameters[count].c_only {
            count += 1;
        }
        count
    }

    /// Number of strings, whose lengths Fortran passes after all other arguments.
    pub const fn texts(&self) -> usize {
        let mut count = 0;
        let mut place = 0;
        while place < self.parameters.len() {
            let parameter = &self.parameters[place];
            count += (matches!(parameter.kind, Kind::Text) && !parameter.c_only) as usize;
            place += 1;
        }
        count
    }

    /// Whether a parameter is a choice buffer, for which `use mpi_f08` may pass a descriptor.
    pub const fn has_choice(&self) -> bool {
        let mut place = 0;
        while place < self.parameters.len() {
            if matches!(self.parameters[place].kind, Kind::Buffer) {
                return true;
            }
            place += 1;
        }
        false
    }
}

/// A parameter that is not an array.
pub(crate) const fn one(
    name: &'static str,
    kind: Kind,
    direction: Direction,
    roles: &'static [Role],
) -> Parameter {
    Parameter {
        name,
        kind,
        direction,
        array: false,
        c_only: false,
        large_only: false,
        roles,
    }
}

/// An array.
pub(crate) const fn array(
    name: &'static str,
    kind: Kind,
    direction: Direction,
    roles: &'static [Role],
) -> Parameter {
    Parameter {
        array: true,
        ..one(name, kind, direction, roles)
    }
}

/// A parameter that Fortran does not have.
pub(crate) const fn c_only(
    name: &'static str,
    kind: Kind,
    direction: Direction,
    roles: &'static [Role],
) -> Parameter {
    Parameter {
        c_only: true,
        ..one(name, kind, direction, roles)
    }
}

/// A parameter that only the form with large counts has.
pub(crate) const fn large_only(
    name: &'static str,
    kind: Kind,
    direction: Direction,
    roles: &'static [Role],
) -> Parameter {
    Parameter {
        large_only: true,
        ..one(name, kind, direction, roles)
    }
}
