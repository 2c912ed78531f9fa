// Launches whose blocks all run at the same time and wait for each other: CUDA Programming Guide, "Grid Synchronization".
#pragma once

#include <utility>

#include "kernels.cuh"

namespace {

template <typename... Arguments>
cudaError_t launchCooperatively(cudaStream_t stream, void (*kernel)(Arguments...), int blocks, int threads,
                                Arguments... arguments) {
  void* pointers[] = {&arguments...};
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), blocks, threads, pointers, 0, stream);
}

void sayOfGrid(const std::string& key, Body kernel, int blocks, int threads) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  std::vector<int> values = numbers();
  CHECK(cudaMemcpy(in.get(), values.data(), in.bytes(), cudaMemcpyHostToDevice));
  CHECK((launchCooperatively<const int*, int*>(stream, kernel, blocks, threads, in.get(), out.get())));
  stream.synchronize();
  say(key, hash(out.read()));
}

/** Passes numbers around a ring of blocks; what is written before the grid meets is read behind it. */
__global__ void gridRing(const int* in, int* out) {
  cg::grid_group grid = cg::this_grid();
  const int all = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
  const int next = (i + size()) % all;
  out[i] = in[i];
  grid.sync();
  for (int round = 0; round < 3; round++) {
    out[2048 + i] = 3 * out[next] + round;
    grid.sync();
    out[i] = out[2048 + next] + 1;
    grid.sync();
  }
}

TWIN(gridRings, "grid-whose-blocks-meet", Kind::kPlain) {
  sayOfGrid("of-1", gridRing, 1, 64);
  sayOfGrid("of-16", gridRing, 16, 64);
  sayOfGrid("of-64", gridRing, 64, 32);
}

/** Does something between arriving and waiting. */
__global__ void gridLater(const int* in, int* out) {
  cg::grid_group grid = cg::this_grid();
  const int all = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
  out[i] = in[i];
  auto arrival = grid.barrier_arrive();
  const int own = 5 * in[i + 1];
  grid.barrier_wait(std::move(arrival));
  out[2048 + i] = own + out[(i + size()) % all];
}

TWIN(gridLaters, "grid-that-arrives-first-and-waits-later", Kind::kPlain) {
  sayOfGrid("stored", gridLater, 16, 64);
}

/** What a thread is told of the whole launch. */
__global__ void gridRanks(const int* in, int* out) {
  cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  out[i] = 1000 * static_cast<int>(grid.block_rank()) + static_cast<int>(grid.num_blocks());
}

TWIN(gridRanksTwin, "ranks-of-a-grid", Kind::kPlain) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  gridRanks<<<dim3(2, 3, 4), dim3(5, 3, 2), 0, stream>>>(in.get(), out.get());
  launched("a launch");
  stream.synchronize();
  say("stored", hash(out.read()));
}

TWIN(gridRefused, "launch-of-a-grid-that-cannot-meet", Kind::kPlain) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  const int* from = in.get();
  say("of-100000", accepted(launchCooperatively<const int*, int*>(stream, gridRing, 100000, 64, from, out.get())));
  stream.synchronize();
  say("then", hash(out.read()));
}

/** A graph keeps that a launch is cooperative. */
TWIN(gridGraph, "grid-that-meets-in-a-graph", Kind::kPlain) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  std::vector<int> values = numbers();
  CHECK(cudaMemcpy(in.get(), values.data(), in.bytes(), cudaMemcpyHostToDevice));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK((launchCooperatively<const int*, int*>(stream, gridRing, 16, 64, in.get(), out.get())));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(exec, stream));
  stream.synchronize();
  say("stored", hash(out.read()));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace
