!mod$ v1 sum:acee0c6a738b93dc
module state
integer(4),asynchronous,save::levels(0_8:31_8)
contains
subroutine raise(first,last)
integer(4),intent(in)::first
integer(4),intent(in)::last
end
end
