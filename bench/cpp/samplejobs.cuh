// The jobs of the kernels in samples.cuh and rows.cuh: the same as in Java, on the same data. Java compares the results
// with the host's; here they only become checksums, which the table compares with Java's.
#pragma once
#include <cmath>
#include <vector>

#include "harness.cuh"
#include "kernels.cuh"
#include "rows.cuh"
#include "samples.cuh"

namespace {

/** The sum of the magnitudes, the one at place i times 1 + i % 7, so that it depends on the order. */
template <typename T>
double weighed(const std::vector<T>& values) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); i++) sum += std::abs(static_cast<double>(values[i])) * (1 + i % 7);
  return sum;
}

template <typename T>
double weighed(const OnDevice<T>& values) {
  return weighed(values.toHost());
}

auto smallFloats(uint32_t seed) {
  return [seed](uint32_t i) { return smallFloat(i, seed); };
}

auto fineFloats(uint32_t seed) {
  return [seed](uint32_t i) { return fineFloat(i, seed); };
}

const dim3 kSampleBlock(samples::kThreadsX, samples::kThreadsY);
const dim3 kSampleGrid(kSide / samples::kThreadsX, kSide / samples::kThreadsY);

// ---- Convolutions

Figures convRows() {
  const OnDevice<float> in(made<float>(kElements, smallFloats(30))), out(kElements);
  const OnDevice<float> weights(std::vector<float>(samples::kHostWeights, samples::kHostWeights + samples::kWeights));
  const double t = timed([&] {
    samples::convRows<<<kSampleGrid, kSampleBlock>>>(in.get(), weights.get(), out.get(), kSide, kSide);
  });
  return operations(t, 2.0 * samples::kWeights * kElements, weighed(out), pointer(samples::convRows));
}

Figures convColumns() {
  const OnDevice<float> in(made<float>(kElements, smallFloats(30))), out(kElements);
  const double t =
      timed([&] { samples::convColumns<<<kSampleGrid, kSampleBlock>>>(in.get(), out.get(), kSide, kSide); });
  return operations(t, 2.0 * samples::kWeights * kElements, weighed(out), pointer(samples::convColumns));
}

Figures convSquare() {
  constexpr int count = samples::kSquare * samples::kSquare;
  const OnDevice<float> in(made<float>(kElements, smallFloats(30))), out(kElements);
  const OnDevice<float> weights(made<float>(count, [](uint32_t i) { return (1 + i % samples::kSquare) / 64.0f; }));
  const double t = timed([&] {
    samples::convSquare<<<kSampleGrid, kSampleBlock>>>(in.get(), weights.get(), out.get(), kSide, kSide);
  });
  return operations(t, 2.0 * count * kElements, weighed(out), pointer(samples::convSquare));
}

Figures convTiled() {
  const OnDevice<float> in(made<float>(kElements, smallFloats(30))), out(kElements);
  const dim3 grid(kSide / (samples::kSteps * samples::kTileX), kSide / samples::kTileY);
  const dim3 block(samples::kTileX, samples::kTileY);
  const double t = timed([&] { samples::convTiledRows<<<grid, block>>>(in.get(), out.get(), kSide); });
  return operations(t, 2.0 * samples::kWeights * kElements, weighed(out), pointer(samples::convTiledRows));
}

// ---- Volumes

constexpr int kWidth = kSide / 4, kHeight = kSide / 16, kDepth = 64;

Figures heat3d() {
  const OnDevice<float> in(made<float>(kElements, smallFloats(31))), out(kElements);
  const dim3 grid(kWidth / samples::kThreadsX, kHeight / samples::kThreadsY, kDepth);
  const double t = timed([&] {
    samples::heat<<<grid, kSampleBlock>>>(in.get(), out.get(), 0.125f, kWidth, kHeight, kDepth);
  });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::heat));
}

Figures waves3d() {
  constexpr int more = 2 * samples::kReach;
  constexpr size_t cells = static_cast<size_t>(kWidth + more) * (kHeight + more) * (kDepth + more);
  const OnDevice<float> in(made<float>(cells, smallFloats(31))), out(cells);
  const dim3 grid(kWidth / samples::kThreadsX, kHeight / samples::kThreadsY);
  const double t =
      timed([&] { samples::waves<<<grid, kSampleBlock>>>(in.get(), out.get(), kWidth, kHeight, kDepth); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::waves));
}

// ---- Images

std::vector<uint8_t> bytePixels(size_t count) {
  return made<uint8_t>(count, [](uint32_t i) { return static_cast<uint8_t>(hashOf(i, 32)); });
}

Figures greyOf() {
  const OnDevice<uint8_t> colors(bytePixels(3ull * kElements)), out(kElements);
  const double t = timed([&] {
    samples::grey<<<kElements / samples::kByteThreads, samples::kByteThreads>>>(colors.get(), out.get(), kElements);
  });
  return bytes(t, 4.0 * kElements, weighed(out), pointer(samples::grey));
}

using ByteFilter = void(const uint8_t*, uint8_t*, int, int);

template <ByteFilter* kKernel>
Figures byteFilter() {
  const OnDevice<uint8_t> in(bytePixels(kElements)), out(kElements);
  const double t = timed([&] { kKernel<<<kSampleGrid, kSampleBlock>>>(in.get(), out.get(), kSide, kSide); });
  return bytes(t, 2.0 * kElements, weighed(out), pointer(kKernel));
}

Figures boxFilter() {
  const OnDevice<float> in(made<float>(kElements, smallFloats(33))), out(kElements);
  const dim3 grid(kSide / samples::kBoxThreads, kSide / samples::kStrip);
  const double t = timed([&] { samples::box<<<grid, samples::kBoxThreads>>>(in.get(), out.get(), kSide, kSide); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::box));
}

using FloatFilter = void(const float*, float*, float, float, int, int);

Figures floatFilter(FloatFilter* kernel, float a, float b) {
  const OnDevice<float> in(made<float>(kElements, smallFloats(33))), out(kElements);
  const double t = timed([&] { kernel<<<kSampleGrid, kSampleBlock>>>(in.get(), out.get(), a, b, kSide, kSide); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(kernel));
}

Figures bilateralFilter() { return floatFilter(samples::bilateral, 0.125f, 2); }

Figures rotation() {
  const double angle = 0.5;
  return floatFilter(samples::rotate, static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
}

// ---- Options

constexpr float kRate = 0.02f;
constexpr float kVolatility = 0.3f;

float optionPrice(uint32_t i) { return 17.5f + 12.5f * fineFloat(i, 34); }
float optionStrike(uint32_t i) { return 50.5f + 49.5f * fineFloat(i, 35); }
float optionYears(uint32_t i) { return 5.125f + 4.875f * fineFloat(i, 36); }

Figures blackScholesPrices() {
  const OnDevice<float> prices(made<float>(kElements, optionPrice)), strikes(made<float>(kElements, optionStrike));
  const OnDevice<float> years(made<float>(kElements, optionYears)), calls(kElements), puts(kElements);
  const double t = timed([&] {
    samples::blackScholes<<<kElements / samples::kOptionThreads, samples::kOptionThreads>>>(
        calls.get(), puts.get(), prices.get(), strikes.get(), years.get(), kRate, kVolatility, kElements);
  });
  return bytes(t, 20.0 * kElements, weighed(calls) + weighed(puts), pointer(samples::blackScholes));
}

Figures binomialTrees() {
  constexpr int n = kernels::kSumBlocks;
  const double time = 10.0 / samples::kTreeSteps;
  const double growth = kVolatility * std::sqrt(time);
  const double interest = std::exp(kRate * time);
  const double chance = (interest - std::exp(-growth)) / (std::exp(growth) - std::exp(-growth));
  const samples::Step step = {static_cast<float>(growth), static_cast<float>(chance / interest),
                              static_cast<float>((1 - chance) / interest)};
  const OnDevice<float> prices(made<float>(n, optionPrice)), strikes(made<float>(n, optionStrike)), calls(n);
  const double t = timed([&] {
    samples::binomial<<<n, samples::kOptionThreads>>>(calls.get(), prices.get(), strikes.get(), step);
  });
  return operations(t, 1.5 * samples::kTreeSteps * samples::kTreeSteps * n, weighed(calls),
                    pointer(samples::binomial));
}

// ---- Points

Figures piByThrows() {
  constexpr int n = kernels::kSumBlocks * samples::kPointThreads;
  const OnDevice<int> counts(n);
  const double t = timed([&] { samples::pi<<<kernels::kSumBlocks, samples::kPointThreads>>>(counts.get(), 37); });
  return operations(t, 20.0 * n * samples::kThrows, weighed(counts), pointer(samples::pi));
}

Figures mandelbrotSet() {
  constexpr int side = kSide / 2;
  const OnDevice<int> out(side * side);
  const dim3 grid(side / samples::kThreadsX, side / samples::kThreadsY);
  const double t = timed(
      [&] { samples::mandelbrot<<<grid, kSampleBlock>>>(out.get(), -2.0, -1.25, 2.5 / side, side, side); });
  return bytes(t, 4.0 * side * side, weighed(out), pointer(samples::mandelbrot));
}

Figures quasirandomNumbers() {
  constexpr int n = kElements / 4;
  const auto directions = made<int>(samples::kDimensions * samples::kBits, [](uint32_t i) {
    return static_cast<int>((i + 1) * 0x9E3779B1u & 0x7fffffffu);
  });
  CHECK(cudaMemcpyToSymbol(samples::cDirections, directions.data(), directions.size() * sizeof(int)));
  const OnDevice<float> out(static_cast<size_t>(samples::kDimensions) * n);
  const dim3 grid(kernels::kSumBlocks, samples::kDimensions);
  const double t = timed([&] { samples::quasirandom<<<grid, samples::kPointThreads>>>(out.get(), 37, n); });
  return bytes(t, 4.0 * samples::kDimensions * n, weighed(out), pointer(samples::quasirandom));
}

// ---- Halving and doubling

Figures bitonicSort() {
  const OnDevice<int> in(made<int>(kElements, [](uint32_t i) { return static_cast<int>(hashOf(i, 40)); }));
  const OnDevice<int> out(kElements);
  const double t =
      timed([&] { samples::bitonic<<<kElements / samples::kKeys, samples::kKeys / 2>>>(in.get(), out.get()); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::bitonic));
}

Figures mergeOfTwo() {
  constexpr int n = kElements / 4;
  const auto rising = [](uint32_t seed) {
    return [seed](uint32_t i) { return static_cast<int>(8 * i + (hashOf(i, seed) & 7)); };
  };
  const OnDevice<int> a(made<int>(n, rising(41))), b(made<int>(n, rising(42))), out(2 * n);
  const double t = timed([&] {
    samples::merge<<<n / samples::kThreads, samples::kThreads>>>(a.get(), b.get(), out.get(), n);
  });
  return bytes(t, 16.0 * n, weighed(out), pointer(samples::merge));
}

Figures scanOfBlocks() {
  const OnDevice<int> in(made<int>(kElements, [](uint32_t i) { return small(i, 43); })), out(kElements);
  const double t =
      timed([&] { samples::scan<<<kElements / samples::kThreads, samples::kThreads>>>(in.get(), out.get()); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::scan));
}

Figures walshTransform() {
  const OnDevice<float> in(made<float>(kElements, smallFloats(44))), out(kElements);
  const double t =
      timed([&] { samples::walsh<<<kElements / samples::kWaves, samples::kWaves / 4>>>(in.get(), out.get()); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::walsh));
}

// ---- Products

Figures dotProduct() {
  constexpr int n = kElements / 2;
  const OnDevice<double> x(made<double>(n, smallFloats(45))), y(made<double>(n, smallFloats(46)));
  const OnDevice<double> sums(kernels::kSumBlocks);
  const double t = timed(
      [&] { samples::dot<<<kernels::kSumBlocks, samples::kThreads>>>(x.get(), y.get(), sums.get(), n); });
  return bytes(t, 16.0 * n, weighed(sums), pointer(samples::dot));
}

Figures scalarProducts() {
  constexpr int length = 4096, vectors = kElements / length;
  const OnDevice<float> a(made<float>(kElements, smallFloats(45))), b(made<float>(kElements, smallFloats(46)));
  const OnDevice<float> products(vectors);
  const double t = timed([&] {
    samples::pairs<<<kernels::kSumBlocks, samples::kThreads>>>(products.get(), a.get(), b.get(), vectors, length);
  });
  return bytes(t, 8.0 * kElements, weighed(products), pointer(samples::pairs));
}

Figures matrixVector() {
  const OnDevice<float> matrix(made<float>(kElements, smallFloats(45)));
  const OnDevice<float> x(made<float>(kSide, smallFloats(46))), y(kSide);
  const double t = timed([&] {
    samples::vector<<<32 * kSide / samples::kThreads, samples::kThreads>>>(matrix.get(), x.get(), y.get(), kSide,
                                                                         kSide);
  });
  return bytes(t, 4.0 * kElements, weighed(y), pointer(samples::vector));
}

Figures sparseProduct() {
  constexpr int rows = kElements / 64;
  std::vector<int> starts(rows + 1);
  for (int row = 0; row < rows; row++) starts[row + 1] = starts[row] + 16 + static_cast<int>(hashOf(row, 47) & 31);
  const int n = starts[rows];
  const OnDevice<int> begins(starts);
  const OnDevice<int> columns(made<int>(n, [](uint32_t i) { return static_cast<int>(hashOf(i, 48) & (rows - 1)); }));
  const OnDevice<float> values(made<float>(n, smallFloats(45))), x(made<float>(rows, smallFloats(46))), y(rows);
  const double t = timed([&] {
    samples::sparse<<<rows / samples::kThreads, samples::kThreads>>>(begins.get(), columns.get(), values.get(),
                                                                   x.get(), y.get(), rows);
  });
  return bytes(t, 8.0 * n, weighed(y), pointer(samples::sparse));
}

constexpr int kProduct = kMatrix / 2;
const dim3 kProductGrid(kProduct / samples::kTile, kProduct / samples::kTile);
const dim3 kProductBlock(samples::kTile, samples::kTile);

Figures matrixProduct() {
  constexpr size_t n = kProduct;
  const OnDevice<float> a(made<float>(n * n, smallFloats(11))), b(made<float>(n * n, smallFloats(12))), c(n * n);
  const auto kernel = samples::matrices<float, int>;
  const double t = timed([&] { kernel<<<kProductGrid, kProductBlock>>>(a.get(), b.get(), c.get(), kProduct); });
  return operations(t, 2.0 * n * n * n, requireProduct(c.toHost(), n, 11, 12), pointer(kernel));
}

Figures wholeProduct() {
  constexpr size_t n = kProduct;
  const auto whole = [](uint32_t seed) { return [seed](uint32_t i) { return small(i, seed); }; };
  const OnDevice<int> a(made<int>(n * n, whole(45))), b(made<int>(n * n, whole(46))), c(n * n);
  const auto kernel = samples::matrices<int, long long>;
  const double t = timed([&] { kernel<<<kProductGrid, kProductBlock>>>(a.get(), b.get(), c.get(), kProduct); });
  return operations(t, 2.0 * n * n * n, weighed(c), pointer(kernel));
}

// ---- Rows

constexpr int kColumns = 1024;

float rowElement(uint32_t i) { return 4 * fineFloat(i, 50); }

Figures softmaxOfRows() {
  const OnDevice<float> in(made<float>(kElements, rowElement)), out(kElements);
  const double t = timed(
      [&] { samples::softmax<<<kElements / kColumns, samples::kThreads>>>(in.get(), out.get(), kColumns); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::softmax));
}

Figures layerNorm() {
  const OnDevice<float> in(made<float>(kElements, rowElement)), out(kElements);
  const OnDevice<float> scales(made<float>(kColumns, [](uint32_t i) { return 1 + 0.5f * fineFloat(i, 51); }));
  const OnDevice<float> shifts(made<float>(kColumns, fineFloats(52)));
  const double t = timed([&] {
    samples::normalize<<<kElements / kColumns, samples::kThreads>>>(in.get(), scales.get(), shifts.get(), out.get(),
                                                                  kColumns);
  });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::normalize));
}

// ---- Codes

Figures cosineTransform() {
  constexpr int side = samples::kCosines;
  const auto table = made<float>(side * side, [](uint32_t i) {
    const int frequency = i / side;
    const double scale = frequency == 0 ? std::sqrt(0.125) : 0.5;
    return static_cast<float>(scale * std::cos((2 * static_cast<int>(i % side) + 1) * frequency * M_PI / 16));
  });
  CHECK(cudaMemcpyToSymbol(samples::cCosines, table.data(), table.size() * sizeof(float)));
  const OnDevice<float> in(made<float>(kElements, fineFloats(53))), out(kElements);
  const dim3 grid(kSide / side, kSide / side), block(side, side);
  const double t = timed([&] { samples::cosines<<<grid, block>>>(in.get(), out.get(), kSide); });
  return bytes(t, 8.0 * kElements, weighed(out), pointer(samples::cosines));
}

Figures crcOfMessages() {
  constexpr int messages = kElements / samples::kWords;
  const auto table = made<uint32_t>(256, [](uint32_t i) {
    uint32_t remainder = i;
    for (int bit = 0; bit < 8; bit++) remainder = remainder & 1 ? remainder >> 1 ^ 0xEDB88320u : remainder >> 1;
    return remainder;
  });
  CHECK(cudaMemcpyToSymbol(samples::cRemainders, table.data(), table.size() * sizeof(uint32_t)));
  const OnDevice<uint32_t> words(made<uint32_t>(kElements, [](uint32_t i) { return hashOf(i, 54); })), sums(messages);
  const double t = timed([&] {
    samples::crc<<<messages / samples::kThreads, samples::kThreads>>>(words.get(), sums.get(), messages);
  });
  const std::vector<uint32_t> found = sums.toHost();
  return bytes(t, 4.0 * kElements, weighed(std::vector<int>(found.begin(), found.end())), pointer(samples::crc));
}

Figures hashOf64Bits() {
  constexpr int n = kElements / 2;
  const OnDevice<unsigned long long> out(static_cast<size_t>(n));
  const double t = timed([&] {
    samples::hash<<<n / samples::kThreads, samples::kThreads>>>(out.get(), 0x123456789ABCDEFull, n);
  });
  std::vector<unsigned long long> found = out.toHost();
  for (unsigned long long& each : found) each >>= 11;  // what a double holds exactly
  return bytes(t, 8.0 * n, weighed(found), pointer(samples::hash));
}

Figures gatherByIndex() {
  const OnDevice<float> in(made<float>(kElements, fineFloats(55))), out(kElements);
  const OnDevice<int> indices(
      made<int>(kElements, [](uint32_t i) { return static_cast<int>(hashOf(i, 56) & (kElements - 1)); }));
  const double t = timed([&] {
    samples::gather<<<kElements / samples::kThreads, samples::kThreads>>>(in.get(), indices.get(), out.get(),
                                                                        kElements);
  });
  return bytes(t, 12.0 * kElements, weighed(out), pointer(samples::gather));
}

const Benchmark kSampleBenchmarks[] = {
    {"conv-rows", convRows},
    {"conv-columns", convColumns},
    {"conv-square", convSquare},
    {"conv-tiled", convTiled},
    {"heat-3d", heat3d},
    {"waves-3d", waves3d},
    {"grey", greyOf},
    {"sobel", byteFilter<samples::sobel>},
    {"median", byteFilter<samples::median>},
    {"box", boxFilter},
    {"bilateral", bilateralFilter},
    {"rotate", rotation},
    {"black-scholes", blackScholesPrices},
    {"binomial", binomialTrees},
    {"pi", piByThrows},
    {"mandelbrot", mandelbrotSet},
    {"quasirandom", quasirandomNumbers},
    {"bitonic", bitonicSort},
    {"merge", mergeOfTwo},
    {"scan", scanOfBlocks},
    {"walsh", walshTransform},
    {"dot", dotProduct},
    {"scalar-products", scalarProducts},
    {"matrix-vector", matrixVector},
    {"spmv", sparseProduct},
    {"matrix-mul", matrixProduct},
    {"matrix-mul-int", wholeProduct},
    {"softmax", softmaxOfRows},
    {"layer-norm", layerNorm},
    {"dct", cosineTransform},
    {"crc32", crcOfMessages},
    {"hash64", hashOf64Bits},
    {"gather", gatherByIndex},
};

}  // namespace
