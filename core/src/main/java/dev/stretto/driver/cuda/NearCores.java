package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The host's cores that are near a device: on a machine with several sockets, those of its NUMA
 * node. A thread that moves a device's bytes runs there, and the pages that it touches first lie
 * there. Linux says which they are in {@code local_cpulist} of the PCI device; with a single node
 * they are all.
 */
final class NearCores {
  private static final Path PCI_DEVICES = Path.of("/sys/bus/pci/devices");

  /** The most cores that Linux can be built for. */
  private static final int MOST_CORES = 8192;

  private static final int CALLING_THREAD = 0;

  private static final @Nullable MethodHandle GET = link("sched_getaffinity");
  private static final @Nullable MethodHandle SET = link("sched_setaffinity");

  private final BitSet cores;

  private NearCores(BitSet cores) {
    this.cores = cores;
  }

  /**
   * {@return the cores near a device} None if the system does not say.
   *
   * @param pciBusId such as {@code 0000:3b:00.0}
   */
  static NearCores of(String pciBusId) {
    return of(PCI_DEVICES, pciBusId);
  }

  /**
   * {@return the same, read from a folder}
   *
   * @param devices a folder with a folder for each PCI device
   */
  static NearCores of(Path devices, String pciBusId) {
    try {
      Path list = devices.resolve(pciBusId).resolve("local_cpulist");
      return new NearCores(parsed(Files.readString(list).strip()));
    } catch (IOException | SecurityException | IllegalArgumentException e) {
      return new NearCores(new BitSet()); // another system, or a container that hides it
    }
  }

  /** {@return the numbers in a list such as {@code 0-3,8,10-11}} */
  private static BitSet parsed(String list) {
    BitSet cores = new BitSet();
    for (String range : list.split(",", -1)) {
      String[] ends = range.split("-", 2);
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      if (first < 0 || last < first || last >= MOST_CORES) {
        throw new IllegalArgumentException(list);
      }
      cores.set(first, last + 1);
    }
    return cores;
  }

  /**
   * Lets the calling platform thread, and threads that it creates, run on these cores only: on
   * those among them on which it may run now. Does nothing if there are none, and on other systems.
   */
  void keepThread() {
    if (cores.isEmpty() || GET == null || SET == null) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MOST_CORES / Byte.SIZE, Long.BYTES);
      if (call(GET, mask) < 0) {
        return;
      }
      BitSet allowed = BitSet.valueOf(mask.asByteBuffer());
      BitSet both = (BitSet) allowed.clone();
      both.and(cores);
      if (both.isEmpty() || both.equals(allowed)) {
        return;
      }
      mask.fill((byte) 0);
      byte[] bytes = both.toByteArray();
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, mask, 0, bytes.length);
      int _ = call(SET, mask); // a wish: the thread is as right anywhere
    }
  }

  private static int call(MethodHandle function, MemorySegment mask) {
    try {
      return (int) function.invokeExact(CALLING_THREAD, mask.byteSize(), mask);
    } catch (Throwable e) {
      throw new AssertionError("a function of the C library does not throw", e);
    }
  }

  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle link(String name) {
    Linker linker = Linker.nativeLinker();
    MemoryLayout[] parameters = {JAVA_INT, JAVA_LONG, ADDRESS};
    return linker
        .defaultLookup()
        .find(name)
        .map(f -> linker.downcallHandle(f, FunctionDescriptor.of(JAVA_INT, parameters)))
        .orElse(null);
  }
}
