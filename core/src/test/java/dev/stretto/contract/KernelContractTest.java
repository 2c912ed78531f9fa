package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalArray;
import java.util.ArrayList;
import java.util.List;

/** A part of the contract about kernels: what one leaves behind is the same as in Java. */
abstract class KernelContractTest extends ContractTest {
  /** Allocates, enqueues and gives what has to be the same everywhere. */
  interface Program {
    /** {@return the arrays, which are closed when they have been read} */
    List<GlobalArray> run(Device device, Stream stream);
  }

  static List<byte[]> results(Device on, Program program) {
    try (Stream stream = on.stream()) {
      List<byte[]> results = new ArrayList<>();
      for (GlobalArray array : program.run(on, stream)) {
        results.add(read(stream, array));
        array.close();
      }
      return results;
    }
  }

  /** Requires the same bytes as on a virtual device, where a kernel is Java. */
  final void sameEverywhere(Program program) {
    List<byte[]> here = results(device, program);
    try (Device other = Device.open("virtual")) {
      List<byte[]> there = results(other, program);
      for (int i = 0; i < here.size(); i++) {
        assertSame(here.get(i), there.get(i));
      }
    }
  }
}
