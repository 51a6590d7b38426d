! Who computes what. Each rank has a range of histories and a counter in its window. It takes chunks from its own range
! with fetch and add; when that is done, from the ranges of others.
module work
  use mpi
  use, intrinsic :: iso_c_binding
  use problem
  implicit none
  private

  type, public :: work_t
     integer :: comm = MPI_COMM_NULL
     integer :: rank = 0, ranks = 1
     integer :: window = MPI_WIN_NULL
     integer(long) :: histories = 0
     integer :: chunk = 1
     logical :: static = .false.
     integer :: victim = 0           ! whose range is taken from
     integer :: visited = 0          ! ranges found empty
     integer(long) :: own = 0, stolen = 0
     integer(long), pointer :: counter(:) => null()
  end type work_t

  public :: make_work, free_work, take, counters_sum

contains

  integer(long) function first_of(w, r)
    type(work_t), intent(in) :: w
    integer, intent(in) :: r
    first_of = w%histories * r / w%ranks
  end function first_of

  subroutine make_work(w, p, comm)
    type(work_t), intent(inout) :: w
    type(problem_t), intent(in) :: p
    integer, intent(in) :: comm
    integer(MPI_ADDRESS_KIND) :: bytes
    type(c_ptr) :: base
    integer :: ierr
    w%comm = comm
    call MPI_Comm_rank(comm, w%rank, ierr)
    call MPI_Comm_size(comm, w%ranks, ierr)
    w%histories = p%histories
    w%chunk = p%chunk
    w%static = p%static
    w%victim = w%rank
    bytes = 64 ! a cache line
    call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, comm, base, w%window, ierr)
    if (ierr /= MPI_SUCCESS) call die('no window for the counters')
    call MPI_Win_set_name(w%window, 'counters', ierr)
    call c_f_pointer(base, w%counter, [8])
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, w%rank, 0, w%window, ierr)
    w%counter = 0
    w%counter(1) = first_of(w, w%rank)
    call MPI_Win_unlock(w%rank, w%window, ierr)
    call MPI_Barrier(comm, ierr)
    call MPI_Win_lock_all(0, w%window, ierr)
  end subroutine make_work

  subroutine free_work(w)
    type(work_t), intent(inout) :: w
    integer :: ierr
    call MPI_Win_unlock_all(w%window, ierr)
    nullify (w%counter)
    call MPI_Win_free(w%window, ierr)
  end subroutine free_work

  ! The next histories [first, last), or none if first == last.
  subroutine take(w, first, last)
    type(work_t), intent(inout) :: w
    integer(long), intent(out) :: first, last
    integer(long) :: step, limit, before
    integer(MPI_ADDRESS_KIND) :: place
    integer :: ierr
    place = 0
    do while (w%visited < w%ranks)
       step = w%chunk
       limit = first_of(w, w%victim + 1)
       call MPI_Fetch_and_op(step, before, MPI_INTEGER8, w%victim, place, MPI_SUM, w%window, ierr)
       call MPI_Win_flush(w%victim, w%window, ierr)
       if (before < limit) then
          first = before
          last = min(before + step, limit)
          if (w%victim == w%rank) then
             w%own = w%own + last - first
          else
             w%stolen = w%stolen + last - first
          end if
          return
       end if
       w%visited = w%visited + 1
       if (w%static) exit
       w%victim = mod(w%victim + 1, w%ranks)
    end do
    first = 0
    last = 0
  end subroutine take

  ! By how much counters went beyond their ranges: what rank 0 reads after all are done. Collective.
  integer(long) function counters_sum(w)
    type(work_t), intent(inout) :: w
    integer(long), allocatable, asynchronous :: seen(:)
    integer(MPI_ADDRESS_KIND) :: place
    integer :: r, ierr
    counters_sum = 0
    place = 0
    call MPI_Barrier(w%comm, ierr)
    if (w%rank == 0) then
       allocate (seen(0:w%ranks - 1))
       do r = 0, w%ranks - 1
          call MPI_Get(seen(r), 1, MPI_INTEGER8, r, place, 1, MPI_INTEGER8, w%window, ierr)
       end do
       call MPI_Win_flush_all(w%window, ierr)
       do r = 0, w%ranks - 1
          counters_sum = counters_sum + max(0_long, first_of(w, r + 1) - seen(r))
       end do
       deallocate (seen)
    end if
  end function counters_sum

end module work
