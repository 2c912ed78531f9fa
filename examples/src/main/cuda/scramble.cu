// Steps Marsaglia's xorshift generator, a thread for each element: work for the multiprocessors,
// as much as is asked for.
extern "C" __global__ void scramble(unsigned* x, int rounds, int n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned v = x[i];
    for (int round = 0; round < rounds; round++) {
      v ^= v << 13;
      v ^= v >> 17;
      v ^= v << 5;
    }
    x[i] = v;
  }
}
