/*
 * A libcuda that needs no GPU, for the tests of the bindings: device memory is host memory, work
 * runs at once, every call is logged, and errors come on demand. It is stricter than CUDA about the
 * current context: a call that acts on it fails unless it is the one its handles belong to.
 *
 * The tests compile it on its own; where the toolkit is installed they also compile it against
 * cuda.h (-DWITH_CUDA_H), and the compiler then says whether a signature, a structure or a number
 * here is not CUDA's.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_CUDA_H
#include <cuda.h>
#include <cudaTypedefs.h>
#else
typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef unsigned long long cuuint64_t;
typedef int CUdevice_attribute;
typedef int CUfunction_attribute;
typedef int CUjit_option;
typedef int CUmemPool_attribute;
typedef int CUdriverProcAddressQueryResult;
typedef int CUdevice_P2PAttribute;
typedef int CUpointer_attribute;

typedef struct {
  char reserved[64];
} CUipcMemHandle;

typedef struct {
  char reserved[64];
} CUipcEventHandle;

typedef struct {
  unsigned char reserved[64];
} CUmemPoolPtrExportData;

typedef int CUmemAllocationHandleType;

typedef struct {
  size_t srcXInBytes, srcY;
  int srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray;
  CUcontext srcContext;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray;
  CUcontext dstContext;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D_PEER;

typedef struct {
  int type;
  int id;
} CUmemLocation;

typedef struct {
  int srcAccessOrder;
  CUmemLocation srcLocHint;
  CUmemLocation dstLocHint;
  unsigned int flags;
} CUmemcpyAttributes;

typedef struct {
  int allocType;
  int handleTypes;
  CUmemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} CUmemPoolProps;

typedef struct {
  CUmemLocation location;
  int flags;
} CUmemAccessDesc;

typedef unsigned int cuuint32_t;
typedef int CUtensorMapDataType;
typedef int CUtensorMapInterleave;
typedef int CUtensorMapSwizzle;
typedef int CUtensorMapL2promotion;
typedef int CUtensorMapFloatOOBfill;

typedef struct {
  _Alignas(64) cuuint64_t opaque[16];
} CUtensorMap;

typedef struct {
  int id;
  char pad[4];
  union {
    char pad[64];
    struct {
      unsigned int x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
  } value;
} CUlaunchAttribute;

typedef struct {
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned int numAttrs;
} CUlaunchConfig;

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef int CUkernelNodeAttrID;

typedef union {
  char pad[64];
  struct {
    unsigned int x, y, z;
  } clusterDim;
} CUkernelNodeAttrValue;

typedef struct {
  CUdeviceptr dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef union {
  unsigned int operation;
  struct {
    unsigned int operation;
    CUdeviceptr address;
    union {
      unsigned int value;
      cuuint64_t value64;
    };
    unsigned int flags;
    CUdeviceptr alias;
  } writeValue; /* waitValue is the same */
  cuuint64_t pad[6];
} CUstreamBatchMemOpParams;

typedef struct {
  CUcontext ctx;
  unsigned int count;
  CUstreamBatchMemOpParams *paramArray;
  unsigned int flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS;

typedef struct {
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void **kernelParams, **extra;
  void *kern;
  CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

typedef cuuint64_t CUgraphConditionalHandle;
typedef unsigned int CUstreamCaptureMode;
typedef struct CUgraphEdgeData_st CUgraphEdgeData;

typedef struct {
  CUgraphConditionalHandle handle;
  int type;
  unsigned int size;
  CUgraph *phGraph_out;
  CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;

typedef struct {
  int type, reserved0[3];
  union {
    long long reserved1[29];
    CUDA_CONDITIONAL_NODE_PARAMS conditional;
  };
  long long reserved2;
} CUgraphNodeParams;
#endif

/* --- what the Java side writes down for itself ------------------------------------------------ */

_Static_assert(sizeof(CUDA_MEMCPY2D) == 128, "CUDA_MEMCPY2D");
_Static_assert(offsetof(CUDA_MEMCPY2D, srcMemoryType) == 16, "srcMemoryType");
_Static_assert(offsetof(CUDA_MEMCPY2D, srcHost) == 24, "srcHost");
_Static_assert(offsetof(CUDA_MEMCPY2D, srcDevice) == 32, "srcDevice");
_Static_assert(offsetof(CUDA_MEMCPY2D, srcPitch) == 48, "srcPitch");
_Static_assert(offsetof(CUDA_MEMCPY2D, dstXInBytes) == 56, "dstXInBytes");
_Static_assert(offsetof(CUDA_MEMCPY2D, dstMemoryType) == 72, "dstMemoryType");
_Static_assert(offsetof(CUDA_MEMCPY2D, dstHost) == 80, "dstHost");
_Static_assert(offsetof(CUDA_MEMCPY2D, dstDevice) == 88, "dstDevice");
_Static_assert(offsetof(CUDA_MEMCPY2D, dstPitch) == 104, "dstPitch");
_Static_assert(offsetof(CUDA_MEMCPY2D, WidthInBytes) == 112, "WidthInBytes");
_Static_assert(offsetof(CUDA_MEMCPY2D, Height) == 120, "Height");
_Static_assert(sizeof(CUDA_MEMCPY3D) == 200, "CUDA_MEMCPY3D");
_Static_assert(offsetof(CUDA_MEMCPY3D, srcMemoryType) == 32, "srcMemoryType");
_Static_assert(offsetof(CUDA_MEMCPY3D, srcHost) == 40, "srcHost");
_Static_assert(offsetof(CUDA_MEMCPY3D, srcDevice) == 48, "srcDevice");
_Static_assert(offsetof(CUDA_MEMCPY3D, srcPitch) == 72, "srcPitch");
_Static_assert(offsetof(CUDA_MEMCPY3D, srcHeight) == 80, "srcHeight");
_Static_assert(offsetof(CUDA_MEMCPY3D, dstXInBytes) == 88, "dstXInBytes");
_Static_assert(offsetof(CUDA_MEMCPY3D, dstMemoryType) == 120, "dstMemoryType");
_Static_assert(offsetof(CUDA_MEMCPY3D, dstHost) == 128, "dstHost");
_Static_assert(offsetof(CUDA_MEMCPY3D, dstDevice) == 136, "dstDevice");
_Static_assert(offsetof(CUDA_MEMCPY3D, dstPitch) == 160, "dstPitch");
_Static_assert(offsetof(CUDA_MEMCPY3D, dstHeight) == 168, "dstHeight");
_Static_assert(offsetof(CUDA_MEMCPY3D, WidthInBytes) == 176, "WidthInBytes");
_Static_assert(offsetof(CUDA_MEMCPY3D, Height) == 184, "Height");
_Static_assert(offsetof(CUDA_MEMCPY3D, Depth) == 192, "Depth");
_Static_assert(sizeof(CUmemcpyAttributes) == 24, "CUmemcpyAttributes");
_Static_assert(offsetof(CUmemcpyAttributes, srcAccessOrder) == 0, "srcAccessOrder");
_Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == 200, "CUDA_MEMCPY3D_PEER");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, srcMemoryType) == 32, "srcMemoryType");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, srcHost) == 40, "srcHost");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, srcDevice) == 48, "srcDevice");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, srcPitch) == 72, "srcPitch");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, srcHeight) == 80, "srcHeight");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstXInBytes) == 88, "dstXInBytes");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstMemoryType) == 120, "dstMemoryType");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstHost) == 128, "dstHost");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstDevice) == 136, "dstDevice");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstPitch) == 160, "dstPitch");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstHeight) == 168, "dstHeight");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, WidthInBytes) == 176, "WidthInBytes");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, Height) == 184, "Height");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, Depth) == 192, "Depth");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, srcContext) == 64, "srcContext");
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstContext) == 152, "dstContext");
_Static_assert(sizeof(CUmemPoolProps) == 88, "CUmemPoolProps");
_Static_assert(offsetof(CUmemPoolProps, location) == 8, "location");
_Static_assert(offsetof(CUmemPoolProps, win32SecurityAttributes) == 16, "win32SecurityAttributes");
_Static_assert(offsetof(CUmemPoolProps, maxSize) == 24, "maxSize");
_Static_assert(offsetof(CUmemPoolProps, usage) == 32, "usage");
_Static_assert(sizeof(CUmemAccessDesc) == 12, "CUmemAccessDesc");
_Static_assert(offsetof(CUmemAccessDesc, location) == 0, "location");
_Static_assert(offsetof(CUmemAccessDesc, flags) == 8, "flags");

_Static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == 40, "CUDA_MEMSET_NODE_PARAMS");
_Static_assert(offsetof(CUDA_MEMSET_NODE_PARAMS, pitch) == 8, "pitch");
_Static_assert(offsetof(CUDA_MEMSET_NODE_PARAMS, value) == 16, "value");
_Static_assert(offsetof(CUDA_MEMSET_NODE_PARAMS, elementSize) == 20, "elementSize");
_Static_assert(offsetof(CUDA_MEMSET_NODE_PARAMS, width) == 24, "width");
_Static_assert(offsetof(CUDA_MEMSET_NODE_PARAMS, height) == 32, "height");
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == 72, "CUDA_KERNEL_NODE_PARAMS");
_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS, gridDimX) == 8, "gridDimX");
_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS, blockDimX) == 20, "blockDimX");
_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes) == 32, "sharedMemBytes");
_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams) == 40, "kernelParams");
_Static_assert(sizeof(CUkernelNodeAttrValue) == 64, "CUkernelNodeAttrValue");
_Static_assert(sizeof(CUgraphNodeParams) == 256, "CUgraphNodeParams");
_Static_assert(offsetof(CUgraphNodeParams, conditional.handle) == 16, "conditional.handle");
_Static_assert(offsetof(CUgraphNodeParams, conditional.type) == 24, "conditional.type");
_Static_assert(offsetof(CUgraphNodeParams, conditional.size) == 28, "conditional.size");
_Static_assert(offsetof(CUgraphNodeParams, conditional.phGraph_out) == 32, "phGraph_out");
_Static_assert(offsetof(CUgraphNodeParams, conditional.ctx) == 40, "conditional.ctx");

_Static_assert(sizeof(CUtensorMap) == 128, "CUtensorMap");
_Static_assert(sizeof(CUlaunchConfig) == 56, "CUlaunchConfig");
_Static_assert(offsetof(CUlaunchConfig, sharedMemBytes) == 24, "sharedMemBytes");
_Static_assert(offsetof(CUlaunchConfig, hStream) == 32, "hStream");
_Static_assert(offsetof(CUlaunchConfig, attrs) == 40, "attrs");
_Static_assert(offsetof(CUlaunchConfig, numAttrs) == 48, "numAttrs");
_Static_assert(sizeof(CUlaunchAttribute) == 72, "CUlaunchAttribute");
_Static_assert(offsetof(CUlaunchAttribute, value) == 8, "value");

#ifdef WITH_CUDA_H
#define SAME(name, value) _Static_assert(name == value, #name)
SAME(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1);
SAME(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 2);
SAME(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 4);
SAME(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 5);
SAME(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 7);
SAME(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8);
SAME(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10);
SAME(CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11);
SAME(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 12);
SAME(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13);
SAME(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16);
SAME(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 36);
SAME(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 37);
SAME(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38);
SAME(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 40);
SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75);
SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76);
SAME(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97);
SAME(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 113);
SAME(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115);
SAME(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4);
SAME(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, 6);
SAME(CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, 4);
SAME(CU_GRAPH_NODE_TYPE_CONDITIONAL, 13);
SAME(CU_GRAPH_COND_TYPE_IF, 0);
SAME(CU_GRAPH_COND_TYPE_WHILE, 1);
SAME(CU_GRAPH_COND_TYPE_SWITCH, 2);
SAME(CU_TENSOR_MAP_DATA_TYPE_UINT8, 0);
SAME(CU_TENSOR_MAP_DATA_TYPE_UINT16, 1);
SAME(CU_TENSOR_MAP_DATA_TYPE_UINT32, 2);
SAME(CU_TENSOR_MAP_DATA_TYPE_INT32, 3);
SAME(CU_TENSOR_MAP_DATA_TYPE_UINT64, 4);
SAME(CU_TENSOR_MAP_DATA_TYPE_INT64, 5);
SAME(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 6);
SAME(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 7);
SAME(CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8);
SAME(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 9);
SAME(CU_TENSOR_MAP_INTERLEAVE_NONE, 0);
SAME(CU_TENSOR_MAP_INTERLEAVE_16B, 1);
SAME(CU_TENSOR_MAP_INTERLEAVE_32B, 2);
SAME(CU_TENSOR_MAP_SWIZZLE_NONE, 0);
SAME(CU_TENSOR_MAP_SWIZZLE_32B, 1);
SAME(CU_TENSOR_MAP_SWIZZLE_64B, 2);
SAME(CU_TENSOR_MAP_SWIZZLE_128B, 3);
SAME(CU_TENSOR_MAP_L2_PROMOTION_NONE, 0);
SAME(CU_TENSOR_MAP_L2_PROMOTION_L2_64B, 1);
SAME(CU_TENSOR_MAP_L2_PROMOTION_L2_128B, 2);
SAME(CU_TENSOR_MAP_L2_PROMOTION_L2_256B, 3);
SAME(CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, 0);
SAME(CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA, 1);
SAME(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0);
SAME(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1);
SAME(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 3);
SAME(CU_FUNC_ATTRIBUTE_NUM_REGS, 4);
SAME(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8);
SAME(CU_JIT_INFO_LOG_BUFFER, 3);
SAME(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4);
SAME(CU_JIT_ERROR_LOG_BUFFER, 5);
SAME(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6);
SAME(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, 1);
SAME(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 2);
SAME(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 3);
SAME(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 4);
SAME(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 5);
SAME(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 6);
SAME(CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 7);
SAME(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 8);
SAME(CU_MEM_ALLOCATION_TYPE_PINNED, 1);
SAME(CU_MEM_LOCATION_TYPE_DEVICE, 1);
SAME(CU_MEM_ACCESS_FLAGS_PROT_NONE, 0);
SAME(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 3);
SAME(CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 1);
SAME(CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, 3);
SAME(CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED, 4);
SAME(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2);
SAME(CU_POINTER_ATTRIBUTE_IS_MANAGED, 8);
SAME(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 9);
SAME(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, 11);
SAME(CU_POINTER_ATTRIBUTE_RANGE_SIZE, 12);
SAME(CU_MEMORYTYPE_HOST, 1);
SAME(CU_MEMORYTYPE_DEVICE, 2);
SAME(CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, 1);
SAME(CU_MEMCPY_SRC_ACCESS_ORDER_ANY, 3);
SAME(CU_STREAM_NON_BLOCKING, 1);
SAME(CU_STREAM_CAPTURE_MODE_RELAXED, 2);
SAME(CU_EVENT_DISABLE_TIMING, 2);
SAME(CU_MEMHOSTALLOC_PORTABLE, 1);
SAME(CU_MEMHOSTREGISTER_PORTABLE, 1);
SAME(CU_MEMHOSTREGISTER_READ_ONLY, 8);
SAME(CU_GET_PROC_ADDRESS_DEFAULT, 0);
SAME((long)CU_STREAM_LEGACY, 1);
SAME((long)CU_STREAM_PER_THREAD, 2);
SAME(CUDA_ERROR_DEINITIALIZED, 4);
SAME(CUDA_ERROR_INVALID_DEVICE, 101);
SAME(CUDA_ERROR_INVALID_IMAGE, 200);
SAME(CUDA_ERROR_INVALID_CONTEXT, 201);
SAME(CUDA_ERROR_NO_BINARY_FOR_GPU, 209);
SAME(CUDA_ERROR_ECC_UNCORRECTABLE, 214);
SAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217);
SAME(CUDA_ERROR_INVALID_PTX, 218);
SAME(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220);
SAME(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221);
SAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222);
SAME(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223);
SAME(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225);
SAME(CUDA_ERROR_INVALID_SOURCE, 300);
SAME(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302);
SAME(CUDA_ERROR_INVALID_HANDLE, 400);
SAME(CUDA_ERROR_NOT_FOUND, 500);
SAME(CUDA_ERROR_NOT_READY, 600);
SAME(CUDA_ERROR_ILLEGAL_ADDRESS, 700);
SAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701);
SAME(CUDA_ERROR_LAUNCH_TIMEOUT, 702);
SAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704);
SAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705);
SAME(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709);
SAME(CUDA_ERROR_ASSERT, 710);
SAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712);
SAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713);
SAME(CUDA_ERROR_HARDWARE_STACK_ERROR, 714);
SAME(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715);
SAME(CUDA_ERROR_MISALIGNED_ADDRESS, 716);
SAME(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717);
SAME(CUDA_ERROR_INVALID_PC, 718);
SAME(CUDA_ERROR_LAUNCH_FAILED, 719);
SAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720);
SAME(CUDA_ERROR_NOT_SUPPORTED, 801);
SAME(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810);
SAME(CUDA_ERROR_EXTERNAL_DEVICE, 911);
SAME(CUDA_ERROR_UNKNOWN, 999);
#endif

/* --- state ------------------------------------------------------------------------------------ */

enum { MAX_DEVICES = 4, MAX_OBJECTS = 4096, LOG_BYTES = 1 << 22, STACK = 16 };

typedef enum {
  STREAM = 1,
  EVENT,
  POOL,
  MODULE,
  FUNCTION,
  MEMORY,
  PINNED,
  REGISTERED,
  MANAGED,
  GRAPH,
  EXEC
} Type;

/* Everything that has a handle; the handle is its address. Looked up before it is followed, and but
 * for functions never reused, so that a stale or wrong handle is recognized. */
typedef struct Object {
  Type type;
  int live;
  int device;      /* whose context it belongs to */
  uint64_t start;  /* memory: where; the handle of others is the object itself */
  size_t bytes;    /* memory: how much; module: length of its text */
  int flags;       /* stream, event: as created; event: whether it is recorded is in state */
  int state;       /* event: recorded; function: static shared bytes */
  int limit;       /* function: dynamic shared bytes allowed */
  double when;     /* event */
  struct Object *owner; /* memory: pool; function: module */
  char *text;      /* module: its PTX; function: its name */
  uint64_t reserved, used, reservedHigh, usedHigh, threshold, maxSize; /* pool */
  int reuse[4];    /* pool: by attribute */
  size_t kept[64]; /* pool: blocks it keeps */
  struct CUgraphNode_st *nodes[64]; /* graph, exec: bytes says how many */
  struct Object *capture; /* stream: the graph that it is captured into */
  int broken;             /* stream: something was done that cannot be captured */
  volatile int held;      /* stream: the work of another library on it goes on */
  struct Object *holder;  /* event: the stream that was held when it was recorded */
} Object;

struct CUctx_st {
  int retained;
};

static struct CUctx_st contexts[MAX_DEVICES];
static int access[MAX_DEVICES][MAX_DEVICES]; /* of the first one's context to the second one's */
static Object *objects[MAX_OBJECTS];
static int objectCount;
static uint64_t taken[MAX_DEVICES]; /* device memory in use or kept */
static Object *exportedPool;
static char callLog[LOG_BYTES];
static size_t logged;
static double now;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
  char name[64];
  int result;
  int times;
  int skip; /* so many calls succeed before */
} failures[32];

static int failed; /* how many calls were made to fail */

static char hidden[8][64];

static int version, devices, initResult, poolsSupported, maxPitch, logging, dry, notReady;
static int readOnlySupported; /* whether memory that the host only reads can be registered */
static int peers, atomics;
/* How long raising a limit takes. */
static int slowMillis; /* whether devices can reach each other, and how well */
static uint64_t totalBytes;
static volatile int copyGate; /* 1: copies wait; a copy that waits sets it to 2 */

static __thread CUcontext stack[STACK];
static __thread int depth;

static CUcontext current(void) { return depth == 0 ? NULL : stack[depth - 1]; }

static int currentDevice(void) { return current() == NULL ? -1 : (int)(current() - contexts); }

static int failure(const char *name) {
  for (int i = 0; i < 32; i++) {
    if (failures[i].times > 0 && strcmp(failures[i].name, name) == 0) {
      if (failures[i].skip > 0) {
        failures[i].skip--;
        return 0;
      }
      failures[i].times--;
      failed++;
      return failures[i].result;
    }
  }
  return 0;
}

/* Logs a call with the device of the current context ("-" for none), and says how it is to fail. */
static int enter(const char *name, const char *format, ...) {
  pthread_mutex_lock(&lock);
  if (logging && logged < LOG_BYTES - 1024) {
    if (current() == NULL) {
      logged += (size_t)sprintf(callLog + logged, "- %s", name);
    } else {
      logged += (size_t)sprintf(callLog + logged, "%d %s", currentDevice(), name);
    }
    va_list arguments;
    va_start(arguments, format);
    logged += (size_t)vsnprintf(callLog + logged, 512, format, arguments);
    va_end(arguments);
    callLog[logged++] = '\n';
    callLog[logged] = 0;
  }
  int result = failure(name);
  pthread_mutex_unlock(&lock);
  return result;
}

#define CALL(...)                        \
  do {                                   \
    int fail = enter(__func__, __VA_ARGS__); \
    if (fail != 0) return fail;          \
  } while (0)

static Object *add(Type type, int device) {
  pthread_mutex_lock(&lock);
  Object *object = NULL;
  if (objectCount < MAX_OBJECTS) {
    object = calloc(1, sizeof *object);
    object->type = type;
    object->live = 1;
    object->device = device;
    objects[objectCount++] = object;
  }
  pthread_mutex_unlock(&lock);
  return object;
}

static Object *find(const void *handle, Type type) {
  Object *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < objectCount && found == NULL; i++) {
    if (objects[i] == handle && objects[i]->type == type && objects[i]->live) found = objects[i];
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static Object *memoryAt(uint64_t address, Type type) {
  Object *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < objectCount && found == NULL; i++) {
    if (objects[i]->type == type && objects[i]->live && objects[i]->start == address) {
      found = objects[i];
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* The live memory of a type that an address lies in. */
static Object *holding(uint64_t address, Type type) {
  Object *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < objectCount && found == NULL; i++) {
    Object *o = objects[i];
    if (o->type == type && o->live && address - o->start < o->bytes) found = o;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* Whether some live memory of a device holds the whole range. */
static int inMemoryOf(int device, uint64_t address, uint64_t bytes) {
  int found = dry;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < objectCount && !found; i++) {
    Object *o = objects[i];
    found = o->type == MEMORY && o->live && o->device == device && address >= o->start &&
            address + bytes <= o->start + o->bytes;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* The same of the current context's device. */
static int onDevice(uint64_t address, uint64_t bytes) {
  return inMemoryOf(currentDevice(), address, bytes);
}

/* The same, or of a device that the current context has access to. */
static int reachable(uint64_t address, uint64_t bytes) {
  int found = onDevice(address, bytes);
  for (int i = 0; i < devices; i++) {
    found |= access[currentDevice()][i] && inMemoryOf(i, address, bytes);
  }
  return found;
}

/* What of any device, or of pinned or managed host memory, an address lies in. */
static Object *memoryAround(uint64_t address) {
  Object *found = NULL;
  pthread_mutex_lock(&lock);
  /* The newest first: what could not be unregistered stays in the list, though its memory is another's by now. */
  for (int i = objectCount - 1; i >= 0 && found == NULL; i--) {
    Object *o = objects[i];
    if (o->type >= MEMORY && o->type <= MANAGED && o->live && address >= o->start && address < o->start + o->bytes) {
      found = o;
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* The device of a context that is retained, or -1. */
static int deviceOf(CUcontext context) {
  for (int i = 0; i < devices; i++) {
    if (context == &contexts[i] && contexts[i].retained > 0) return i;
  }
  return -1;
}

/* Whether a stream is captured, so that the call cannot be made: the capture is broken then. */
static int breaks(Object *stream) {
  if (stream->capture == NULL) return 0;
  stream->broken = 1;
  return 1;
}

/* 0 if work may be enqueued on this stream by a call that needs the context to be current. */
static int streamResult(CUstream stream) {
  if (current() == NULL) return 201;
  if (stream == NULL) return 400; /* legal in CUDA; never what is meant here */
  if ((uintptr_t)stream <= 2) return 0;
  Object *found = find(stream, STREAM);
  if (found == NULL) return 400;
  if (breaks(found)) return 900;
  return found->device == currentDevice() ? 0 : 1;
}

/* The same for a call that does not, unless the handle is a default stream's. */
static int looseStreamResult(CUstream stream) {
  if ((uintptr_t)stream <= 2) return streamResult(stream);
  Object *found = find(stream, STREAM);
  return found == NULL ? 400 : breaks(found) ? 900 : 0;
}

/* --- the tests' side -------------------------------------------------------------------------- */

void fake_reset(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < objectCount; i++) objects[i]->live = 0;
  objectCount = 0;
  exportedPool = NULL;
  memset(contexts, 0, sizeof contexts);
  memset(access, 0, sizeof access);
  memset(taken, 0, sizeof taken);
  memset(failures, 0, sizeof failures);
  failed = 0;
  memset(hidden, 0, sizeof hidden);
  logged = 0;
  callLog[0] = 0;
  now = 0;
  version = 12080;
  devices = 2;
  initResult = 0;
  poolsSupported = 1;
  readOnlySupported = 1;
  maxPitch = 0x7fffffff;
  logging = 1;
  dry = 0;
  notReady = 0;
  peers = 1;
  atomics = 1;
  totalBytes = 64 << 20;
  copyGate = 0;
  slowMillis = 0;
  pthread_mutex_unlock(&lock);
  depth = 0;
}

void fake_set(const char *knob, int value) {
  struct {
    const char *name;
    int *variable;
  } knobs[] = {{"version", &version},     {"devices", &devices}, {"init", &initResult},
               {"pools", &poolsSupported}, {"readOnly", &readOnlySupported}, {"pitch", &maxPitch},  {"log", &logging},
               {"dry", &dry},             {"notReady", &notReady}, {"peers", &peers},
               {"atomics", &atomics},     {"slowMillis", &slowMillis}};
  for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
    if (strcmp(knobs[i].name, knob) == 0) *knobs[i].variable = value;
  }
  if (strcmp(knob, "gate") == 0) copyGate = value;
}

int fake_gate(void) { return copyGate; }

/* Has calls of the exported name fail, after some that do not. */
void fake_fail_later(const char *name, int result, int times, int skip) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 32; i++) {
    if (failures[i].times == 0) {
      snprintf(failures[i].name, sizeof failures[i].name, "%s", name);
      failures[i].result = result;
      failures[i].times = times;
      failures[i].skip = skip;
      break;
    }
  }
  pthread_mutex_unlock(&lock);
}

/* Has the next calls of the exported name fail. */
void fake_fail(const char *name, int result, int times) { fake_fail_later(name, result, times, 0); }

/* How many calls were made to fail. */
int fake_failed(void) { return failed; }

/* Has cuGetProcAddress not find a function. */
void fake_hide(const char *name) {
  for (int i = 0; i < 8; i++) {
    if (hidden[i][0] == 0) {
      snprintf(hidden[i], sizeof hidden[i], "%s", name);
      return;
    }
  }
}

/* Copies the log since the last call of this, and clears it. */
void fake_take_log(char *text, size_t bytes) {
  pthread_mutex_lock(&lock);
  snprintf(text, bytes, "%s", callLog);
  logged = 0;
  callLog[0] = 0;
  pthread_mutex_unlock(&lock);
}

/* The context of a device, as another library in the process would have it; null for none. */
void fake_set_current(int device) {
  depth = 0;
  if (device >= 0) stack[depth++] = &contexts[device];
}

/* Has another library allocate managed memory here. */
void fake_manage(uint64_t address, uint64_t bytes) {
  Object *memory = add(MANAGED, 0);
  memory->start = address;
  memory->bytes = bytes;
}

int fake_current(void) { return currentDevice(); }

int fake_depth(void) { return depth; }

int fake_retained(int device) { return contexts[device].retained; }

int fake_live(int type) {
  int live = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < objectCount; i++) live += objects[i]->live && (int)objects[i]->type == type;
  pthread_mutex_unlock(&lock);
  return live;
}

/* --- initialization and errors ---------------------------------------------------------------- */

CUresult cuInit(unsigned int flags) {
  CALL(" %u", flags);
  return initResult;
}

CUresult cuDriverGetVersion(int *out) {
  *out = version;
  return 0;
}

CUresult cuGetErrorName(CUresult error, const char **out) {
  switch ((int)error) {
    case 1: *out = "CUDA_ERROR_INVALID_VALUE"; return 0;
    case 2: *out = "CUDA_ERROR_OUT_OF_MEMORY"; return 0;
    case 100: *out = "CUDA_ERROR_NO_DEVICE"; return 0;
    case 901: *out = "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"; return 0;
    case 217: *out = "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"; return 0;
    case 218: *out = "CUDA_ERROR_INVALID_PTX"; return 0;
    case 700: *out = "CUDA_ERROR_ILLEGAL_ADDRESS"; return 0;
    default: *out = NULL; return 1;
  }
}

CUresult cuGetErrorString(CUresult error, const char **out) {
  switch ((int)error) {
    case 1: *out = "invalid argument"; return 0;
    case 2: *out = "out of memory"; return 0;
    case 100: *out = "no CUDA-capable device is detected"; return 0;
    case 217: *out = "peer access is not supported between these two devices"; return 0;
    case 218: *out = "a PTX JIT compilation failed"; return 0;
    case 700: *out = "an illegal memory access was encountered"; return 0;
    default: *out = NULL; return 1;
  }
}

/* --- devices ---------------------------------------------------------------------------------- */

CUresult cuDeviceGetCount(int *count) {
  *count = devices;
  return 0;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  CALL(" %d", ordinal);
  if (ordinal < 0 || ordinal >= devices) return 101;
  *device = ordinal;
  return 0;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  CALL(" %d", device);
  snprintf(name, (size_t)length, "Fake %d", device);
  return 0;
}

/* Every attribute has a value of its own, so that one that is read in place of another shows. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  CALL(" %d %d", (int)attribute, device);
  switch ((int)attribute) {
    case 11: *value = maxPitch; return 0;
    case 97: *value = 97 * 1024; return 0;
    case 113: *value = readOnlySupported; return 0;
    case 115: *value = poolsSupported; return 0;
    default: *value = 1000 * (int)attribute + device; return 0;
  }
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  CALL(" %d", device);
  *bytes = totalBytes;
  return 0;
}

CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device) {
  CALL(" %d", device);
  snprintf(text, (size_t)length, "0000:%dA:00.0", device);
  return 0;
}

/* --- contexts --------------------------------------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CALL(" %d", device);
  contexts[device].retained++;
  *context = &contexts[device];
  return 0;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  CALL(" %d", device);
  if (contexts[device].retained == 0) return 201;
  if (--contexts[device].retained == 0) {
    for (int other = 0; other < MAX_DEVICES; other++) {
      access[device][other] = access[other][device] = 0;
    }
  }
  return 0;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = current();
  return 0;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  CALL(" %d", (int)(context - contexts));
  if (depth == 0) depth = 1;
  stack[depth - 1] = context;
  return 0;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  CALL(" %d", (int)(context - contexts));
  if (depth == STACK) return 1;
  stack[depth++] = context;
  return 0;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  CALL("%s", "");
  if (depth == 0) return 201;
  *context = stack[--depth];
  return 0;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  *least = 0;
  *greatest = -5;
  return 0;
}

/* --- peers ------------------------------------------------------------------------------------ */

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  CALL(" %d %d", device, peer);
  if (device < 0 || device >= devices || peer < 0 || peer >= devices) return 101;
  *can = peers && device != peer;
  return 0;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice device,
                                 CUdevice peer) {
  CALL(" %d %d %d", (int)attribute, device, peer);
  if (device < 0 || device >= devices || peer < 0 || peer >= devices || device == peer) return 101;
  if ((int)attribute < 1 || (int)attribute > 4) return 1;
  *value = (int)attribute == 3 ? peers && atomics : 1000 * (int)attribute;
  return 0;
}

CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned int flags) {
  CALL(" %d", (int)(context - contexts));
  int peer = deviceOf(context);
  if (current() == NULL || peer < 0 || context == current()) return 201;
  if (flags != 0) return 1;
  if (!peers) return 217;
  if (access[currentDevice()][peer]) return 704;
  access[currentDevice()][peer] = 1;
  return 0;
}

CUresult cuCtxDisablePeerAccess(CUcontext context) {
  CALL(" %d", (int)(context - contexts));
  int peer = deviceOf(context);
  if (current() == NULL || peer < 0) return 201;
  if (!access[currentDevice()][peer]) return 705;
  access[currentDevice()][peer] = 0;
  return 0;
}

CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *map, size_t count) {
  CALL(" of %d: %d %d %d", find(handle, POOL) == NULL ? -1 : find(handle, POOL)->device,
       (int)map->location.type, map->location.id, (int)map->flags);
  Object *pool = find(handle, POOL);
  if (pool == NULL || count != 1 || (int)map->location.type != 1) return 1;
  if (map->location.id < 0 || map->location.id >= devices) return 101;
  /* A device cannot be kept from memory of its own. */
  if (map->location.id == pool->device || !peers) return 1;
  return (int)map->flags == 0 || (int)map->flags == 3 ? 0 : 1;
}

CUresult cuPointerGetAttribute(void *out, CUpointer_attribute attribute, CUdeviceptr address) {
  CALL(" %d", (int)attribute);
  if (current() == NULL) return 201;
  Object *memory = memoryAround(address);
  if (memory == NULL) return 1;
  int onHost = memory->type == PINNED || memory->type == REGISTERED;
  switch ((int)attribute) {
    case 2: *(unsigned int *)out = onHost ? 1 : 2; return 0;
    case 8: *(char *)out = memory->type == MANAGED; return 0;
    case 9: *(int *)out = memory->device; return 0;
    case 11: *(uint64_t *)out = memory->start; return 0;
    case 12: *(size_t *)out = memory->bytes; return 0;
    default: return 1;
  }
}

/* --- memory ----------------------------------------------------------------------------------- */

CUresult cuMemPoolCreate(CUmemoryPool *out, const CUmemPoolProps *properties) {
  CALL(" %d %d %d %d %d, at most %zu", (int)properties->allocType, (int)properties->handleTypes,
       (int)properties->location.type, properties->location.id, (int)properties->usage,
       properties->maxSize);
  if (properties->win32SecurityAttributes != NULL) return 1;
  for (int i = 0; i < 54; i++) {
    if (properties->reserved[i] != 0) return 1;
  }
  Object *pool = add(POOL, properties->location.id);
  pool->reuse[1] = pool->reuse[2] = pool->reuse[3] = 1;
  pool->maxSize = properties->maxSize;
  pool->flags = (int)properties->handleTypes;
  *out = (CUmemoryPool)pool;
  return 0;
}

CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  CALL("%s", "");
  Object *pool = find(handle, POOL);
  if (pool == NULL) return 400;
  pool->live = 0;
  taken[pool->device] -= pool->reserved;
  return 0;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value) {
  CALL(" %d", (int)attribute);
  Object *pool = find(handle, POOL);
  if (pool == NULL) return 400;
  switch ((int)attribute) {
    case 1:
    case 2:
    case 3: *(int *)value = pool->reuse[(int)attribute]; return 0;
    case 4: *(cuuint64_t *)value = pool->threshold; return 0;
    case 5: *(cuuint64_t *)value = pool->reserved; return 0;
    case 6: *(cuuint64_t *)value = pool->reservedHigh; return 0;
    case 7: *(cuuint64_t *)value = pool->used; return 0;
    case 8: *(cuuint64_t *)value = pool->usedHigh; return 0;
    default: return 1;
  }
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value) {
  int narrow = (int)attribute <= 3;
  unsigned long long wanted = narrow ? (unsigned long long)*(int *)value : *(cuuint64_t *)value;
  CALL(" %d %llu", (int)attribute, wanted);
  Object *pool = find(handle, POOL);
  if (pool == NULL) return 400;
  switch ((int)attribute) {
    case 1:
    case 2:
    case 3: pool->reuse[(int)attribute] = (int)wanted; return 0;
    case 4: pool->threshold = wanted; return 0;
    case 6: pool->reservedHigh = wanted; return wanted == 0 ? 0 : 1;
    case 8: pool->usedHigh = wanted; return wanted == 0 ? 0 : 1;
    default: return 1;
  }
}

CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t keep) {
  CALL(" %zu", keep);
  Object *pool = find(handle, POOL);
  if (pool == NULL) return 400;
  for (int i = 0; i < 64; i++) {
    pool->reserved -= pool->kept[i];
    taken[pool->device] -= pool->kept[i];
    pool->kept[i] = 0;
  }
  return 0;
}

static CUresult place(CUdeviceptr *out, size_t bytes, int device, Object *pool) {
  Object *memory = add(MEMORY, device);
  memory->bytes = bytes;
  memory->owner = pool;
  memory->start = (uint64_t)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
  *out = memory->start;
  return 0;
}

static void used(Object *pool, size_t bytes) {
  pool->used += bytes;
  if (pool->used > pool->usedHigh) pool->usedHigh = pool->used;
  if (pool->reserved > pool->reservedHigh) pool->reservedHigh = pool->reserved;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, CUmemoryPool handle,
                                 CUstream stream) {
  CALL(" %zu", bytes);
  Object *pool = find(handle, POOL);
  int result = looseStreamResult(stream);
  if (pool == NULL || result != 0) return pool == NULL ? 400 : result;
  for (int i = 0; i < 64; i++) {
    if (pool->kept[i] == bytes) {
      pool->kept[i] = 0;
      used(pool, bytes);
      return place(out, bytes, pool->device, pool);
    }
  }
  if (taken[pool->device] + bytes > totalBytes) return 2;
  if (pool->maxSize != 0 && pool->reserved + bytes > pool->maxSize) return 2;
  taken[pool->device] += bytes;
  pool->reserved += bytes;
  used(pool, bytes);
  return place(out, bytes, pool->device, pool);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  CALL("%s", "");
  Object *memory = memoryAt(address, MEMORY);
  int result = looseStreamResult(stream);
  if (memory == NULL || result != 0) return result != 0 ? result : 1;
  Object *pool = memory->owner;
  memory->live = 0;
  if (pool == NULL) { /* of cuMemAlloc */
    taken[memory->device] -= memory->bytes;
    free((void *)(uintptr_t)address);
    return 0;
  }
  pool->used -= memory->bytes;
  for (int i = 0; i < 64; i++) {
    if (pool->kept[i] == 0) {
      pool->kept[i] = memory->bytes;
      break;
    }
  }
  free((void *)(uintptr_t)address);
  return 0;
}

CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  CALL(" %zu", bytes);
  if (current() == NULL) return 201;
  if (taken[currentDevice()] + bytes > totalBytes) return 2;
  taken[currentDevice()] += bytes;
  return place(out, bytes, currentDevice(), NULL);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  Object *memory = memoryAt(address, MEMORY);
  if (memory == NULL || memory->owner != NULL) return 1;
  memory->live = 0;
  taken[memory->device] -= memory->bytes;
  free((void *)(uintptr_t)address);
  return 0;
}

/* The handles of this process, which CUDA would refuse to open here. */
CUresult cuIpcGetMemHandle(CUipcMemHandle *out, CUdeviceptr address) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  Object *memory = memoryAt(address, MEMORY);
  if (memory == NULL || memory->owner != NULL) return 1;
  memset(out, 0x5A, sizeof *out);
  memcpy(out->reserved, &address, sizeof address);
  return 0;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *out, CUipcMemHandle handle, unsigned int flags) {
  CALL(" %u", flags);
  if (current() == NULL) return 201;
  CUdeviceptr address;
  memcpy(&address, handle.reserved, sizeof address);
  if (handle.reserved[63] != 0x5A || memoryAt(address, MEMORY) == NULL) return 400;
  *out = address;
  return 0;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  return memoryAt(address, MEMORY) == NULL ? 1 : 0;
}

/* Handles of memory and of pools name objects of this process, which stands for the other one too. */

CUresult cuMemPoolExportToShareableHandle(void *out, CUmemoryPool handle,
                                          CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  CALL(" %d %llu", (int)type, flags);
  Object *pool = find(handle, POOL);
  if (pool == NULL || (int)type != 1 || flags != 0) return 1;
  if (pool->flags != (int)type) return 801;
  *(int *)out = 1000;
  exportedPool = pool;
  return 0;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *out, void *handle,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  CALL(" %d %d %llu", (int)(uintptr_t)handle, (int)type, flags);
  if ((int)(uintptr_t)handle != 1000 || exportedPool == NULL || (int)type != 1 || flags != 0) {
    return 1;
  }
  Object *pool = add(POOL, exportedPool->device);
  pool->flags = -1; /* of another process */
  *out = (CUmemoryPool)pool;
  return 0;
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *out, CUdeviceptr address) {
  CALL("%s", "");
  Object *memory = memoryAt(address, MEMORY);
  if (memory == NULL || memory->owner == NULL || memory->owner->flags != 1) return 1;
  memset(out, 0x6B, sizeof *out);
  memcpy(out->reserved, &memory->bytes, sizeof memory->bytes);
  return 0;
}

CUresult cuMemPoolImportPointer(CUdeviceptr *out, CUmemoryPool handle,
                                CUmemPoolPtrExportData *data) {
  CALL("%s", "");
  Object *pool = find(handle, POOL);
  if (pool == NULL || pool->flags != -1 || data->reserved[63] != 0x6B) return 1;
  size_t bytes;
  memcpy(&bytes, data->reserved, sizeof bytes);
  pool->used += bytes;
  return place(out, bytes, pool->device, pool);
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *out, CUevent handle) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  Object *event = find(handle, EVENT);
  if (event == NULL || event->flags != 6) return 1;
  memset(out, 0x7C, sizeof *out);
  return 0;
}

CUresult cuIpcOpenEventHandle(CUevent *out, CUipcEventHandle handle) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  if (handle.reserved[63] != 0x7C) return 400;
  Object *event = add(EVENT, currentDevice());
  event->flags = 6;
  *out = (CUevent)event;
  return 0;
}

CUresult cuMemGetInfo_v2(size_t *freeBytes, size_t *total) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  *freeBytes = totalBytes - taken[currentDevice()];
  *total = totalBytes;
  return 0;
}

CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned int flags) {
  CALL(" %zu %u", bytes, flags);
  if (current() == NULL) return 201;
  Object *memory = add(PINNED, currentDevice());
  memory->bytes = bytes;
  *out = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  memory->start = (uint64_t)(uintptr_t)*out;
  return 0;
}

CUresult cuMemFreeHost(void *address) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  Object *memory = memoryAt((uint64_t)(uintptr_t)address, PINNED);
  if (memory == NULL) return 1;
  memory->live = 0;
  free(address);
  return 0;
}

/* Whether the process may write at an address, as far as the system says. */
static int isWritable(uint64_t address) {
  FILE *maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return 1;
  char line[4096];
  int writable = 1;
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long long begin, end;
    char read, write;
    if (sscanf(line, "%llx-%llx %c%c", &begin, &end, &read, &write) == 4 && begin <= address &&
        address < end) {
      writable = write == 'w';
      break;
    }
  }
  fclose(maps);
  return writable;
}

/* As CUDA 13 on Linux: pages that cannot be written need CU_MEMHOSTREGISTER_READ_ONLY. */
CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned int flags) {
  CALL(" %zu %u", bytes, flags);
  if (current() == NULL) return 201;
  if ((flags & 8) != 0 && !readOnlySupported) return 801;
  if ((flags & 8) == 0 && !isWritable((uint64_t)(uintptr_t)address)) return 1;
  if (memoryAt((uint64_t)(uintptr_t)address, REGISTERED) != NULL) return 712;
  Object *memory = add(REGISTERED, currentDevice());
  memory->flags = (int)flags;
  memory->start = (uint64_t)(uintptr_t)address;
  memory->bytes = bytes;
  return 0;
}

CUresult cuMemHostUnregister(void *address) {
  CALL("%s", "");
  if (current() == NULL) return 201;
  Object *memory = memoryAt((uint64_t)(uintptr_t)address, REGISTERED);
  if (memory == NULL) return 713;
  memory->live = 0;
  return 0;
}

/* --- streams and events ----------------------------------------------------------------------- */

CUresult cuStreamCreateWithPriority(CUstream *out, unsigned int flags, int priority) {
  CALL(" %u %d", flags, priority);
  if (current() == NULL) return 201;
  Object *stream = add(STREAM, currentDevice());
  stream->flags = (int)flags;
  *out = (CUstream)stream;
  return 0;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  CALL("%s", "");
  Object *found = find(stream, STREAM);
  if (found == NULL) return 400;
  if (found->capture != NULL) fprintf(stderr, "a stream is destroyed while it is captured\n");
  if (found->capture != NULL) return 900;
  found->live = 0;
  return 0;
}

CUresult cuStreamSynchronize(CUstream stream) {
  CALL("%s", "");
  int result = looseStreamResult(stream);
  Object *found = find(stream, STREAM);
  while (result == 0 && found != NULL && found->held) usleep(1000);
  return result;
}

CUresult cuStreamQuery(CUstream stream) {
  CALL("%s", "");
  int result = looseStreamResult(stream);
  if (result != 0) return result;
  Object *found = find(stream, STREAM);
  if (found != NULL && found->held) return 600;
  if (notReady > 0) {
    notReady--;
    return 600;
  }
  return 0;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
  CALL("%s", "");
  if (stream == (CUstream)1 || stream == (CUstream)2) {
    *flags = 0; /* the default streams */
    return 0;
  }
  Object *found = find(stream, STREAM);
  if (found == NULL) return 400;
  *flags = (unsigned int)found->flags;
  return 0;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  CALL("%s", "");
  Object *found = find(stream, STREAM);
  if (found == NULL) return 400;
  *context = &contexts[found->device];
  return 0;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  CALL(" %u", flags);
  if (find(event, EVENT) == NULL) return 400;
  return looseStreamResult(stream);
}

CUresult cuEventCreate(CUevent *out, unsigned int flags) {
  CALL(" %u", flags);
  if (current() == NULL) return 201;
  Object *event = add(EVENT, currentDevice());
  event->flags = (int)flags;
  *out = (CUevent)event;
  return 0;
}

CUresult cuEventDestroy_v2(CUevent event) {
  CALL("%s", "");
  Object *found = find(event, EVENT);
  if (found == NULL) return 400;
  found->live = 0;
  return 0;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  CALL("%s", "");
  Object *found = find(event, EVENT);
  int result = looseStreamResult(stream);
  if (found == NULL || result != 0) return found == NULL ? 400 : result;
  Object *target = find(stream, STREAM);
  if (target != NULL && target->device != found->device) return 400;
  found->state = 1;
  found->holder = target != NULL && target->held ? target : NULL;
  found->when = now += 1.5;
  return 0;
}

static int isHeld(Object *event) { return event->holder != NULL && event->holder->held; }

CUresult cuEventQuery(CUevent event) {
  CALL("%s", "");
  Object *found = find(event, EVENT);
  if (found == NULL) return 400;
  if (isHeld(found)) return 600;
  if (notReady > 0) {
    notReady--;
    return 600;
  }
  return 0;
}

CUresult cuEventSynchronize(CUevent event) {
  CALL("%s", "");
  Object *found = find(event, EVENT);
  while (found != NULL && isHeld(found)) usleep(1000);
  return found == NULL ? 400 : 0;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  CALL("%s", "");
  Object *from = find(start, EVENT);
  Object *to = find(end, EVENT);
  if (from == NULL || to == NULL || !from->state || !to->state || from->flags || to->flags) {
    return 400;
  }
  *milliseconds = (float)(to->when - from->when);
  return 0;
}

/* --- copies and fills ------------------------------------------------------------------------- */

static void move(void *dst, const void *src, size_t bytes) {
  if (copyGate == 1) {
    copyGate = 2;
    while (copyGate != 0) {
    }
  }
  if (!dry) memcpy(dst, src, bytes);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream) {
  CALL(" %zu", bytes);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, bytes)) return 1;
  move((void *)(uintptr_t)dst, src, bytes);
  return 0;
}

CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  CALL(" %zu", bytes);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(src, bytes)) return 1;
  Object *registered = holding((uint64_t)(uintptr_t)dst, REGISTERED);
  if (registered != NULL && (registered->flags & 8) != 0) return 1;
  move(dst, (const void *)(uintptr_t)src, bytes);
  return 0;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  CALL(" %zu", bytes);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, bytes) || !onDevice(src, bytes)) return 1;
  move((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes);
  return 0;
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from,
                           size_t bytes, CUstream stream) {
  CALL(" %zu, %d > %d", bytes, (int)(from - contexts), (int)(to - contexts));
  int result = streamResult(stream);
  if (result != 0) return result;
  if (deviceOf(to) < 0 || deviceOf(from) < 0) return 201;
  if (!inMemoryOf(deviceOf(to), dst, bytes) || !inMemoryOf(deviceOf(from), src, bytes)) return 1;
  move((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes);
  return 0;
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  CALL(" %d>%d %zu x %zu, pitch %zu > %zu", (int)copy->srcMemoryType, (int)copy->dstMemoryType,
       copy->WidthInBytes, copy->Height, copy->srcPitch, copy->dstPitch);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (copy->srcXInBytes || copy->srcY || copy->dstXInBytes || copy->dstY || copy->srcArray ||
      copy->dstArray || copy->srcPitch > (size_t)maxPitch || copy->dstPitch > (size_t)maxPitch) {
    return 1;
  }
  const char *src = (int)copy->srcMemoryType == 1 ? copy->srcHost
                                                  : (const char *)(uintptr_t)copy->srcDevice;
  char *dst = (int)copy->dstMemoryType == 1 ? copy->dstHost : (char *)(uintptr_t)copy->dstDevice;
  size_t srcBytes = (copy->Height - 1) * copy->srcPitch + copy->WidthInBytes;
  size_t dstBytes = (copy->Height - 1) * copy->dstPitch + copy->WidthInBytes;
  if ((int)copy->srcMemoryType == 2 && !onDevice(copy->srcDevice, srcBytes)) return 1;
  if ((int)copy->dstMemoryType == 2 && !onDevice(copy->dstDevice, dstBytes)) return 1;
  for (size_t row = 0; row < copy->Height; row++) {
    move(dst + row * copy->dstPitch, src + row * copy->srcPitch, copy->WidthInBytes);
  }
  return 0;
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream) {
  CALL(" %d>%d %zu x %zu x %zu, pitch %zu, %zu > %zu, %zu", (int)copy->srcMemoryType,
       (int)copy->dstMemoryType, copy->WidthInBytes, copy->Height, copy->Depth, copy->srcPitch,
       copy->srcHeight, copy->dstPitch, copy->dstHeight);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (copy->srcXInBytes || copy->srcY || copy->srcZ || copy->srcLOD || copy->dstXInBytes ||
      copy->dstY || copy->dstZ || copy->dstLOD || copy->srcArray || copy->dstArray ||
      copy->reserved0 || copy->reserved1 || copy->srcPitch > (size_t)maxPitch ||
      copy->dstPitch > (size_t)maxPitch || copy->srcHeight < copy->Height ||
      copy->dstHeight < copy->Height) {
    return 1;
  }
  const char *src = (int)copy->srcMemoryType == 1 ? copy->srcHost
                                                  : (const char *)(uintptr_t)copy->srcDevice;
  char *dst = (int)copy->dstMemoryType == 1 ? copy->dstHost : (char *)(uintptr_t)copy->dstDevice;
  size_t srcPlane = copy->srcPitch * copy->srcHeight;
  size_t dstPlane = copy->dstPitch * copy->dstHeight;
  size_t srcBytes =
      (copy->Depth - 1) * srcPlane + (copy->Height - 1) * copy->srcPitch + copy->WidthInBytes;
  size_t dstBytes =
      (copy->Depth - 1) * dstPlane + (copy->Height - 1) * copy->dstPitch + copy->WidthInBytes;
  if ((int)copy->srcMemoryType == 2 && !onDevice(copy->srcDevice, srcBytes)) return 1;
  if ((int)copy->dstMemoryType == 2 && !onDevice(copy->dstDevice, dstBytes)) return 1;
  for (size_t plane = 0; plane < copy->Depth; plane++) {
    for (size_t row = 0; row < copy->Height; row++) {
      move(dst + plane * dstPlane + row * copy->dstPitch,
           src + plane * srcPlane + row * copy->srcPitch, copy->WidthInBytes);
    }
  }
  return 0;
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream) {
  CALL(" %d > %d, %zu x %zu x %zu, pitch %zu, %zu > %zu, %zu", (int)(copy->srcContext - contexts),
       (int)(copy->dstContext - contexts), copy->WidthInBytes, copy->Height, copy->Depth,
       copy->srcPitch, copy->srcHeight, copy->dstPitch, copy->dstHeight);
  int result = streamResult(stream);
  if (result != 0) return result;
  int from = deviceOf(copy->srcContext);
  int to = deviceOf(copy->dstContext);
  if (from < 0 || to < 0) return 201;
  if (copy->srcXInBytes || copy->srcY || copy->srcZ || copy->srcLOD || copy->dstXInBytes ||
      copy->dstY || copy->dstZ || copy->dstLOD || copy->srcArray || copy->dstArray ||
      (int)copy->srcMemoryType != 2 || (int)copy->dstMemoryType != 2 ||
      copy->srcPitch > (size_t)maxPitch || copy->dstPitch > (size_t)maxPitch ||
      copy->srcHeight < copy->Height || copy->dstHeight < copy->Height) {
    return 1;
  }
  size_t srcPlane = copy->srcPitch * copy->srcHeight;
  size_t dstPlane = copy->dstPitch * copy->dstHeight;
  size_t srcBytes =
      (copy->Depth - 1) * srcPlane + (copy->Height - 1) * copy->srcPitch + copy->WidthInBytes;
  size_t dstBytes =
      (copy->Depth - 1) * dstPlane + (copy->Height - 1) * copy->dstPitch + copy->WidthInBytes;
  if (!inMemoryOf(to, copy->dstDevice, dstBytes) || !inMemoryOf(from, copy->srcDevice, srcBytes)) {
    return 1;
  }
  for (size_t plane = 0; plane < copy->Depth; plane++) {
    for (size_t row = 0; row < copy->Height; row++) {
      move((char *)(uintptr_t)copy->dstDevice + plane * dstPlane + row * copy->dstPitch,
           (const char *)(uintptr_t)copy->srcDevice + plane * srcPlane + row * copy->srcPitch,
           copy->WidthInBytes);
    }
  }
  return 0;
}

/* Whether all of these bytes are device memory of the current context, or host memory. */
static int isFine(CUdeviceptr address, size_t bytes) {
  Object *memory = memoryAround(address);
  return bytes > 0 && (memory == NULL || memory->type != MEMORY || onDevice(address, bytes));
}

static int batch(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                 CUmemcpyAttributes *attributes, size_t *starts, size_t attributeCount,
                 size_t *failed, CUstream stream) {
  int result = streamResult(stream);
  if (result != 0) return result;
  if ((uintptr_t)stream == 1 || count == 0 || attributeCount == 0 || attributeCount > count) {
    return 1;
  }
  for (size_t i = 0; i < attributeCount; i++) {
    int order = (int)attributes[i].srcAccessOrder;
    if (order < 1 || order > 3 || attributes[i].flags != 0 || starts[i] >= count ||
        (i == 0 ? starts[i] != 0 : starts[i] <= starts[i - 1])) {
      return 1;
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (!isFine(dsts[i], sizes[i]) || !isFine(srcs[i], sizes[i])) {
      *failed = i;
      return 1;
    }
  }
  for (size_t i = count; i-- > 0;) { /* in no order */
    move((void *)(uintptr_t)dsts[i], (const void *)(uintptr_t)srcs[i], sizes[i]);
  }
  return 0;
}

/* As CUDA 12.8 has it, which cuda.h of CUDA 13 does not declare any more. */
static CUresult cuMemcpyBatchAsync_12080(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes,
                                         size_t count, CUmemcpyAttributes *attributes,
                                         size_t *starts, size_t attributeCount, size_t *failed,
                                         CUstream stream) {
  CALL(" %zu with %zu attributes, %d at 0 and %d at %zu", count, attributeCount,
       (int)attributes[0].srcAccessOrder, (int)attributes[attributeCount - 1].srcAccessOrder,
       starts[attributeCount - 1]);
  return batch(dsts, srcs, sizes, count, attributes, starts, attributeCount, failed, stream);
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                               CUmemcpyAttributes *attributes, size_t *starts,
                               size_t attributeCount, CUstream stream) {
  CALL(" %zu with %zu attributes, %d at 0 and %d at %zu", count, attributeCount,
       (int)attributes[0].srcAccessOrder, (int)attributes[attributeCount - 1].srcAccessOrder,
       starts[attributeCount - 1]);
  size_t failed;
  return batch(dsts, srcs, sizes, count, attributes, starts, attributeCount, &failed, stream);
}

#ifdef WITH_CUDA_H
static const PFN_cuMemcpyBatchAsync_v12080 same12080 __attribute__((unused)) =
    cuMemcpyBatchAsync_12080;
static const PFN_cuMemcpyBatchAsync_v13000 same13000 __attribute__((unused)) =
    cuMemcpyBatchAsync_v2;
#endif

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr at, unsigned int value,
                                 unsigned int flags) {
  CALL(" %u %u", value, flags);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(at, 4)) return 1;
  if (!dry) *(unsigned int *)(uintptr_t)at = value;
  return 0;
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr at, cuuint64_t value,
                                 unsigned int flags) {
  CALL(" %llu %u", (unsigned long long)value, flags);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(at, 8)) return 1;
  if (!dry) *(unsigned long long *)(uintptr_t)at = value;
  return 0;
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr at, unsigned int value,
                                unsigned int flags) {
  CALL(" %u %u", value, flags);
  int result = streamResult(stream);
  if (result != 0) return result;
  return onDevice(at, 4) ? 0 : 1;
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr at, cuuint64_t value,
                                unsigned int flags) {
  CALL(" %llu %u", (unsigned long long)value, flags);
  int result = streamResult(stream);
  if (result != 0) return result;
  return onDevice(at, 8) ? 0 : 1;
}

CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count, CUstream stream) {
  CALL(" %zu", count);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, count)) return 1;
  for (size_t i = 0; i < count && !dry; i++) ((unsigned char *)(uintptr_t)dst)[i] = value;
  return 0;
}

CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t count, CUstream stream) {
  CALL(" %zu", count);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, 2 * count)) return 1;
  for (size_t i = 0; i < count && !dry; i++) ((unsigned short *)(uintptr_t)dst)[i] = value;
  return 0;
}

static CUresult captureFill(Object *stream, CUdeviceptr dst, unsigned int value, size_t count);

CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned int value, size_t count, CUstream stream) {
  CALL(" %zu", count);
  Object *found = find(stream, STREAM);
  if (found != NULL && found->capture != NULL) return captureFill(found, dst, value, count);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, 4 * count)) return 1;
  for (size_t i = 0; i < count && !dry; i++) ((unsigned int *)(uintptr_t)dst)[i] = value;
  return 0;
}

CUresult cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char value, size_t width,
                            size_t height, CUstream stream) {
  CALL(" pitch %zu, %u, %zu x %zu", pitch, value, width, height);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, (height - 1) * pitch + 1 * width)) return 1;
  for (size_t row = 0; row < height && !dry; row++) {
    for (size_t i = 0; i < width; i++) {
      ((unsigned char *)(uintptr_t)(dst + row * pitch))[i] = value;
    }
  }
  return 0;
}

CUresult cuMemsetD2D16Async(CUdeviceptr dst, size_t pitch, unsigned short value, size_t width,
                             size_t height, CUstream stream) {
  CALL(" pitch %zu, %u, %zu x %zu", pitch, value, width, height);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, (height - 1) * pitch + 2 * width)) return 1;
  for (size_t row = 0; row < height && !dry; row++) {
    for (size_t i = 0; i < width; i++) {
      ((unsigned short *)(uintptr_t)(dst + row * pitch))[i] = value;
    }
  }
  return 0;
}

CUresult cuMemsetD2D32Async(CUdeviceptr dst, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream) {
  CALL(" pitch %zu, %u, %zu x %zu", pitch, value, width, height);
  int result = streamResult(stream);
  if (result != 0) return result;
  if (!onDevice(dst, (height - 1) * pitch + 4 * width)) return 1;
  for (size_t row = 0; row < height && !dry; row++) {
    for (size_t i = 0; i < width; i++) {
      ((unsigned int *)(uintptr_t)(dst + row * pitch))[i] = value;
    }
  }
  return 0;
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* An image that begins with "bad" is refused, with both logs filled; "long" fills them to the end. */
CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned int count,
                            CUjit_option *options, void **values) {
  CALL(" %zu", strlen(image));
  if (current() == NULL) return 201;
  char *logs[2] = {NULL, NULL};
  size_t bytes[2] = {0, 0};
  for (unsigned int i = 0; i < count; i++) {
    switch ((int)options[i]) {
      case 3: logs[0] = values[i]; break;
      case 4: bytes[0] = (size_t)(uintptr_t)values[i]; break;
      case 5: logs[1] = values[i]; break;
      case 6: bytes[1] = (size_t)(uintptr_t)values[i]; break;
      default: return 1;
    }
  }
  if (strncmp(image, "bad", 3) == 0) {
    snprintf(logs[0], bytes[0], "info: %zu bytes", bytes[0]);
    snprintf(logs[1], bytes[1], "ptxas fatal: line 1: what is bad?");
    return 218;
  }
  if (strncmp(image, "long", 4) == 0) {
    memset(logs[1], 'x', bytes[1]);
    return 218;
  }
  Object *module = add(MODULE, currentDevice());
  module->bytes = strlen(image);
  module->text = strdup(image);
  *out = (CUmodule)module;
  return 0;
}

CUresult cuModuleUnload(CUmodule handle) {
  CALL("%s", "");
  Object *module = find(handle, MODULE);
  if (current() == NULL) return 201;
  if (module == NULL) return 400;
  module->live = 0;
  for (int i = 0; i < objectCount; i++) {
    if (objects[i]->type == FUNCTION && objects[i]->owner == module) objects[i]->live = 0;
  }
  return 0;
}

/* As in CUDA, the function of a new module may have the handle of one that was unloaded. */
static Object *newFunction(int device) {
  for (int i = 0; i < objectCount; i++) {
    Object *old = objects[i];
    if (old->type == FUNCTION && !old->live) {
      old->live = 1;
      old->device = device;
      return old;
    }
  }
  return add(FUNCTION, device);
}

/* A kernel is there if its name is; a name that begins with "static" has static shared memory. */
CUresult cuModuleGetFunction(CUfunction *out, CUmodule handle, const char *name) {
  CALL(" %s", name);
  if (current() == NULL) return 201;
  Object *module = find(handle, MODULE);
  if (module == NULL) return 400;
  if (strstr(module->text, name) == NULL) return 500;
  Object *function = newFunction(module->device);
  function->owner = module;
  function->text = strdup(name);
  function->state = strncmp(name, "static", 6) == 0 ? 8192 : 0;
  function->limit = 49152 - function->state;
  *out = (CUfunction)function;
  return 0;
}

CUresult cuFuncLoad(CUfunction handle) {
  CALL("%s", "");
  return find(handle, FUNCTION) == NULL ? 400 : 0;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle) {
  CALL(" %d", (int)attribute);
  Object *function = find(handle, FUNCTION);
  if (function == NULL) return 400;
  *value = (int)attribute == 1 ? function->state : 100 + (int)attribute;
  return 0;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction handle, int threads,
                                                     size_t sharedBytes) {
  CALL(" %d %zu", threads, sharedBytes);
  Object *function = find(handle, FUNCTION);
  if (function == NULL) return 400;
  if (threads < 1 || threads > 1024 || sharedBytes > (size_t)function->limit) return 1;
  *blocks = 2048 / threads;
  return 0;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  CALL(" %d %d", (int)attribute, value);
  Object *function = find(handle, FUNCTION);
  if (function == NULL) return 400;
  if (slowMillis > 0) usleep((useconds_t)slowMillis * 1000);
  if ((int)attribute != 8 || value + function->state > 97 * 1024) return 1;
  function->limit = value;
  return 0;
}

/* The kernel "add" has parameters (int *out, int a, long b); others do nothing. */
static CUresult launch(CUfunction handle, unsigned int sharedBytes, CUstream stream,
                       void **parameters, void **extra) {
  int result = streamResult(stream);
  if (result != 0) return result;
  Object *function = find(handle, FUNCTION);
  if (function == NULL) return 400;
  if (extra != NULL || (int)sharedBytes > function->limit) return 1;
  if (strcmp(function->text, "add") == 0) {
    uint64_t out = *(uint64_t *)parameters[0];
    if (!onDevice(out, 4)) return 700;
    *(int *)(uintptr_t)out = *(int *)parameters[1] + (int)*(long *)parameters[2];
  }
  return 0;
}

CUresult cuLaunchKernel(CUfunction handle, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void **parameters, void **extra) {
  CALL(" %u %u %u %u %u %u %u", gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes);
  return launch(handle, sharedBytes, stream, parameters, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction handle, void **parameters,
                          void **extra) {
  unsigned int x = 1, y = 1, z = 1;
  const char *overlaps = "";
  for (unsigned int i = 0; i < config->numAttrs; i++) {
    const CUlaunchAttribute *it = &config->attrs[i];
    if (it->id == 4) {
      x = it->value.clusterDim.x;
      y = it->value.clusterDim.y;
      z = it->value.clusterDim.z;
    } else if (it->id == 6 && it->value.programmaticStreamSerializationAllowed == 1) {
      overlaps = ", awaiting grids itself";
    } else {
      return 1;
    }
  }
  CALL(" %u %u %u %u %u %u %u in clusters of %u %u %u%s", config->gridDimX, config->gridDimY,
       config->gridDimZ, config->blockDimX, config->blockDimY, config->blockDimZ,
       config->sharedMemBytes, x, y, z, overlaps);
  return launch(handle, config->sharedMemBytes, config->hStream, parameters, extra);
}

/* Leaves its arguments in the map, one after the other. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                void *address, const cuuint64_t *dims, const cuuint64_t *strides,
                                const cuuint32_t *box, const cuuint32_t *steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  if (current() == NULL) return 201;
  if ((uintptr_t)map % 64 != 0 || (uintptr_t)address % 16 != 0) return 1;
  cuuint64_t *out = map->opaque;
  out[0] = (cuuint64_t)type | (cuuint64_t)rank << 8 | (cuuint64_t)swizzle << 16 |
           (cuuint64_t)promotion << 24 | (cuuint64_t)fill << 32 | (cuuint64_t)interleave << 40;
  out[1] = (uintptr_t)address;
  for (cuuint32_t i = 0; i < rank; i++) {
    out[2 + i] = dims[i];
    out[7 + i] = box[i] | (cuuint64_t)steps[i] << 32;
    if (i > 0) out[11 + i] = strides[i - 1];
  }
  return 0;
}

/* Leaves its arguments in the map: the corners where the box's extents would be. */
CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                 void *address, const cuuint64_t *dims, const cuuint64_t *strides,
                                 const int *lower, const int *upper, cuuint32_t channels,
                                 cuuint32_t pixels, const cuuint32_t *steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  const cuuint32_t none[5] = {0};
  int result = cuTensorMapEncodeTiled(map, type, rank, address, dims, strides, none, steps,
                                      interleave, swizzle, promotion, fill);
  if (result != 0) return result;
  map->opaque[0] |= (cuuint64_t)channels << 42 | (cuuint64_t)pixels << 52;
  for (cuuint32_t i = 1; i < rank - 1; i++) {
    map->opaque[7 + i] |= (cuuint64_t)(lower[i - 1] & 0xffff) | (cuuint64_t)(upper[i - 1] & 0xffff) << 16;
  }
  return 0;
}

/* --- graphs ----------------------------------------------------------------------------------- */

/* A node, or what an exec made of it; those that are launched are never freed. */
struct CUgraphNode_st {
  char kind; /* k, c, f, r, w, g (child), h (on the host), e, i (conditional) */
  int number;
  struct CUgraphNode_st *origin; /* of an exec's: the graph's */
  CUDA_KERNEL_NODE_PARAMS kernel;
  uint64_t out; /* the parameters of the kernel "add", copied */
  int a;
  long b;
  CUDA_MEMCPY3D copy;
  CUDA_MEMSET_NODE_PARAMS fill;
  CUevent event;
  int tells; /* the kernel that tells a condition: out is its handle, b the address of the int */
  CUDA_CONDITIONAL_NODE_PARAMS conditional;
  CUgraph bodies[8];
  CUstreamBatchMemOpParams values;
  int off;
  Object *child;        /* what it was given, copied */
  void (*call)(void *); /* on the host */
  void *argument;
};

static unsigned int conditions[256];
static int conditionCount;

static int setKernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *parameters) {
  Object *function = find(parameters->func, FUNCTION);
  if (function == NULL) return 400;
  if (parameters->extra != NULL || parameters->kern != NULL || parameters->ctx != NULL) return 1;
  if ((int)parameters->sharedMemBytes > function->limit) return 1;
  node->kernel = *parameters;
  if (strcmp(function->text, "add") == 0) {
    node->out = *(uint64_t *)parameters->kernelParams[0];
    node->a = *(int *)parameters->kernelParams[1];
    node->b = *(long *)parameters->kernelParams[2];
    if (!onDevice(node->out, 4)) return 1;
  }
  if (strcmp(function->text, "stretto_condition") == 0) {
    node->tells = 1;
    node->out = *(uint64_t *)parameters->kernelParams[0];
    node->b = *(long *)parameters->kernelParams[1];
    if (node->out == 0 || node->out > (uint64_t)conditionCount || !onDevice(node->b, 4)) return 1;
  }
  return 0;
}

static int setCopy(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  if (copy->srcXInBytes || copy->srcY || copy->srcZ || copy->srcLOD || copy->srcArray ||
      copy->reserved0 || copy->dstXInBytes || copy->dstY || copy->dstZ || copy->dstLOD ||
      copy->dstArray || copy->reserved1 || copy->Depth == 0 || copy->Height == 0 ||
      copy->WidthInBytes == 0 || copy->srcPitch < copy->WidthInBytes ||
      copy->dstPitch < copy->WidthInBytes || copy->srcHeight < copy->Height ||
      copy->dstHeight < copy->Height) {
    return 1;
  }
  if (copy->Height > 1 &&
      (copy->srcPitch > (size_t)maxPitch || copy->dstPitch > (size_t)maxPitch)) {
    return 1;
  }
  size_t before = copy->Depth - 1;
  size_t src = (before * copy->srcHeight + copy->Height - 1) * copy->srcPitch + copy->WidthInBytes;
  size_t dst = (before * copy->dstHeight + copy->Height - 1) * copy->dstPitch + copy->WidthInBytes;
  if ((int)copy->srcMemoryType == 2 && !reachable(copy->srcDevice, src)) return 1;
  if ((int)copy->dstMemoryType == 2 && !reachable(copy->dstDevice, dst)) return 1;
  node->copy = *copy;
  return 0;
}

static int setFill(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *fill) {
  unsigned int size = fill->elementSize;
  if ((size != 1 && size != 2 && size != 4) || fill->width == 0 || fill->height == 0) return 1;
  if (!onDevice(fill->dst, (fill->height - 1) * fill->pitch + fill->width * size)) return 1;
  node->fill = *fill;
  return 0;
}

static int setValues(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  if (p->ctx != current() || p->count != 1 || p->flags != 0) return 1;
  const CUstreamBatchMemOpParams *one = p->paramArray;
  unsigned int size = one->operation == 1 || one->operation == 2 ? 4 : 8;
  int waits = one->operation == 1 || one->operation == 4;
  if (!waits && one->operation != 2 && one->operation != 5) return 1;
  if (one->writeValue.address % size != 0 || one->writeValue.alias != 0) return 1;
  if (one->writeValue.flags > (waits ? 3u : 0u)) return 1;
  node->values = *one;
  return 0;
}

/* The edges are only looked at: nodes are added, and run, in an order that keeps them. */
static CUgraphNode addNode(char kind, CUgraph handle, const CUgraphNode *after, size_t count) {
  Object *graph = find(handle, GRAPH);
  if (current() == NULL || graph == NULL || graph->bytes == 64) return NULL;
  for (size_t i = 0; i < count; i++) {
    int known = 0;
    for (size_t j = 0; j < graph->bytes; j++) known |= graph->nodes[j] == after[i];
    if (!known) return NULL;
  }
  CUgraphNode node = calloc(1, sizeof *node);
  node->kind = kind;
  node->number = (int)graph->bytes;
  graph->nodes[graph->bytes++] = node;
  return node;
}

/* " 2 after 0 1", for the log. */
static const char *edges(const CUgraphNode *after, size_t count) {
  static __thread char text[256];
  size_t at = (size_t)sprintf(text, "%s", count == 0 ? "" : " after");
  for (size_t i = 0; i < count && at < 200; i++) {
    at += (size_t)sprintf(text + at, " %d", after[i]->number);
  }
  return text;
}

CUresult cuGraphCreate(CUgraph *out, unsigned int flags) {
  CALL(" %u", flags);
  *out = (CUgraph)add(GRAPH, currentDevice());
  return 0;
}

/* The bodies of a graph's conditional nodes go with it. */
static void bury(Object *graph) {
  graph->live = 0;
  for (size_t i = 0; i < graph->bytes; i++) {
    CUgraphNode node = graph->nodes[i];
    for (unsigned int j = 0; node->kind == 'i' && j < node->conditional.size; j++) {
      bury((Object *)node->bodies[j]);
    }
  }
}

CUresult cuGraphDestroy(CUgraph handle) {
  CALL("%s", "");
  Object *graph = find(handle, GRAPH);
  if (graph == NULL) return 400;
  bury(graph);
  return 0;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS *p) {
  CALL(" %u %u %u %u %u %u %u%s", p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX,
       p->blockDimY, p->blockDimZ, p->sharedMemBytes, edges(after, count));
  CUgraphNode node = addNode('k', graph, after, count);
  if (node == NULL) return 400;
  *out = node;
  return setKernel(node, p);
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue *value) {
  CALL(" %d: %u %u %u", (int)attribute, value->clusterDim.x, value->clusterDim.y,
       value->clusterDim.z);
  return node->kind == 'k' && (int)attribute == 4 ? 0 : 1;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                              size_t count, const CUDA_MEMCPY3D *copy, CUcontext context) {
  CALL(" %d>%d %zu x %zu, pitch %zu > %zu%s", (int)copy->srcMemoryType, (int)copy->dstMemoryType,
       copy->WidthInBytes, copy->Height, copy->srcPitch, copy->dstPitch, edges(after, count));
  CUgraphNode node = addNode('c', graph, after, count);
  if (node == NULL || context != current()) return 400;
  *out = node;
  return setCopy(node, copy);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS *fill,
                              CUcontext context) {
  CALL(" %u of %u, pitch %zu, %zu x %zu%s", fill->value, fill->elementSize, fill->pitch,
       fill->width, fill->height, edges(after, count));
  CUgraphNode node = addNode('f', graph, after, count);
  if (node == NULL || context != current()) return 400;
  *out = node;
  return setFill(node, fill);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                                   size_t count, CUevent event) {
  CALL("%s", edges(after, count));
  CUgraphNode node = addNode('r', graph, after, count);
  if (node == NULL || find(event, EVENT) == NULL) return 400;
  node->event = event;
  *out = node;
  return 0;
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                                 size_t count, CUevent event) {
  CALL("%s", edges(after, count));
  CUgraphNode node = addNode('w', graph, after, count);
  if (node == NULL || find(event, EVENT) == NULL) return 400;
  *out = node;
  return 0;
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph graph,
                                        CUcontext context, unsigned int value,
                                        unsigned int flags) {
  CALL(" %u %u", value, flags);
  if (find(graph, GRAPH) == NULL || context != current() || conditionCount == 256) return 400;
  *out = (CUgraphConditionalHandle)++conditionCount;
  return 0;
}

CUresult cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                           const CUgraphEdgeData *edge, size_t count, CUgraphNodeParams *p) {
  CALL(" %d: %d of %u%s", (int)p->type, (int)p->conditional.type, p->conditional.size,
       edges(after, count));
  CUDA_CONDITIONAL_NODE_PARAMS *conditional = &p->conditional;
  unsigned int most = (int)conditional->type == 1 ? 1 : (int)conditional->type == 0 ? 2 : 8;
  if ((int)p->type != 13 || p->reserved0[0] || p->reserved0[1] || p->reserved0[2] ||
      p->reserved2 || edge != NULL || conditional->phGraph_out != NULL || conditional->size == 0 ||
      conditional->size > most || conditional->handle == 0 ||
      conditional->handle > (cuuint64_t)conditionCount || conditional->ctx != current()) {
    return 1;
  }
  if (version < 12080 && ((int)conditional->type == 2 || conditional->size > 1)) return 801;
  CUgraphNode node = addNode('i', graph, after, count);
  if (node == NULL) return 400;
  for (unsigned int i = 0; i < conditional->size; i++) {
    node->bodies[i] = (CUgraph)add(GRAPH, currentDevice());
  }
  node->conditional = *conditional;
  conditional->phGraph_out = node->bodies;
  *out = node;
  return 0;
}

CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                             size_t count) {
  CALL("%s", edges(after, count));
  CUgraphNode node = addNode('e', graph, after, count);
  if (node == NULL) return 400;
  *out = node;
  return 0;
}

/* A copy of a graph, of nodes that know where they came from. */
static Object *cloned(const Object *graph, Type type) {
  Object *clone = add(type, graph->device);
  clone->bytes = graph->bytes;
  for (size_t i = 0; i < graph->bytes; i++) {
    clone->nodes[i] = malloc(sizeof *clone->nodes[i]);
    *clone->nodes[i] = *graph->nodes[i];
    clone->nodes[i]->origin = graph->nodes[i];
  }
  return clone;
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                                  size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  CALL(" %u: %llu, %u%s", (unsigned int)p->paramArray->operation,
       (unsigned long long)p->paramArray->writeValue.value64, p->paramArray->writeValue.flags,
       edges(after, count));
  CUgraphNode node = addNode('v', graph, after, count);
  if (node == NULL) return 400;
  *out = node;
  return setValues(node, p);
}

/* --- what other libraries enqueue, captured */

static CUresult captureFill(Object *stream, CUdeviceptr dst, unsigned int value, size_t count) {
  if (stream->broken) return 901;
  if (!onDevice(dst, 4 * count) || current() == NULL) return 1;
  CUgraphNode node = addNode('f', (CUgraph)stream->capture, NULL, 0);
  if (node == NULL) return 400;
  node->fill.dst = dst;
  node->fill.pitch = 4 * count;
  node->fill.value = value;
  node->fill.elementSize = 4;
  node->fill.width = count;
  node->fill.height = 1;
  return 0;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  CALL(" %u", (unsigned int)mode);
  Object *found = find(stream, STREAM);
  if (found == NULL) return 400;
  if (found->capture != NULL || mode != 2 || (found->flags & 1) == 0) return 1;
  found->capture = add(GRAPH, found->device);
  found->broken = 0;
  return 0;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  CALL("%s", "");
  *out = NULL;
  Object *found = find(stream, STREAM);
  if (found == NULL || found->capture == NULL) return 400;
  Object *graph = found->capture;
  found->capture = NULL;
  if (found->broken) {
    graph->live = 0;
    return 901;
  }
  *out = (CUgraph)graph;
  return 0;
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count) {
  CALL("%s", "");
  Object *graph = find(handle, GRAPH);
  if (graph == NULL || nodes != NULL) return 400;
  *count = graph->bytes;
  return 0;
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after,
                                  size_t count, CUgraph handle) {
  CALL("%s", edges(after, count));
  Object *child = find(handle, GRAPH);
  if (child == NULL || (Object *)graph == child) return 400;
  CUgraphNode node = addNode('g', graph, after, count);
  if (node == NULL) return 400;
  node->child = cloned(child, GRAPH);
  node->child->live = 0; /* it goes with the node */
  *out = node;
  return 0;
}

/* For fakes of other libraries: whether a stream is captured. */
int fake_captured(CUstream stream) {
  Object *found = find(stream, STREAM);
  return found != NULL && found->capture != NULL;
}

/* For fakes of other libraries: whether work of theirs on a stream goes on. */
int fake_hold(CUstream stream, int hold) {
  Object *found = find(stream, STREAM);
  if (found == NULL) return 400;
  found->held = hold;
  return 0;
}

/* For fakes of other libraries: makes a call of the host a node of the graph of a stream. */
int fake_capture_call(CUstream stream, void (*call)(void *), void *argument) {
  Object *found = find(stream, STREAM);
  if (found == NULL || found->capture == NULL || found->capture->bytes == 64) return 400;
  CUgraphNode node = calloc(1, sizeof *node);
  node->kind = 'h';
  node->number = (int)found->capture->bytes;
  node->call = call;
  node->argument = argument;
  found->capture->nodes[found->capture->bytes++] = node;
  return 0;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph handle, unsigned long long flags) {
  CALL(" %llu", flags);
  Object *graph = find(handle, GRAPH);
  if (current() == NULL || graph == NULL) return 400;
  *out = (CUgraphExec)cloned(graph, EXEC);
  return 0;
}

CUresult cuGraphExecDestroy(CUgraphExec handle) {
  CALL("%s", "");
  Object *exec = find(handle, EXEC);
  if (exec == NULL) return 400;
  exec->live = 0;
  return 0;
}

static CUgraphNode inExec(CUgraphExec handle, CUgraphNode node, char kind) {
  Object *exec = find(handle, EXEC);
  for (size_t i = 0; exec != NULL && i < exec->bytes; i++) {
    if (exec->nodes[i]->origin == node && node->kind == kind) return exec->nodes[i];
  }
  return NULL;
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode handle,
                                           const CUDA_KERNEL_NODE_PARAMS *p) {
  CALL(" %d: %u %u %u %u %u %u %u", handle->number, p->gridDimX, p->gridDimY, p->gridDimZ,
       p->blockDimX, p->blockDimY, p->blockDimZ, p->sharedMemBytes);
  CUgraphNode node = inExec(exec, handle, 'k');
  return node == NULL ? 400 : setKernel(node, p);
}

/* As CUDA has it: one dimension before and after, and the same sorts of memory. */
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode handle,
                                        const CUDA_MEMCPY3D *copy, CUcontext context) {
  CALL(" %d: %d>%d %zu x %zu", handle->number, (int)copy->srcMemoryType, (int)copy->dstMemoryType,
       copy->WidthInBytes, copy->Height);
  CUgraphNode node = inExec(exec, handle, 'c');
  if (node == NULL || context != current()) return 400;
  if (node->copy.Height > 1 || copy->Height > 1 ||
      node->copy.srcMemoryType != copy->srcMemoryType ||
      node->copy.dstMemoryType != copy->dstMemoryType) {
    return 1;
  }
  return setCopy(node, copy);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode handle,
                                        const CUDA_MEMSET_NODE_PARAMS *fill, CUcontext context) {
  CALL(" %d: %u of %u, %zu x %zu", handle->number, fill->value, fill->elementSize, fill->width,
       fill->height);
  CUgraphNode node = inExec(exec, handle, 'f');
  if (node == NULL || context != current()) return 400;
  return node->fill.height > 1 || fill->height > 1 ? 1 : setFill(node, fill);
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode handle,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  CALL(" %d: %u: %llu, %u", handle->number, (unsigned int)p->paramArray->operation,
       (unsigned long long)p->paramArray->writeValue.value64, p->paramArray->writeValue.flags);
  CUgraphNode node = inExec(exec, handle, 'v');
  return node == NULL ? 400 : setValues(node, p);
}

static CUresult setEvent(CUgraphExec exec, CUgraphNode handle, char kind, CUevent event) {
  CUgraphNode node = inExec(exec, handle, kind);
  if (node == NULL || find(event, EVENT) == NULL) return 400;
  node->event = event;
  return 0;
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  CALL(" %d", node->number);
  return setEvent(exec, node, 'r', event);
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  CALL(" %d", node->number);
  return setEvent(exec, node, 'w', event);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode handle, unsigned int enabled) {
  CALL(" %d: %u", handle->number, enabled);
  if (handle->kind != 'k' && handle->kind != 'c' && handle->kind != 'f') return 1;
  CUgraphNode node = inExec(exec, handle, handle->kind);
  if (node == NULL) return 400;
  node->off = !enabled;
  return 0;
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  CALL("%s", "");
  return find(exec, EXEC) == NULL ? 400 : streamResult(stream);
}

static void run(const Object *graph);

static void runBodies(CUgraphNode node) {
  const unsigned int *value = &conditions[node->conditional.handle - 1];
  unsigned int size = node->conditional.size;
  switch ((int)node->conditional.type) {
    case 0:
      if (*value != 0) run((const Object *)node->bodies[0]);
      else if (size > 1) run((const Object *)node->bodies[1]);
      break;
    case 1:
      while (*value != 0) run((const Object *)node->bodies[0]);
      break;
    default:
      if (*value < size) run((const Object *)node->bodies[*value]);
  }
}

static void run(const Object *graph) {
  for (size_t i = 0; i < graph->bytes; i++) {
    CUgraphNode node = graph->nodes[i];
    if (node->off) continue;
    switch (node->kind) {
      case 'k':
        if (node->tells) conditions[node->out - 1] = *(unsigned int *)(uintptr_t)node->b;
        else if (node->out != 0) *(int *)(uintptr_t)node->out = node->a + (int)node->b;
        break;
      case 'c': {
        const CUDA_MEMCPY3D *copy = &node->copy;
        const char *src = (int)copy->srcMemoryType == 1 ? copy->srcHost
                                                        : (const char *)(uintptr_t)copy->srcDevice;
        char *dst =
            (int)copy->dstMemoryType == 1 ? copy->dstHost : (char *)(uintptr_t)copy->dstDevice;
        for (size_t plane = 0; plane < copy->Depth; plane++) {
          for (size_t row = 0; row < copy->Height; row++) {
            move(dst + (plane * copy->dstHeight + row) * copy->dstPitch,
                 src + (plane * copy->srcHeight + row) * copy->srcPitch, copy->WidthInBytes);
          }
        }
        break;
      }
      case 'v': {
        const CUstreamBatchMemOpParams *values = &node->values;
        if (values->operation == 2) {
          *(unsigned int *)(uintptr_t)values->writeValue.address = values->writeValue.value;
        }
        if (values->operation == 5) {
          *(cuuint64_t *)(uintptr_t)values->writeValue.address = values->writeValue.value64;
        }
        break;
      }
      case 'f':
        for (size_t row = 0; row < node->fill.height; row++) {
          for (size_t j = 0; j < node->fill.width; j++) {
            memcpy((char *)(uintptr_t)node->fill.dst + row * node->fill.pitch +
                       j * node->fill.elementSize,
                   &node->fill.value, node->fill.elementSize);
          }
        }
        break;
      case 'r': {
        Object *event = find(node->event, EVENT);
        if (event != NULL) {
          event->state = 1;
          event->when = now += 1.5;
        }
        break;
      }
      case 'i': runBodies(node); break;
      case 'g': run(node->child); break;
      case 'h': node->call(node->argument); break;
      default: break;
    }
  }
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream) {
  CALL("%s", "");
  Object *exec = find(handle, EXEC);
  if (exec == NULL) return 400;
  int result = streamResult(stream);
  if (result == 0) run(exec);
  return result;
}

/* --- the lookup ------------------------------------------------------------------------------- */

/* What an older signature or the per-thread default stream would give: never to be called. */
static CUresult misresolved(void) {
  enter("misresolved", "%s", "");
  return 999;
}


#define PLAIN(name, since) {#name, since, (void *)name}

static const struct {
  const char *name;
  int since;
  void *function;
} functions[] = {
    PLAIN(cuDeviceGet, 2000),
    PLAIN(cuDeviceGetName, 2000),
    PLAIN(cuDeviceGetAttribute, 2000),
    {"cuDeviceTotalMem", 2000, (void *)misresolved},
    {"cuDeviceTotalMem", 3020, (void *)cuDeviceTotalMem_v2},
    PLAIN(cuDeviceGetPCIBusId, 4010),
    PLAIN(cuDevicePrimaryCtxRetain, 7000),
    {"cuDevicePrimaryCtxRelease", 7000, (void *)misresolved},
    {"cuDevicePrimaryCtxRelease", 11000, (void *)cuDevicePrimaryCtxRelease_v2},
    PLAIN(cuCtxGetCurrent, 4000),
    PLAIN(cuCtxSetCurrent, 4000),
    {"cuCtxPushCurrent", 2000, (void *)misresolved},
    {"cuCtxPushCurrent", 4000, (void *)cuCtxPushCurrent_v2},
    {"cuCtxPopCurrent", 2000, (void *)misresolved},
    {"cuCtxPopCurrent", 4000, (void *)cuCtxPopCurrent_v2},
    PLAIN(cuCtxGetStreamPriorityRange, 5050),
    PLAIN(cuDeviceCanAccessPeer, 4000),
    PLAIN(cuDeviceGetP2PAttribute, 8000),
    PLAIN(cuCtxEnablePeerAccess, 4000),
    PLAIN(cuCtxDisablePeerAccess, 4000),
    PLAIN(cuMemPoolSetAccess, 11020),
    PLAIN(cuPointerGetAttribute, 4000),
    PLAIN(cuMemPoolCreate, 11020),
    PLAIN(cuMemPoolDestroy, 11020),
    PLAIN(cuMemPoolGetAttribute, 11020),
    PLAIN(cuMemPoolSetAttribute, 11020),
    PLAIN(cuMemPoolTrimTo, 11020),
    {"cuMemAllocFromPoolAsync", 11020, (void *)cuMemAllocFromPoolAsync},
    {"cuMemFreeAsync", 11020, (void *)cuMemFreeAsync},
    {"cuMemAlloc", 2000, (void *)misresolved},
    {"cuMemAlloc", 3020, (void *)cuMemAlloc_v2},
    {"cuMemFree", 2000, (void *)misresolved},
    {"cuMemFree", 3020, (void *)cuMemFree_v2},
    {"cuMemGetInfo", 2000, (void *)misresolved},
    {"cuMemGetInfo", 3020, (void *)cuMemGetInfo_v2},
    PLAIN(cuIpcGetMemHandle, 4010),
    {"cuIpcOpenMemHandle", 4010, (void *)misresolved},
    {"cuIpcOpenMemHandle", 11000, (void *)cuIpcOpenMemHandle_v2},
    PLAIN(cuIpcCloseMemHandle, 4010),
    PLAIN(cuMemPoolExportToShareableHandle, 11020),
    PLAIN(cuMemPoolImportFromShareableHandle, 11020),
    PLAIN(cuMemPoolExportPointer, 11020),
    PLAIN(cuMemPoolImportPointer, 11020),
    PLAIN(cuIpcGetEventHandle, 4010),
    PLAIN(cuIpcOpenEventHandle, 4010),
    PLAIN(cuMemHostAlloc, 2020),
    PLAIN(cuMemFreeHost, 2000),
    {"cuMemHostRegister", 4000, (void *)misresolved},
    {"cuMemHostRegister", 6050, (void *)cuMemHostRegister_v2},
    PLAIN(cuMemHostUnregister, 4000),
    PLAIN(cuStreamCreateWithPriority, 5050),
    {"cuStreamDestroy", 2000, (void *)misresolved},
    {"cuStreamDestroy", 4000, (void *)cuStreamDestroy_v2},
    {"cuStreamWriteValue32", 11070, (void *)cuStreamWriteValue32_v2},
    {"cuStreamWriteValue64", 11070, (void *)cuStreamWriteValue64_v2},
    {"cuStreamWaitValue32", 11070, (void *)cuStreamWaitValue32_v2},
    {"cuStreamWaitValue64", 11070, (void *)cuStreamWaitValue64_v2},
    PLAIN(cuStreamQuery, 2000),
    {"cuStreamSynchronize", 2000, (void *)cuStreamSynchronize},
    PLAIN(cuStreamGetFlags, 5000),
    PLAIN(cuStreamGetCtx, 9020),
    {"cuStreamWaitEvent", 3020, (void *)cuStreamWaitEvent},
    PLAIN(cuEventCreate, 2000),
    {"cuEventDestroy", 2000, (void *)misresolved},
    {"cuEventDestroy", 4000, (void *)cuEventDestroy_v2},
    {"cuEventRecord", 2000, (void *)cuEventRecord},
    PLAIN(cuEventQuery, 2000),
    PLAIN(cuEventSynchronize, 2000),
    {"cuEventElapsedTime", 2000, (void *)cuEventElapsedTime},
    {"cuMemcpyHtoDAsync", 2000, (void *)misresolved},
    {"cuMemcpyHtoDAsync", 3020, (void *)cuMemcpyHtoDAsync_v2},
    {"cuMemcpyDtoHAsync", 2000, (void *)misresolved},
    {"cuMemcpyDtoHAsync", 3020, (void *)cuMemcpyDtoHAsync_v2},
    {"cuMemcpyDtoDAsync", 3000, (void *)misresolved},
    {"cuMemcpyDtoDAsync", 3020, (void *)cuMemcpyDtoDAsync_v2},
    {"cuMemcpyPeerAsync", 4000, (void *)cuMemcpyPeerAsync},
    {"cuMemcpy3DPeerAsync", 4000, (void *)cuMemcpy3DPeerAsync},
    {"cuMemcpy2DAsync", 2000, (void *)misresolved},
    {"cuMemcpy2DAsync", 3020, (void *)cuMemcpy2DAsync_v2},
    {"cuMemcpy3DAsync", 2000, (void *)misresolved},
    {"cuMemcpy3DAsync", 3020, (void *)cuMemcpy3DAsync_v2},
    {"cuMemcpyBatchAsync", 12080, (void *)cuMemcpyBatchAsync_12080},
    {"cuMemcpyBatchAsync", 13000, (void *)cuMemcpyBatchAsync_v2},
    {"cuMemsetD8Async", 3020, (void *)cuMemsetD8Async},
    {"cuMemsetD16Async", 3020, (void *)cuMemsetD16Async},
    {"cuMemsetD32Async", 3020, (void *)cuMemsetD32Async},
    {"cuMemsetD2D8Async", 3020, (void *)cuMemsetD2D8Async},
    {"cuMemsetD2D16Async", 3020, (void *)cuMemsetD2D16Async},
    {"cuMemsetD2D32Async", 3020, (void *)cuMemsetD2D32Async},
    PLAIN(cuModuleLoadDataEx, 2010),
    PLAIN(cuModuleUnload, 2000),
    PLAIN(cuModuleGetFunction, 2000),
    PLAIN(cuFuncLoad, 12040),
    PLAIN(cuFuncGetAttribute, 2020),
    PLAIN(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050),
    PLAIN(cuFuncSetAttribute, 9000),
    {"cuLaunchKernel", 4000, (void *)cuLaunchKernel},
    PLAIN(cuLaunchKernelEx, 11060),
    PLAIN(cuTensorMapEncodeTiled, 12000),
    PLAIN(cuTensorMapEncodeIm2col, 12000),
    PLAIN(cuGraphCreate, 10000),
    PLAIN(cuGraphDestroy, 10000),
    {"cuGraphAddKernelNode", 10000, (void *)misresolved},
    {"cuGraphAddKernelNode", 12000, (void *)cuGraphAddKernelNode_v2},
    PLAIN(cuGraphKernelNodeSetAttribute, 11000),
    PLAIN(cuGraphAddMemcpyNode, 10000),
    PLAIN(cuGraphAddMemsetNode, 10000),
    PLAIN(cuGraphAddEventRecordNode, 11010),
    PLAIN(cuGraphAddEventWaitNode, 11010),
    PLAIN(cuGraphAddBatchMemOpNode, 11070),
    PLAIN(cuGraphExecBatchMemOpNodeSetParams, 11070),
    PLAIN(cuGraphExecEventRecordNodeSetEvent, 11010),
    PLAIN(cuGraphExecEventWaitNodeSetEvent, 11010),
    PLAIN(cuGraphNodeSetEnabled, 11060),
    PLAIN(cuGraphAddEmptyNode, 10000),
    PLAIN(cuGraphAddChildGraphNode, 10000),
    PLAIN(cuGraphGetNodes, 10000),
    {"cuStreamBeginCapture", 10000, (void *)misresolved},
    {"cuStreamBeginCapture", 10010, (void *)cuStreamBeginCapture_v2},
    PLAIN(cuStreamEndCapture, 10000),
    {"cuGraphAddNode", 12020, (void *)misresolved},
    {"cuGraphAddNode", 12030, (void *)cuGraphAddNode_v2},
    PLAIN(cuGraphConditionalHandleCreate, 12030),
    PLAIN(cuGraphInstantiateWithFlags, 11040),
    PLAIN(cuGraphExecDestroy, 10000),
    {"cuGraphExecKernelNodeSetParams", 10010, (void *)misresolved},
    {"cuGraphExecKernelNodeSetParams", 12000, (void *)cuGraphExecKernelNodeSetParams_v2},
    PLAIN(cuGraphExecMemcpyNodeSetParams, 10020),
    PLAIN(cuGraphExecMemsetNodeSetParams, 10020),
    {"cuGraphUpload", 11010, (void *)cuGraphUpload},
    {"cuGraphLaunch", 10000, (void *)cuGraphLaunch},
};

CUresult cuGetProcAddress_v2(const char *name, void **out, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status) {
  int best = 0;
  int known = 0;
  *out = NULL;
  for (int i = 0; i < 8; i++) {
    if (strcmp(hidden[i], name) == 0) {
      *status = 1; /* symbol not found */
      return 500;
    }
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strcmp(functions[i].name, name) != 0) continue;
    known = 1;
    if (functions[i].since <= cudaVersion && functions[i].since <= version &&
        functions[i].since > best) {
      best = functions[i].since;
      *out = flags == 0 ? functions[i].function : (void *)misresolved;
    }
  }
  *status = best != 0 ? 0 : known ? 2 : 1;
  return best != 0 ? 0 : 500;
}
