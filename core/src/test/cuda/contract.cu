// The kernels of the contract suite;
// generate.sh makes contract.ptx from this.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

// One parameter of every type, in an order that needs padding.
extern "C" __global__ void everything(
    int8_t b, int64_t l, int16_t s, double d, float f, int32_t i, int8_t *bytes, int16_t *shorts,
    int32_t *ints, int64_t *longs, float *floats, double *doubles, __half *halfs,
    __nv_bfloat16 *bfloats) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t == 0) {
    bytes[0] = b;
    shorts[0] = s;
    ints[0] = i;
    longs[0] = l;
    floats[0] = f;
    doubles[0] = d;
    halfs[0] = __float2half_rn(f);
    bfloats[0] = __float2bfloat16_rn(f);
  }
}

// Where every thread of a three-dimensional launch stands.
extern "C" __global__ void places(int *places) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int threads = blockDim.x * blockDim.y * blockDim.z;
  places[block * threads + thread] = block * 1000 + thread;
}

extern "C" __global__ void add(int *array, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    array[i] += value;
  }
}

// Stores where nothing is.
extern "C" __global__ void fault(int *array) {
  *(volatile int *)((uint64_t)array + (1ull << 46)) = 1;
}
