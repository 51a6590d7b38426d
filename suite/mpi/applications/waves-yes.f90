! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@72", "LOAD@90"], "FURTHER_PAIRS": [["MPI_Put@68", "LOAD@90"], ["MPI_Put@72", "LOAD@87"], ["MPI_Put@68", "LOAD@87"]], "NPROCS": 2, "DESCRIPTION": "waves in a Fortran type: a column is put into ghosts without waiting for the neighbour"}
module grid_mod
  use mpi_f08
  implicit none
  private
  public :: field_t, new_field, free_field, exchange, advance, energy
  integer, parameter :: dp = kind(1d0)
  type :: field_t
    integer :: nx, ny, left, right, me, np
    type(MPI_Comm) :: comm
    type(MPI_Win) :: win
    real(dp), pointer :: u(:, :) => null()
    real(dp), allocatable :: old(:, :)
    type(MPI_Group) :: around
  end type
contains
  subroutine new_field(f, nx, ny, comm)
    use, intrinsic :: iso_c_binding
    type(field_t), intent(out) :: f
    integer, intent(in) :: nx, ny
    type(MPI_Comm), intent(in) :: comm
    type(c_ptr) :: base
    type(MPI_Group) :: all
    integer :: members(2), n
    integer(MPI_ADDRESS_KIND) :: bytes
    f%comm = comm
    f%nx = nx
    f%ny = ny
    call MPI_Comm_rank(comm, f%me)
    call MPI_Comm_size(comm, f%np)
    f%left = f%me - 1
    f%right = f%me + 1
    bytes = int(nx * (ny + 2) * 8, MPI_ADDRESS_KIND)
    call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, comm, base, f%win)
    call c_f_pointer(base, f%u, [nx, ny + 2])
    allocate (f%old(nx, ny + 2))
    f%u = 0
    f%old = 0
    n = 0
    if (f%left >= 0) then
      n = n + 1
      members(n) = f%left
    end if
    if (f%right < f%np) then
      n = n + 1
      members(n) = f%right
    end if
    call MPI_Comm_group(comm, all)
    call MPI_Group_incl(all, n, members(1:n), f%around)
    call MPI_Group_free(all)
    call MPI_Barrier(comm)
  end subroutine

  subroutine free_field(f)
    type(field_t), intent(inout) :: f
    call MPI_Group_free(f%around)
    call MPI_Win_free(f%win)
    deallocate (f%old)
  end subroutine

  subroutine exchange(f)
    type(field_t), intent(inout) :: f
    integer(MPI_ADDRESS_KIND) :: disp
    call MPI_Win_post(f%around, 0, f%win)
    call MPI_Win_start(f%around, 0, f%win)
    if (f%left >= 0) then
      disp = int(f%nx, MPI_ADDRESS_KIND) * (f%ny + 1)
      call MPI_Put(f%u(:, 2), f%nx, MPI_DOUBLE_PRECISION, f%left, disp, f%nx, MPI_DOUBLE_PRECISION, f%win)
    end if
    if (f%right < f%np) then
      disp = 0
      call MPI_Put(f%u(:, f%ny + 1), f%nx, MPI_DOUBLE_PRECISION, f%right, disp, f%nx, MPI_DOUBLE_PRECISION, f%win)
    end if
    call MPI_Win_complete(f%win)
  end subroutine

  subroutine advance(f, c)
    type(field_t), intent(inout) :: f
    real(dp), intent(in) :: c
    real(dp), allocatable :: next(:, :)
    integer :: i, j
    allocate (next, mold=f%old)
    next = 0
    do j = 2, f%ny + 1
      do i = 2, f%nx - 1
        next(i, j) = 2 * f%u(i, j) - f%old(i, j) + c * (f%u(i - 1, j) + f%u(i + 1, j) &
             + f%u(i, j - 1) + f%u(i, j + 1) - 4 * f%u(i, j))
      end do
    end do
    f%old = f%u
    f%u(:, 2:f%ny + 1) = next(:, 2:f%ny + 1)
    call MPI_Win_wait(f%win)
  end subroutine

  function energy(f) result(total)
    type(field_t), intent(in) :: f
    real(dp) :: total, part
    part = sum(f%u(:, 2:f%ny + 1)**2)
    call MPI_Allreduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, f%comm)
  end function
end module

program waves
  use mpi_f08
  use grid_mod
  implicit none
  type(field_t) :: f
  integer :: step, steps, length, ierr
  character(len=32) :: text
  double precision :: e
  call MPI_Init()
  steps = 8
  call get_command_argument(1, text, length, ierr)
  if (ierr == 0 .and. length > 0) read (text, *) steps
  call new_field(f, 12, 10, MPI_COMM_WORLD)
  if (f%me == 0) f%u(6, 6) = 1
  do step = 1, steps
    call exchange(f)
    call advance(f, 0.2d0)
  end do
  e = energy(f)
  if (f%me == 0) print '(a, es12.4)', 'energy ', e
  call free_field(f)
  call MPI_Finalize()
end program
