package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/** The Java method that does on a virtual device what an image does on a GPU. */
public interface KernelTwin {
  /**
   * The 16-bit pattern of memory of a virtual device that was never written: a NaN in every
   * floating-point type, and far out of the range of any index.
   */
  short FRESH_MEMORY = 0x7FF5;

  /** Device memory as a kernel of a virtual device sees it. */
  interface DeviceMemory {
    /**
     * {@return the memory from this device address to the end of its allocation}
     *
     * @param address a device address
     * @throws DriverException of kind LOST (as CUDA's illegal address) if no live allocation holds
     *     it
     */
    MemorySegment at(long address);

    /**
     * {@return pinned host memory from this address on, if the launch and the host see each other's
     * writes only when they ask for that; otherwise nothing, which is the default}
     *
     * @param address of a byte that {@link #at} finds
     */
    default Optional<HostWindow> window(long address) {
      return Optional.empty();
    }

    /** {@return whether {@link #window} has found any} */
    default boolean hasWindows() {
      return false;
    }

    /** Makes the launch and the host see what the other one has written so far. */
    default void fenceSystem() {}

    /**
     * Asks for room on the device's multiprocessors for one more cluster. By default there always
     * is room.
     *
     * @return whether there was room; if so, it is now taken
     */
    default boolean admit() {
      return true;
    }

    /** Returns the room of a cluster that was admitted. */
    default void dismiss() {}

    /**
     * {@return 16 bytes for the blocks of a cooperative launch: the word at which they meet is at
     * 4, and what is known of a block that has returned at 8} They are zero when the launch begins,
     * and the same for all host threads that run a part of it. By default they are new ones, for a
     * launch that one host thread runs.
     */
    default MemorySegment meeting() {
      return MemorySegment.ofArray(new long[2]);
    }

    /** {@return when the launch begins at the earliest, in nanoseconds of the modelled clock} */
    default long beginNanos() {
      return 0;
    }

    /** {@return how many thousand cycles the multiprocessors' clock has in a second} */
    default long clockKilohertz() {
      return 1_000_000;
    }

    /**
     * Notes for how long the threads of a cluster have waited by the timer: the kernel takes at
     * least that long on the modelled device. By default nobody wants to know.
     *
     * @param cluster its number
     * @param nanos the longest time of one of its threads
     */
    default void waited(long cluster, long nanos) {}
  }

  /** Pinned host memory as a launch sees it, from some byte on. */
  interface HostWindow {
    /** {@return the memory itself} */
    MemorySegment host();

    /** Makes what the launch has stored visible to the host. */
    void publish();

    /** Makes what the host has written visible to the launch. */
    void update();

    /**
     * Makes the launch see some bytes as they are in the memory itself, where it has changed them.
     *
     * @param at the first byte
     * @param bytes how many
     */
    void looks(long at, int bytes);
  }

  /** A launch in progress, which runs for a while at a time. */
  interface Run {
    /** The state of a launch. */
    enum Progress {
      /** Every thread has returned. */
      OVER,
      /** It has more to do. */
      GOES_ON,
      /** Its threads keep polling for something that others have to do. */
      WAITS
    }

    /**
     * Runs for a while.
     *
     * @return its state after that
     * @throws RuntimeException if a thread failed, which ends the launch
     */
    Progress advance();

    /** Ends its threads where they are. */
    void abandon();

    /** {@return what its threads wait for, and where, in words for a report; or nothing} */
    String waitsFor();
  }

  /**
   * Runs every thread of some of the launch's clusters, one cluster after the other; a cluster is
   * one block unless the shape says more. Clusters are numbered x first, then y, then z. Several
   * threads may call it at once with disjoint ranges.
   *
   * @param shape the shape of the launch
   * @param first the first cluster to run
   * @param last one past the last cluster to run
   * @param parameters the packed parameters, as given to {@link DriverDevice#launch}
   * @param memory the device's memory
   */
  void run(LaunchShape shape, long first, long last, MemorySegment parameters, DeviceMemory memory);

  /** A launch on which several host threads may work together. */
  interface Work {
    /**
     * Runs clusters that no other thread has begun, until none is left. After a failure no further
     * one begins.
     *
     * @param memory the device's memory, for the calling thread
     * @throws RuntimeException if a thread of the kernel failed
     */
    void run(DeviceMemory memory);
  }

  /**
   * {@return a launch that has not begun, and runs as a whole} By default threads take ranges of
   * its clusters in turn.
   *
   * @param shape the shape of the launch
   * @param parameters the packed parameters
   */
  default Work work(LaunchShape shape, MemorySegment parameters) {
    long clusters = shape.clusters();
    long each = Math.max(leastClusters(), clusters / 256); // all cores are busy to the end
    AtomicLong next = new AtomicLong();
    return memory -> {
      long first = next.getAndAdd(each);
      while (first < clusters) {
        try {
          run(shape, first, Math.min(clusters, first + each), parameters, memory);
        } catch (Throwable e) {
          next.set(clusters);
          throw e;
        }
        first = next.getAndAdd(each);
      }
    };
  }

  /**
   * {@return a launch that has not begun, and runs for a while at a time} By default it runs as a
   * whole.
   *
   * @param shape the shape of the launch
   * @param parameters the packed parameters
   * @param memory the device's memory, which stays valid until the launch is over or abandoned
   */
  default Run start(LaunchShape shape, MemorySegment parameters, DeviceMemory memory) {
    return new Run() {
      @Override
      public Progress advance() {
        run(shape, 0, shape.clusters(), parameters, memory);
        return Progress.OVER;
      }

      @Override
      public void abandon() {}

      @Override
      public String waitsFor() {
        return "";
      }
    };
  }

  /**
   * {@return a twin whose threads take turns in an order that the seed picks; by default this one}
   * The same seed gives the same order.
   *
   * @param seed any number
   */
  default KernelTwin seeded(long seed) {
    return this;
  }

  /** {@return a twin all of whose blocks are watched for races; by default this one} */
  default KernelTwin watched() {
    return this;
  }

  /**
   * {@return the fewest clusters for which it is worthwhile to run a part of a launch on another
   * host thread; by default 64}
   */
  default int leastClusters() {
    return 64;
  }

  /**
   * {@return how many nanoseconds the kernel runs on the modelled device, without the cost of the
   * launch}
   *
   * @param shape the shape of the launch
   * @param parameters the packed parameters
   * @param machine the speed of the modelled device
   */
  long nanos(LaunchShape shape, MemorySegment parameters, Machine machine);

  /**
   * {@return whether its threads read the time or sleep, so that only their run tells how long the
   * kernel takes; by default they do not}
   */
  default boolean keepsTime() {
    return false;
  }

  /**
   * The speed of a modelled device.
   *
   * @param memoryBytesPerSecond device memory traffic, reads and writes together
   * @param operationsPerSecond 32-bit integer or float operations
   * @param linkBytesPerSecond what kernels read or write of the host's memory
   * @param isHost whether an address lies in the host's memory
   */
  record Machine(
      double memoryBytesPerSecond,
      double operationsPerSecond,
      double linkBytesPerSecond,
      LongPredicate isHost) {}
}
