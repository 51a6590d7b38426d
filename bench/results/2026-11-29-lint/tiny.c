#include <mpi.h>
int main(int argc,char**argv){ MPI_Init(&argc,&argv); MPI_Win w; int *p; MPI_Win_allocate(4,4,MPI_INFO_NULL,MPI_COMM_WORLD,&p,&w); MPI_Win_fence(0,w); int r; MPI_Comm_rank(MPI_COMM_WORLD,&r); int v=1; if(r==0) MPI_Put(&v,1,MPI_INT,1,0,1,MPI_INT,w); MPI_Win_fence(0,w); MPI_Win_free(&w); MPI_Finalize(); return 0;}
