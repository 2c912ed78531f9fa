// What CUDA promises, as small programs of our own on its plain API. Each prints lines `name: key=value` that depend on
// no timing. Each has its twin of the same name in Java (core/src/test/java/dev/stretto/twin), which prints the same
// lines through Stretto. bench/semantics.sh runs both on a GPU and compares them; where Stretto means to promise more or
// less than CUDA, both sources say why, and differences.txt beside the noted outcome lists the two values.
//
//   nvcc -arch=sm_90a -O2 -std=c++17 -o semantics semantics.cu -lcuda && ./semantics [name…]
//
// `--list` prints the names. A program that loses the device runs in a process of its own.
#include "semantics/frame.cuh"

#include "semantics/streams.cuh"
#include "semantics/awaits.cuh"
#include "semantics/events.cuh"
#include "semantics/callbacks.cuh"
#include "semantics/memory.cuh"
#include "semantics/copies.cuh"
#include "semantics/pools.cuh"
#include "semantics/graphs.cuh"
#include "semantics/captures.cuh"
#include "semantics/updates.cuh"
#include "semantics/launches.cuh"
#include "semantics/barriers.cuh"
#include "semantics/pipelines.cuh"
#include "semantics/groups.cuh"
#include "semantics/tiles.cuh"
#include "semantics/columns.cuh"
#include "semantics/clusters.cuh"
#include "semantics/grids.cuh"
#include "semantics/meeting.cuh"
#include "semantics/processes.cuh"
#include "semantics/errors.cuh"
#include "semantics/peers.cuh"
#include "semantics/peergraphs.cuh"

int main(int count, char** words) { return run(count, words); }
