! Tables of cross sections, once for each node: a shared window that its first rank fills and all read with loads.
!
! The table of a material and group is cumulative: total cross section, then the probability of each outcome up to it
! (absorption, scattering to group 1, 2, ...), and inverse flight lengths at equally spaced chances.
module tables
  use mpi
  use, intrinsic :: iso_c_binding
  use problem
  implicit none
  private

  type, public :: tables_t
     integer :: node = MPI_COMM_NULL
     integer :: node_rank = 0, node_ranks = 1
     integer :: window = MPI_WIN_NULL
     integer :: outcomes = 0
     integer :: points = 0
     real(dp), pointer :: total(:, :) => null()         ! group, material
     real(dp), pointer :: chance(:, :, :) => null()     ! outcome, group, material
     real(dp), pointer :: length(:) => null()           ! -log of the points
  end type tables_t

  public :: make_tables, free_tables, plain_tables

contains

  subroutine fill(t, p)
    type(tables_t), intent(inout) :: t
    type(problem_t), intent(in) :: p
    integer :: m, g, h
    real(dp) :: sigma, sum_so_far
    do m = 1, p%materials
       do g = 1, p%groups
          sigma = p%material(m)%absorption(g) + sum(p%material(m)%scatter(g, 1:p%groups))
          t%total(g, m) = sigma
          sum_so_far = p%material(m)%absorption(g) / sigma
          t%chance(1, g, m) = sum_so_far
          do h = 1, p%groups
             sum_so_far = sum_so_far + p%material(m)%scatter(g, h) / sigma
             t%chance(1 + h, g, m) = sum_so_far
          end do
       end do
    end do
    do m = 1, t%points
       t%length(m) = -log((m - 0.5_dp) / t%points)
    end do
  end subroutine fill

  subroutine place(t, p, base)
    type(tables_t), intent(inout) :: t
    type(problem_t), intent(in) :: p
    type(c_ptr), intent(in) :: base
    real(dp), pointer :: flat(:)
    integer :: first, second, all
    first = p%groups * p%materials
    second = first + t%outcomes * p%groups * p%materials
    all = second + t%points
    call c_f_pointer(base, flat, [all])
    t%total(1:p%groups, 1:p%materials) => flat(1:first)
    t%chance(1:t%outcomes, 1:p%groups, 1:p%materials) => flat(first + 1:second)
    t%length(1:t%points) => flat(second + 1:all)
  end subroutine place

  integer function words(t, p)
    type(tables_t), intent(in) :: t
    type(problem_t), intent(in) :: p
    words = p%groups * p%materials * (1 + t%outcomes) + t%points
  end function words

  subroutine make_tables(t, p, comm)
    type(tables_t), intent(inout) :: t
    type(problem_t), intent(in) :: p
    integer, intent(in) :: comm
    integer(MPI_ADDRESS_KIND) :: bytes, size_there
    integer :: unit_there, ierr
    type(c_ptr) :: base
    call MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, t%node, ierr)
    call MPI_Comm_rank(t%node, t%node_rank, ierr)
    call MPI_Comm_size(t%node, t%node_ranks, ierr)
    t%outcomes = p%groups + 1
    t%points = p%lookup
    bytes = 0
    if (t%node_rank == 0) bytes = int(words(t, p), MPI_ADDRESS_KIND) * 8
    call MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, t%node, base, t%window, ierr)
    if (ierr /= MPI_SUCCESS) call die('no shared memory for the tables')
    call MPI_Win_set_name(t%window, 'cross sections', ierr)
    if (t%node_rank /= 0) call MPI_Win_shared_query(t%window, 0, size_there, unit_there, base, ierr)
    call place(t, p, base)
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, t%window, ierr)
    if (t%node_rank == 0) call fill(t, p)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, t%window, ierr)
  end subroutine make_tables

  subroutine free_tables(t)
    type(tables_t), intent(inout) :: t
    integer :: ierr
    nullify (t%total, t%chance, t%length)
    call MPI_Win_free(t%window, ierr)
    call MPI_Comm_free(t%node, ierr)
  end subroutine free_tables

  ! The same tables in memory of this process alone.
  subroutine plain_tables(t, p)
    type(tables_t), intent(inout) :: t
    type(problem_t), intent(in) :: p
    t%outcomes = p%groups + 1
    t%points = p%lookup
    allocate (t%total(p%groups, p%materials), t%chance(t%outcomes, p%groups, p%materials), t%length(t%points))
    call fill(t, p)
  end subroutine plain_tables

end module tables
