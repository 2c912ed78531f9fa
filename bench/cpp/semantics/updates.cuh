// How graphs are changed as a whole, and what captures have of planes, batches, numbers, bodies and memory: CUDA Driver
// API, "Graph Management"; CUDA C++ Programming Guide, "Graph Memory Nodes", "Conditional Graph Nodes".
#pragma once

#include "captures.cuh"

namespace {

cudaGraphNode_t nodeOf(cudaGraph_t graph, size_t index) {
  cudaGraphNode_t nodes[16];
  size_t count = 16;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  return index < count ? nodes[index] : nullptr;
}

// ---- Off and on

/** A node that is off keeps its place in the order, and its parameters. */
TWIN(updateOff, "update-switches-nodes-off", Kind::kPlain) {
  Stream stream;
  Array<int> cells(3);
  Pinned<int> in(1);
  in.fill(30);
  Graph graph;
  auto added = graph.add(cells.get(), 1);
  auto filled = graph.fill(cells.get() + 1, 20, 1, {added});
  auto copied = graph.copy(cells.get() + 2, in.get(), 4, {filled});
  Executable executable(graph);
  for (auto node : {added, filled, copied}) CHECK(cudaGraphNodeSetEnabled(executable, node, 0));
  executable.launch(stream);
  say("all-off", cells.all());
  CHECK(cudaGraphNodeSetEnabled(executable, added, 1));
  executable.launch(stream);
  executable.launch(stream);
  say("first", cells.read()[0]);
  say("second", cells.read()[1]);
  CHECK(cudaGraphNodeSetEnabled(executable, filled, 1));
  CHECK(cudaGraphNodeSetEnabled(executable, copied, 1));
  CHECK(cudaGraphNodeSetEnabled(executable, added, 0));
  executable.launch(stream);
  say("first-then", cells.read()[0]);
  say("second-then", cells.read()[1]);
  say("third-then", cells.read()[2]);
}

/** Only kernels, fills and copies can be switched. */
TWIN(updateOffOthers, "update-switches-a-callback-off", Kind::kPlain) {
  std::function<void()> callback = [] {};
  Graph graph;
  auto node = graph.then(callback);
  Executable executable(graph);
  say("callback", outcome(cudaGraphNodeSetEnabled(executable, node, 0), cudaErrorInvalidValue));
}

// ---- The whole

std::string updated(cudaGraphExec_t executable, cudaGraph_t graph) {
  cudaGraphExecUpdateResultInfo info = {};
  return outcome(cudaGraphExecUpdate(executable, graph, &info), cudaErrorGraphExecUpdateFailure);
}

/** A graph that was captured again gives its parameters to the one that the driver has. */
TWIN(updateWhole, "update-takes-over-a-graph", Kind::kPlain) {
  Stream stream;
  Array<int> cells(4);
  Pinned<int> in(1), other(1);
  in.fill(5);
  other.fill(6);
  auto body = [&](int value, int* cell, int* source) {
    add(cell, value, stream);
    CHECK(cudaMemcpyAsync(cells.get() + 2, source, 4, cudaMemcpyHostToDevice, stream));
  };
  Capture first(stream, [&] { body(1, cells.get(), in.get()); });
  Executable executable(first.graph());
  executable.launch(stream);
  {
    Capture again(stream, [&] { body(10, cells.get() + 1, other.get()); });
    say("update", updated(executable, again.graph()));
  }
  executable.launch(stream);
  auto values = cells.read();
  say("first", values[0]);
  say("second", values[1]);
  say("copied", values[2]);
}

/** Another kernel may take a kernel's place. */
TWIN(updateKernel, "update-takes-over-another-kernel", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Capture first(stream, [&] { add(cell.get(), 3, stream); });
  Executable executable(first.graph());
  executable.launch(stream);
  {
    Capture again(stream, [&] { put(cell.get(), 50, stream); });
    say("update", updated(executable, again.graph()));
  }
  executable.launch(stream);
  say("value", cell.all());
}

/** What has other nodes, or another order, is refused, and the graph stays as it was. */
TWIN(updateMisfit, "update-that-does-not-fit", Kind::kPlain) {
  Stream stream, side;
  Event forked, joined;
  Array<int> cells(2);
  Capture first(stream, [&] {
    add(cells.get(), 3, stream);
    add(cells.get() + 1, 4, stream);
  });
  Executable executable(first.graph());
  {
    Capture more(stream, [&] {
      for (int i = 0; i < 3; i++) add(cells.get(), 3, stream);
    });
    say("more-nodes", updated(executable, more.graph()));
  }
  {
    Capture kind(stream, [&] {
      add(cells.get(), 30, stream);
      CHECK(cudaMemsetAsync(cells.get() + 1, 0, 4, stream));
    });
    say("another-kind", updated(executable, kind.graph()));
  }
  {
    Capture beside(stream, [&] {
      forked.record(stream);
      wait(side, forked);
      add(cells.get(), 30, stream);
      add(cells.get() + 1, 40, side);
      joined.record(side);
      wait(stream, joined);
    });
    say("another-order", updated(executable, beside.graph()));
  }
  executable.launch(stream);
  say("first", cells.read()[0]);
  say("second", cells.read()[1]);
}

/** What is off stays off when parameters are taken over. */
TWIN(updateOfOff, "update-of-what-is-off", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Capture first(stream, [&] { add(cell.get(), 1, stream); });
  Executable executable(first.graph());
  CHECK(cudaGraphNodeSetEnabled(executable, nodeOf(first.graph(), 0), 0));
  Capture again(stream, [&] { add(cell.get(), 10, stream); });
  say("update", updated(executable, again.graph()));
  executable.launch(stream);
  say("off", cell.all());
  CHECK(cudaGraphNodeSetEnabled(executable, nodeOf(first.graph(), 0), 1));
  executable.launch(stream);
  say("on", cell.all());
}

/** A node of a child is changed within the graph that has the child. */
TWIN(updateChild, "update-of-a-child", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Graph inner, larger, graph;
  inner.add(cell.get(), 1);
  larger.add(cell.get(), 10);
  auto child = graph.child(inner);
  graph.add(cell.get(), 100, {child});
  Executable executable(graph);
  executable.launch(stream);
  say("first", cell.all());
  CHECK(cudaGraphExecChildGraphNodeSetParams(executable, child, larger));
  executable.launch(stream);
  say("second", cell.all());
}

TWIN(updateCallback, "update-of-a-callback", Kind::kPlain) {
  Stream stream;
  std::atomic<int> one{0}, two{0};
  std::function<void()> first = [&] { one++; }, second = [&] { two++; };
  Graph graph;
  auto node = graph.then(first);
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  cudaHostNodeParams parameters = {};
  parameters.fn = [](void* callback) { (*static_cast<std::function<void()>*>(callback))(); };
  parameters.userData = &second;
  CHECK(cudaGraphExecHostNodeSetParams(executable, node, &parameters));
  executable.launch(stream);
  executable.launch(stream);
  stream.synchronize();
  say("one", one);
  say("two", two);
}

// ---- Captures

TWIN(capturePlanes, "capture-of-planes", Kind::kPlain) {
  Stream stream;
  Array<int> a(2 * 4 * 8), b(2 * 3 * 5);
  Pinned<int> in(2 * 3 * 5), out(2 * 3 * 5);
  for (int i = 0; i < 30; i++) in.set(i, i);
  auto copy = [&](void* to, size_t toPitch, size_t toRows, void* from, size_t fromPitch, size_t fromRows) {
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(from, fromPitch, fromPitch, fromRows);
    p.dstPtr = make_cudaPitchedPtr(to, toPitch, toPitch, toRows);
    p.extent = make_cudaExtent(5 * 4, 3, 2);
    p.kind = cudaMemcpyDefault;
    CHECK(cudaMemcpy3DAsync(&p, stream));
  };
  Capture capture(stream, [&] {
    copy(a.get(), 8 * 4, 4, in.get(), 5 * 4, 3);
    copy(b.get(), 5 * 4, 3, a.get(), 8 * 4, 4);
    copy(out.get(), 5 * 4, 3, b.get(), 5 * 4, 3);
  });
  Executable executable(capture.graph());
  executable.launch(stream);
  stream.synchronize();
  long wrong = 0;
  for (int i = 0; i < 30; i++) wrong += out[i] != i;
  say("wrong", wrong);
  say("first-gap", a.read()[5]);
}

/** Numbers that a graph waits for and writes, in the order of its nodes. */
TWIN(graphNumbers, "graph-of-numbers", Kind::kPlain) {
  Stream stream, side;
  Array<int> flags(2), cell(1);
  CUcontext context;
  if (cuCtxGetCurrent(&context) != CUDA_SUCCESS) throw std::runtime_error("no context");
  auto number = [&](cudaGraph_t graph, CUstreamBatchMemOpType operation, int* at, int value, unsigned flag,
                    const Graph::Nodes& after) {
    CUstreamBatchMemOpParams one = {};
    one.operation = operation;
    one.writeValue.address = reinterpret_cast<CUdeviceptr>(at);
    one.writeValue.value = static_cast<cuuint32_t>(value);
    one.writeValue.flags = flag;
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters = {};
    parameters.ctx = context;
    parameters.count = 1;
    parameters.paramArray = &one;
    CUgraphNode node;
    if (cuGraphAddBatchMemOpNode(&node, graph, after.data(), after.size(), &parameters) != CUDA_SUCCESS) {
      throw std::runtime_error("no node");
    }
    return node;
  };
  Graph graph;
  auto waited = number(graph, CU_STREAM_MEM_OP_WAIT_VALUE_32, flags.get(), 1, CU_STREAM_WAIT_VALUE_GEQ, {});
  auto put = graph.put(cell.get(), 7, {waited});
  number(graph, CU_STREAM_MEM_OP_WRITE_VALUE_32, flags.get() + 1, 5, 0, {put});
  Executable executable(graph);
  executable.launch(stream);
  say("held", passes(static_cast<cudaStream_t>(stream)) ? "no" : "yes");
  cuStreamWriteValue32(side, reinterpret_cast<CUdeviceptr>(flags.get()), 1, 0);
  cuStreamWaitValue32(side, reinterpret_cast<CUdeviceptr>(flags.get() + 1), 5, CU_STREAM_WAIT_VALUE_EQ);
  side.synchronize();
  say("cell", cell.all());
}

/** Memory that a capture allocates and frees; what is freed is used again by what comes after it. */
TWIN(captureMemory, "capture-of-memory", Kind::kPlain) {
  Stream stream;
  Pinned<int> in(1000), out(1000);
  Capture capture(stream, [&] {
    for (int i = 0; i < 3; i++) {
      int* array;
      CHECK(cudaMallocAsync(&array, 4000, stream));
      CHECK(cudaMemcpyAsync(array, i == 0 ? in.get() : out.get(), 4000, cudaMemcpyHostToDevice, stream));
      addAllKernel<<<4, 256, 0, stream>>>(array, i + 1, 1000);
      launched("a launch of addAll");
      CHECK(cudaMemcpyAsync(out.get(), array, 4000, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaFreeAsync(array, stream));
    }
  });
  say("end", capture.end());
  Executable executable(capture.graph());
  in.fill(10);
  executable.launch(stream);
  stream.synchronize();
  say("first", out.all());
  in.fill(20);
  executable.launch(stream);
  stream.synchronize();
  say("second", out.all());
}

/** A loop in the middle of a capture: the body is captured to the graph of the conditional node. */
TWIN(captureLoop, "capture-of-a-loop", Kind::kPlain) {
  Stream stream;
  Array<int> left(1), passes(1);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  put(left.get(), 5, stream);
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t* before;
  size_t count;
#if CUDART_VERSION >= 13000
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count));
#else
  CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, &before, &count));
#endif
  Graph around(graph);
  auto handle = around.handle();
  auto decided = decide(around, handle, left.get(), Graph::Nodes(before, before + count));
  cudaGraphNode_t loop;
  auto body = around.conditional(cudaGraphCondTypeWhile, 1, handle, {decided}, &loop)[0];
  Stream inner;
  CHECK(cudaStreamBeginCaptureToGraph(inner, body, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  countDownKernel<<<1, 1, 0, inner>>>(left.get(), passes.get());
  launched("a launch of countDown");
  decideKernel<<<1, 1, 0, inner>>>(handle, left.get());
  launched("a launch of decide");
  cudaGraph_t same;
  CHECK(cudaStreamEndCapture(inner, &same));
#if CUDART_VERSION >= 13000
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &loop, nullptr, 1, cudaStreamSetCaptureDependencies));
#else
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &loop, 1, cudaStreamSetCaptureDependencies));
#endif
  add(passes.get(), 100, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("passes", passes.all());
  executable.launch(stream);
  stream.synchronize();
  say("passes-then", passes.all());
  cudaGraphDestroy(graph);
}

}  // namespace
