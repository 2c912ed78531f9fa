// What every library launches beside ChaCha20. kernels.ptx: nvcc -ptx -arch=sm_80 -O3 kernels.cu, CUDA 13.0,
// .version lowered to 7.0.

/** Does nothing: for what a launch costs. */
extern "C" __global__ void empty(int number, const void* pointer, float value) {}

/** Adds 64-bit words, with wrap-around, to a total: in a grid of any number of blocks of 256 threads. */
extern "C" __global__ void __launch_bounds__(256)
sum(const unsigned long long* words, long long count, unsigned long long* total) {
  unsigned long long mine = 0;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) mine += words[i];
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(~0u, mine, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
}
