! shield: Monte Carlo transport of particles through a slab of layers.
!
! Check: every history was computed once and ended; counts and fluxes equal, as integers, those of a serial run on
! rank 0; without scattering, a beam is transmitted as the exponential of its way.
program shield
  use mpi
  use problem
  use tables
  use histories
  use work
  use tallies
  implicit none

  type(problem_t) :: p
  type(tables_t) :: t
  type(work_t) :: w
  type(tallies_t) :: results
  integer :: rank, ranks, verdict, ierr
  integer(long) :: counts(tally_words), first, last, i, chunk_counts(tally_words), untouched
  integer(long), allocatable :: flux(:)
  integer(long) :: shares(2), all_shares(2), verdict_words(1)
  logical :: ok, good
  real(dp) :: began, seconds

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call standard_problem(p)
  verdict = 0
  if (rank == 0) then
     call read_arguments(p, verdict)
     if (verdict == 0) then
        call check_problem(p, ranks, ok)
        if (.not. ok) verdict = 2
     end if
  end if
  verdict_words(1) = verdict
  call MPI_Bcast(verdict_words, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierr)
  verdict = int(verdict_words(1))
  if (verdict /= 0) then
     call MPI_Finalize(ierr)
     if (verdict == 1) stop
     stop 2
  end if
  call share_problem(p, MPI_COMM_WORLD)
  if (rank == 0) write (*, '(a, i0, a, i0, a, i0, a, i0, a, f0.3, a)') 'shield on ', ranks, ' ranks: ', p%histories, &
       ' histories, ', p%groups, ' groups, ', p%layers, ' layers, ', p%edge(p%layers), ' thick'

  call make_tables(t, p, MPI_COMM_WORLD)
  call make_work(w, p, MPI_COMM_WORLD)
  call make_tallies(results, p, MPI_COMM_WORLD, t%node)
  began = MPI_Wtime()
  do
     call take(w, first, last)
     if (first == last) exit
     chunk_counts = 0
     do i = first, last - 1
        call run_history(p, t, i, chunk_counts, results%flux)
     end do
     call deliver_counts(results, chunk_counts)
  end do
  allocate (flux(p%cells))
  flux = 0
  call collect_counts(results, counts)
  call collect_flux(results, flux)
  seconds = MPI_Wtime() - began
  untouched = counters_sum(w)
  shares = [w%own, w%stolen]
  all_shares = 0
  call MPI_Reduce(shares, all_shares, 2, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)

  good = .true.
  if (rank == 0) then
     call print_results()
     good = untouched == 0 .and. sum(all_shares) == p%histories .and. counts(tally_histories) == p%histories
     good = good .and. counts(tally_absorbed) + counts(tally_reflected) + counts(tally_transmitted) == p%histories
     if (p%verify) then
        if (.not. same_as_serial()) good = .false.
     end if
     if (p%beam .and. pure_absorber()) then
        if (.not. as_exponential()) good = .false.
     end if
     write (*, '(a, i0, a, i0, a, i0, 4a)') 'check: ', counts(tally_histories), ' histories, ', all_shares(2), &
          ' stolen, ', untouched, ' not taken, ', merge('verified serially: ', 'not verified:      ', p%verify), &
          merge('passed', 'FAILED', good)
  end if
  call free_tallies(results)
  call free_work(w)
  call free_tables(t)
  verdict_words(1) = merge(0, 1, good)
  call MPI_Bcast(verdict_words, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  if (verdict_words(1) /= 0) stop 1

contains

  subroutine print_results()
    integer :: c
    real(dp) :: n, share, width
    character(len=11), parameter :: names(3) = ['absorbed   ', 'reflected  ', 'transmitted']
    n = real(p%histories, dp)
    do c = 1, 3
       share = counts(c) / n
       write (*, '(a, f9.6, a, f9.6)') '  '//names(c)//' ', share, ' +- ', sqrt(share * (1.0_dp - share) / n)
    end do
    write (*, '(a, f9.4, a, f8.4, a)') '  collisions  ', counts(tally_collisions) / n, ' a history, ', seconds, ' s'
    if (p%verbose) then
       width = p%edge(p%layers) / p%cells
       do c = 1, p%cells
          write (*, '(a, f9.4, es14.6)') '  flux at ', (c - 0.5_dp) * width, flux(c) / grain / n / width
       end do
    end if
  end subroutine print_results

  logical function same_as_serial()
    type(tables_t) :: own
    integer(long) :: own_counts(tally_words), history
    integer(long), allocatable :: own_flux(:)
    call plain_tables(own, p)
    allocate (own_flux(p%cells))
    own_counts = 0
    own_flux = 0
    do history = 0, p%histories - 1
       call run_history(p, own, history, own_counts, own_flux)
    end do
    same_as_serial = all(own_counts == counts) .and. all(own_flux == flux)
    deallocate (own%total, own%chance, own%length)
  end function same_as_serial

  logical function pure_absorber()
    integer :: m
    pure_absorber = .true.
    do m = 1, p%materials
       if (any(p%material(m)%scatter > 0.0_dp)) pure_absorber = .false.
    end do
  end function pure_absorber

  ! Within four standard deviations, and the error of the table.
  logical function as_exponential()
    integer :: layer
    real(dp) :: way, known, share, deviation
    way = 0.0_dp
    do layer = 1, p%layers
       way = way + (p%edge(layer) - p%edge(layer - 1)) * p%material(p%filling(layer))%absorption(1)
    end do
    known = exp(-way)
    share = real(counts(tally_transmitted), dp) / p%histories
    deviation = sqrt(known * (1.0_dp - known) / p%histories)
    write (*, '(a, f9.6, a, f9.6)') '  a beam is transmitted with ', known, ', found ', share
    as_exponential = abs(share - known) < 4.0_dp * deviation + 1.0_dp / p%lookup**2
  end function as_exponential

end program shield
