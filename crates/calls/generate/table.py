#!/usr/bin/env python3
"""Writes ../src/mpi/procedures.rs from standard.txt, removed.txt and meanings.txt; with --print to standard output.

Needs no package. A test of the crate runs it and compares.
"""

import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent

KINDS = {
    "void": "Buffer",
    "pointer": "Pointer",
    "char": "Text",
    "MPI_Comm": "Handle(Comm)",
    "MPI_Datatype": "Handle(Type)",
    "MPI_Win": "Handle(Win)",
    "MPI_Request": "Handle(Request)",
    "MPI_Group": "Handle(Group)",
    "MPI_Op": "Handle(Op)",
    "MPI_Info": "Handle(Info)",
    "MPI_Message": "Handle(Message)",
    "MPI_Errhandler": "Handle(Errhandler)",
    "MPI_File": "Handle(File)",
    "MPI_Session": "Handle(Session)",
    "MPI_Status": "Status",
    "MPI_Aint": "Address",
    "MPI_Offset": "Address",
    "MPI_Count": "Address",
    "FUNCTION": "Callback",
    "POLYFUNCTION": "Callback",
}


def kind(small, large, fortran):
    if small == "int":
        return "Count" if large != "-" else "Logical" if fortran == "LOGICAL" else "Int"
    # No choice buffers: the values of attributes are numbers in Fortran.
    if small == "void" and fortran.startswith(("INTEGER", "LOGICAL")):
        return "Other"
    return KINDS.get(small, "Other")


class Procedure:
    def __init__(self, line):
        _, name, self.result, *self.interfaces = line.split()
        self.name = name.removeprefix("MPI_")
        self.parameters = []
        self.large = False
        self.meaning = None
        self.roles = {}

    def add(self, line):
        name, small, large, fortran, direction, *flags = line.split()
        self.large |= large != "-" or "large" in flags
        self.parameters.append((name, kind(small, large, fortran), direction.capitalize(), flags))


def standard():
    procedures = []
    text = (FOLDER / "standard.txt").read_text() + (FOLDER / "removed.txt").read_text()
    for line in text.splitlines():
        if line.startswith("procedure "):
            procedures.append(Procedure(line))
        elif line.startswith("  "):
            procedures[-1].add(line)
    procedures.sort(key=lambda procedure: procedure.name.lower())
    return {procedure.name: procedure for procedure in procedures}


def forms(name):
    """A collective operation: blocking, with a request, persistent."""
    return [(name, "Returning"), ("I" + name.lower(), "Request"), (name + "_init", "Persistent")]


def give_meanings(procedures):
    everywhere, collective, now, followed = {}, {}, [], []
    for line in (FOLDER / "meanings.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            name, roles = (side.strip() for side in line.split("="))
            for target in now:
                target[name] = roles.split()
            continue
        names, meaning = (side.strip() for side in line.split(":", 1))
        if names == "*":
            now = [everywhere]
            continue
        if names == "collective *":
            now = [collective]
            continue
        if names.startswith("collective "):
            form = f"CollectiveForm::{meaning}"
            named = [
                (name, f"Meaning::Collective({form}, Ends::{ends})")
                for name, ends in forms(names.removeprefix("collective "))
            ]
        else:
            named = [(name.strip(), meaning) for name in names.split(",")]
        now = []
        for name, meaning in named:
            procedure = procedures[name]
            assert procedure.meaning is None, f"{name} has two meanings"
            if meaning != "-":
                procedure.meaning = meaning
                followed.append(procedure)
            now.append(procedure.roles)
    for procedure in procedures.values():
        known = {name for name, *_ in procedure.parameters}
        unknown = set(procedure.roles) - known
        assert not unknown, f"{procedure.name} has no parameter {unknown}"
        more = collective if "Collective(" in (procedure.meaning or "") else {}
        procedure.roles = {**everywhere, **more, **procedure.roles}
    return followed


HEAD = """\
//! The procedures of MPI-5.0, and those of older versions. Written by `generate/table.py` from the texts beside it:
//! change those.

use crate::meaning::{Completion, Making, Meaning, Waits};
use crate::collective::{CollectiveForm, Ends};
use crate::signature::Direction::{In, Inout, Out};
use crate::signature::Handle::{Comm, Errhandler, File, Group, Info, Message, Op, Request, Session, Type, Win};
use crate::signature::Kind::{
    Address, Buffer, Count, Handle, Int, Logical, Other, Pointer, Procedure as Callback, Status, Text,
};
use crate::signature::{Interfaces, Returns, Role, array, c_only, large_only, one};
use crate::table::Row;
use farside_events::{CallKind, OperationKind, SendMode, WindowFlavor};

/// A procedure of MPI, by its name in C without `MPI_`. The form with large counts is the same procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, non_camel_case_types)] // The standard's names.
#[repr(u16)]
pub enum Procedure {
"""

MAKE = {"large": "large_only", "c": "c_only", "array": "array"}
RETURNS = {"code": "Code", "double": "Double", "MPI_Aint": "Address"}


def row(procedure):
    """The entry of one procedure, in lines of at most 118 columns."""
    interfaces = [name.capitalize() for name in procedure.interfaces if name != "c"]
    interfaces = {(): "C", ("Mpif", "F08"): "ALL", ("Mpif",): "MPIF", ("F08",): "F08"}[tuple(interfaces)]
    returns = RETURNS.get(procedure.result, "Other")
    counts = str(procedure.large).lower()
    meaning = f"Some({procedure.meaning})" if procedure.meaning else "None"
    lines = [
        f"    // MPI_{procedure.name}\n    Row::new(\n",
        f'        Procedure::{procedure.name}, "MPI_{procedure.name}", {counts}, Returns::{returns},'
        f"\n        Interfaces::{interfaces}, {meaning},\n",
        "        &[\n",
    ]
    line = "           "
    for name, kind, direction, flags in procedure.parameters:
        make = next((make for flag, make in MAKE.items() if flag in flags), "one")
        roles = ", ".join(f"Role::{role}" for role in procedure.roles.get(name, []))
        parameter = f' {make}("{name}", {kind}, {direction}, &[{roles}]),'
        if len(line) + len(parameter) > 118:
            lines.append(line + "\n")
            line = "           "
        line += parameter
    if procedure.parameters:
        lines.append(line + "\n")
    lines.append("        ],\n    ),\n")
    return "".join(lines)


def rust(procedures, followed):
    out = [HEAD]
    out.extend(f"    {name},\n" for name in procedures)
    out.append("}\n\n/// All procedures, in the order of [`Procedure`].\n")
    out.append(f"pub(super) static TABLE: [Row<Procedure>; {len(procedures)}] = [\n")
    out.extend(row(procedure) for procedure in procedures.values())
    out.append("];\n")
    out.append(FOLLOWED)
    for procedure in followed:
        counts = "large" if procedure.large else "plain"
        out.append(f'            {procedure.name} "MPI_{procedure.name}" "mpi_{procedure.name.lower()}" {counts};\n')
    out.append("        }\n    };\n}\n")
    return "".join(out)


FOLLOWED = '''
/// Calls the macro `$callback` with a line for every procedure with a meaning: its variant of [`Procedure`], its name
/// in C, its name in lower case (to which Fortran's bindings add), and `large` if it has a form with large counts.
#[macro_export]
macro_rules! followed_procedures_of_mpi {
    ($callback:ident) => {
        $callback! {
'''


def main():
    procedures = standard()
    followed = give_meanings(procedures)
    text = rust(procedures, followed)
    if "--print" in sys.argv:
        sys.stdout.write(text)
    else:
        (FOLDER / "../src/mpi/procedures.rs").write_text(text)


if __name__ == "__main__":
    main()
