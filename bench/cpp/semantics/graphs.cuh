// What graphs do, and in which order: CUDA C++ Programming Guide, "CUDA Graphs"; CUDA Runtime API, "Graph Management".
#pragma once

#include "callbacks.cuh"
#include "frame.cuh"

namespace {

/** A graph that is made node by node. */
class Graph {
 public:
  using Nodes = std::vector<cudaGraphNode_t>;

  Graph() { CHECK(cudaGraphCreate(&graph_, 0)); }
  explicit Graph(cudaGraph_t made) : graph_(made), owned_(false) {}
  ~Graph() {
    if (owned_) cudaGraphDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  operator cudaGraph_t() const { return graph_; }

  template <typename... Parameters, typename... Arguments>
  cudaGraphNode_t kernel(void (*function)(Parameters...), const Nodes& after, Arguments... arguments) const {
    cudaKernelNodeParams parameters = {};
    void* pointers[] = {&arguments...};
    parameters.func = reinterpret_cast<void*>(function);
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = pointers;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &parameters));
    return node;
  }

  cudaGraphNode_t put(int* cell, int value, const Nodes& after = {}) const {
    return kernel(putKernel, after, static_cast<volatile int*>(cell), value);
  }
  cudaGraphNode_t add(int* cell, int value, const Nodes& after = {}) const {
    return kernel(addKernel, after, static_cast<volatile int*>(cell), value);
  }
  cudaGraphNode_t take(int* to, const int* from, const Nodes& after = {}) const {
    return kernel(takeKernel, after, static_cast<volatile int*>(to), static_cast<const volatile int*>(from));
  }
  cudaGraphNode_t hold(const Latch& latch, const Nodes& after = {}) const {
    return kernel(holdKernel, after, static_cast<volatile int*>(latch.cells()));
  }

  cudaGraphNode_t copy(void* to, const void* from, size_t bytes, const Nodes& after = {}) const {
    cudaGraphNode_t node;
    CHECK(cudaGraphAddMemcpyNode1D(&node, graph_, after.data(), after.size(), to, from, bytes, cudaMemcpyDefault));
    return node;
  }

  cudaGraphNode_t fill(int* ints, int value, size_t count, const Nodes& after = {}) const {
    cudaMemsetParams parameters = {};
    parameters.dst = ints;
    parameters.elementSize = 4;
    parameters.value = static_cast<unsigned>(value);
    parameters.width = count;
    parameters.height = 1;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &parameters));
    return node;
  }

  cudaGraphNode_t then(std::function<void()>& callback, const Nodes& after = {}) const {
    cudaHostNodeParams parameters = {};
    parameters.fn = [](void* function) { (*static_cast<std::function<void()>*>(function))(); };
    parameters.userData = &callback;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddHostNode(&node, graph_, after.data(), after.size(), &parameters));
    return node;
  }

  cudaGraphNode_t child(cudaGraph_t graph, const Nodes& after = {}) const {
    cudaGraphNode_t node;
    CHECK(cudaGraphAddChildGraphNode(&node, graph_, after.data(), after.size(), graph));
    return node;
  }

  cudaGraphNode_t join(const Nodes& after) const {
    cudaGraphNode_t node;
    CHECK(cudaGraphAddEmptyNode(&node, graph_, after.data(), after.size()));
    return node;
  }

  cudaGraphNode_t record(cudaEvent_t event, const Nodes& after = {}) const {
    cudaGraphNode_t node;
    CHECK(cudaGraphAddEventRecordNode(&node, graph_, after.data(), after.size(), event));
    return node;
  }

  cudaGraphNode_t wait(cudaEvent_t event, const Nodes& after = {}) const {
    cudaGraphNode_t node;
    CHECK(cudaGraphAddEventWaitNode(&node, graph_, after.data(), after.size(), event));
    return node;
  }

  cudaGraphConditionalHandle handle() const {
    cudaGraphConditionalHandle made;
    CHECK(cudaGraphConditionalHandleCreate(&made, graph_, 0, cudaGraphCondAssignDefault));
    return made;
  }

  /** A conditional node; the graphs of its bodies. */
  std::vector<cudaGraph_t> conditional(cudaGraphConditionalNodeType type, unsigned bodies,
                                       cudaGraphConditionalHandle handle, const Nodes& after,
                                       cudaGraphNode_t* node = nullptr) const {
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = bodies;
    cudaGraphNode_t made;
    CHECK(cudaGraphAddNode(&made, graph_, after.data(), nullptr, after.size(), &parameters));
    if (node != nullptr) *node = made;
    return {parameters.conditional.phGraph_out, parameters.conditional.phGraph_out + bodies};
  }

 private:
  cudaGraph_t graph_ = nullptr;
  bool owned_ = true;
};

class Executable {
 public:
  explicit Executable(cudaGraph_t graph) { CHECK(cudaGraphInstantiate(&graph_, graph, 0)); }
  ~Executable() { cudaGraphExecDestroy(graph_); }
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  operator cudaGraphExec_t() const { return graph_; }
  void launch(cudaStream_t stream) const { CHECK(cudaGraphLaunch(graph_, stream)); }
  void upload(cudaStream_t stream) const { CHECK(cudaGraphUpload(graph_, stream)); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

// ---- Nodes

/** Copies read what is there when their turn comes, in each launch anew. */
TWIN(graphCopy, "graph-of-copies", Kind::kPlain) {
  Stream stream;
  Array<int> a(1000), b(1000);
  Pinned<int> in(1000), out(1000);
  Graph graph;
  auto up = graph.copy(a.get(), in.get(), in.bytes());
  auto across = graph.copy(b.get(), a.get(), a.bytes(), {up});
  graph.copy(out.get(), b.get(), out.bytes(), {across});
  in.fill(6);
  Executable executable(graph);
  in.fill(7);
  executable.launch(stream);
  stream.synchronize();
  say("first", out.all());
  in.fill(8);
  executable.launch(stream);
  stream.synchronize();
  say("second", out.all());
}

TWIN(graphFill, "graph-of-a-fill", Kind::kPlain) {
  Stream stream;
  Array<int> array(1000);
  Graph graph;
  graph.fill(array.get(), 7, 1000);
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("value", array.all());
}

TWIN(graphKernel, "graph-of-kernels", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Graph graph;
  auto first = graph.put(cell.get(), 3);
  graph.add(cell.get(), 4, {first});
  Executable executable(graph);
  say("before", cell.all());
  executable.launch(stream);
  stream.synchronize();
  say("value", cell.all());
}

TWIN(graphHost, "graph-of-a-callback", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Pinned<int> host(1);
  std::atomic<int> calls{0}, seen{0};
  std::function<void()> callback = [&] {
    calls++;
    seen = host[0];
    host.set(0, host[0] * 2);
  };
  Graph graph;
  auto add = graph.add(cell.get(), 7);
  auto down = graph.copy(host.get(), cell.get(), 4, {add});
  auto called = graph.then(callback, {down});
  graph.copy(cell.get(), host.get(), 4, {called});
  Executable executable(graph);
  executable.launch(stream);
  executable.launch(stream);
  stream.synchronize();
  say("calls", calls);
  say("seen", seen);
  say("value", cell.all());
}

/** A child is copied when it is added: what becomes of its graph afterwards is no matter. */
TWIN(graphChild, "graph-of-a-child", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Graph graph;
  auto before = graph.put(cell.get(), 3);
  cudaGraphNode_t child;
  {
    Graph inner;
    inner.add(cell.get(), 4);
    child = graph.child(inner, {before});
  }
  graph.add(cell.get(), 10, {child});
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("value", cell.all());
}

TWIN(graphJoin, "graph-of-an-empty-node", Kind::kPlain) {
  Stream stream;
  Array<int> cells(2);
  Pinned<int> seen(2);
  Graph graph;
  auto a = graph.put(cells.get(), 7);
  auto b = graph.put(cells.get() + 1, 7);
  auto both = graph.join({a, b});
  graph.copy(seen.get(), cells.get(), 8, {both});
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("values", seen.all());
}

/** What waits comes after what was recorded by the launch that reached the driver last. */
TWIN(graphEvents, "graph-of-a-record-and-a-wait", Kind::kPlain) {
  Stream one, two;
  Event event;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  Graph recording, waiting;
  auto held = recording.hold(latch);
  auto put = recording.put(cell.get(), 7, {held});
  recording.record(event, {put});
  auto waited = waiting.wait(event);
  waiting.take(seen.get(), cell.get(), {waited});
  Executable first(recording), second(waiting);
  second.launch(two);
  two.synchronize();
  say("never-recorded", seen[0]);
  first.launch(one);
  second.launch(two);
  say("two", passes(static_cast<cudaStream_t>(two)) ? "independent" : "waits");
  latch.open();
  two.synchronize();
  say("value", seen[0]);
}

__global__ void decideKernel(cudaGraphConditionalHandle handle, const volatile int* cell) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*cell));
}

cudaGraphNode_t decide(const Graph& graph, cudaGraphConditionalHandle handle, int* cell, const Graph::Nodes& after) {
  return graph.kernel(decideKernel, after, handle, static_cast<const volatile int*>(cell));
}

TWIN(graphIf, "graph-of-an-if", Kind::kPlain) {
  Stream stream;
  Array<int> flag(1), cell(1);
  Graph graph;
  auto handle = graph.handle();
  auto decided = decide(graph, handle, flag.get(), {});
  cudaGraphNode_t branch;
  Graph body(graph.conditional(cudaGraphCondTypeIf, 1, handle, {decided}, &branch)[0]);
  body.add(cell.get(), 10);
  graph.add(cell.get(), 1, {branch});
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("if-0", cell.all());
  put(flag.get(), 1, stream);
  executable.launch(stream);
  stream.synchronize();
  say("if-1", cell.all());
  put(flag.get(), -1, stream);
  executable.launch(stream);
  stream.synchronize();
  say("if-minus-1", cell.all());
}

TWIN(graphElse, "graph-of-an-if-and-an-else", Kind::kPlain) {
  Stream stream;
  Array<int> flag(1), cell(1);
  Graph graph;
  auto handle = graph.handle();
  auto decided = decide(graph, handle, flag.get(), {});
  auto bodies = graph.conditional(cudaGraphCondTypeIf, 2, handle, {decided});
  Graph(bodies[0]).add(cell.get(), 10);
  Graph(bodies[1]).add(cell.get(), 1);
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("if-0", cell.all());
  put(flag.get(), 1, stream);
  executable.launch(stream);
  stream.synchronize();
  say("if-1", cell.all());
}

__global__ void countDownKernel(volatile int* left, volatile int* passes) {
  *left = *left - 1;
  *passes = *passes + 1;
}

TWIN(graphWhile, "graph-of-a-while", Kind::kPlain) {
  Stream stream;
  Array<int> left(1), count(1);
  Graph graph;
  auto handle = graph.handle();
  auto decided = decide(graph, handle, left.get(), {});
  Graph body(graph.conditional(cudaGraphCondTypeWhile, 1, handle, {decided})[0]);
  auto counted = body.kernel(countDownKernel, {}, static_cast<volatile int*>(left.get()),
                             static_cast<volatile int*>(count.get()));
  decide(body, handle, left.get(), {counted});
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("none", count.all());
  put(left.get(), 5, stream);
  executable.launch(stream);
  stream.synchronize();
  say("five", count.all());
}

TWIN(graphSwitch, "graph-of-a-switch", Kind::kPlain) {
  Stream stream;
  Array<int> flag(1), cell(1);
  Graph graph;
  auto handle = graph.handle();
  auto decided = decide(graph, handle, flag.get(), {});
  auto bodies = graph.conditional(cudaGraphCondTypeSwitch, 2, handle, {decided});
  Graph(bodies[0]).add(cell.get(), 1);
  Graph(bodies[1]).add(cell.get(), 10);
  Executable executable(graph);
  for (int choice : {0, 1, 2}) {
    put(flag.get(), choice, stream);
    executable.launch(stream);
    stream.synchronize();
    say("after-" + std::to_string(choice), cell.all());
  }
}

/** A condition within a condition. */
TWIN(graphNested, "graph-of-an-if-in-an-if", Kind::kPlain) {
  Stream stream;
  Array<int> flag(1), cell(1);
  Graph graph;
  auto outer = graph.handle();
  auto decided = decide(graph, outer, flag.get(), {});
  Graph body(graph.conditional(cudaGraphCondTypeIf, 1, outer, {decided})[0]);
  auto inner = body.handle();
  auto again = decide(body, inner, flag.get(), {body.add(cell.get(), 1)});
  Graph(body.conditional(cudaGraphCondTypeIf, 1, inner, {again})[0]).add(cell.get(), 10);
  Executable executable(graph);
  executable.launch(stream);
  put(flag.get(), 1, stream);
  executable.launch(stream);
  stream.synchronize();
  say("value", cell.all());
}

// ---- Launches

TWIN(graphOrder, "graph-in-the-order-of-its-stream", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  Graph graph;
  auto doubled = graph.add(cell.get(), 1);
  graph.add(cell.get(), 2, {doubled});
  Executable executable(graph);
  latch.hold(stream);
  put(cell.get(), 4, stream);
  sayReturnsFirst(latch, [&] { executable.launch(stream); });
  take(seen.get(), cell.get(), stream);
  put(cell.get(), 100, stream);
  say("stream", query(stream));
  latch.open();
  stream.synchronize();
  say("value", seen[0]);
}

/** Launches of one graph never overlap, on whatever streams: the second begins when the first is done. */
TWIN(graphTwice, "graph-launched-on-two-streams", Kind::kPlain) {
  Stream one, two, reader;
  Latch latch;
  Array<int> count(1);
  Pinned<int> seen(1);
  Graph graph;
  auto counted = graph.add(count.get(), 1);
  graph.hold(latch, {counted});
  Executable executable(graph);
  executable.launch(one);
  executable.launch(two);
  say("two", passes(static_cast<cudaStream_t>(two)) ? "independent" : "waits");
  take(seen.get(), count.get(), reader);
  reader.synchronize();
  say("begun", seen[0]);
  latch.open();
  one.synchronize();
  two.synchronize();
  say("value", count.all());
}

TWIN(graphOthers, "graph-beside-another-graph", Kind::kPlain) {
  Stream one, two;
  Latch latch;
  Pinned<int> cell(1);
  Graph held, free;
  held.hold(latch);
  free.put(cell.get(), 7);
  Executable first(held), second(free);
  first.launch(one);
  second.launch(two);
  say("two", passes(static_cast<cudaStream_t>(two)) ? "independent" : "waits");
  say("value", cell[0]);
}

TWIN(graphOnLegacy, "graph-on-legacy", Kind::kPlain) {
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  Graph graph;
  auto held = graph.hold(latch);
  graph.put(cell.get(), 7, {held});
  Executable executable(graph);
  executable.launch(cudaStreamLegacy);
  take(seen.get(), cell.get(), cudaStreamPerThread);
  say("per-thread", passes(cudaStreamPerThread) ? "independent" : "waits");
  latch.open();
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  say("value", seen[0]);
}

TWIN(graphUpload, "graph-uploaded", Kind::kPlain) {
  Stream one, two;
  Latch latch;
  Array<int> cell(1);
  Graph graph;
  graph.add(cell.get(), 7);
  Executable executable(graph);
  latch.hold(one);
  sayReturnsFirst(latch, [&] { executable.upload(one); });
  latch.open();
  one.synchronize();
  executable.launch(two);
  two.synchronize();
  say("value", cell.all());
}

/** An upload while a launch of the same graph is held up, behind a callback too, harms neither. */
TWIN(graphUploadHeld, "graph-uploaded-behind-a-launch", Kind::kPlain) {
  Stream one, two;
  Latch latch;
  Array<int> cell(1);
  Graph graph;
  graph.add(cell.get(), 7);
  Executable executable(graph);
  std::function<void()> callback = [] {};
  latch.hold(one);
  then(one, callback);
  executable.launch(one);
  {
    OpenedLater opened(latch);
    executable.upload(two);
    executable.launch(two);
  }
  one.synchronize();
  two.synchronize();
  say("value", cell.all());
}

/** A launch keeps the parameters that the graph had when it was enqueued. */
TWIN(graphUpdate, "graph-changed-behind-a-launch", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  Graph graph;
  auto node = graph.add(cell.get(), 1);
  Executable executable(graph);
  latch.hold(stream);
  executable.launch(stream);
  take(seen.get(), cell.get(), stream);
  volatile int* target = cell.get();
  int value = 10;
  void* arguments[] = {&target, &value};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(addKernel);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, node, &parameters));
  executable.launch(stream);
  latch.open();
  stream.synchronize();
  say("first", seen[0]);
  say("both", cell.all());
}

TWIN(graphUpdateCopy, "graph-whose-copy-and-fill-are-changed", Kind::kPlain) {
  Stream stream;
  Array<int> a(100), b(100);
  Pinned<int> in(100), other(100);
  in.fill(7);
  other.fill(8);
  Graph graph;
  auto copied = graph.copy(a.get(), in.get(), in.bytes());
  auto filled = graph.fill(b.get(), 1, 100);
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("copied", a.all());
  say("filled", b.all());
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(executable, copied, a.get(), other.get(), other.bytes(), cudaMemcpyDefault));
  cudaMemsetParams parameters = {};
  parameters.dst = b.get();
  parameters.elementSize = 4;
  parameters.value = 2;
  parameters.width = 100;
  parameters.height = 1;
  CHECK(cudaGraphExecMemsetNodeSetParams(executable, filled, &parameters));
  executable.launch(stream);
  stream.synchronize();
  say("copied-then", a.all());
  say("filled-then", b.all());
}

TWIN(graphDestroyed, "graph-destroyed-in-flight", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> cell(1);
  cudaGraphExec_t executable;
  {
    Graph graph;
    graph.add(cell.get(), 7);
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
  }
  latch.hold(stream);
  CHECK(cudaGraphLaunch(executable, stream));
  sayReturnsFirst(latch, [&] { CHECK(cudaGraphExecDestroy(executable)); });
  latch.open();
  stream.synchronize();
  say("value", cell.all());
}

}  // namespace
