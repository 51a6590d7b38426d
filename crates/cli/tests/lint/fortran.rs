//! What flang keeps in its runtime: formats, derived types, arrays made of others.
//!
//! As in `cxx`: each program works out a number, and races if it is not the one that the test names.

use super::{expect, folder, fortran_program, lint_in, said};

/// The number that statements give to `n` is known, and is `wanted`; `module` stands before the program.
#[track_caller]
fn expect_number(module: &str, declarations: &str, statements: &str, wanted: i64) {
    for (number, status) in [(wanted, 0), (wanted + 1, 1)] {
        let uses = if module.is_empty() {
            ""
        } else {
            "program p\n use parts\n"
        };
        let statements = format!("{statements}\n calm = n == {number}");
        let mut program = fortran_program(&format!(" integer :: n\n{declarations}"), &statements);
        if !uses.is_empty() {
            program = module.to_owned() + &program.replacen("program p\n", uses, 1);
        }
        let folder = folder(&[("main.f90", &program)]);
        let output = lint_in(folder.path(), &["--paths", "1", "-n", "2", "main.f90"]);
        expect(&output, status, &[]);
        assert!(!said(&output).contains("unknown-call"), "{}", said(&output));
    }
}

#[test]
fn formats_read_and_write_texts_of_the_program() {
    let declarations = " integer :: a, b\n character(8) :: name\n character(40) :: line, form\n real(8) :: x\n logical :: yes\n";
    let statements = " line = 'shot  S  12  -3  1250 T'
 read (line, '(a6, a1, 2i4, 1x, f5.2, l2)') name, form, a, b, x, yes
 n = 10000 * a + 100 * b + nint(10 * x) + merge(1, 0, yes .and. name == 'shot' .and. form == 'S')";
    expect_number("", declarations, statements, 119_826);
    let written = " write (form, '(a, i0, a)') '(', 3, 'i3)'
 write (line, '(i3.2, i3, i3)') 1, 20, 45
 read (line, form) a, b, n
 n = 100 * n + 10 * b + a";
    expect_number("", declarations, written, 4_701);
}

const PARTS: &str = "module parts
 implicit none
 type, abstract :: part
   integer :: weight = 3
   integer, allocatable :: held(:)
 contains
   procedure(counts), deferred :: count
 end type
 abstract interface
   integer function counts(self)
     import :: part
     class(part), intent(in) :: self
   end function
 end interface
 type, extends(part) :: small
   integer :: more = 7
 contains
   procedure :: count => count_small
 end type
 type, extends(part) :: large
 contains
   procedure :: count => count_large
 end type
 type :: counted
   integer :: number = 0
 contains
   final :: ends
 end type
 integer :: ended = 0
contains
 integer function count_small(self)
   class(small), intent(in) :: self
   count_small = self%weight + self%more
 end function
 integer function count_large(self)
   class(large), intent(in) :: self
   count_large = sum(self%held)
 end function
 subroutine ends(self)
   type(counted), intent(inout) :: self
   ended = ended + self%number
 end subroutine
 subroutine use_one(number)
   integer, intent(in) :: number
   type(counted) :: one
   one%number = number
 end subroutine
 subroutine make(made, is_large)
   class(part), allocatable, intent(out) :: made
   logical, intent(in) :: is_large
   if (is_large) then
     allocate (large :: made)
   else
     allocate (small :: made)
   end if
   allocate (made%held(4), source=5)
 end subroutine
end module
";

#[test]
fn objects_have_the_type_that_they_were_allocated_with() {
    let declarations = " class(part), allocatable :: one, other\n";
    let statements =
        " call make(one, .false.)\n call make(other, .true.)\n n = 100 * one%count() + other%count()
 deallocate (one)\n call make(one, .true.)\n n = 100 * n + one%count()";
    expect_number(PARTS, declarations, statements, 102_020);
    let ends = " ended = 0\n call use_one(4)\n call use_one(5)\n n = ended";
    expect_number(PARTS, "", ends, 9);
}

#[test]
fn arrays_are_made_of_others() {
    let declarations = " integer, allocatable :: a(:), b(:), c(:, :)\n integer :: i\n";
    let statements = " allocate (a(0))\n do i = 1, 4\n a = [a, i * i]\n end do
 b = pack(a, mod(a, 2) == 0)\n c = transpose(reshape([a, b], [2, 3]))
 call move_alloc(a, b)\n n = 1000 * c(3, 1) + 100 * c(1, 2) + 10 * size(b) + merge(1, 0, allocated(a))";
    expect_number("", declarations, statements, 4_440);
}

/// A statement reads each element three times, as it goes along: a race, and no loop that waits for a value.
#[test]
fn loads_of_one_statement_do_not_poll() {
    let program = "program p
 use mpi_f08
 implicit none
 integer :: rank, i
 type(MPI_Win) :: win
 real(8), asynchronous :: a(0:9), b(0:9)
 call MPI_Init()
 call MPI_Comm_rank(MPI_COMM_WORLD, rank)
 call MPI_Win_create(a, 80_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win)
 call MPI_Win_fence(0, win)
 if (rank == 1) call MPI_Put(b, 10, MPI_DOUBLE_PRECISION, 0, 0_MPI_ADDRESS_KIND, 10, MPI_DOUBLE_PRECISION, win)
 call MPI_Barrier(MPI_COMM_WORLD)
 if (rank == 0) then
  do i = 1, 8
   b(i) = a(i - 1) + a(i) + a(i + 1)
  end do
 end if
 call MPI_Win_fence(0, win)
 call MPI_Win_free(win)
 call MPI_Finalize()
end program
";
    let folder = folder(&[("main.f90", program)]);
    let output = lint_in(folder.path(), &["-n", "2", "main.f90"]);
    expect(&output, 1, &["remote-race", "main.f90:11", "main.f90:15"]);
    assert!(!said(&output).contains("polling"), "{}", said(&output));
}
