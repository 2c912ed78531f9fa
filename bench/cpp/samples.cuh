// Kernels of the kinds that CUDA's samples have, as one writes them first: the twins of those in
// bench/src/main/java/dev/stretto/bench/kernel/samples, with the same blocks. `long long` stands where Java has `long`.
// Images, volumes and points are here, the others in rows.cuh.
#pragma once
#include <cstdint>

namespace samples {

constexpr int kThreadsX = 32;
constexpr int kThreadsY = 8;

// ---- Convolutions

constexpr int kRadius = 8;
constexpr int kWeights = 2 * kRadius + 1;
constexpr int kSquare = 5;  // rows and columns of weights
constexpr int kTileX = 16;
constexpr int kTileY = 4;
constexpr int kSteps = 8;  // pixels of a thread of convTiledRows

#define STRETTO_WEIGHTS                                                                                           \
  {1 / 64.f, 2 / 64.f, 3 / 64.f, 4 / 64.f, 5 / 64.f, 6 / 64.f, 7 / 64.f, 8 / 64.f, 9 / 64.f, 8 / 64.f, 7 / 64.f, \
   6 / 64.f, 5 / 64.f, 4 / 64.f, 3 / 64.f, 2 / 64.f, 1 / 64.f}
const float kHostWeights[kWeights] = STRETTO_WEIGHTS;
__constant__ float cWeights[kWeights] = STRETTO_WEIGHTS;
#undef STRETTO_WEIGHTS

/** Along the rows; outside lies the nearest pixel within. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    convRows(const float* in, const float* weights, float* out, long long width, long long height) {
  const long long x = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long y = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float sum = 0;
    for (int k = -kRadius; k <= kRadius; k++) {
      const long long column = max(0LL, min(width - 1, x + k));
      sum += weights[k + kRadius] * in[y * width + column];
    }
    out[y * width + x] = sum;
  }
}

/** Along the columns; outside lies 0. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    convColumns(const float* in, float* out, long long width, long long height) {
  const long long x = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long y = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float sum = 0;
    for (int k = 0; k < kWeights; k++) {
      const long long row = y + k - kRadius;
      if (row >= 0 && row < height) sum += cWeights[k] * in[row * width + x];
    }
    out[y * width + x] = sum;
  }
}

/** With a square of weights; outside lies the nearest pixel within. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    convSquare(const float* in, const float* weights, float* out, long long width, long long height) {
  const long long x = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long y = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float sum = 0;
    for (long long j = 0; j < kSquare; j++) {
      const long long row = max(0LL, min(height - 1, y + j - kSquare / 2));
      for (long long i = 0; i < kSquare; i++) {
        const long long column = max(0LL, min(width - 1, x + i - kSquare / 2));
        sum += weights[j * kSquare + i] * in[row * width + column];
      }
    }
    out[y * width + x] = sum;
  }
}

/** Along the rows through shared memory; outside lies 0. */
__global__ void __launch_bounds__(kTileX* kTileY) convTiledRows(const float* in, float* out, int width) {
  __shared__ float tile[kTileY][(kSteps + 2) * kTileX];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = (static_cast<int>(blockIdx.x) * kSteps - 1) * kTileX + tx;
  const int y = blockIdx.y * kTileY + ty;
#pragma unroll
  for (int i = 0; i < kSteps + 2; i++) {
    const int column = x + i * kTileX;
    tile[ty][i * kTileX + tx] = column >= 0 && column < width ? in[y * width + column] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int i = 1; i <= kSteps; i++) {
    float sum = 0;
#pragma unroll
    for (int k = -kRadius; k <= kRadius; k++) sum += cWeights[k + kRadius] * tile[ty][i * kTileX + tx + k];
    out[y * width + x + i * kTileX] = sum;
  }
}

// ---- Volumes

constexpr int kReach = 4;
__constant__ float cReach[kReach + 1] = {16 / 64.f, 6 / 64.f, 4 / 64.f, 2 / 64.f, 1 / 64.f};

/** A step of heat; the cells of the surface keep their value. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    heat(const float* in, float* out, float rate, long long width, long long height, long long depth) {
  const long long x = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long y = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y;
  const long long z = static_cast<long long>(blockIdx.z) * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;
  const long long at = (z * height + y) * width + x;
  const float center = in[at];
  float result = center;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
    const float around = in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - width * height] +
                         in[at + width * height];
    result = center + rate * (around - 6 * center);
  }
  out[at] = result;
}

/** A step of waves: a block goes through the depth. Around the volume lies a border of kReach cells. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    waves(const float* in, float* out, int width, int height, int depth) {
  __shared__ float tile[kThreadsY + 2 * kReach][kThreadsX + 2 * kReach];
  const int tx = threadIdx.x + kReach;
  const int ty = threadIdx.y + kReach;
  const int x = blockIdx.x * kThreadsX + threadIdx.x;
  const int y = blockIdx.y * kThreadsY + threadIdx.y;
  const int row = width + 2 * kReach;
  const int layer = row * (height + 2 * kReach);
  int ahead = (y + kReach) * row + x + kReach;
  float before[kReach], behind[kReach];
#pragma unroll
  for (int i = kReach - 1; i >= 0; i--) {
    before[i] = in[ahead];
    ahead += layer;
  }
  float current = in[ahead];
  int at = ahead;
  ahead += layer;
#pragma unroll
  for (int i = 0; i < kReach; i++) {
    behind[i] = in[ahead];
    ahead += layer;
  }
  for (int z = 0; z < depth; z++) {
    if (z > 0) {
#pragma unroll
      for (int i = kReach - 1; i > 0; i--) before[i] = before[i - 1];
      before[0] = current;
      current = behind[0];
#pragma unroll
      for (int i = 0; i < kReach - 1; i++) behind[i] = behind[i + 1];
      behind[kReach - 1] = in[ahead];
      at += layer;
      ahead += layer;
    }
    __syncthreads();
    if (threadIdx.y < kReach) {
      tile[ty - kReach][tx] = in[at - kReach * row];
      tile[ty + kThreadsY][tx] = in[at + kThreadsY * row];
    }
    if (threadIdx.x < kReach) {
      tile[ty][tx - kReach] = in[at - kReach];
      tile[ty][tx + kThreadsX] = in[at + kThreadsX];
    }
    tile[ty][tx] = current;
    __syncthreads();
    float value = cReach[0] * current;
#pragma unroll
    for (int i = 1; i <= kReach; i++) {
      value += cReach[i] * (before[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] +
                            tile[ty][tx + i]);
    }
    out[at] = value;
  }
}

// ---- Images of bytes

constexpr int kByteThreads = 256;

__global__ void __launch_bounds__(kByteThreads) grey(const uint8_t* colors, uint8_t* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const int red = colors[3 * i];
    const int green = colors[3 * i + 1];
    const int blue = colors[3 * i + 2];
    out[i] = static_cast<uint8_t>((77 * red + 150 * green + 29 * blue) >> 8);
  }
}

__device__ inline int pixel(const uint8_t* image, int x, int y, int width) { return image[y * width + x]; }

/** The steepness of the brightness; the border is 0. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY) sobel(const uint8_t* in, uint8_t* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int result = 0;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    const int upperLeft = pixel(in, x - 1, y - 1, width);
    const int upper = pixel(in, x, y - 1, width);
    const int upperRight = pixel(in, x + 1, y - 1, width);
    const int left = pixel(in, x - 1, y, width);
    const int right = pixel(in, x + 1, y, width);
    const int lowerLeft = pixel(in, x - 1, y + 1, width);
    const int lower = pixel(in, x, y + 1, width);
    const int lowerRight = pixel(in, x + 1, y + 1, width);
    const int across = upperRight + 2 * right + lowerRight - upperLeft - 2 * left - lowerLeft;
    const int down = lowerLeft + 2 * lower + lowerRight - upperLeft - 2 * upper - upperRight;
    result = min(255, abs(across) + abs(down));
  }
  out[y * width + x] = static_cast<uint8_t>(result);
}

/** The median of nine pixels; outside lies the nearest pixel within. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY) median(const uint8_t* in, uint8_t* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int nine[9];
#pragma unroll
  for (int j = 0; j < 3; j++) {
#pragma unroll
    for (int i = 0; i < 3; i++) {
      const int column = max(0, min(width - 1, x + i - 1));
      const int row = max(0, min(height - 1, y + j - 1));
      nine[3 * j + i] = pixel(in, column, row, width);
    }
  }
#pragma unroll
  for (int i = 0; i <= 4; i++) {
#pragma unroll
    for (int j = i + 1; j < 9; j++) {
      const int lesser = min(nine[i], nine[j]);
      nine[j] = max(nine[i], nine[j]);
      nine[i] = lesser;
    }
  }
  out[y * width + x] = static_cast<uint8_t>(nine[4]);
}

// ---- Images of floats

constexpr int kBoxThreads = 128;
constexpr int kBoxRadius = 7;
constexpr int kStrip = 64;  // rows of a thread
constexpr int kNear = 3;    // the radius of the bilateral filter

/** The mean of the pixels in a column, by a sum that follows the column down. */
__global__ void __launch_bounds__(kBoxThreads) box(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = blockIdx.y * kStrip;
  if (x >= width) return;
  const float scale = 1.0f / (2 * kBoxRadius + 1);
  float sum = 0;
  for (int k = -kBoxRadius; k <= kBoxRadius; k++) sum += in[max(0, min(height - 1, first + k)) * width + x];
  out[first * width + x] = sum * scale;
  for (int y = first + 1; y < first + kStrip && y < height; y++) {
    sum += in[min(height - 1, y + kBoxRadius) * width + x];
    sum -= in[max(0, y - kBoxRadius - 1) * width + x];
    out[y * width + x] = sum * scale;
  }
}

/** The mean of a square, weighted by distance and likeness; outside lies the nearest pixel within. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    bilateral(const float* in, float* out, float near, float like, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float center = in[y * width + x];
  float sum = 0;
  float weights = 0;
  for (int j = -kNear; j <= kNear; j++) {
    for (int i = -kNear; i <= kNear; i++) {
      const int column = max(0, min(width - 1, x + i));
      const int row = max(0, min(height - 1, y + j));
      const float value = in[row * width + column];
      const float difference = value - center;
      const float weight = __expf(-near * (i * i + j * j) - like * difference * difference);
      weights += weight;
      sum += weight * value;
    }
  }
  out[y * width + x] = sum / weights;
}

__device__ inline float pixel(const float* image, int x, int y, int width, int height) {
  return x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x] : 0;
}

/** The image turned about its middle, each pixel between four; outside lies 0. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    rotate(const float* in, float* out, float cosine, float sine, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float dx = column - 0.5f * width;
  const float dy = row - 0.5f * height;
  const float x = cosine * dx - sine * dy + 0.5f * width;
  const float y = sine * dx + cosine * dy + 0.5f * height;
  const int left = static_cast<int>(floorf(x));
  const int upper = static_cast<int>(floorf(y));
  const float right = x - left;
  const float lower = y - upper;
  const float above = (1 - right) * pixel(in, left, upper, width, height) +
                      right * pixel(in, left + 1, upper, width, height);
  const float below = (1 - right) * pixel(in, left, upper + 1, width, height) +
                      right * pixel(in, left + 1, upper + 1, width, height);
  out[row * width + column] = (1 - lower) * above + lower * below;
}

// ---- Points that are computed

constexpr int kPointThreads = 256;
constexpr int kThrows = 4096;
constexpr int kRounds = 256;
constexpr int kDimensions = 3;
constexpr int kBits = 31;
__constant__ int cDirections[kDimensions][kBits];

__device__ inline uint32_t next(uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

/** Counts the points of a square that lie in the quarter of a circle. */
__global__ void __launch_bounds__(kPointThreads) pi(int* counts, int seed) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  uint32_t state = static_cast<uint32_t>(thread * 0x9E3779B9LL) ^ seed;
  if (state == 0) state = 1;
  int count = 0;
  for (int i = 0; i < kThrows; i++) {
    state = next(state);
    const float x = (state >> 8) * 0x1p-24f;
    state = next(state);
    const float y = (state >> 8) * 0x1p-24f;
    if (x * x + y * y < 1) count++;
  }
  counts[thread] = count;
}

/** In how many rounds each point leaves the circle of radius 2. */
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    mandelbrot(int* out, double left, double top, double scale, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) {
    const double x = left + column * scale;
    const double y = top + row * scale;
    double re = x;
    double im = y;
    int rounds = 0;
    while (rounds < kRounds && re * re + im * im <= 4) {
      const double next = re * re - im * im + x;
      im = 2 * re * im + y;
      re = next;
      rounds++;
    }
    out[row * width + column] = rounds;
  }
}

/** Numbers from 0 to 1 that fill it evenly: a row for each dimension. */
__global__ void __launch_bounds__(kPointThreads) quasirandom(float* out, uint32_t seed, int n) {
  const int dimension = blockIdx.y;
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    int result = 0;
    uint32_t data = seed + i;
    for (int bit = 0; bit < kBits; bit++) {
      if (data & 1) result ^= cDirections[dimension][bit];
      data >>= 1;
    }
    out[static_cast<long long>(dimension) * n + i] = (result + 1) * 0x1p-31f;
  }
}

}  // namespace samples
