// A program of the guide's page "From CUDA C++": four pieces of an array through a kernel, on four streams.
// @start
#include <cuda_runtime.h>

__global__ void brighten(const float* in, float* out, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] + by;
  }
}

int main() {
  const int n = 1 << 20, pieces = 4, piece = n / pieces;
  float *host, *x, *y;
  cudaStream_t streams[pieces];
  cudaMallocHost(&host, n * sizeof(float));
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  for (int p = 0; p < pieces; p++) {
    cudaStreamCreateWithFlags(&streams[p], cudaStreamNonBlocking);
    float *h = host + p * piece, *from = x + p * piece, *to = y + p * piece;
    cudaMemcpyAsync(from, h, piece * sizeof(float), cudaMemcpyHostToDevice, streams[p]);
    brighten<<<piece / 256, 256, 0, streams[p]>>>(from, to, 0.5f, piece);
    cudaMemcpyAsync(h, to, piece * sizeof(float), cudaMemcpyDeviceToHost, streams[p]);
  }
  cudaDeviceSynchronize();
  for (int p = 0; p < pieces; p++) {
    cudaStreamDestroy(streams[p]);
  }
  cudaFree(y);
  cudaFree(x);
  cudaFreeHost(host);
}
// @end
