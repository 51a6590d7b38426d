! Each image works on what the one before it has put, and is told by an event. Planted: it does not wait for it.
program pipeline
    use iso_fortran_env
    implicit none
    integer, parameter :: n = 16, rounds = 4
    type(event_type) :: arrived[*], taken[*]
    integer :: buffer(n)[*], mine(n), round, me

    me = this_image()
    mine = 0
    sync all
    do round = 1, rounds
        if (me > 1) then
#ifndef PLANTED
            event wait (arrived)
#endif
            mine = buffer + 1
            event post (taken[me - 1])
        else
            mine = round
        end if
        if (me < num_images()) then
            if (round > 1) event wait (taken)
            buffer(:)[me + 1] = mine
            event post (arrived[me + 1])
        end if
    end do
    sync all
    if (me == num_images()) print '(a,i4)', 'last', mine(1)
    sync all
end program pipeline
