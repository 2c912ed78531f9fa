// Which streams wait for each other without being asked to: CUDA Runtime API, "Stream synchronization behavior".
#pragma once

#include "frame.cuh"

namespace {

/**
 * Holds the first stream up, and says whether the second one's work comes after the first one's: `waits` if nothing of it
 * happens before the latch is opened, and `value`, which the first stream writes and the second one reads.
 */
void sayOrder(const std::string& key, cudaStream_t first, cudaStream_t second) {
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  latch.hold(first);
  put(cell.get(), 7, first);
  take(seen.get(), cell.get(), second);
  bool passed = passes(second);
  latch.open();
  CHECK(cudaStreamSynchronize(first));
  CHECK(cudaStreamSynchronize(second));
  say(key, passed ? "independent" : "waits");
  say(key + "-value", seen[0]);
}

void sayBothOrders(const char* a, cudaStream_t first, const char* b, cudaStream_t second) {
  sayOrder(std::string(b) + "-behind-" + a, first, second);
  sayOrder(std::string(a) + "-behind-" + b, second, first);
}

TWIN(legacyAndPerThread, "legacy-and-per-thread", Kind::kPlain) {
  sayBothOrders("legacy", cudaStreamLegacy, "per-thread", cudaStreamPerThread);
}

TWIN(legacyAndBlocking, "legacy-and-blocking", Kind::kPlain) {
  Stream blocking(cudaStreamDefault);
  sayBothOrders("legacy", cudaStreamLegacy, "blocking", blocking);
}

TWIN(legacyAndNonBlocking, "legacy-and-non-blocking", Kind::kPlain) {
  Stream stream;
  sayBothOrders("legacy", cudaStreamLegacy, "non-blocking", stream);
}

TWIN(perThreadAndBlocking, "per-thread-and-blocking", Kind::kPlain) {
  Stream blocking(cudaStreamDefault);
  sayBothOrders("per-thread", cudaStreamPerThread, "blocking", blocking);
}

TWIN(perThreadAndNonBlocking, "per-thread-and-non-blocking", Kind::kPlain) {
  Stream stream;
  sayBothOrders("per-thread", cudaStreamPerThread, "non-blocking", stream);
}

TWIN(blockingAndNonBlocking, "blocking-and-non-blocking", Kind::kPlain) {
  Stream blocking(cudaStreamDefault), stream;
  sayBothOrders("blocking", blocking, "non-blocking", stream);
}

/** What another library made is to Stretto an adopted stream; to CUDA it is a stream like any other. */
TWIN(legacyAndAdopted, "legacy-and-adopted", Kind::kPlain) {
  Stream adopted;
  sayBothOrders("legacy", cudaStreamLegacy, "adopted", adopted);
}

TWIN(adoptedAndNonBlocking, "adopted-and-non-blocking", Kind::kPlain) {
  Stream adopted, stream;
  sayBothOrders("adopted", adopted, "non-blocking", stream);
}

TWIN(adoptedAndBlocking, "adopted-and-blocking", Kind::kPlain) {
  Stream adopted, blocking(cudaStreamDefault);
  sayBothOrders("adopted", adopted, "blocking", blocking);
}

TWIN(twoBlocking, "two-blocking", Kind::kPlain) {
  Stream one(cudaStreamDefault), two(cudaStreamDefault);
  sayOrder("two-behind-one", one, two);
}

TWIN(twoNonBlocking, "two-non-blocking", Kind::kPlain) {
  Stream one, two;
  sayOrder("two-behind-one", one, two);
}

/** Two threads' own default streams have nothing to do with each other. */
TWIN(twoPerThread, "two-per-thread", Kind::kPlain) {
  Latch latch;
  Pinned<int> cell(1);
  latch.hold(cudaStreamPerThread);
  inThread([&] {
    put(cell.get(), 5, cudaStreamPerThread);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    say("other-thread", latch.isOpen() ? "waits" : "independent");
  });
  say("value", cell[0]);
  say("mine", query(cudaStreamPerThread));
  latch.open();
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
}

/** In between two blocking streams, the legacy stream makes the second wait for the first. */
TWIN(blockingLegacyBlocking, "blocking-legacy-blocking", Kind::kPlain) {
  Stream one(cudaStreamDefault), two(cudaStreamDefault);
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  latch.hold(one);
  put(cell.get(), 7, one);
  add(cell.get(), 1, cudaStreamLegacy);
  take(seen.get(), cell.get(), two);
  say("two", query(two));
  latch.open();
  two.synchronize();
  say("value", seen[0]);
}

}  // namespace
