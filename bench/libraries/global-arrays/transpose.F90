! The transpose of a global matrix, block by block. Integers have 8 bytes, as the library was built.
! Planted: blocks are got from a matrix that is still being filled.
program transpose
    implicit none
#include "mafdecls.fh"
#include "global.fh"
    integer, parameter :: n = 12
    integer :: ierr, me, a, b, ilo, ihi, jlo, jhi, i, j
    logical :: ok
    double precision :: block(n, n), turned(n, n)

    call mpi_init(ierr)
    call ga_initialize()
    ok = ma_init(mt_dbl, 100000, 100000)
    me = ga_nodeid()
    ok = ga_create(mt_dbl, n, n, 'a', n, 1, a) .and. ga_create(mt_dbl, n, n, 'b', n, 1, b)
    call ga_distribution(a, me, ilo, ihi, jlo, jhi)
    do j = jlo, jhi
        do i = ilo, ihi
            block(i - ilo + 1, j - jlo + 1) = n * i + j
        end do
    end do
    call ga_put(a, ilo, ihi, jlo, jhi, block, n)
#ifndef PLANTED
    call ga_sync()
#endif
    ! Its rows become our columns.
    call ga_get(a, jlo, jhi, ilo, ihi, block, n)
    do j = jlo, jhi
        do i = ilo, ihi
            turned(i - ilo + 1, j - jlo + 1) = block(j - jlo + 1, i - ilo + 1)
        end do
    end do
    call ga_put(b, ilo, ihi, jlo, jhi, turned, n)
    call ga_sync()
    if (me == 0) then
        call ga_get(b, 2, 2, 1, 1, turned, n)
        print '(a,f8.1)', 'b(2,1) =', turned(1, 1)
    end if
    call ga_sync()
    ok = ga_destroy(b) .and. ga_destroy(a)
    call ga_terminate()
    call mpi_finalize(ierr)
end program transpose
