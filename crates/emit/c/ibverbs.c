/* ibverbs, over reliable connections. put and get are RDMA write and read, rga and cas the atomics, whose operands
   the processor reads when it issues them, for the request carries them; flush waits for the completions of a
   target, and for those of a read after them, which shows that writes are in its memory. The device is the first
   one; FARSIDE_GID names the place of its address in its table (1, which is RoCE 2 with an IPv4 address). */
#include <infiniband/verbs.h>

enum { PORT = 1, MOST_PENDING = 256 };

struct card {
    uint32_t key, queue_pair[MOST_RANKS];
    uint64_t base;
    union ibv_gid address;
};

static struct ibv_context *device;
static struct ibv_pd *domain;
static struct ibv_mr *registration;
static struct ibv_cq *completions;
static struct ibv_qp *queue_pair[MOST_RANKS];
static struct card cards[MOST_RANKS];
static int pending[MOST_RANKS], written[MOST_RANKS];

static void check(int good, const char *what)
{
    if (!good) {
        perror(what);
        target_abort();
    }
}

/* Takes completions; the work's number is its target. */
static inline void relax(void)
{
    struct ibv_wc done[8];
    int number = ibv_poll_cq(completions, 8, done);
    check(number >= 0, "ibv_poll_cq");
    for (int i = 0; i < number; i++) {
        if (done[i].status != IBV_WC_SUCCESS) {
            fprintf(stderr, "an operation: %s\n", ibv_wc_status_str(done[i].status));
            target_abort();
        }
        pending[done[i].wr_id]--;
    }
}

static struct ibv_sge words(const void *at, int count)
{
    return (struct ibv_sge){
        .addr = (uintptr_t)at, .length = sizeof(int64_t) * count, .lkey = registration->lkey};
}

static uint64_t at(int owner, const void *word)
{
    return cards[owner].base + (uint64_t)((const char *)word - (const char *)&shared);
}

static void issue(struct ibv_send_wr *work, int owner)
{
    struct ibv_send_wr *bad;
    while (pending[owner] == MOST_PENDING)
        relax();
    work->wr_id = owner;
    work->num_sge = 1;
    work->send_flags = IBV_SEND_SIGNALED;
    pending[owner]++;
    check(ibv_post_send(queue_pair[owner], work, &bad) == 0, "ibv_post_send");
}

static void transfer(enum ibv_wr_opcode opcode, int owner, const void *here, const void *there, int count)
{
    struct ibv_sge list = words(here, count);
    struct ibv_send_wr work = {.opcode = opcode, .sg_list = &list};
    work.wr.rdma.remote_addr = at(owner, there);
    work.wr.rdma.rkey = cards[owner].key;
    issue(&work, owner);
}

static void write_words(int owner, const int64_t *from, const void *to, int count)
{
    transfer(IBV_WR_RDMA_WRITE, owner, from, to, count);
    written[owner] = 1;
}

static inline void put(int target, int owner, int from)
{
    write_words(owner, place(from), place(target), 1);
}

static inline void get(int into, int target, int owner)
{
    transfer(IBV_WR_RDMA_READ, owner, place(into), place(target), 1);
}

static void atomic(enum ibv_wr_opcode opcode, int into, int target, int owner, int64_t first, int64_t second)
{
    struct ibv_sge list = words(place(into), 1);
    struct ibv_send_wr work = {.opcode = opcode, .sg_list = &list};
    work.wr.atomic.remote_addr = at(owner, place(target));
    work.wr.atomic.rkey = cards[owner].key;
    work.wr.atomic.compare_add = (uint64_t)first;
    work.wr.atomic.swap = (uint64_t)second;
    issue(&work, owner);
}

static inline int64_t operand(int variable)
{
    return __atomic_load_n(place(variable), __ATOMIC_SEQ_CST);
}

static inline void rga(int into, int target, int owner, int added)
{
    atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, into, target, owner, operand(added), 0);
}

static inline void cas(int into, int target, int owner, int compare, int swap)
{
    int64_t expected = operand(compare);
    atomic(IBV_WR_ATOMIC_CMP_AND_SWP, into, target, owner, expected, operand(swap));
}

static void finish(int owner)
{
    while (pending[owner] > 0)
        relax();
}

static inline void flush(int owner)
{
    finish(owner);
    if (written[owner]) {
        written[owner] = 0;
        transfer(IBV_WR_RDMA_READ, owner, &shared.scratch[MOST_SEEN - 1], &shared.released, 1);
        finish(owner);
    }
}

/* All operations of this rank, at both sides. */
static void complete(void)
{
    for (int owner = 0; owner < all_ranks; owner++)
        flush(owner);
}

static int gid(void)
{
    const char *named = getenv("FARSIDE_GID");
    return named != NULL ? atoi(named) : 1;
}

static void open_device(struct card *own)
{
    struct ibv_device **devices = ibv_get_device_list(NULL);
    check(devices != NULL && devices[0] != NULL, "ibv_get_device_list: no RDMA device");
    check((device = ibv_open_device(devices[0])) != NULL, "ibv_open_device");
    ibv_free_device_list(devices);
    int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
    check((domain = ibv_alloc_pd(device)) != NULL, "ibv_alloc_pd");
    check((registration = ibv_reg_mr(domain, &shared, sizeof shared, access)) != NULL, "ibv_reg_mr");
    check((completions = ibv_create_cq(device, 2 * MOST_PENDING, NULL, NULL, 0)) != NULL, "ibv_create_cq");
    check(ibv_query_gid(device, PORT, gid(), &own->address) == 0, "ibv_query_gid");
    for (int rank = 0; rank < all_ranks; rank++) {
        struct ibv_qp_init_attr wanted = {.send_cq = completions, .recv_cq = completions, .qp_type = IBV_QPT_RC};
        wanted.cap = (struct ibv_qp_cap){
            .max_send_wr = MOST_PENDING + 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1};
        struct ibv_qp_attr ready = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = (unsigned)access};
        check((queue_pair[rank] = ibv_create_qp(domain, &wanted)) != NULL, "ibv_create_qp");
        check(ibv_modify_qp(queue_pair[rank], &ready,
                            IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0,
              "ibv_modify_qp to INIT");
        own->queue_pair[rank] = queue_pair[rank]->qp_num;
    }
    own->key = registration->rkey;
    own->base = (uintptr_t)&shared;
}

static void connect_to(int rank)
{
    struct ibv_qp_attr receive = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = cards[rank].queue_pair[own_rank],
        .max_dest_rd_atomic = 4,
        .min_rnr_timer = 12,
        .ah_attr = {.is_global = 1,
                    .port_num = PORT,
                    .grh = {.dgid = cards[rank].address, .sgid_index = (uint8_t)gid(), .hop_limit = 64}}};
    struct ibv_qp_attr send = {
        .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 4};
    check(ibv_modify_qp(queue_pair[rank], &receive,
                        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                            IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0,
          "ibv_modify_qp to RTR");
    check(ibv_modify_qp(queue_pair[rank], &send,
                        IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                            IBV_QP_MAX_QP_RD_ATOMIC) == 0,
          "ibv_modify_qp to RTS");
}

static void target_start(int *argc, char ***argv, int *rank, int *ranks)
{
    const char *folder = meeting(rank, ranks);
    (void)argc;
    (void)argv;
    open_device(&cards[own_rank]);
    show_card(folder, &cards[own_rank], sizeof cards[own_rank]);
    for (int other = 0; other < all_ranks; other++) {
        see_card(folder, other, &cards[other], sizeof cards[other]);
        connect_to(other);
    }
    /* Nobody writes to a rank that cannot receive yet: what comes too early is sent again. */
}

static void barrier(void);

static void target_end(void)
{
    barrier();
    for (int rank = 0; rank < all_ranks; rank++)
        ibv_destroy_qp(queue_pair[rank]);
    ibv_destroy_cq(completions);
    ibv_dereg_mr(registration);
    ibv_dealloc_pd(domain);
    ibv_close_device(device);
}
