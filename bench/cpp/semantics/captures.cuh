// What is captured, and what makes a capture fail: CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture".
#pragma once

#include "graphs.cuh"
#include "memory.cuh"

namespace {

/** Captures what a body enqueues, and says what came of it; the graph if there is one. */
class Capture {
 public:
  Capture(cudaStream_t stream, const std::function<void()>& body,
          cudaError_t documented = cudaErrorStreamCaptureInvalidated) {
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    body();
    end_ = outcome(cudaStreamEndCapture(stream, &graph_), documented);
    (void)cudaGetLastError();
  }
  ~Capture() {
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  const std::string& end() const { return end_; }
  cudaGraph_t graph() const { return graph_; }

 private:
  cudaGraph_t graph_ = nullptr;
  std::string end_;
};

TWIN(captureNothing, "capture-runs-nothing", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Capture capture(stream, [&] { add(cell.get(), 7, stream); });
  say("captured", cell.all());
  Executable executable(capture.graph());
  executable.launch(stream);
  executable.launch(stream);
  stream.synchronize();
  say("launched-twice", cell.all());
}

TWIN(captureFork, "capture-of-two-streams", Kind::kPlain) {
  Stream stream, other;
  Event forked, joined;
  Array<int> cells(2);
  Pinned<int> seen(2);
  Capture capture(stream, [&] {
    put(cells.get(), 3, stream);
    forked.record(stream);
    wait(other, forked);
    put(cells.get() + 1, 7, other);
    add(cells.get(), 4, stream);
    joined.record(other);
    wait(stream, joined);
    CHECK(cudaMemcpyAsync(seen.get(), cells.get(), 8, cudaMemcpyDeviceToHost, stream));
  });
  say("end", capture.end());
  Executable executable(capture.graph());
  executable.launch(stream);
  stream.synchronize();
  say("values", seen.all());
}

TWIN(captureUnjoined, "capture-that-is-not-joined", Kind::kPlain) {
  Stream stream, other;
  Event forked;
  Array<int> cell(1);
  Capture capture(
      stream,
      [&] {
        forked.record(stream);
        wait(other, forked);
        put(cell.get(), 7, other);
      },
      cudaErrorStreamCaptureUnjoined);
  say("end", capture.end());
  put(cell.get(), 8, stream);
  stream.synchronize();
  put(cell.get(), 9, other);
  other.synchronize();
  say("value", cell.all());
}

TWIN(captureAwait, "capture-that-awaits-its-stream", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  std::string awaited;
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    awaited = outcome(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  });
  say("await", awaited);
  say("end", capture.end());
  add(cell.get(), 1, stream);
  stream.synchronize();
  say("value", cell.all());
}

TWIN(captureQuery, "capture-that-asks-its-stream", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  std::string asked;
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    asked = outcome(cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
  });
  say("query", asked);
  say("end", capture.end());
}

TWIN(captureEvent, "capture-that-awaits-its-event", Kind::kPlain) {
  Stream stream;
  Event event;
  Array<int> cell(1);
  std::string awaited;
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    event.record(stream);
    awaited = outcome(cudaEventSynchronize(event), cudaErrorCapturedEvent);
  });
  say("await", awaited);
  say("end", capture.end());
}

/**
 * What was captured never happens by itself: its event is no event for the host afterwards. During the capture CUDA calls
 * it a captured event; afterwards it says that the value is invalid.
 */
TWIN(captureEventAfter, "capture-whose-event-is-asked-afterwards", Kind::kPlain) {
  Stream stream;
  Event event;
  Array<int> cell(1);
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    event.record(stream);
  });
  say("end", capture.end());
  say("query", outcome(cudaEventQuery(event), cudaErrorInvalidValue));
}

TWIN(captureDevice, "capture-that-awaits-the-device", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  std::string awaited;
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    awaited = outcome(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  });
  say("await", awaited);
  say("end", capture.end());
}

TWIN(captureIsolation, "capture-that-waits-for-an-event-from-outside", Kind::kPlain) {
  Stream stream, other;
  Event event;
  Array<int> cell(1);
  std::string waited;
  event.record(other);
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    waited = outcome(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureIsolation);
  });
  say("wait", waited);
  say("end", capture.end());
}

TWIN(captureMalloc, "capture-that-allocates", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  std::string allocated;
  Capture capture(stream, [&] {
    void* memory = nullptr;
    add(cell.get(), 7, stream);
    allocated = outcome(cudaMalloc(&memory, 1000), cudaErrorStreamCaptureUnsupported);
  });
  say("allocation", allocated);
  say("end", capture.end());
  Array<int> then(1);
  say("value-then", then.all());
}

TWIN(captureLegacy, "capture-of-legacy", Kind::kPlain) {
  say("begin", outcome(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
                       cudaErrorStreamCaptureUnsupported));
}

/** A stream that does not block with the legacy stream is captured beside it, and what is enqueued there is no part of it. */
TWIN(captureBesideLegacy, "capture-that-uses-legacy", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  std::string used;
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    used = outcome(cudaMemsetAsync(cell.get(), 0, 4, cudaStreamLegacy), cudaErrorStreamCaptureImplicit);
  });
  say("legacy", used);
  say("end", capture.end());
}

TWIN(captureTwice, "capture-in-a-capture", Kind::kPlain) {
  Stream stream;
  std::string begun;
  Array<int> cell(1);
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    begun = outcome(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  });
  say("begin", begun);
}

/**
 * CUDA captures what any thread enqueues, and wants the thread that began a capture for its end alone. Stretto promises more:
 * a capture is its thread's. What another one enqueues is refused there, and the capture fails, so that no graph lacks it.
 */
TWIN(captureThread, "capture-with-another-thread", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  std::string used;
  Capture capture(stream, [&] {
    inThread([&] { used = outcome(cudaMemsetAsync(cell.get(), 0, 4, stream), cudaErrorStreamCaptureWrongThread); });
    add(cell.get(), 7, stream);
  });
  say("others-work", used);
  say("end", capture.end());
}

/** CUDA takes ordinary memory in a capture and reads it in each launch; Stretto refuses it, for it would have to stage it. */
TWIN(capturePageable, "capture-of-ordinary-memory", Kind::kPlain) {
  Stream stream;
  Array<int> array(kSmall);
  Ordinary host(kSmall);
  std::string copied;
  Capture capture(stream, [&] {
    copied = outcome(cudaMemcpyAsync(array.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream),
                     cudaErrorStreamCaptureUnsupported);
  });
  say("copy", copied);
  say("end", capture.end());
}

TWIN(captureCallback, "capture-of-a-callback", Kind::kPlain) {
  Stream stream;
  Array<int> cell(1);
  Pinned<int> host(1);
  int calls = 0, seen = 0;
  std::function<void()> callback = [&] {
    calls++;
    seen = host[0];
  };
  Capture capture(stream, [&] {
    add(cell.get(), 7, stream);
    CHECK(cudaMemcpyAsync(host.get(), cell.get(), 4, cudaMemcpyDeviceToHost, stream));
    then(stream, callback);
    put(cell.get(), 100, stream);
  });
  say("captured", calls);
  Executable executable(capture.graph());
  executable.launch(stream);
  stream.synchronize();
  say("calls", calls);
  say("seen", seen);
  say("value", cell.all());
}

}  // namespace
