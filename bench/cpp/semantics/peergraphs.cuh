// Graphs whose work two devices do: CUDA C++ Programming Guide, "Cross-stream Dependencies and Events"; CUDA Driver API,
// "Graph Management": a node runs in the context that it is added with.
#pragma once

#include "peers.cuh"
#include "updates.cuh"

namespace {

/** Access of both devices to each other's memory, for as long as this lives. */
class AccessBothWays {
 public:
  AccessBothWays() {
    On there(1);
    CHECK(cudaDeviceEnablePeerAccess(0, 0));
  }
  ~AccessBothWays() {
    On there(1);
    cudaDeviceDisablePeerAccess(0);
  }
  AccessBothWays(const AccessBothWays&) = delete;
  AccessBothWays& operator=(const AccessBothWays&) = delete;

 private:
  Access access_;
};

/** The body of a capture: device 0 adds, device 1 fills, takes what device 0 has and adds, device 0 takes that. */
class Fork {
 public:
  Fork(cudaStream_t stream, cudaStream_t theirs, int* cell, int* far, int* back)
      : stream_(stream), theirs_(theirs), cell_(cell), far_(far), back_(back) {}

  void body(int added, int filled) {
    add(cell_, 1, stream_);
    forked_.record(stream_);
    {
      On there(1);
      wait(theirs_, forked_);
      CHECK(cudaMemsetAsync(far_, filled, 8, theirs_));
      CHECK(cudaMemcpyAsync(far_ + 1, cell_, 4, cudaMemcpyDefault, theirs_));
      add(far_ + 1, added, theirs_);
      joined_.record(theirs_);
    }
    wait(stream_, joined_);
    CHECK(cudaMemcpyAsync(back_, far_ + 1, 4, cudaMemcpyDefault, stream_));
  }

 private:
  cudaStream_t stream_, theirs_;
  int *cell_, *far_, *back_;
  Event forked_;
  Event joined_ = on<Event>(1);
};

std::vector<int> readOn(int device, const Array<int>& array) {
  On there(device);
  return array.read();
}

TWIN(peerCapture, "peer-capture-of-both-devices", Kind::kPair) {
  AccessBothWays access;
  Stream stream;
  Stream theirs = on<Stream>(1);
  Array<int> cell(1), back(1);
  Array<int> far = on<Array<int>>(1, 2);
  Fork fork(stream, theirs, cell.get(), far.get(), back.get());
  Capture capture(stream, [&] { fork.body(10, 0x01010101); });
  say("end", capture.end());
  say("captured", cell.all());
  Executable executable(capture.graph());
  executable.launch(stream);
  executable.launch(stream);
  stream.synchronize();
  say("cell", cell.all());
  say("filled", readOn(1, far)[0]);
  say("added", readOn(1, far)[1]);
  say("back", back.all());
}

/** Work that is not joined is refused, on whichever device it is. */
TWIN(peerCaptureUnjoined, "peer-capture-that-is-not-joined", Kind::kPair) {
  Stream stream;
  Stream theirs = on<Stream>(1);
  Event forked;
  Array<int> cell(1);
  Array<int> far = on<Array<int>>(1, 1);
  Capture capture(stream,
                  [&] {
                    add(cell.get(), 1, stream);
                    forked.record(stream);
                    On there(1);
                    wait(theirs, forked);
                    add(far.get(), 1, theirs);
                  },
                  cudaErrorStreamCaptureUnjoined);
  say("end", capture.end());
}

/** Nodes of both devices take over the parameters of another capture; the other device's stay its own. */
TWIN(peerCaptureUpdate, "peer-capture-that-is-updated", Kind::kPair) {
  AccessBothWays access;
  Stream stream;
  Stream theirs = on<Stream>(1);
  Array<int> cell(1), back(1);
  Array<int> far = on<Array<int>>(1, 2);
  Fork fork(stream, theirs, cell.get(), far.get(), back.get());
  Capture first(stream, [&] { fork.body(10, 0x01010101); });
  Executable executable(first.graph());
  executable.launch(stream);
  {
    Capture again(stream, [&] { fork.body(20, 0x02020202); });
    say("update", updated(executable, again.graph()));
  }
  executable.launch(stream);
  stream.synchronize();
  say("filled", readOn(1, far)[0]);
  say("back", back.all());
}

/** A node stays on its device. */
TWIN(peerCaptureMisfit, "peer-capture-updated-on-another-device", Kind::kPair) {
  Stream stream;
  Stream theirs = on<Stream>(1);
  Event forked;
  Event joined = on<Event>(1);
  Array<int> cell(1);
  Array<int> far = on<Array<int>>(1, 1);
  Capture there(stream, [&] {
    forked.record(stream);
    {
      On device(1);
      wait(theirs, forked);
      add(far.get(), 1, theirs);
      joined.record(theirs);
    }
    wait(stream, joined);
  });
  Executable executable(there.graph());
  Capture here(stream, [&] { add(cell.get(), 1, stream); });
  say("update", updated(executable, here.graph()));
}

/** Nodes are added one by one, each with its device current. */
TWIN(peerGraph, "peer-graph-node-by-node", Kind::kPair) {
  AccessBothWays access;
  Stream stream;
  Array<int> cells(2);
  Array<int> far = on<Array<int>>(1, 2);
  Graph graph;
  cudaGraphNode_t added;
  {
    On there(1);
    auto filled = graph.fill(far.get(), 5, 2);
    added = graph.add(far.get() + 1, 3, {filled});
  }
  auto back = graph.copy(cells.get(), far.get(), 8, {added});
  graph.add(cells.get(), 1, {back});
  Executable executable(graph);
  executable.launch(stream);
  stream.synchronize();
  say("first", cells.read()[0]);
  say("second", cells.read()[1]);
}

/** Rows go to the other device and back in a capture, each time to another pitch. */
TWIN(peerCaptureRows, "peer-capture-of-rows", Kind::kPair) {
  constexpr int kInts = 3, kRows = 4, kNear = 5, kFar = 7;
  AccessBothWays access;
  Stream stream;
  Pinned<int> in(kNear * kRows);
  for (int i = 0; i < kNear * kRows; i++) in.set(i, i + 1);
  Array<int> from(kNear * kRows), back(kNear * kRows);
  Array<int> far = on<Array<int>>(1, kFar * kRows);
  CHECK(cudaMemcpyAsync(from.get(), in.get(), in.bytes(), cudaMemcpyHostToDevice, stream));
  Capture capture(stream, [&] {
    CHECK(cudaMemcpy2DAsync(far.get(), kFar * 4, from.get(), kNear * 4, kInts * 4, kRows, cudaMemcpyDefault, stream));
    CHECK(cudaMemcpy2DAsync(back.get(), kNear * 4, far.get(), kFar * 4, kInts * 4, kRows, cudaMemcpyDefault, stream));
  });
  Executable executable(capture.graph());
  executable.launch(stream);
  stream.synchronize();
  std::vector<int> there = readOn(1, far), found = back.read();
  long wrong = 0, touched = 0;
  for (int i = 0; i < kFar * kRows; i++) {
    if (i % kFar < kInts) wrong += there[i] != i / kFar * kNear + i % kFar + 1;
    else touched += there[i] != 0;
  }
  for (int i = 0; i < kNear * kRows; i++) {
    if (i % kNear < kInts) wrong += found[i] != i + 1;
    else touched += found[i] != 0;
  }
  say("wrong", wrong);
  say("touched-between-rows", touched);
}

}  // namespace
