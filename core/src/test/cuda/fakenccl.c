/*
 * A libnccl that needs no GPU, for the tests of the binding, beside fakecuda.c: device memory is
 * host memory. Ranks live in one process. As in a non-blocking communicator of the library, a call
 * is in progress until all ranks have made it; then its result is computed. It is stricter than
 * the library about its arguments, so that a wrong signature or structure is seen.
 */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WITH_NCCL_H
#include <nccl.h>
#else
typedef struct ncclComm *ncclComm_t;
typedef struct {
  char internal[128];
} ncclUniqueId;
typedef void *cudaStream_t;
typedef int ncclResult_t;
typedef int ncclDataType_t;
typedef int ncclRedOp_t;
typedef struct {
  size_t size;
  unsigned int magic;
  unsigned int version;
  int blocking;
} ncclConfig_t;
enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
};
#endif

#define MOST_RANKS 8
#define MOST_IDS 64
#define MOST_PARTS 256

enum { ALL_REDUCE = 1, ALL_GATHER, REDUCE_SCATTER, BROADCAST, ALL_TO_ALL, SEND, RECV };

typedef struct {
  int what;
  const void *from;
  void *to;
  size_t count;
  int type;
  int other; /* the reduction, the root or the peer */
  int done;
} Part;

struct ncclComm {
  struct World *world;
  int rank;
  int state;
  Part parts[MOST_PARTS];
  int count;
  int gone;
  int graphs;               /* operations that graphs hold */
  struct Captured *pending; /* captured by a call that is still in progress */
  int polls;                /* so many questions until it is over */
  cudaStream_t held;        /* on which an operation goes on until the communicator is gone */
};

/* What graphs do in each launch, as the library's own kernels would: a group of calls. */
struct Captured {
  struct ncclComm *comm;
  cudaStream_t stream;
  Part parts[MOST_PARTS];
  int count;
};

struct World {
  int number;
  int ranks;
  int joined;
  struct ncclComm comms[MOST_RANKS];
  struct World *split; /* the last one split off, whose calls are on the stream when they return */
  int windows;         /* whether it is for calls in windows */
  int blocking;
  int connected; /* by a first group, in which the ranks wait for each other */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled = PTHREAD_COND_INITIALIZER;
static struct World worlds[MOST_IDS];
static int ids;
static int live;
static int splits;
static int failing; /* what the next call returns */
static int hanging; /* 1: operations go on until their communicators are gone; 2: so do calls */
static int lost;    /* what every communicator is told from now on */
static int lostJoined, lostSplit; /* the same, but rank 0's alone: by which it has joined, or which it has split off */
static char last[256] = "";
static __thread int depth;
static __thread struct ncclComm *grouped;
static __thread struct Captured *capturing; /* of the group */

/* The fake of the driver, whose captures this one takes part in: the test says where it is. */
static int (*isCaptured)(cudaStream_t);
static int (*captureCall)(cudaStream_t, void (*)(void *), void *);
static int (*hold)(cudaStream_t, int);
static int (*retained)(int);

static void findDriver(void) {
  if (isCaptured == NULL && getenv("FAKE_CUDA") != NULL) {
    void *cuda = dlopen(getenv("FAKE_CUDA"), RTLD_LAZY | RTLD_NOLOAD);
    if (cuda != NULL) {
      captureCall = (int (*)(cudaStream_t, void (*)(void *), void *))dlsym(cuda, "fake_capture_call");
      hold = (int (*)(cudaStream_t, int))dlsym(cuda, "fake_hold");
      retained = (int (*)(int))dlsym(cuda, "fake_retained");
      isCaptured = (int (*)(cudaStream_t))dlsym(cuda, "fake_captured");
    }
  }
}

static int captured(cudaStream_t stream) {
  findDriver();
  return isCaptured != NULL && isCaptured(stream);
}

static ncclResult_t refuse(const char *why) {
  snprintf(last, sizeof last, "%s", why);
  return ncclInvalidArgument;
}

int fake_nccl_live(void) { return live; }
int fake_nccl_splits(void) { return splits; }
void fake_nccl_fail(int result) { failing = result; }

static void release(struct ncclComm *comm) {
  if (comm->held != NULL) {
    hold(comm->held, 0);
    comm->held = NULL;
  }
}

/* Has operations or calls go on from now on, or not; then those that do end, too. */
int fake_nccl_hang(int on) {
  pthread_mutex_lock(&lock);
  hanging = on;
  pthread_cond_broadcast(&settled);
  for (int i = 0; i < ids && !on; i++) {
    for (int r = 0; r < worlds[i].ranks; r++) {
      release(&worlds[i].comms[r]);
      if (worlds[i].split != NULL) {
        release(&worlds[i].split->comms[r]);
      }
    }
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static int lose(int *whose, int result) {
  pthread_mutex_lock(&lock);
  *whose = result;
  snprintf(last, sizeof last, "%s", result ? "the network is down" : "");
  pthread_cond_broadcast(&settled);
  pthread_mutex_unlock(&lock);
  return 0;
}

int fake_nccl_lose_joined(int result) { return lose(&lostJoined, result); }
int fake_nccl_lose_split(int result) { return lose(&lostSplit, result); }

/* What went wrong in a communicator while nobody called. */
static int trouble(ncclComm_t comm) {
  return lost ? lost : comm->rank > 0 ? 0 : comm->world->blocking ? lostSplit : lostJoined;
}

ncclResult_t ncclGetVersion(int *version) {
#ifdef WITH_WINDOWS
  *version = 22809;
#else
  *version = 22705;
#endif
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result) {
  return result == ncclInvalidArgument ? "invalid argument" : result == ncclRemoteError ? "remote error" : "an error";
}

const char *ncclGetLastError(ncclComm_t comm) { return last; }

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  pthread_mutex_lock(&lock);
  int number = ids++;
  pthread_mutex_unlock(&lock);
  /* All bytes count: an id that is passed wrongly does not look like this. */
  for (int i = 0; i < 128; i++) {
    id->internal[i] = (char)(number + 3 * i);
  }
  return number < MOST_IDS ? ncclSuccess : refuse("too many ids");
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t *config) {
  int number = (unsigned char)id.internal[0];
  for (int i = 0; i < 128; i++) {
    if (id.internal[i] != (char)(number + 3 * i)) {
      return refuse("the id is not the one that was drawn");
    }
  }
  if (number >= ids || ranks < 1 || ranks > MOST_RANKS || rank < 0 || rank >= ranks) {
    return refuse("ranks");
  }
  if (config->size < sizeof(ncclConfig_t) || config->magic != 0xcafebeef || config->version < 21400 ||
      config->blocking != 0) {
    return refuse("the configuration");
  }
  pthread_mutex_lock(&lock);
  struct World *world = &worlds[number];
  world->number = number;
  world->ranks = ranks;
  struct ncclComm *made = &world->comms[rank];
  made->world = world;
  made->rank = rank;
  made->state = ncclInProgress;
  world->joined++;
  live++;
  if (world->joined == ranks) {
    for (int i = 0; i < ranks; i++) {
      world->comms[i].state = ncclSuccess;
    }
  }
  *comm = made;
  pthread_mutex_unlock(&lock);
  return ncclInProgress;
}

#ifdef WITH_SPLIT
/* Of 2.18 what the configuration of 2.14 has, and more; of 2.28 still more. */
typedef struct {
  size_t size;
  unsigned int magic;
  unsigned int version;
  int blocking, cgaClusterSize, minCTAs, maxCTAs;
  const char *netName;
  int splitShare;
  int trafficClass;
  const char *commName;
  int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs, nChannelsPerNetPeer, nvlinkCentricSched;
} SplitConfig;

static int isByCopyEngines(const SplitConfig *config) {
#ifdef WITH_WINDOWS
  return config->size == sizeof *config && config->version == 22800 && config->trafficClass == INT_MIN &&
         config->commName == NULL && config->collnetEnable == INT_MIN && config->CTAPolicy == 2 &&
         config->shrinkShare == INT_MIN && config->nvlsCTAs == INT_MIN && config->nChannelsPerNetPeer == INT_MIN &&
         config->nvlinkCentricSched == INT_MIN;
#else
  return config == NULL;
#endif
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *split, SplitConfig *config) {
  if (comm == NULL || comm->gone || comm->state != ncclSuccess || color != 0 || key != comm->rank) {
    return refuse("the communicator, the color or the key of a split");
  }
  int isPlain = config->size == offsetof(SplitConfig, commName) && config->version == 21800;
  if (config->magic != 0xcafebeef || (!isPlain && !isByCopyEngines(config)) || config->blocking != 1 ||
      config->splitShare != 1 || config->cgaClusterSize != INT_MIN || config->minCTAs != INT_MIN ||
      config->maxCTAs != INT_MIN || config->netName != NULL) {
    return refuse("the configuration of a split");
  }
  pthread_mutex_lock(&lock);
  struct World *parent = comm->world;
  if (parent->split == NULL) {
    parent->split = calloc(1, sizeof(struct World));
    parent->split->number = parent->number;
    parent->split->ranks = parent->ranks;
    parent->split->blocking = 1;
    parent->split->windows = !isPlain;
  }
  struct ncclComm *made = &parent->split->comms[comm->rank];
  made->world = parent->split;
  made->rank = comm->rank;
  made->state = ncclSuccess;
  live++;
  splits++;
  comm->state = ncclInProgress;
  if (++parent->split->joined == parent->ranks) {
    for (int i = 0; i < parent->ranks; i++) {
      parent->comms[i].state = ncclSuccess;
    }
    parent->split = NULL;
  }
  *split = made;
  pthread_mutex_unlock(&lock);
  return ncclInProgress;
}
#endif

static size_t bytes(int type) {
  switch (type) {
    case 0: case 1: return 1;
    case 2: case 3: case 7: return 4;
    case 4: case 5: case 8: return 8;
    case 6: case 9: return 2;
    default: return 0;
  }
}

/* Combines one element of type int32 or float32. */
static void add(void *to, const void *from, int type, int op) {
  if (type == 2) {
    int a = *(int *)to, b = *(const int *)from;
    *(int *)to = op == 0 || op == 4 ? (int)((unsigned)a + (unsigned)b) : op == 1 ? (int)((unsigned)a * (unsigned)b)
                 : op == 2 ? (a > b ? a : b) : (a < b ? a : b);
  } else {
    float a = *(float *)to, b = *(const float *)from;
    *(float *)to = op == 0 || op == 4 ? a + b : op == 1 ? a * b : op == 2 ? (a > b ? a : b) : (a < b ? a : b);
  }
}

/* The reduction of all ranks' elements, into new memory. */
static char *combine(struct World *world, int part, size_t count, int type, int op) {
  size_t size = bytes(type);
  char *sum = malloc(count * size + 1);
  memcpy(sum, world->comms[0].parts[part].from, count * size);
  for (int r = 1; r < world->ranks; r++) {
    for (size_t i = 0; i < count; i++) {
      add(sum + i * size, (const char *)world->comms[r].parts[part].from + i * size, type, op);
    }
  }
  for (size_t i = 0; op == 4 && i < count; i++) {
    if (type == 2) {
      ((int *)sum)[i] /= world->ranks;
    } else {
      ((float *)sum)[i] /= world->ranks;
    }
  }
  return sum;
}

static void collective(struct World *world, int part) {
  Part first = world->comms[0].parts[part];
  int ranks = world->ranks;
  size_t size = bytes(first.type);
  if (first.what == ALL_REDUCE || first.what == REDUCE_SCATTER) {
    size_t all = first.what == ALL_REDUCE ? first.count : first.count * ranks;
    char *sum = combine(world, part, all, first.type, first.other);
    for (int r = 0; r < ranks; r++) {
      memcpy(world->comms[r].parts[part].to, sum + (first.what == ALL_REDUCE ? 0 : r * first.count * size),
             first.count * size);
    }
    free(sum);
  } else if (first.what == ALL_GATHER) {
    char *whole = malloc(ranks * first.count * size + 1);
    for (int r = 0; r < ranks; r++) {
      memcpy(whole + r * first.count * size, world->comms[r].parts[part].from, first.count * size);
    }
    for (int r = 0; r < ranks; r++) {
      memcpy(world->comms[r].parts[part].to, whole, ranks * first.count * size);
    }
    free(whole);
  } else if (first.what == ALL_TO_ALL) {
    for (int r = 0; r < ranks; r++) {
      for (int q = 0; q < ranks; q++) {
        memcpy((char *)world->comms[r].parts[part].to + q * first.count * size,
               (const char *)world->comms[q].parts[part].from + r * first.count * size, first.count * size);
      }
    }
  } else {
    for (int r = 0; r < ranks; r++) {
      if (r != first.other) {
        memcpy(world->comms[r].parts[part].to, world->comms[first.other].parts[part].from, first.count * size);
      }
    }
  }
}

/* Completes what all have made. All ranks make the same collectives at the same place of their groups. */
static void settle(struct World *world) {
  for (int r = 0; r < world->ranks; r++) {
    struct ncclComm *comm = &world->comms[r];
    for (int p = 0; p < comm->count; p++) {
      Part *part = &comm->parts[p];
      if (part->what == SEND && !part->done) {
        struct ncclComm *peer = &world->comms[part->other];
        for (int q = 0; q < peer->count; q++) {
          Part *wanted = &peer->parts[q];
          if (wanted->what == RECV && wanted->other == r && !wanted->done) {
            memcpy(wanted->to, part->from, part->count * bytes(part->type));
            wanted->done = part->done = 1;
            break;
          }
        }
      }
    }
  }
  for (int p = 0; p < MOST_PARTS; p++) {
    int all = 1;
    for (int r = 0; r < world->ranks; r++) {
      Part *part = &world->comms[r].parts[p];
      all &= p < world->comms[r].count && part->what < SEND && !part->done;
    }
    if (all) {
      collective(world, p);
      for (int r = 0; r < world->ranks; r++) {
        world->comms[r].parts[p].done = 1;
      }
    }
  }
  for (int r = 0; r < world->ranks; r++) {
    struct ncclComm *comm = &world->comms[r];
    int done = 1;
    for (int p = 0; p < comm->count; p++) {
      done &= comm->parts[p].done;
    }
    if (done && comm->count > 0) {
      comm->count = 0;
      comm->state = ncclSuccess;
    }
  }
}

/* A launch of a graph, in which the calls of all ranks meet. */
static void launch(void *argument) {
  struct Captured *work = argument;
  pthread_mutex_lock(&lock);
  struct ncclComm *comm = work->comm;
  if (!comm->gone && comm->count + work->count <= MOST_PARTS) {
    memcpy(comm->parts + comm->count, work->parts, sizeof(Part) * (size_t)work->count);
    comm->count += work->count;
    comm->state = comm->world->blocking ? ncclSuccess : ncclInProgress;
    settle(comm->world);
  }
  pthread_mutex_unlock(&lock);
}

/* As the library does the first time: a thread of its own makes the calls, later. */
static ncclResult_t capture(struct Captured *work) {
  if (work->comm->world->blocking) {
    work->comm->graphs++;
    return captureCall(work->stream, launch, work) == 0 ? ncclSuccess : ncclUnhandledCudaError;
  }
  pthread_mutex_lock(&lock);
  work->comm->pending = work;
  work->comm->polls = 3;
  pthread_mutex_unlock(&lock);
  return ncclInProgress;
}

ncclResult_t ncclGroupStart(void) {
  depth++;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
  if (depth == 0) {
    return ncclInvalidUsage;
  }
  if (--depth == 0 && capturing != NULL) {
    struct Captured *work = capturing;
    capturing = NULL;
    return capture(work);
  }
  if (depth > 0 || grouped == NULL) {
    return ncclSuccess;
  }
  pthread_mutex_lock(&lock);
  settle(grouped->world);
  pthread_cond_broadcast(&settled);
  while (grouped->world->blocking && !grouped->world->connected && grouped->count > 0 && !grouped->gone) {
    pthread_cond_wait(&settled, &lock);
  }
  grouped->world->connected = 1;
  int state = grouped->state;
  grouped = NULL;
  pthread_mutex_unlock(&lock);
  return state;
}

#ifdef WITH_WINDOWS
#define MOST_WINDOWS 16

/* Memory that ncclMemAlloc has given, and perhaps one rank's part of a window. */
static struct Window {
  char *address;
  size_t bytes;
  struct ncclComm *comm;
  void *context;
} windows[MOST_WINDOWS];

static int registering; /* how many ranks wait for the others */
static int rounds;

int fake_nccl_windows(void) {
  int count = 0;
  for (int i = 0; i < MOST_WINDOWS; i++) {
    count += windows[i].address != NULL;
  }
  return count;
}

static void *ofDriver(const char *name) { return dlsym(dlopen(getenv("FAKE_CUDA"), RTLD_LAZY | RTLD_NOLOAD), name); }

/* As the library does, through CUDA's runtime. */
static int freeIn(void *context, void *address) {
  void *popped = NULL;
  ((int (*)(void *))ofDriver("cuCtxPushCurrent_v2"))(context);
  int result = ((int (*)(unsigned long long))ofDriver("cuMemFree_v2"))((unsigned long long)address);
  ((int (*)(void **))ofDriver("cuCtxPopCurrent_v2"))(&popped);
  return result;
}

ncclResult_t ncclMemAlloc(void **address, size_t bytes) {
  unsigned long long found = 0;
  if (bytes > (size_t)1 << 40 || ((int (*)(unsigned long long *, size_t))ofDriver("cuMemAlloc_v2"))(&found, bytes) != 0) {
    snprintf(last, sizeof last, "out of memory");
    return ncclUnhandledCudaError;
  }
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_WINDOWS; i++) {
    if (windows[i].address == NULL) {
      windows[i] = (struct Window){(char *)found, bytes, NULL, NULL};
      ((int (*)(void **))ofDriver("cuCtxGetCurrent"))(&windows[i].context);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  *address = (void *)found;
  return ncclSuccess;
}

ncclResult_t ncclMemFree(void *address) {
  pthread_mutex_lock(&lock);
  int known = 0;
  void *context = NULL;
  for (int i = 0; i < MOST_WINDOWS; i++) {
    if (windows[i].address == address && (windows[i].comm == NULL || windows[i].comm->gone)) {
      windows[i].address = NULL;
      context = windows[i].context;
      known = 1;
    }
  }
  pthread_mutex_unlock(&lock);
  return known && freeIn(context, address) == 0
             ? ncclSuccess
             : refuse("memory that is registered, or is none of the library's");
}

ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *address, size_t bytes, void **window, int flags) {
  if (comm == NULL || comm->gone || !comm->world->windows || flags != 1) {
    return refuse("the communicator or the flags of a window");
  }
  ncclResult_t result = refuse("memory that ncclMemAlloc has not given");
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_WINDOWS; i++) {
    if (windows[i].address == address && windows[i].bytes == bytes && windows[i].comm == NULL) {
      windows[i].comm = comm;
      *window = &windows[i];
      result = ncclSuccess;
    }
  }
  int round = rounds;
  if (result == ncclSuccess && ++registering == comm->world->ranks) {
    registering = 0;
    rounds++;
    pthread_cond_broadcast(&settled);
  }
  while (result == ncclSuccess && round == rounds && !comm->gone) {
    pthread_cond_wait(&settled, &lock);
  }
  pthread_mutex_unlock(&lock);
  return comm->gone ? ncclRemoteError : result;
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, struct Window *window) {
  if (comm == NULL || comm->gone || window->comm != comm) {
    return refuse("the communicator or the window");
  }
  window->comm = NULL;
  return ncclSuccess;
}

static struct Window *window(const void *address, struct ncclComm *comm) {
  for (int i = 0; i < MOST_WINDOWS; i++) {
    struct Window *each = &windows[i];
    if (each->address != NULL && each->comm == comm && (const char *)address >= each->address &&
        (const char *)address < each->address + each->bytes) {
      return each;
    }
  }
  return NULL;
}

/* Where one rank uses a window, all have to: so it is used as a whole, and by what knows it. */
static int areWindowsRight(const Part *part, struct ncclComm *comm) {
  struct Window *from = window(part->from, comm), *to = window(part->to, comm);
  size_t all = part->count * bytes(part->type) * (size_t)comm->world->ranks;
  if (from == NULL && to == NULL) {
    return 1;
  }
  return comm->world->windows && from != NULL && to != NULL && (const char *)part->to == to->address && all <= to->bytes &&
         ((part->what == ALL_GATHER && from == to) ||
          (part->what == ALL_TO_ALL && from != to && (const char *)part->from == from->address && all <= from->bytes));
}
#endif

static ncclResult_t enqueue(Part part, ncclComm_t comm, cudaStream_t stream) {
  if (failing) {
    int result = failing;
    failing = 0;
    snprintf(last, sizeof last, "as the test has asked");
    return result;
  }
  if (comm == NULL || comm->gone || comm->world == NULL) {
    return refuse("the communicator");
  }
  if (stream == NULL || (part.from == NULL && part.to == NULL) || bytes(part.type) == 0) {
    return refuse("the stream, an address or a type");
  }
  if ((part.what == SEND || part.what == RECV || part.what == BROADCAST) &&
      (part.other < 0 || part.other >= comm->world->ranks)) {
    return refuse("the peer or the root");
  }
#ifdef WITH_WINDOWS
  if (!areWindowsRight(&part, comm)) {
    return refuse("windows: an all-gather or an all-to-all, from one to one, or none");
  }
#endif
  if (captured(stream)) {
    if (comm->pending != NULL) {
      return refuse("a captured call before the last one was over");
    }
    struct Captured *work = capturing;
    if (work == NULL) {
      work = calloc(1, sizeof *work);
      work->comm = comm;
      work->stream = stream;
    }
    if (work->comm != comm || work->stream != stream) {
      return refuse("a group of two communicators or streams");
    }
    work->parts[work->count++] = part;
    capturing = depth > 0 ? work : NULL;
    return depth > 0 ? ncclSuccess : capture(work);
  }
  pthread_mutex_lock(&lock);
  if ((depth == 0 || grouped == NULL) && comm->state == ncclInProgress) {
    pthread_mutex_unlock(&lock);
    return refuse("a call before the last one was over");
  }
  if (comm->count == MOST_PARTS) {
    pthread_mutex_unlock(&lock);
    return refuse("too many calls that the other ranks have not made");
  }
  comm->parts[comm->count++] = part;
  comm->state = comm->world->blocking ? ncclSuccess : ncclInProgress;
  if (hanging && hold(stream, 1) == 0) {
    comm->held = stream;
  }
  while (hanging == 2 && !comm->gone) {
    pthread_cond_wait(&settled, &lock);
  }
  int state = ncclSuccess;
  if (depth > 0) {
    grouped = comm;
  } else {
    settle(comm->world);
    pthread_cond_broadcast(&settled);
    while (comm->world->windows && !comm->world->connected && comm->count > 0 && !comm->gone) {
      pthread_cond_wait(&settled, &lock); /* in the first one, as in the library */
    }
    comm->world->connected |= comm->world->windows;
    state = comm->state;
  }
  pthread_mutex_unlock(&lock);
  return state;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  return enqueue((Part){ALL_REDUCE, from, to, count, type, op, 0}, comm, stream);
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  return enqueue((Part){ALL_GATHER, from, to, count, type, 0, 0}, comm, stream);
}

ncclResult_t ncclReduceScatter(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, cudaStream_t stream) {
  return enqueue((Part){REDUCE_SCATTER, from, to, count, type, op, 0}, comm, stream);
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream) {
  return enqueue((Part){BROADCAST, from, to, count, type, root, 0}, comm, stream);
}

ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return enqueue((Part){SEND, from, NULL, count, type, peer, 0}, comm, stream);
}

ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream) {
  return enqueue((Part){RECV, NULL, to, count, type, peer, 0}, comm, stream);
}

#ifdef WITH_WINDOWS
ncclResult_t ncclAlltoAll(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,
                          cudaStream_t stream) {
  return enqueue((Part){ALL_TO_ALL, from, to, count, type, 0, 0}, comm, stream);
}
#endif

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result) {
  pthread_mutex_lock(&lock);
  if (comm->gone) {
    fprintf(stderr, "a communicator is asked that is gone\n");
    abort();
  }
  struct Captured *work = comm->pending;
  if (work != NULL && --comm->polls == 0) {
    comm->pending = NULL;
    comm->graphs++;
    if (captureCall(work->stream, launch, work) != 0) {
      lost = ncclUnhandledCudaError; /* the capture has ended too early */
    }
    work = NULL;
  }
  int told = trouble(comm);
  *result = told ? told : work != NULL ? ncclInProgress : comm->state;
  pthread_mutex_unlock(&lock);
  return ncclSuccess;
}

/* The library gives back what the ranks of a process have when the last of them goes; rank i is on device i. */
static void requireContexts(struct World *world) {
  findDriver();
  for (int i = 0; i < world->ranks; i++) {
    if (!world->comms[i].gone) return;
  }
  for (int i = 0; i < world->ranks && retained != NULL; i++) {
    if (retained(i) == 0) {
      fprintf(stderr, "rank %d had its context destroyed before the last rank was\n", i);
      abort();
    }
  }
}

static ncclResult_t end(ncclComm_t comm) {
  if (comm->rank > 0) {
    usleep(20000); /* the first rank has gone by then */
  }
  pthread_mutex_lock(&lock);
  if (!comm->gone) {
    comm->gone = 1;
    comm->count = 0;
    release(comm);
    requireContexts(comm->world);
    live--;
    pthread_cond_broadcast(&settled);
  }
  pthread_mutex_unlock(&lock);
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return comm->state == ncclInProgress ? refuse("a communicator that is busy") : ncclSuccess;
}

/* One that is in trouble waits for what does not come. */
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  pthread_mutex_lock(&lock);
  while (trouble(comm) && !comm->gone) {
    pthread_cond_wait(&settled, &lock);
  }
  pthread_mutex_unlock(&lock);
  return end(comm);
}

ncclResult_t ncclCommAbort(ncclComm_t comm) { return end(comm); }
