// Columns of pixels, by which a convolution reads its input: which pixels a copy visits in images of one to three
// dimensions, what lies outside, swizzles, columns that are written and added, and maps that the driver refuses:
// PTX ISA, "im2col mode", "cp.async.bulk.tensor"; CUDA driver API, "cuTensorMapEncodeIm2col".
#pragma once

#include "kernels.cuh"

namespace {

/** A batch of images, channels innermost, and a column of it; corners, steps and offsets have the width first. */
struct Columns {
  std::vector<cuuint64_t> extents;  // channels, width, height, depth, images
  std::vector<int> lower, upper;
  cuuint32_t channels = 4, pixels = 16;
  std::vector<cuuint32_t> steps;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  int rank() const { return static_cast<int>(extents.size()); }

  size_t elements() const {
    size_t all = 1;
    for (cuuint64_t extent : extents) all *= extent;
    return all;
  }

  int span() const { return swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? 0 : 16 << swizzle; }

  /** From one pixel in shared memory to the next, in bytes. */
  int pitch() const { return span() == 0 ? 4 * static_cast<int>(channels) : span(); }

  /** Where a byte of shared memory is with the swizzle. */
  int place(int at) const { return span() == 0 ? at : at ^ (at >> 3 & (span() - 16)); }

  CUresult encode(CUtensorMap* map, void* at) const {
    static void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    if (found == nullptr) {
      CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &found, 12000, cudaEnableDefault, &result));
    }
    std::vector<cuuint64_t> pitches;
    cuuint64_t bytes = 4;
    for (int i = 0; i + 1 < rank(); i++) pitches.push_back(bytes *= extents[i]);
    std::vector<cuuint32_t> every = steps;
    if (every.empty()) every.assign(extents.size(), 1);
    return reinterpret_cast<decltype(&cuTensorMapEncodeIm2col)>(found)(
        map, type, static_cast<cuuint32_t>(rank()), at, extents.data(), pitches.data(), lower.data(), upper.data(),
        channels, pixels, every.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  }
};

struct Pixel {
  int c, w, h, d, n, ow, oh, od;
};

/** A place in images of one, two or three dimensions; those that they do not have are 0. */
Pixel at(int c, int w, int n, int ow = 0) { return {c, w, 0, 0, n, ow, 0, 0}; }
Pixel at(int c, int w, int h, int n, int ow, int oh) { return {c, w, h, 0, n, ow, oh, 0}; }

template <int kRank>
__device__ void bringColumn(void* to, const CUtensorMap* map, const Pixel& p, uint64_t* barrier) {
  uint32_t box = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  uint32_t word = static_cast<uint32_t>(__cvta_generic_to_shared(barrier));
  uint16_t ow = static_cast<uint16_t>(p.ow), oh = static_cast<uint16_t>(p.oh), od = static_cast<uint16_t>(p.od);
  if constexpr (kRank == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}],"
        " [%2], {%6};" ::"r"(box), "l"(map), "r"(word), "r"(p.c), "r"(p.w), "r"(p.n), "h"(ow)
        : "memory");
  } else if constexpr (kRank == 4) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0],"
        " [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(box), "l"(map), "r"(word), "r"(p.c), "r"(p.w), "r"(p.h),
        "r"(p.n), "h"(ow), "h"(oh)
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0],"
        " [%1, {%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};" ::"r"(box), "l"(map), "r"(word), "r"(p.c), "r"(p.w),
        "r"(p.h), "r"(p.d), "r"(p.n), "h"(ow), "h"(oh), "h"(od)
        : "memory");
  }
}

template <int kRank>
__global__ void readColumn(const __grid_constant__ CUtensorMap map, int* out, int ints, int bytes, Pixel p) {
  __shared__ uint64_t word;
  __shared__ alignas(1024) int box[1024];
  for (int i = rank(); i < ints; i += size()) box[i] = 0;
  ptx::fence_proxy_async(ptx::space_shared);
  if (rank() == 0) ptx::mbarrier_init(&word, 1);
  __syncthreads();
  if (rank() == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word, bytes);
    bringColumn<kRank>(box, &map, p, &word);
  }
  while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
  }
  for (int i = rank(); i < ints; i += size()) out[i] = box[i];
}

/** 1000 for each pixel, and 1 and more for the channels. */
std::vector<int> pixels(const Columns& of) {
  std::vector<int> values(of.elements());
  for (size_t i = 0; i < values.size(); i++) {
    values[i] = static_cast<int>(i / of.extents[0] * 1000 + i % of.extents[0] + 1);
  }
  return values;
}

/** The number of a pixel: a point outside, n for NaN, with the channel if that is not the expected one. */
std::string pixelOf(int value, int channel) {
  if (value == 0) return ".";
  if (value == 0x7ff77ff7) return "n";
  std::string text = std::to_string((value - 1) / 1000);
  int found = (value - 1) % 1000;
  return found == channel ? text : text + ":" + std::to_string(found);
}

/** Prints the pixels that arrive, by their first channel, and the hash of all. */
void sayColumn(const std::string& key, const Columns& of, const Pixel& p) {
  Stream stream;
  std::vector<int> values = pixels(of);
  Array<int> tensor(values.size() + 4), out(1024);
  CHECK(cudaMemcpy(tensor.get(), values.data(), 4 * values.size(), cudaMemcpyHostToDevice));
  CUtensorMap map{};
  CUresult made = of.encode(&map, tensor.get());
  if (made != CUDA_SUCCESS) {
    say(key, "map refused");
    return;
  }
  int ints = of.pitch() * static_cast<int>(of.pixels) / 4, bytes = 4 * static_cast<int>(of.channels * of.pixels);
  auto kernel = of.rank() == 3 ? readColumn<3> : of.rank() == 4 ? readColumn<4> : readColumn<5>;
  kernel<<<1, 32, 0, stream>>>(map, out.get(), ints, bytes, p);
  launched("a launch");
  stream.synchronize();
  std::vector<int> found = out.read(), all;
  std::string text;
  for (int pixel = 0; pixel < static_cast<int>(of.pixels); pixel++) {
    for (int c = 0; c < static_cast<int>(of.channels); c++) {
      all.push_back(found[of.place(pixel * of.pitch() + 4 * c) / 4]);
    }
    text += (pixel == 0 ? "" : " ") + pixelOf(all[pixel * of.channels], p.c);
  }
  say(key, text);
  say(key + "-all", hash(all));
}

Columns line(int lower, int upper, cuuint32_t step = 1) {
  Columns of;
  of.extents = {8, 9, 3};
  of.lower = {lower};
  of.upper = {upper};
  of.steps = {1, step, 1};
  return of;
}

TWIN(columnsOfLines, "im2col-of-images-of-one-dimension", Kind::kPlain) {
  sayColumn("plain", line(0, 0), at(0, 0, 0));
  sayColumn("from-within", line(0, 0), at(0, 5, 1));
  sayColumn("padded-in-front", line(-1, -1), at(0, -1, 0));
  sayColumn("padded-on-both-sides", line(-2, 2), at(0, -2, 0));
  sayColumn("padded-from-behind", line(-2, 2), at(0, 10, 0));
  sayColumn("inner", line(1, -3), at(0, 2, 0));
  sayColumn("all-in-front", line(-12, -10), at(0, -12, 0));
  sayColumn("one-pixel-wide", line(4, -4), at(0, 4, 0));
  sayColumn("offset-1", line(-1, -1), at(0, -1, 0, 1));
  sayColumn("offset-2", line(-1, -1), at(0, 3, 1, 2));
  sayColumn("offset-9", line(-1, -1), at(0, -1, 0, 9));
  sayColumn("offset-300", line(-1, -1), at(0, -1, 0, 300));
  sayColumn("offset-65535", line(-1, -1), at(0, -1, 0, 65535));
  sayColumn("step-2", line(-1, -1, 2), at(0, -1, 0));
  sayColumn("step-2-that-ends-early", line(-1, 0, 2), at(0, -1, 0, 1));
  sayColumn("step-3-from-within", line(-1, 1, 3), at(0, 5, 0, 1));
  sayColumn("step-8", line(0, 0, 8), at(0, 8, 0));
  sayColumn("over-the-last-image", line(0, 0), at(0, 3, 2));
  sayColumn("behind-the-last-image", line(0, 0), at(0, 3, 3));
  sayColumn("before-the-first-image", line(0, 0), at(0, 3, -1));
  sayColumn("channel-4", line(0, 0), at(4, 0, 0));
  sayColumn("channel-8-outside", line(0, 0), at(8, 0, 0));
  sayColumn("channel-4-in-front", line(0, 0), at(-4, 0, 0));
}

Columns picture(std::vector<int> lower, std::vector<int> upper, cuuint32_t across = 1, cuuint32_t down = 1) {
  Columns of;
  of.extents = {8, 5, 4, 2};
  of.lower = std::move(lower);
  of.upper = std::move(upper);
  of.steps = {1, across, down, 1};
  of.pixels = 24;
  return of;
}

TWIN(columnsOfPictures, "im2col-of-images-of-two-dimensions", Kind::kPlain) {
  sayColumn("plain", picture({0, 0}, {0, 0}), at(0, 0, 0, 0, 0, 0));
  sayColumn("over-the-image", picture({0, 0}, {0, 0}), at(0, 3, 2, 0, 0, 0));
  sayColumn("corners-that-differ", picture({-1, 0}, {0, -2}), at(0, -1, 0, 0, 0, 0));
  sayColumn("corners-that-differ-otherwise", picture({0, -2}, {-1, 1}), at(0, 2, -2, 0, 0, 0));
  sayColumn("filter-of-3-by-3-first", picture({-1, -1}, {-1, -1}), at(0, -1, -1, 0, 0, 0));
  sayColumn("filter-of-3-by-3-last", picture({-1, -1}, {-1, -1}), at(0, 1, 1, 0, 2, 2));
  sayColumn("filter-of-3-by-2-dilated", picture({-1, 0}, {-3, -1}), at(4, 0, 1, 0, 2, 1));
  sayColumn("offsets-255", picture({-1, -1}, {-1, -1}), at(0, -1, -1, 0, 255, 255));
  sayColumn("offset-down-only", picture({-1, -1}, {-1, -1}), at(0, -1, -1, 0, 0, 3));
  sayColumn("steps-2-and-1", picture({-1, -1}, {-1, -1}, 2, 1), at(0, -1, 0, 0, 1, 1));
  sayColumn("steps-1-and-2", picture({-1, -1}, {-1, -1}, 1, 2), at(0, 1, 1, 0, 0, 1));
  sayColumn("steps-3-and-2", picture({-1, -1}, {1, 1}, 3, 2), at(0, 2, 1, 0, 1, 0));
  sayColumn("last-pixel-of-all", picture({0, 0}, {0, 0}), at(0, 4, 3, 1, 0, 0));
  sayColumn("behind-the-last-image", picture({0, 0}, {0, 0}), at(0, 1, 1, 2, 0, 0));
  sayColumn("before-the-first-image", picture({0, 0}, {0, 0}), at(0, 2, 3, -1, 0, 0));
}

TWIN(columnsOfVolumes, "im2col-of-images-of-three-dimensions", Kind::kPlain) {
  Columns of;
  of.extents = {4, 3, 2, 3, 2};
  of.pixels = 40;
  of.lower = {0, 0, 0};
  of.upper = {0, 0, 0};
  sayColumn("plain", of, {0, 0, 0, 0, 0, 0, 0, 0});
  sayColumn("from-within", of, {0, 2, 1, 1, 0, 0, 0, 0});
  of.lower = {-1, 0, -2};
  of.upper = {0, -1, -1};
  sayColumn("corners-that-differ", of, {0, -1, 0, -2, 0, 0, 0, 0});
  sayColumn("offsets", of, {0, -1, 0, -2, 0, 1, 1, 2});
  sayColumn("offsets-31", of, {0, -1, 0, -2, 0, 31, 31, 31});
  sayColumn("offset-along-the-depth", of, {0, 1, 0, 0, 0, 0, 0, 1});
  of.lower = {-1, -1, -1};
  of.upper = {1, 1, 1};
  of.steps = {1, 2, 1, 3, 1};
  sayColumn("steps-2-1-3", of, {0, -1, -1, -1, 0, 0, 0, 0});
  sayColumn("steps-2-1-3-from-within", of, {0, 1, 2, 2, 0, 1, 0, 0});
}

TWIN(columnsOffTheStep, "im2col-that-begins-between-steps", Kind::kPlain) {
  sayColumn("of-lines", line(-1, 0, 2), at(0, 0, 0));
  sayColumn("of-lines-last", line(0, 0, 4), at(0, 7, 0));
  sayColumn("across", picture({-1, -1}, {0, 0}, 2, 1), at(0, 0, -1, 0, 0, 0));
  sayColumn("down", picture({-1, -1}, {0, 0}, 1, 2), at(0, -1, 0, 0, 0, 0));
  sayColumn("both", picture({0, 0}, {0, 0}, 3, 2), at(0, 1, 1, 0, 0, 0));
}

TWIN(columnsSwizzled, "im2col-swizzled", Kind::kPlain) {
  for (int swizzle = 1; swizzle <= 3; swizzle++) {
    for (cuuint32_t channels = 4; 4 * channels <= (16u << swizzle); channels *= 2) {
      Columns of = picture({-1, -1}, {-1, -1});
      of.extents[0] = 32;
      of.channels = channels;
      of.swizzle = static_cast<CUtensorMapSwizzle>(swizzle);
      sayColumn("span-" + std::to_string(16 << swizzle) + "-pixels-of-" + std::to_string(4 * channels), of,
                at(0, -1, 0, 0, 1, 1));
    }
  }
}

TWIN(columnsNan, "im2col-filled-with-nan", Kind::kPlain) {
  Columns of = picture({-1, -1}, {-1, -1});
  of.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  of.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  sayColumn("first", of, at(0, -1, -1, 0, 0, 0));
  sayColumn("last", of, at(0, -1, -1, 0, 2, 2));
  sayColumn("over-the-last-image", of, at(0, 0, 2, 1, 1, 1));
  sayColumn("channels-outside", of, at(8, 0, 0, 0, 0, 0));
}

template <int kRank, bool kAdd>
__global__ void writeColumn(const __grid_constant__ CUtensorMap map, int ints, Pixel p) {
  __shared__ alignas(1024) int box[1024];
  for (int i = rank(); i < ints; i += size()) box[i] = 100'000 + i;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (rank() == 0) {
    uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(box));
    if constexpr (kRank == 3 && kAdd) {
      asm volatile(
          "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group [%0, {%2, %3, %4}],"
          " [%1];" ::"l"(&map), "r"(from), "r"(p.c), "r"(p.w), "r"(p.n)
          : "memory");
    } else if constexpr (kRank == 3) {
      asm volatile(
          "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&map),
          "r"(from), "r"(p.c), "r"(p.w), "r"(p.n)
          : "memory");
    } else if constexpr (kAdd) {
      asm volatile(
          "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}],"
          " [%1];" ::"l"(&map), "r"(from), "r"(p.c), "r"(p.w), "r"(p.h), "r"(p.n)
          : "memory");
    } else {
      asm volatile(
          "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(
              &map),
          "r"(from), "r"(p.c), "r"(p.w), "r"(p.h), "r"(p.n)
          : "memory");
    }
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}

/** Prints, for each pixel of the tensor, which pixel of the column came there, and the hash of all. */
template <int kRank, bool kAdd>
void sayWrittenColumn(const std::string& key, const Columns& of, const Pixel& p) {
  Stream stream;
  Array<int> tensor(of.elements());
  CHECK(cudaMemset(tensor.get(), 0, tensor.bytes()));
  CHECK(cudaDeviceSynchronize());
  CUtensorMap map{};
  if (of.encode(&map, tensor.get()) != CUDA_SUCCESS) {
    say(key, "map refused");
    return;
  }
  writeColumn<kRank, kAdd><<<1, 32, 0, stream>>>(map, static_cast<int>(of.channels * of.pixels), p);
  launched("a launch");
  stream.synchronize();
  std::vector<int> found = tensor.read();
  std::string text;
  for (size_t i = p.c; i < found.size(); i += of.extents[0]) {
    text += text.empty() ? "" : " ";
    text += found[i] == 0 ? "." : std::to_string((found[i] - 100'000) / static_cast<int>(of.channels));
  }
  say(key, text);
  say(key + "-all", hash(found));
}

TWIN(columnsWritten, "im2col-written", Kind::kPlain) {
  sayWrittenColumn<3, false>("line", line(0, 0), at(0, 5, 0));
  sayWrittenColumn<3, false>("line-over-the-last-image", line(0, 0), at(4, 5, 2));
  sayWrittenColumn<3, false>("line-with-inner-corners", line(1, -2), at(0, 3, 0));
  sayWrittenColumn<3, false>("line-with-step-2", line(0, 0, 2), at(0, 2, 0));
  sayWrittenColumn<4, false>("picture", picture({0, 0}, {0, 0}), at(0, 3, 2, 0, 0, 0));
  sayWrittenColumn<4, false>("picture-with-corners", picture({1, 0}, {0, -1}), at(0, 1, 1, 0, 0, 0));
  sayWrittenColumn<4, false>("picture-with-steps", picture({0, 0}, {0, 0}, 2, 3), at(0, 2, 0, 0, 0, 0));
  sayWrittenColumn<4, false>("picture-outside", picture({0, 0}, {0, 0}), at(0, 0, 0, 2, 0, 0));
}

TWIN(columnsAdded, "im2col-added", Kind::kPlain) {
  sayWrittenColumn<3, true>("line", line(0, 0), at(0, 5, 1));
  sayWrittenColumn<4, true>("picture", picture({0, 0}, {0, 0}), at(4, 3, 2, 0, 0, 0));
  sayWrittenColumn<4, true>("picture-with-corners", picture({1, 0}, {0, -1}), at(0, 1, 1, 0, 0, 0));
}

/** A column for all blocks of a cluster, each of which waits at its own barrier. */
__global__ void multicastColumn(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ uint64_t word;
  __shared__ alignas(1024) int box[96];
  cg::cluster_group cluster = cg::this_cluster();
  if (rank() == 0) {
    ptx::mbarrier_init(&word, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word, sizeof(box));
  }
  cluster.sync();
  if (rank() == 0 && cluster.block_rank() == 0) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [%0],"
        " [%1, {%3, %4, %5, %6}], [%2], {%7, %8}, %9;" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(box))),
        "l"(&map), "r"(static_cast<uint32_t>(__cvta_generic_to_shared(&word))), "r"(0), "r"(-1), "r"(0), "r"(0),
        "h"(static_cast<uint16_t>(1)), "h"(static_cast<uint16_t>(2)),
        "h"(static_cast<uint16_t>((1 << cluster.num_blocks()) - 1))
        : "memory");
  }
  while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
  }
  for (int i = rank(); i < 96; i += size()) out[96 * blockIdx.x + i] = box[95 - i];
  cluster.sync();
}

TWIN(columnsForCluster, "im2col-for-all-of-a-cluster", Kind::kPlain) {
  Stream stream;
  Columns of = picture({-1, -1}, {-1, -1});
  std::vector<int> values = pixels(of);
  Array<int> tensor(values.size()), out(2 * 96);
  CHECK(cudaMemcpy(tensor.get(), values.data(), tensor.bytes(), cudaMemcpyHostToDevice));
  CUtensorMap map{};
  if (of.encode(&map, tensor.get()) != CUDA_SUCCESS) throw std::runtime_error("cuTensorMapEncodeIm2col");
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.stream = stream;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, multicastColumn, map, out.get()));
  stream.synchronize();
  say("stored", hash(out.read()));
}

/** Whether the driver takes a map. */
void sayMap(const std::string& key, const Columns& of) {
  Array<int> tensor(of.elements());
  CUtensorMap map{};
  say(key, of.encode(&map, tensor.get()) == CUDA_SUCCESS ? "accepted" : "refused");
}

TWIN(columnsRefused, "im2col-maps-at-their-limits", Kind::kPlain) {
  sayMap("line-lower--32768", line(-32768, 0));
  sayMap("line-lower--32769", line(-32769, 0));
  sayMap("line-upper-32767", line(0, 32767));
  sayMap("line-upper-32768", line(0, 32768));
  sayMap("picture-lower--128", picture({0, -128}, {0, 0}));
  sayMap("picture-lower--129", picture({0, -129}, {0, 0}));
  sayMap("picture-upper-127", picture({0, 0}, {127, 0}));
  sayMap("picture-upper-128", picture({0, 0}, {128, 0}));
  Columns volume;
  volume.extents = {4, 3, 2, 3, 2};
  volume.lower = {0, 0, -16};
  volume.upper = {15, 0, 0};
  sayMap("volume-16-and-15", volume);
  volume.lower = {0, 0, -17};
  sayMap("volume-lower--17", volume);
  volume.lower = {0, 0, 0};
  volume.upper = {16, 0, 0};
  sayMap("volume-upper-16", volume);
  sayMap("box-of-one-pixel", line(4, -4));
  sayMap("box-of-no-pixel", line(5, -4));
  sayMap("box-of-less-than-none", line(6, -4));
  Columns matrix;
  matrix.extents = {8, 9};
  matrix.lower = {0};
  matrix.upper = {0};
  sayMap("two-dimensions", matrix);
  for (int channels : {0, 4, 6, 256, 260}) {
    Columns of = line(0, 0);
    of.extents[0] = 512;
    of.channels = static_cast<cuuint32_t>(channels);
    sayMap("channels-" + std::to_string(channels), of);
  }
  for (int count : {0, 1, 7, 1024, 1025}) {
    Columns of = line(0, 0);
    of.pixels = static_cast<cuuint32_t>(count);
    sayMap("pixels-" + std::to_string(count), of);
  }
  for (cuuint32_t step : {0u, 8u, 9u}) sayMap("step-" + std::to_string(step), line(0, 0, step));
  Columns swizzled = line(0, 0);
  swizzled.channels = 8;
  swizzled.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
  sayMap("channels-as-long-as-the-swizzle", swizzled);
  swizzled.extents[0] = 16;
  swizzled.channels = 12;
  sayMap("channels-longer-than-the-swizzle", swizzled);
  Columns nan = line(0, 0);
  nan.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  sayMap("nan-of-ints", nan);
}

}  // namespace
