// Flips the bits of a mask in every byte, a thread for each byte.
extern "C" __global__ void mask(const unsigned char* in, unsigned char* out, unsigned char bits,
                                long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] ^ bits;
  }
}
