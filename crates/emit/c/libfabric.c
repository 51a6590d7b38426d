/* libfabric. put and get are fi_write and fi_read, rga and cas the fetching atomics, all with delivery complete;
   flush waits for the completions of a target. The provider is the one that FARSIDE_OFI_PROVIDER names
   (tcp;ofi_rxm). */
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

enum { MOST_PENDING = 256, MOST_NAME = 256 };

struct card {
    uint64_t key, base;
    size_t length;
    char name[MOST_NAME];
};

/* Providers keep the first part until the operation is complete. */
struct operation {
    struct fi_context2 context;
    int target;
    struct operation *next;
};

static struct fi_info *info;
static struct fid_fabric *fabric;
static struct fid_domain *domain;
static struct fid_av *addresses;
static struct fid_cq *completions;
static struct fid_ep *endpoint;
static struct fid_mr *registration;
static struct operation operations[MOST_PENDING], *unused;
static struct card cards[MOST_RANKS];
static fi_addr_t address[MOST_RANKS];
static int pending[MOST_RANKS];

static void check(long result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "%s: %s\n", what, fi_strerror((int)-result));
        target_abort();
    }
}

/* Takes completions, and moves what others do here. */
static inline void relax(void)
{
    struct fi_cq_entry entries[8];
    ssize_t number = fi_cq_read(completions, entries, 8);
    if (number == -FI_EAGAIN)
        return;
    if (number == -FI_EAVAIL) {
        struct fi_cq_err_entry error = {0};
        check(fi_cq_readerr(completions, &error, 0), "fi_cq_readerr");
        check(-(long)error.err, "an operation");
    }
    check(number, "fi_cq_read");
    for (ssize_t i = 0; i < number; i++) {
        struct operation *done = entries[i].op_context;
        pending[done->target]--;
        done->next = unused;
        unused = done;
    }
}

static struct operation *begin(int target)
{
    while (unused == NULL)
        relax();
    struct operation *new = unused;
    unused = new->next;
    new->target = target;
    pending[target]++;
    return new;
}

/* Calls again what the provider cannot take yet. */
#define POST(call, what)                                                                                               \
    do {                                                                                                               \
        ssize_t result;                                                                                                \
        while ((result = (call)) == -FI_EAGAIN)                                                                        \
            relax();                                                                                                   \
        check(result, what);                                                                                           \
    } while (0)

static inline uint64_t at(int owner, const void *word)
{
    return cards[owner].base + (uint64_t)((const char *)word - (const char *)&shared);
}

static void write_words(int owner, const int64_t *from, const void *to, int count)
{
    struct operation *new = begin(owner);
    POST(fi_write(endpoint, from, sizeof(int64_t) * count, fi_mr_desc(registration), address[owner], at(owner, to),
                  cards[owner].key, new),
         "fi_write");
}

static inline void put(int target, int owner, int from)
{
    write_words(owner, place(from), place(target), 1);
}

static inline void get(int into, int target, int owner)
{
    struct operation *new = begin(owner);
    POST(fi_read(endpoint, place(into), sizeof(int64_t), fi_mr_desc(registration), address[owner],
                 at(owner, place(target)), cards[owner].key, new),
         "fi_read");
}

static inline void rga(int into, int target, int owner, int operand)
{
    struct operation *new = begin(owner);
    void *description = fi_mr_desc(registration);
    POST(fi_fetch_atomic(endpoint, place(operand), 1, description, place(into), description, address[owner],
                         at(owner, place(target)), cards[owner].key, FI_INT64, FI_SUM, new),
         "fi_fetch_atomic");
}

static inline void cas(int into, int target, int owner, int compare, int swap)
{
    struct operation *new = begin(owner);
    void *description = fi_mr_desc(registration);
    POST(fi_compare_atomic(endpoint, place(swap), 1, description, place(compare), description, place(into),
                           description, address[owner], at(owner, place(target)), cards[owner].key, FI_INT64,
                           FI_CSWAP, new),
         "fi_compare_atomic");
}

static inline void flush(int owner)
{
    while (pending[owner] > 0) {
        relax();
        /* The other rank, which must move it, may need the processor. */
        sched_yield();
    }
}

/* All operations of this rank, at both sides. */
static void complete(void)
{
    for (int owner = 0; owner < all_ranks; owner++)
        flush(owner);
}

static void open_endpoint(void)
{
    const char *provider = getenv("FARSIDE_OFI_PROVIDER");
    struct fi_info *hints = fi_allocinfo();
    if (hints == NULL)
        check(-FI_ENOMEM, "fi_allocinfo");
    hints->caps = FI_RMA | FI_ATOMIC;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
    hints->fabric_attr->prov_name = strdup(provider != NULL ? provider : "tcp;ofi_rxm");
    check(fi_getinfo(FI_VERSION(1, 9), NULL, NULL, 0, hints, &info), "fi_getinfo");
    fi_freeinfo(hints);
    struct fi_av_attr table = {.type = FI_AV_TABLE};
    struct fi_cq_attr queue = {.format = FI_CQ_FORMAT_CONTEXT, .size = 2 * MOST_PENDING};
    check(fi_fabric(info->fabric_attr, &fabric, NULL), "fi_fabric");
    check(fi_domain(fabric, info, &domain, NULL), "fi_domain");
    check(fi_av_open(domain, &table, &addresses, NULL), "fi_av_open");
    check(fi_cq_open(domain, &queue, &completions, NULL), "fi_cq_open");
    check(fi_endpoint(domain, info, &endpoint, NULL), "fi_endpoint");
    check(fi_ep_bind(endpoint, &addresses->fid, 0), "fi_ep_bind");
    check(fi_ep_bind(endpoint, &completions->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
    check(fi_enable(endpoint), "fi_enable");
    check(fi_mr_reg(domain, &shared, sizeof shared, FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE, 0, 1, 0,
                    &registration, NULL),
          "fi_mr_reg");
}

static void meet(const char *folder)
{
    struct card *own = &cards[own_rank];
    own->length = sizeof own->name;
    check(fi_getname(&endpoint->fid, own->name, &own->length), "fi_getname");
    own->key = fi_mr_key(registration);
    own->base = info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)&shared : 0;
    show_card(folder, own, sizeof *own);
    for (int rank = 0; rank < all_ranks; rank++) {
        see_card(folder, rank, &cards[rank], sizeof cards[rank]);
        if (fi_av_insert(addresses, cards[rank].name, 1, &address[rank], 0, NULL) != 1)
            check(-FI_EINVAL, "fi_av_insert");
    }
}

static void target_start(int *argc, char ***argv, int *rank, int *ranks)
{
    const char *folder = meeting(rank, ranks);
    (void)argc;
    (void)argv;
    for (int i = 0; i < MOST_PENDING; i++) {
        operations[i].next = unused;
        unused = &operations[i];
    }
    open_endpoint();
    meet(folder);
}

static void barrier(void);

static void target_end(void)
{
    barrier();
    fi_close(&endpoint->fid);
    fi_close(&registration->fid);
    fi_close(&completions->fid);
    fi_close(&addresses->fid);
    fi_close(&domain->fid);
    fi_close(&fabric->fid);
    fi_freeinfo(info);
}
