#!/usr/bin/env python3
"""Writes standard.txt: the procedures of MPI, as the sources of the standard declare them.

The data is that of the package `pympistandard` (see requirements.txt), which carries what the MPI Forum's own documents are
typeset from. Run it when a new version of the standard is out, then run table.py:

    python3 -m venv /tmp/standard && /tmp/standard/bin/pip install -r requirements.txt
    /tmp/standard/bin/python extract.py

Left out are callbacks and predefined callbacks, the tools interface (MPI_T_), and what exists only in Fortran.
"""

import json
import pathlib
import sys

HEAD = """\
# The procedures of MPI-5.0, written by extract.py from the package pympistandard {version}, which takes them from the
# sources of the MPI standard (MPI Forum). The package has the MIT licence, (c) Martin Ruefenacht.
#
# procedure NAME RESULT INTERFACES
#   RESULT is the C type, `code` for an error code; INTERFACES are of c, mpif (mpif.h and `use mpi`), f08 (`use mpi_f08`)
#   PARAMETER SMALL LARGE FORTRAN DIRECTION [FLAG...]
#   SMALL and LARGE are its types in C without and with large counts, FORTRAN is the one in `use mpi`, with _ for blanks;
#   flags: array, c (not in Fortran), large (only with large counts)
"""


def word(text):
    return "-" if text in (None, "") else str(text).replace(" ", "_")


def main():
    import pympistandard
    from pympistandard import _kinds

    data = pathlib.Path(pympistandard.__file__).parent / "data" / "apis.json"
    procedures = json.loads(data.read_text())
    kinds = {kind.name: vars(kind) for kind in vars(_kinds).values() if hasattr(kind, "name")}
    lines = [HEAD.format(version=pympistandard.__version__)]
    for procedure in sorted(procedures.values(), key=lambda procedure: procedure["name"].lower()):
        name, attributes = procedure["name"], procedure["attributes"]
        left_out = attributes["callback"] or attributes["predefined_function"] or name.startswith("MPI_T_")
        if left_out or not attributes["c_expressible"]:
            continue
        result = procedure["return_kind"]
        result = "code" if result == "ERROR_CODE" else word(kinds[result]["_iso_c_small"])
        interfaces = ["c"]
        interfaces += ["mpif"] if attributes["f90_expressible"] else []
        interfaces += ["f08"] if attributes["f08_expressible"] else []
        lines.append(f"procedure {name} {result} {' '.join(interfaces)}\n")
        for parameter in procedure["parameters"]:
            if parameter["kind"] in ("ERROR_CODE", "VARARGS") and "c_parameter" in parameter["suppress"]:
                continue
            kind = kinds[parameter["kind"]]
            small = kind.get("_iso_c_small") or parameter["kind"]
            # MPI_Cancel is given the address of a request that it only reads.
            read = parameter["param_direction"] == "in" and parameter["pointer"] is True
            flags = ["inout" if read and kind["name"] == "REQUEST" else parameter["param_direction"]]
            strings = kind["name"] in ("STRING_ARRAY", "STRING_2DARRAY")
            if strings or (parameter["length"] is not None and kind["name"] != "STRING"):
                flags.append("array")
            if "f90_parameter" in parameter["suppress"]:
                flags.append("c")
            if parameter["large_only"]:
                flags.append("large")
            if kind["name"].startswith("C_BUFFER"):
                small = "pointer"
            words = [parameter["name"], small, kind.get("_iso_c_large"), kind.get("_f90_small")]
            lines.append("  " + " ".join([word(text) for text in words] + flags) + "\n")
    text = "".join(lines)
    if "--print" in sys.argv:
        sys.stdout.write(text)
    else:
        (pathlib.Path(__file__).parent / "standard.txt").write_text(text)


if __name__ == "__main__":
    main()
