// The C++ side of Stretto's kernel benchmarks. The Java side (dev.stretto.bench.kernel) prints lines of the same names
// from the same jobs on the same data.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -o kernels kernels.cu && ./kernels [name…]
//
// Each line on standard output is one JSON object; a benchmark that fails prints its error in one and the others go on.
// A sample is a launch ahead of the clock, so that the device is busy while the rest is enqueued, and then kLaunches
// launches between two events. The first samples are thrown away, and the median of the others, a launch, is printed.
// The result of all those launches is compared with what the host computes.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "chacha20.cuh"
#include "copies.cuh"
#include "harness.cuh"
#include "kernels.cuh"
#include "samplejobs.cuh"
#include "tensors.cuh"

namespace {

constexpr ChaCha20Key kKey = {{0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918,
                               0x1f1e1d1c},
                              {0, 0x4a000000, 0}};

// ---- The benchmarks

Figures saxpy() {
  const OnDevice<float> x(made<float>(kElements, [](uint32_t i) { return smallFloat(i, 1); }));
  const OnDevice<float> y(made<float>(kElements, [](uint32_t i) { return smallFloat(i, 2); }));
  const double t = timed([&] {
    kernels::saxpy<<<kElements / kernels::kSaxpyThreads, kernels::kSaxpyThreads>>>(2, x.get(), y.get(), kElements);
  });
  const double sum = requireEach<float>(y.toHost(), [](size_t i) {
    const uint32_t at = static_cast<uint32_t>(i);
    return smallFloat(at, 2) + 2.0f * kAllLaunches * smallFloat(at, 1);
  });
  return bytes(t, 12.0 * kElements, sum, pointer(kernels::saxpy));
}

Figures triad() {
  const OnDevice<float> b(made<float>(kElements, [](uint32_t i) { return smallFloat(i, 3); }));
  const OnDevice<float> c(made<float>(kElements, [](uint32_t i) { return smallFloat(i, 4); }));
  const OnDevice<float> a(kElements);
  const double t = timed([&] {
    kernels::triad<<<kElements / 4 / kernels::kTriadThreads, kernels::kTriadThreads>>>(a.get(), b.get(), c.get(), 3,
                                                                                      kElements);
  });
  const double sum = requireEach<float>(a.toHost(), [](size_t i) {
    const uint32_t at = static_cast<uint32_t>(i);
    return smallFloat(at, 3) + 3.0f * smallFloat(at, 4);
  });
  return bytes(t, 12.0 * kElements, sum, pointer(kernels::triad));
}

using Sum = void(const float*, float*, int);

/** `kernel` over x, and then `reduce` by one block over what its blocks made of it. */
Figures sumOf(Sum* kernel, int elements, uint32_t seed) {
  const OnDevice<float> x(made<float>(elements, [=](uint32_t i) { return smallFloat(i, seed); }));
  const OnDevice<float> sums(kernels::kSumBlocks), sum(1);
  const double t = timed([&] {
    kernel<<<kernels::kSumBlocks, kernels::kSumThreads>>>(x.get(), sums.get(), elements);
    kernels::reduce<<<1, kernels::kSumThreads>>>(sums.get(), sum.get(), kernels::kSumBlocks);
  });
  std::atomic<long long> units{0};
  onAllCores(elements, [&](size_t from, size_t to) {
    long long part = 0;
    for (size_t i = from; i < to; i++) part += small(static_cast<uint32_t>(i), seed);
    units += part;
  });
  const double expected = static_cast<double>(units) / 64;
  const double found = sum.toHost()[0];
  requireClose("the sum", found, expected, 1e-5 * std::abs(expected));
  return bytes(t, 4.0 * elements, found, pointer(kernel));
}

Figures reduction() { return sumOf(kernels::reduce, kElements, 5); }

Figures sum1GiB() { return sumOf(kernels::sumWide, kSumElements, 6); }

Figures transpose() {
  const OnDevice<float> in(made<float>(kElements, [](uint32_t i) { return fineFloat(i, 7); }));
  const OnDevice<float> out(kElements);
  const dim3 grid(kSide / kernels::kTile, kSide / kernels::kTile), block(kernels::kTile, kernels::kTileRows);
  const double t = timed([&] { kernels::transpose<<<grid, block>>>(in.get(), out.get(), kSide, kSide); });
  const double sum = requireEach<float>(
      out.toHost(), [](size_t i) { return fineFloat(static_cast<uint32_t>(i % kSide * kSide + i / kSide), 7); });
  return bytes(t, 8.0 * kElements, sum, pointer(kernels::transpose));
}

Figures stencil() {
  const std::vector<float> input = made<float>(kElements, [](uint32_t i) { return smallFloat(i, 8); });
  const OnDevice<float> in(input), out(kElements);
  const dim3 grid(kSide / kernels::kStencilX, kSide / kernels::kStencilY),
      block(kernels::kStencilX, kernels::kStencilY);
  const double t = timed([&] { kernels::stencil<<<grid, block>>>(in.get(), out.get(), kSide, kSide); });
  const double sum = requireEach<float>(out.toHost(), [&](size_t i) {
    const size_t x = i % kSide, y = i / kSide;
    if (x == 0 || x == kSide - 1 || y == 0 || y == kSide - 1) return input[i];
    return 0.5f * input[i] + 0.125f * (input[i - 1] + input[i + 1] + input[i - kSide] + input[i + kSide]);
  });
  return bytes(t, 8.0 * kElements, sum, pointer(kernels::stencil));
}

Figures histogram() {
  const OnDevice<int> words(made<int>(kElements, [](uint32_t i) { return static_cast<int>(hashOf(i, 9)); }));
  const OnDevice<int> bins(kernels::kBins);
  const double t = timed([&] {
    kernels::histogram<<<kernels::kHistogramBlocks, kernels::kHistogramThreads>>>(words.get(), bins.get(), kElements);
  });
  std::vector<std::atomic<long long>> expected(kernels::kBins);
  onAllCores(kElements, [&](size_t from, size_t to) {
    std::vector<long long> part(kernels::kBins);
    for (size_t i = from; i < to; i++) {
      const uint32_t word = hashOf(static_cast<uint32_t>(i), 9);
      for (int shift = 0; shift < 32; shift += 8) part[word >> shift & 0xff]++;
    }
    for (int bin = 0; bin < kernels::kBins; bin++) expected[bin] += part[bin];
  });
  const std::vector<int> found = bins.toHost();
  requireEach<int>(found, [&](size_t bin) { return static_cast<int>(expected[bin] * kAllLaunches); });
  double checksum = 0;
  for (int bin = 0; bin < kernels::kBins; bin++) checksum += static_cast<double>(bin) * found[bin];
  return bytes(t, 4.0 * kElements, checksum, pointer(kernels::histogram));
}

Figures chacha20OnDevice() {
  const size_t words = kCipherBytes / 4;
  const OnDevice<uint32_t> src(made<uint32_t>(words, [](uint32_t i) { return hashOf(i, 10); })), dst(words);
  const double t = timed([&] { CHECK(enqueueChaCha20(src.get(), dst.get(), kCipherBytes, kKey, 1, nullptr)); });
  const std::vector<uint32_t> found = dst.toHost();
  std::atomic<size_t> wrong{0};
  std::atomic<uint64_t> sum{0};
  onAllCores(words / 16, [&](size_t from, size_t to) {
    uint64_t part = 0;
    for (size_t block = from; block < to; block++) {
      uint32_t keyStream[16];
      chacha20KeyStream(kKey, static_cast<uint32_t>(1 + block), keyStream);
      for (size_t j = 0; j < 16; j++) {
        const size_t i = block * 16 + j;
        if (found[i] != (hashOf(static_cast<uint32_t>(i), 10) ^ keyStream[j])) wrong++;
        part += found[i];
      }
    }
    sum += part;
  });
  if (wrong != 0) fail(std::to_string(wrong) + " words are wrong");
  return bytes(t, 2.0 * kCipherBytes, static_cast<double>(sum), pointer(chacha20));
}

Figures sgemm() {
  const size_t n = kMatrix;
  const OnDevice<float> a(made<float>(n * n, [](uint32_t i) { return smallFloat(i, 11); }));
  const OnDevice<float> b(made<float>(n * n, [](uint32_t i) { return smallFloat(i, 12); }));
  const OnDevice<float> c(n * n);
  const dim3 grid(kMatrix / kernels::kGemmTile, kMatrix / kernels::kGemmTile);
  const double t = timed(
      [&] { kernels::sgemm<<<grid, kernels::kGemmThreads>>>(a.get(), b.get(), c.get(), kMatrix, kMatrix); });
  const double sum = requireProduct(c.toHost(), n, 11, 12);
  return operations(t, 2.0 * n * n * n, sum, pointer(kernels::sgemm));
}

float4 body(uint32_t i) {
  return {fineFloat(i, 13), fineFloat(i, 14), fineFloat(i, 15), 1.5f + 0.5f * fineFloat(i, 16)};
}

Figures nbody() {
  const std::vector<float4> all = made<float4>(kBodies, body);
  const OnDevice<float4> bodies(all), accelerations(kBodies);
  const double t = timed([&] {
    kernels::nbody<<<kBodies / kernels::kBodyThreads, kernels::kBodyThreads>>>(bodies.get(), accelerations.get(),
                                                                             kBodies);
  });
  const std::vector<float4> found = accelerations.toHost();
  double checksum = 0;
  for (const float4& f : found) {
    checksum += std::abs(double{f.x}) + std::abs(double{f.y}) + std::abs(double{f.z});
  }
  constexpr int checked = 64;
  for (int sample = 0; sample < checked; sample++) {
    const int i = static_cast<int>(static_cast<long long>(sample) * kBodies / checked + sample);
    double x = 0, y = 0, z = 0, sizes = 0;
    for (const float4& other : all) {
      const double dx = double{other.x} - all[i].x, dy = double{other.y} - all[i].y, dz = double{other.z} - all[i].z;
      const double square = dx * dx + dy * dy + dz * dz + kernels::kSoftening;
      const double scale = other.w / (square * std::sqrt(square));
      x += dx * scale;
      y += dy * scale;
      z += dz * scale;
      sizes += scale * std::sqrt(dx * dx + dy * dy + dz * dz);
    }
    // The sums cancel: what is added up, not what is left of it, says how large an error may be.
    requireClose("an acceleration in x", found[i].x, x, 2e-5 * sizes);
    requireClose("an acceleration in y", found[i].y, y, 2e-5 * sizes);
    requireClose("an acceleration in z", found[i].z, z, 2e-5 * sizes);
  }
  return operations(t, 20.0 * kBodies * kBodies, checksum, pointer(kernels::nbody));
}

Figures mmaBf16() {
  const size_t n = kMatrix;
  const auto pair = [](uint32_t seed) {
    return [seed](uint32_t i) {
      const auto bits = [](float value) {
        uint32_t word;
        memcpy(&word, &value, 4);
        return word >> 16;  // exact: `small` has seven bits
      };
      return bits(smallFloat(2 * i, seed)) | bits(smallFloat(2 * i + 1, seed)) << 16;
    };
  };
  const OnDevice<uint32_t> a(made<uint32_t>(n * n / 2, pair(17))), b(made<uint32_t>(n * n / 2, pair(18)));
  const OnDevice<float> c(n * n);
  const dim3 grid(kMatrix / kernels::kMmaColumns, kMatrix / kernels::kMmaRows);
  CHECK(cudaFuncSetAttribute(kernels::mma, cudaFuncAttributeMaxDynamicSharedMemorySize, kernels::kMmaSharedBytes));
  const double t = timed([&] {
    kernels::mma<<<grid, kernels::kMmaThreads, kernels::kMmaSharedBytes>>>(a.get(), b.get(), c.get(), kMatrix, kMatrix);
  });
  const double sum = requireProduct(c.toHost(), n, 17, 18);
  return operations(t, 2.0 * n * n * n, sum, pointer(kernels::mma));
}

using BatchKernel = void (*)(const float*, float*, int, int);

/** Batches through shared memory; what fits into the L2 cache shows what the copies themselves cost. */
template <BatchKernel kKernel, int kThreads, int kCount, int kPasses>
Figures batches() {
  const OnDevice<float> in(made<float>(kCount, [](uint32_t i) { return smallFloat(i, 14); }));
  const OnDevice<float> out(static_cast<size_t>(kCount));
  const double t = timed([&] {
    kKernel<<<copies::kBlocks, kThreads>>>(in.get(), out.get(), kCount / copies::kBatch, kPasses);
  });
  const double sum = requireEach<float>(out.toHost(), [](size_t i) {
    const size_t batch = i / copies::kBatch * copies::kBatch;
    const auto at = [&](size_t place) { return smallFloat(static_cast<uint32_t>(batch + place % copies::kBatch), 14); };
    const size_t place = i - batch;
    return 0.25f * at(place + copies::kBatch - 1) + 0.5f * at(place) + 0.25f * at(place + 1);
  });
  return bytes(t, 8.0 * kCount * kPasses, sum, pointer(kKernel));
}

template <BatchKernel kKernel, int kThreads = copies::kThreads>
Figures fromMemory() {
  return batches<kKernel, kThreads, kElements, 1>();
}

/** 8 MiB in and 8 MiB out, as often as makes a launch last some hundred microseconds. */
template <BatchKernel kKernel, int kThreads = copies::kThreads>
Figures fromCache() {
  return batches<kKernel, kThreads, 2 * kMi, 128>();
}

/** How the tensor memory accelerator reads and writes tiles of a matrix of kTensor columns. */
CUtensorMap tensorMap(const OnDevice<float>& matrix, uint64_t rows, uint32_t width) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) fail("the driver has no cuTensorMapEncodeTiled");
  CUtensorMap map;
  const cuuint64_t shape[2] = {kTensor, rows};
  const cuuint64_t strides[1] = {kTensor * sizeof(float)};
  const cuuint32_t box[2] = {width, tensors::kTile / width};
  const cuuint32_t steps[2] = {1, 1};
  const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix.get(), shape, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) fail("cuTensorMapEncodeTiled: " + std::to_string(result));
  return map;
}

using TensorSum = void (*)(CUtensorMap, float*, int, int);

/** The sum of a matrix of 4 GiB, by tiles that are so many floats wide. */
template <TensorSum kKernel, int kWidth>
Figures tensorSum() {
  constexpr int n = kTensor * kTensor;
  const OnDevice<float> matrix(made<float>(n, [](uint32_t i) { return smallFloat(i, 19); }));
  const OnDevice<float> sums(tensors::kBlocks);
  const CUtensorMap map = tensorMap(matrix, kTensor, kWidth);
  CHECK(cudaFuncSetAttribute(kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tensors::kSharedBytes));
  const double t = timed([&] {
    kKernel<<<tensors::kBlocks, tensors::kThreads, tensors::kSharedBytes>>>(map, sums.get(), kTensor / kWidth,
                                                                          n / tensors::kTile);
  });
  std::atomic<long long> units{0};
  onAllCores(n, [&](size_t from, size_t to) {
    long long part = 0;
    for (size_t i = from; i < to; i++) part += small(static_cast<uint32_t>(i), 19);
    units += part;
  });
  double found = 0;
  for (const float sum : sums.toHost()) found += sum;
  // All sums that occur are floats, in whatever order they are made.
  requireClose("the sum", found, static_cast<double>(units) / 64, 0);
  return bytes(t, 4.0 * n, found, pointer(kKernel));
}

/** Copies a matrix of half as many rows. */
Figures tensorCopy() {
  constexpr int width = 256, rows = kTensor / 2, n = kTensor * rows;
  const OnDevice<float> from(made<float>(n, [](uint32_t i) { return fineFloat(i, 20); }));
  const OnDevice<float> to(static_cast<size_t>(n));
  const CUtensorMap fromMap = tensorMap(from, rows, width), toMap = tensorMap(to, rows, width);
  const auto kernel = tensors::copy<width>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tensors::kSharedBytes));
  const double t = timed([&] {
    kernel<<<tensors::kBlocks, tensors::kCopyThreads, tensors::kSharedBytes>>>(fromMap, toMap, kTensor / width,
                                                                             n / tensors::kTile);
  });
  const double sum = requireEach<float>(to.toHost(), [](size_t i) { return fineFloat(static_cast<uint32_t>(i), 20); });
  return bytes(t, 8.0 * n, sum, pointer(kernel));
}

const Benchmark kBenchmarks[] = {
    {"saxpy", saxpy},         {"triad", triad},         {"reduction", reduction}, {"sum-1g", sum1GiB},
    {"transpose", transpose}, {"stencil", stencil},     {"histogram", histogram}, {"chacha20", chacha20OnDevice},
    {"sgemm", sgemm},         {"nbody", nbody},         {"mma-bf16", mmaBf16},
    {"tma-stream", tensorSum<tensors::sum<256>, 256>},
    {"tma-stream-64", tensorSum<tensors::sum<64>, 64>},
    {"tma-pipeline", tensorSum<tensors::sumPipelined<256>, 256>},
    {"tma-copy", tensorCopy},
    {"copy-plain", fromMemory<copies::plain>},
    {"copy-barrier", fromMemory<copies::onBarrier>},
    {"copy-pipeline-1", fromMemory<copies::pipelined<1>>},
    {"copy-pipeline-2", fromMemory<copies::pipelined<2>>},
    {"copy-pipeline-4", fromMemory<copies::pipelined<4>>},
    {"copy-roles-4", fromMemory<copies::byRoles<4>, copies::kRoleThreads>},
    {"copy-bulk", fromMemory<copies::bulk>},
    {"copy-plain-l2", fromCache<copies::plain>},
    {"copy-barrier-l2", fromCache<copies::onBarrier>},
    {"copy-pipeline-1-l2", fromCache<copies::pipelined<1>>},
    {"copy-pipeline-2-l2", fromCache<copies::pipelined<2>>},
    {"copy-pipeline-4-l2", fromCache<copies::pipelined<4>>},
    {"copy-roles-4-l2", fromCache<copies::byRoles<4>, copies::kRoleThreads>},
    {"copy-bulk-l2", fromCache<copies::bulk>},
};

void printFigures(const char* name, const Figures& figures) {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, figures.kernel));
  printf("{\"bench\":\"%s\",\"milliseconds\":%.6f,\"%s\":%.1f,\"checksum\":%.9e,\"registers\":%d,\"localBytes\":%zu}\n",
         name, figures.milliseconds, figures.rate, figures.work / figures.milliseconds * 1e-6, figures.checksum,
         attributes.numRegs, attributes.localSizeBytes);
  fflush(stdout);
}

void printError(const char* name, const char* what) {
  std::string text;
  for (const char* c = what; *c != 0; c++) {
    if (*c == '"' || *c == '\\') text += '\\';
    text += static_cast<unsigned char>(*c) < ' ' ? ' ' : *c;
  }
  printf("{\"bench\":\"%s\",\"error\":\"%s\"}\n", name, text.c_str());
  fflush(stdout);
}

/** Whether it went well. */
bool run(const Benchmark& benchmark) {
  try {
    printFigures(benchmark.name, benchmark.run());
    return true;
  } catch (const std::exception& failure) {
    printError(benchmark.name, failure.what());
    return false;
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> names(arguments + 1, arguments + count);
  std::vector<Benchmark> benchmarks(std::begin(kBenchmarks), std::end(kBenchmarks));
  benchmarks.insert(benchmarks.end(), std::begin(kSampleBenchmarks), std::end(kSampleBenchmarks));
  bool well = true;
  for (const std::string& name : names) {
    if (std::none_of(benchmarks.begin(), benchmarks.end(), [&](const Benchmark& b) { return name == b.name; })) {
      printError(name.c_str(), "no such benchmark");
      well = false;
    }
  }
  for (const Benchmark& benchmark : benchmarks) {
    if (names.empty() || std::find(names.begin(), names.end(), benchmark.name) != names.end()) {
      well = run(benchmark) && well;
    }
  }
  return well ? 0 : 1;
}
