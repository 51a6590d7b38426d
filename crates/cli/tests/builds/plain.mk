CC = mpicc
main: main.o libhalo.a
	$(CC) $(CFLAGS) -o $@ main.o libhalo.a
libhalo.a: halo.o
	ar rcs $@ $^
%.o: %.c
	$(CC) $(CFLAGS) -c -o $@ $<
clean:
	rm -f *.o *.a main
