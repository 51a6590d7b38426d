! Results of all ranks. Counts are accumulated in a window of rank 0. Fluxes lie in a shared window of the node, a
! segment a rank, that the first rank of the node reads when all have written.
module tallies
  use mpi
  use, intrinsic :: iso_c_binding
  use problem
  use histories
  implicit none
  private

  type, public :: tallies_t
     integer :: comm = MPI_COMM_NULL, node = MPI_COMM_NULL
     integer :: rank = 0, node_rank = 0, node_ranks = 1
     integer :: counts_window = MPI_WIN_NULL, flux_window = MPI_WIN_NULL
     integer :: cells = 0
     integer(long), pointer :: counts(:) => null() ! on rank 0
     integer(long), pointer :: flux(:) => null()   ! of this rank
  end type tallies_t

  public :: make_tallies, free_tallies, deliver_counts, collect_counts, collect_flux

contains

  subroutine make_tallies(t, p, comm, node)
    type(tallies_t), intent(inout) :: t
    type(problem_t), intent(in) :: p
    integer, intent(in) :: comm, node
    integer(MPI_ADDRESS_KIND) :: bytes
    type(c_ptr) :: base
    integer :: ierr
    t%comm = comm
    t%node = node
    t%cells = p%cells
    call MPI_Comm_rank(comm, t%rank, ierr)
    call MPI_Comm_rank(node, t%node_rank, ierr)
    call MPI_Comm_size(node, t%node_ranks, ierr)
    bytes = 8 * tally_words
    call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, comm, base, t%counts_window, ierr)
    call MPI_Win_set_name(t%counts_window, 'counts', ierr)
    call c_f_pointer(base, t%counts, [tally_words])
    t%counts = 0
    bytes = int(p%cells, MPI_ADDRESS_KIND) * 8
    call MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, node, base, t%flux_window, ierr)
    if (ierr /= MPI_SUCCESS) call die('no shared memory for the flux')
    call MPI_Win_set_name(t%flux_window, 'flux', ierr)
    call c_f_pointer(base, t%flux, [p%cells])
    t%flux = 0
    call MPI_Win_lock_all(0, t%flux_window, ierr)
    call MPI_Barrier(comm, ierr)
  end subroutine make_tallies

  subroutine free_tallies(t)
    type(tallies_t), intent(inout) :: t
    integer :: ierr
    nullify (t%counts, t%flux)
    call MPI_Win_unlock_all(t%flux_window, ierr)
    call MPI_Win_free(t%flux_window, ierr)
    call MPI_Win_free(t%counts_window, ierr)
  end subroutine free_tallies

  ! Adds the counts of a chunk to those of rank 0.
  subroutine deliver_counts(t, mine)
    type(tallies_t), intent(inout) :: t
    integer(long), intent(in) :: mine(:)
    integer(MPI_ADDRESS_KIND) :: place
    integer :: ierr
    place = 0
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, t%counts_window, ierr)
    call MPI_Accumulate(mine, tally_words, MPI_INTEGER8, 0, place, tally_words, MPI_INTEGER8, MPI_SUM, &
         t%counts_window, ierr)
    call MPI_Win_unlock(0, t%counts_window, ierr)
  end subroutine deliver_counts

  ! Collective; the sums are on rank 0.
  subroutine collect_counts(t, sums)
    type(tallies_t), intent(inout) :: t
    integer(long), intent(out) :: sums(:)
    integer :: ierr
    sums = 0
    call MPI_Barrier(t%comm, ierr)
    if (t%rank == 0) then
       call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, t%counts_window, ierr)
       sums = t%counts
       call MPI_Win_unlock(0, t%counts_window, ierr)
    end if
  end subroutine collect_counts

  ! Collective; the sums are on rank 0 of the communicator.
  subroutine collect_flux(t, sums)
    type(tallies_t), intent(inout) :: t
    integer(long), intent(out) :: sums(:)
    integer(long), allocatable :: node_sums(:)
    integer(long), pointer :: other(:)
    integer(MPI_ADDRESS_KIND) :: bytes
    type(c_ptr) :: base
    integer :: r, unit, ierr
    allocate (node_sums(t%cells))
    node_sums = 0
    call MPI_Win_sync(t%flux_window, ierr)
    call MPI_Barrier(t%node, ierr)
    call MPI_Win_sync(t%flux_window, ierr)
    if (t%node_rank == 0) then
       do r = 0, t%node_ranks - 1
          call MPI_Win_shared_query(t%flux_window, r, bytes, unit, base, ierr)
          call c_f_pointer(base, other, [t%cells])
          node_sums = node_sums + other
       end do
    end if
    call MPI_Reduce(node_sums, sums, t%cells, MPI_INTEGER8, MPI_SUM, 0, t%comm, ierr)
    deallocate (node_sums)
  end subroutine collect_flux

end module tallies
