! A rod in pieces, an image a piece; ends go to the neighbours by assignment to their coarrays.
! Planted: without the synchronisation before the step, ends are read that neighbours still write.
program heat
    implicit none
    integer, parameter :: n = 32, steps = 4
    real(8) :: rod(0:n + 1)[*], next(n), total[*]
    integer :: me, left, right, step, i

    me = this_image()
    left = merge(num_images(), me - 1, me == 1)
    right = merge(1, me + 1, me == num_images())
    rod = me
    sync all
    do step = 1, steps
        rod(n + 1)[left] = rod(1)
        rod(0)[right] = rod(n)
#ifndef PLANTED
        sync all
#endif
        do i = 1, n
            next(i) = (rod(i - 1) + 2 * rod(i) + rod(i + 1)) / 4
        end do
        rod(1:n) = next
        sync all
    end do

    total = sum(rod(1:n))
    sync all
    if (me == 1) then
        do i = 2, num_images()
            total = total + total[i]
        end do
        print '(a,f10.3)', 'heat', total
    end if
    sync all
end program heat
