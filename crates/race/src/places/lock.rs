//! The lock that the threads of a program may take, as its own functions tell.

use farside_findings::Frame;

/// What a function of OpenMP's parallel code is called by a compiler: clang, gcc, flang.
const OUTLINED: [&str; 4] = ["omp_outlined", "._omp_fn.", "omp_task_entry", "..omp_par"];

/// Whether a function is one that a compiler makes of code which the threads of a team run, or of a task.
#[must_use]
pub fn runs_in_parallel(frame: &Frame) -> bool {
    let name = frame.function.as_deref().unwrap_or_default();
    OUTLINED.iter().any(|part| name.contains(part))
}

/// Whether a function is one that clang makes of a task; gcc has one name for tasks and regions.
#[must_use]
pub fn is_task(frame: &Frame) -> bool {
    let name = frame.function.as_deref().unwrap_or_default();
    name.contains("omp_task_entry")
}

/// Whether a file is one of Fortran, by its name.
pub(super) fn is_fortran(file: &str) -> bool {
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    ending.starts_with('f')
}

/// How a lock is written around a part of each of these stacks, innermost frames first.
pub(super) fn lock(stacks: &[Vec<Frame>]) -> &'static str {
    let has_openmp = |stack: &Vec<Frame>| stack.iter().any(runs_in_parallel);
    let files = stacks.iter().flatten().filter_map(|frame| frame.place.as_ref());
    match stacks.iter().any(has_openmp) {
        true if files.into_iter().any(|place| is_fortran(&place.file)) => "!$omp critical",
        true => "#pragma omp critical",
        false => "mutex",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::Place;

    fn stack(file: &str, functions: &[&str]) -> Vec<Frame> {
        let frame = |function: &&str| Frame {
            function: Some((*function).to_owned()),
            place: Some(Place {
                file: file.to_owned(),
                line: 1,
                column: None,
            }),
            ..Frame::default()
        };
        functions.iter().map(frame).collect()
    }

    #[test]
    fn who_runs_threads_gives_the_lock() {
        let main = stack("a.c", &["main"]);
        let task = stack("a.c", &[".omp_task_entry.", "main.omp_outlined", "main"]);
        assert_eq!(lock(&[main.clone(), task]), "#pragma omp critical");
        assert_eq!(
            lock(&[main.clone(), stack("a.c", &["main._omp_fn.0", "main"])]),
            "#pragma omp critical"
        );
        assert_eq!(
            lock(&[stack("a.f90", &["_QQmain..omp_par", "_QQmain"])]),
            "!$omp critical"
        );
        assert_eq!(lock(&[main, stack("a.c", &["work"])]), "mutex");
    }
}
