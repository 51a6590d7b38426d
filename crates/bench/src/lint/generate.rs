//! Programs of a given number of lines: functions that compute on arrays of their own, every tenth of which exchanges
//! its result with the next rank in a fence epoch. They are correct. Functions are visible outside, lest the optimiser
//! puts all of them into `main`, which no program does.

use std::fmt::Write as _;

/// A C program of about so many lines.
pub(super) fn program(lines: usize) -> String {
    let mut text = String::from(
        "#include <mpi.h>\n#include <stdio.h>\n\nenum { N = 64 };\nstatic double table[N];\nstatic double \
         *cells;\nstatic MPI_Win window;\n\n",
    );
    let mut written = text.lines().count();
    let mut functions = 0;
    while written + 20 < lines {
        let function = function(functions);
        written += function.lines().count() + 1;
        text.push_str(&function);
        functions += 1;
    }
    text.push_str(
        "int main(int argc, char **argv)\n{\n    int rank, size;\n    double sum = 0;\n    MPI_Init(&argc, \
        &argv);\n",
    );
    text.push_str("    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n");
    text.push_str(
        "    MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, \
        &window);\n",
    );
    for index in 0..functions {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    sum += part_{index}(rank, size);");
    }
    text.push_str(
        "    printf(\"%f\\n\", sum);\n    MPI_Win_free(&window);\n    MPI_Finalize();\n    return 0;\n}\n",
    );
    text
}

fn function(index: usize) -> String {
    let mut text = format!("double part_{index}(int rank, int size)\n{{\n    double own[N], sum = 0;\n");
    let _ = write!(
        text,
        "    for (int i = 0; i < N; i++)\n        own[i] = rank + i * {}.5;\n",
        index % 7
    );
    for step in 0..6 {
        let _ = write!(
            text,
            "    for (int i = {step}; i < N; i += 8) {{\n        if (i % 3 == {})\n            own[i] += table[(i + \
             {index}) % N];\n        sum += own[i];\n    }}\n",
            step % 3
        );
    }
    if index.is_multiple_of(10) {
        text.push_str("    MPI_Win_fence(0, window);\n");
        text.push_str(
            "    MPI_Put(own, N / 2, MPI_DOUBLE, (rank + 1) % size, 0, N / 2, MPI_DOUBLE, window);\n",
        );
        text.push_str("    MPI_Win_fence(0, window);\n    sum += cells[1];\n");
    }
    text.push_str("    return sum;\n}\n\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_the_length_that_was_asked_for() {
        for lines in [1000, 10_000] {
            let written = program(lines).lines().count();
            assert!(written.abs_diff(lines) < lines / 10, "{written}");
        }
    }
}
