! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@93", "LOAD@97"], "FURTHER_PAIRS": [["MPI_Put@95", "LOAD@97"]], "NPROCS": 2, "DESCRIPTION": "a multigrid in one dimension: ghosts are read before the fence after the puts"}
! A multigrid in one dimension: levels as a type with windows, ghosts by puts between fences, recursive cycles.
module levels
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: level, build, tear_down, cycle_down, residual_norm
  integer, parameter, public :: dp = kind(1d0)

  type :: level
    integer :: n = 0
    real(dp) :: h = 0
    real(dp), pointer :: u(:) => null()
    real(dp), allocatable :: f(:), r(:)
    type(MPI_Win) :: win
    type(level), pointer :: coarse => null()
  end type

  integer :: me, np, left, right

contains

  recursive subroutine build(l, n, h)
    type(level), intent(inout) :: l
    integer, intent(in) :: n
    real(dp), intent(in) :: h
    type(c_ptr) :: base
    integer(MPI_ADDRESS_KIND) :: bytes
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    call MPI_Comm_size(MPI_COMM_WORLD, np)
    left = merge(me - 1, MPI_PROC_NULL, me > 0)
    right = merge(me + 1, MPI_PROC_NULL, me < np - 1)
    l%n = n
    l%h = h
    bytes = 8_MPI_ADDRESS_KIND * (n + 2)
    call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, l%win)
    call c_f_pointer(base, l%u, [n + 2])
    l%u = 0
    allocate (l%f(n), source=0._dp)
    allocate (l%r(n), source=0._dp)
    call MPI_Win_fence(0, l%win)
    if (n > 2) then
      allocate (l%coarse)
      call build(l%coarse, n / 2, 2 * h)
    end if
  end subroutine

  recursive subroutine tear_down(l)
    type(level), intent(inout) :: l
    if (associated(l%coarse)) then
      call tear_down(l%coarse)
      deallocate (l%coarse)
    end if
    nullify (l%u)
    deallocate (l%f, l%r)
    call MPI_Win_free(l%win)
  end subroutine

  ! Both ends go to the ghosts of the neighbours: element 1 and n + 2 there.
  subroutine exchange(l)
    type(level), intent(inout) :: l
    integer(MPI_ADDRESS_KIND) :: place
    call MPI_Win_fence(0, l%win)
    place = l%n + 1
    call MPI_Put(l%u(2), 1, MPI_DOUBLE_PRECISION, left, place, 1, MPI_DOUBLE_PRECISION, l%win)
    place = 0
    call MPI_Put(l%u(l%n + 1), 1, MPI_DOUBLE_PRECISION, right, place, 1, MPI_DOUBLE_PRECISION, l%win)
    call MPI_Win_fence(0, l%win)
  end subroutine

  ! Red points first, then black ones.
  subroutine smooth(l, sweeps)
    type(level), intent(inout) :: l
    integer, intent(in) :: sweeps
    integer :: sweep, color, i
    do sweep = 1, sweeps
      do color = 0, 1
        call exchange(l)
        do i = 1 + color, l%n, 2
          l%u(i + 1) = 0.5_dp * (l%u(i) + l%u(i + 2) + l%h**2 * l%f(i))
        end do
      end do
    end do
  end subroutine

  subroutine residual(l)
    type(level), intent(inout) :: l
    integer :: i
    integer(MPI_ADDRESS_KIND) :: place
    call MPI_Win_fence(0, l%win)
    place = l%n + 1
    call MPI_Put(l%u(2), 1, MPI_DOUBLE_PRECISION, left, place, 1, MPI_DOUBLE_PRECISION, l%win)
    place = 0
    call MPI_Put(l%u(l%n + 1), 1, MPI_DOUBLE_PRECISION, right, place, 1, MPI_DOUBLE_PRECISION, l%win)
    do i = 1, l%n
      l%r(i) = l%f(i) + (l%u(i) - 2 * l%u(i + 1) + l%u(i + 2)) / l%h**2
    end do
    call MPI_Win_fence(0, l%win)
  end subroutine

  recursive subroutine cycle_down(l)
    type(level), intent(inout) :: l
    integer :: i
    call smooth(l, 2)
    if (associated(l%coarse)) then
      call residual(l)
      associate (c => l%coarse)
        do i = 1, c%n
          c%f(i) = 0.5_dp * (l%r(2 * i - 1) + l%r(2 * i))
        end do
        c%u = 0
        call cycle_down(c)
        do i = 1, c%n
          l%u(2 * i) = l%u(2 * i) + c%u(i + 1)
          l%u(2 * i + 1) = l%u(2 * i + 1) + c%u(i + 1)
        end do
      end associate
    end if
    call smooth(l, 2)
  end subroutine

  real(dp) function residual_norm(l)
    type(level), intent(inout) :: l
    real(dp) :: own
    call residual(l)
    own = sum(l%r**2)
    call MPI_Allreduce(own, residual_norm, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    residual_norm = sqrt(residual_norm)
  end function
end module

program multigrid
  use mpi_f08
  use levels
  implicit none
  type(level) :: finest
  real(dp) :: before, after
  integer :: rank, size, i
  integer, parameter :: own = 8
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call build(finest, own, 1._dp / (own * size + 1))
  finest%f = [(sin(real(rank * own + i, dp)), i = 1, own)]
  before = residual_norm(finest)
  do i = 1, 3
    call cycle_down(finest)
  end do
  after = residual_norm(finest)
  if (rank == 0) print '(a, l2)', 'smaller:', after < before
  call tear_down(finest)
  call MPI_Finalize()
end program
