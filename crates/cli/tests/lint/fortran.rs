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
fn loops_of_openmp() {
    let statements = " n = 0
 !$omp parallel do reduction(+:n)
 do i = 1, 10
   n = n + i
 end do
 !$omp end parallel do
 calm = n == 55";
    let program = fortran_program(" integer :: n, i\n", statements);
    for (program, status) in [(program.clone(), 0), (program.replace("== 55", "== 54"), 1)] {
        let folder = folder(&[("main.f90", &program)]);
        let output = lint_in(folder.path(), &["-n", "2", "main.f90", "--", "-fopenmp"]);
        expect(&output, status, &[]);
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

#[test]
fn masks_and_dimensions_say_what_is_reduced() {
    let declarations = " integer :: a(6, 6), b(6), i\n integer(2) :: short(3)\n logical :: few(6)\n";
    let statements = " a = reshape([(i, i = 1, 36)], [6, 6])
 n = sum(a, mask=a > 30)\n b = sum(a, dim=1)\n n = 100 * n + b(2)\n b = maxval(a, dim=2, mask=a < 20)
 n = 100 * n + b(3)\n b = count(a > 20, dim=1)\n n = 10 * n + b(4)\n few = any(a == 14, dim=1)
 short = [7, 3, 5]\n n = n + count(few) + iall(b) + iparity(b) + sum(short) + minval(short, mask=short > 3)";
    // 201, 57, 15, 4; 1, 0, 4, 15, 5.
    expect_number("", declarations, statements, 20_157 * 1000 + 15 * 10 + 4 + 25);
    let declarations = " real(8) :: x(4)\n complex :: z(2), w\n integer :: i\n";
    let statements = " x = [(0.5d0 * i, i = 1, 4)]\n z = [(1.0, 2.0), (3.0, -1.0)]
 w = sum(z) + dot_product(z, z)\n n = nint(100 * sum(x, mask=x > 1)) + nint(1000 * norm2(x(1:1)))
 n = 1000 * n + nint(10 * real(w)) + nint(product(x) * 2)";
    // 350 and 500; 4 + 15, and 1.5 doubled.
    expect_number("", declarations, statements, 850_193);
}

#[test]
fn products_and_places_are_those_of_the_elements() {
    let declarations = " integer :: m(2, 3), v(3), w(2), l(2), i\n real :: r(2, 2), s(2)\n";
    let statements = " m = reshape([(i, i = 1, 6)], [2, 3])\n v = [4, 9, 9]
 w = matmul(m, v)\n n = 1000 * w(1) + w(2)
 w = matmul(transpose(m(:, 1:2)), w)\n n = n + w(1) + sum(matmul(m, transpose(m)))
 r = reshape([1.0, 0.5, 2.0, 4.0], [2, 2])\n s = matmul(r, [2, 1])
 n = n + nint(10 * s(2)) + dot_product(v, [1, 2, 3])";
    // 76, 98; 76 + 2 * 98 + (35 + 44 + 44 + 56) + 50 + 49.
    expect_number("", declarations, statements, 76_098 + 272 + 179 + 50 + 49);
    let statements = " v = [4, 9, 9]\n m = reshape([3, 8, 8, 1, 2, 8], [2, 3])\n l = maxloc(m)
 n = 10 * l(1) + l(2)\n l = maxloc(m, back=.true.)\n n = 100 * n + 10 * l(1) + l(2)\n l = minloc(m, dim=2)
 n = 100 * n + 10 * l(1) + l(2)\n v = findloc(m, 8, dim=1)\n n = 1000 * n + 100 * v(1) + 10 * v(2) + v(3)
 n = 10 * n + maxloc(v, 1, mask=v < 2)";
    expect_number("", declarations, statements, 2_123_322_122);
}

#[test]
fn elements_are_shifted_spread_and_filled_in() {
    let declarations = " integer :: v(4), m(2, 3), a(3, 4), i\n";
    let statements = " v = [1, 2, 3, 4]\n v = cshift(v, 1)\n n = v(1) * 10 + v(4)
 v = eoshift(v, -2, boundary=7)\n n = 100 * n + v(2) * 10 + v(3)
 m = reshape([(i, i = 1, 4)], [2, 3], pad=[8, 9], order=[2, 1])\n m = cshift(m, [1, 2], dim=2)
 n = 100 * n + 10 * m(1, 3) + m(2, 1)\n a = spread(v, 1, 3)\n n = 10 * n + a(2, 4)
 v = unpack([5, 6], [.true., .false., .false., .true.], v)\n n = 10 * n + v(4) + sum(pack(v, v > 6, [1, 1, 1]))";
    // 2 3 4 1; 7 7 2 3; rows 1 2 3 and 4 8 9, then 2 3 1 and 9 4 8; 3; 5 7 2 6 and 7 1 1.
    expect_number("", declarations, statements, 21_721_930 + 6 + 9);
}

#[test]
fn what_is_written_of_real_numbers_is_exact_or_not_known() {
    let declarations = " character(20) :: s\n";
    let statements = " write (s, '(f6.2)') 2.5\n n = 10 * index(s, '2.50')
 write (s, '(es12.4)') 1250.0d0\n n = n + index(s, '1.2500E+03')";
    expect_number("", declarations, statements, 33);
    // List-directed output differs between compilers.
    let statements = format!("{statements}\n write (s, *) 5, 2.5\n n = len_trim(s)\n calm = n > 3");
    let program = fortran_program(&format!(" integer :: n\n{declarations}"), &statements);
    let folder = folder(&[("main.f90", &program)]);
    let output = lint_in(folder.path(), &["--paths", "1", "-n", "2", "main.f90"]);
    assert!(!said(&output).contains("error["), "{}", said(&output));
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

/// Handles of `mpi_f08` are compared by functions of its module (MPI-4.1 §19.1.3): a process that is in no
/// communicator leaves, and the others race.
#[test]
fn handles_are_compared() {
    let program = "program p
 use mpi_f08
 implicit none
 integer :: rank, x(4)
 type(MPI_Comm) :: part
 type(MPI_Win) :: win
 call MPI_Init()
 call MPI_Comm_rank(MPI_COMM_WORLD, rank)
 call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 0, rank == 0), rank, part)
 if (part /= MPI_COMM_NULL) then
  call MPI_Win_create(x, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, part, win)
  call MPI_Win_fence(0, win)
  if (win == MPI_WIN_NULL) stop 1
  call MPI_Put(rank, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
 end if
 call MPI_Finalize()
end program
";
    let folder = folder(&[("main.f90", program)]);
    let output = lint_in(folder.path(), &["-n", "3", "main.f90"]);
    expect(&output, 1, &["remote-race", "main.f90:14"]);
    assert!(!said(&output).contains("not seen"), "{}", said(&output));
}

/// Fortran gets the values of attributes, where C gets pointers to them (MPI-4.1 §19.3.7).
#[test]
fn attributes_have_values() {
    for module in ["mpi", "mpi_f08"] {
        let window = match module {
            "mpi" => "integer",
            _ => "type(MPI_Win)",
        };
        let program = format!(
            "program p
 use {module}
 implicit none
 integer :: rank, x(6), key, error
 {window} :: win
 integer(MPI_ADDRESS_KIND) :: bytes, base, tag, mine
 logical :: there(4)
 call MPI_Init(error)
 call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
 call MPI_Win_create(x, 24_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
 call MPI_Win_get_attr(win, MPI_WIN_SIZE, bytes, there(1), error)
 call MPI_Win_get_attr(win, MPI_WIN_BASE, base, there(2), error)
 call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, tag, there(3), error)
 call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, error)
 call MPI_Win_set_attr(win, key, 5_MPI_ADDRESS_KIND, error)
 call MPI_Win_get_attr(win, key, mine, there(4), error)
 if (.not. all(there) .or. tag < 32767 .or. mine /= 5 .or. base == 0) error stop
 call MPI_Win_fence(0, win, error)
 call MPI_Put(rank, 1, MPI_INTEGER, 0, bytes - 20, 1, MPI_INTEGER, win, error)
 call MPI_Win_fence(0, win, error)
 call MPI_Win_free(win, error)
 call MPI_Finalize(error)
end program
"
        );
        let folder = folder(&[("main.f90", &program)]);
        let output = lint_in(folder.path(), &["-n", "2", "main.f90"]);
        expect(&output, 1, &["remote-race", "main.f90:19", "bytes: 16..20"]);
        assert!(!said(&output).contains("not seen"), "{}", said(&output));
    }
}

#[test]
fn what_the_system_gives_is_nothing_but_values() {
    let declarations =
        " integer :: values(8), status, k\n integer, allocatable :: seed(:)\n character(10) :: time\n";
    let statements = " n = 5
 call date_and_time(time=time, values=values)
 call random_seed(size=k)
 allocate(seed(k))
 seed = 1
 call random_seed(put=seed)
 call random_seed(get=seed)
 call execute_command_line('true', exitstat=status)";
    expect_number("", declarations, statements, 5);
}

#[test]
fn temporaries_of_forall_and_of_chosen_elements() {
    let declarations = " integer :: i\n integer, target :: x(4)\n type held\n  integer, pointer :: u(:)
  integer, allocatable :: g(:, :)\n  integer, pointer :: h(:, :)\n end type\n type(held) :: s\n";
    let statements = " s%u => x
 forall (i = 1:4) s%u(i) = 10 * i
 forall (i = 2:4) s%u(i) = s%u(i - 1) + 1
 allocate(s%g(4, 4), s%h(2, 4))
 s%h = reshape([1, 2, 3, 4, 5, 6, 7, 8], [2, 4])
 s%g([1, 3], :) = s%h
 n = 1000 * s%g(3, 4) + 100 * s%g(1, 2) + x(4)";
    expect_number("", declarations, statements, 8_331);
}

#[test]
fn pointers_and_what_they_are_associated_with() {
    let declarations =
        " integer :: i\n integer, target :: a(8) = [(i, i = 1, 8)]\n integer, pointer :: p(:), q(:, :)\n";
    let statements = " p => a(2:8:2)
 n = merge(1, 0, associated(p, a(2:8:2))) + merge(2, 0, associated(p, a(1:7:2)))
 q(0:1, 1:2) => p
 n = 100 * n + 10 * q(1, 2) + q(0, 1)
 p(3:) => a
 n = 10 * n + p(10) - lbound(p, 1)";
    expect_number("", declarations, statements, 1_825);
}

const SHAPES: &str = "module parts
 implicit none
 type :: shape
   integer :: weight = 3
 end type
 type, extends(shape) :: box
   integer :: more = 7
 end type
 type, extends(box) :: crate
 end type
contains
 integer function number(self)
   class(shape), intent(in) :: self
   number = 1
   select type (self)
   class is (box)
     number = 10 + self%more
   end select
 end function
end module
";

#[test]
fn dynamic_types_are_told_from_each_other() {
    let declarations = " class(shape), allocatable :: one, other\n";
    let statements = " allocate(shape :: one)
 n = number(one)
 other = one
 one = crate(box = box(weight = 1, more = 8))
 n = 100 * n + number(one)
 if (extends_type_of(one, other)) n = n + 1000
 if (same_type_as(one, other)) n = n + 10000";
    expect_number(SHAPES, declarations, statements, 1_118);
}

#[test]
fn pairs_of_fortran_keep_the_place_of_the_least() {
    let declarations = " integer :: own(2), least(2)\n";
    let statements = " own = 4
 call MPI_Comm_rank(MPI_COMM_WORLD, own(2))
 call MPI_Allreduce(own, least, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD)
 n = 10 * least(1) + least(2)";
    expect_number("", declarations, statements, 40);
}

#[test]
fn names_that_only_fortran_has_are_declared() {
    let declarations =
        " type(MPI_File) :: file\n integer :: graph_sources(1) = 0, size\n type(MPI_Comm) :: graph\n";
    let statements = " n = 2
 if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(buffer)
 call MPI_Sizeof(buffer, size)
 n = n + size
 call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, graph_sources, MPI_UNWEIGHTED, 1, graph_sources, &
   MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph)
 call MPI_File_open(MPI_COMM_WORLD, 'x', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file)
 call MPI_File_write_at_all(file, 0_MPI_OFFSET_KIND, n, 1, MPI_INTEGER, MPI_STATUS_IGNORE)
 call MPI_File_close(file)";
    expect_number("", declarations, statements, 6);
}

#[test]
fn texts_that_mpi_gives_are_filled_with_blanks() {
    let declarations = " type(MPI_Info) :: info\n character(6) :: value\n logical :: flag\n";
    let statements = " n = 0
 value = '123456'
 call MPI_Info_create(info)
 call MPI_Info_set(info, 'k', 'ab')
 call MPI_Info_get(info, 'none', 6, value, flag)
 if (.not. flag .and. value == '123456') n = 1
 call MPI_Info_get(info, 'k', 6, value, flag)
 if (flag .and. value == 'ab') n = n + 2
 call MPI_Info_free(info)";
    expect_number("", declarations, statements, 3);
}

#[test]
fn options_of_gfortran_are_taken() {
    let folder = folder(&[("main.f90", &fortran_program("", ""))]);
    let options = [
        "main.f90",
        "--paths",
        "1",
        "-n",
        "2",
        "--",
        "-ffree-line-length-none",
        "-fallow-argument-mismatch",
        "-std=legacy",
        "-fcheck=all",
        "-fbacktrace",
        "-J",
        "mods",
        "-fcray-pointer",
        "-fmax-errors=5",
        "-fno-range-check",
        "-cpp",
        "-fimplicit-none",
        "-ffree-form",
    ];
    expect(&lint_in(folder.path(), &options), 0, &[]);
}
