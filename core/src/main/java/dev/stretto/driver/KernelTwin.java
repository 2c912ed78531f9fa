package dev.stretto.driver;

import java.lang.foreign.MemorySegment;

/** The Java method that does on a virtual device what an image does on a GPU. */
public interface KernelTwin {
  /**
   * What memory of a virtual device holds that nobody has written, 16 bits that repeat: a NaN in
   * every floating-point type, and far out of the range of any index.
   */
  short FRESH_MEMORY = 0x7FF5;

  /** Device memory as a kernel of a virtual device reaches it. */
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
     * Asks for room for one more cluster beside those that run, on the device's multiprocessors; by
     * default there always is.
     *
     * @return whether there was room, which is taken now
     */
    default boolean admit() {
      return true;
    }

    /** Gives back the room of a cluster that was admitted. */
    default void dismiss() {}
  }

  /** A launch that is under way, and runs a while at a time. */
  interface Run {
    /** How far it is. */
    enum Progress {
      /** Every thread has returned. */
      OVER,
      /** It has more to do. */
      GOES_ON,
      /** Its threads look again and again for what something else has to do. */
      WAITS
    }

    /**
     * Runs for a while.
     *
     * @return how far it is then
     * @throws RuntimeException if a thread failed, which ends the launch
     */
    Progress advance();

    /** Ends its threads where they are. */
    void abandon();

    /** {@return what its threads wait for, and where, in the words of a report; or nothing} */
    String waitsFor();
  }

  /**
   * Runs every thread of some of the launch's clusters, one cluster after the other; a cluster is
   * one block unless the shape says more. Clusters are numbered x first, then y, then z. Called
   * from several threads at once with disjoint ranges.
   *
   * @param shape of the launch
   * @param first the first cluster to run
   * @param last one past the last cluster to run
   * @param parameters the packed parameters, as {@link DriverDevice#launch} got them
   * @param memory the device's memory
   */
  void run(LaunchShape shape, long first, long last, MemorySegment parameters, DeviceMemory memory);

  /**
   * {@return a launch that has not begun, and runs a while at a time} By default it runs whole.
   *
   * @param shape of the launch
   * @param parameters the packed parameters
   * @param memory the device's memory, which stays until the launch is over or abandoned
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
   * {@return a twin whose threads get their turns in an order that a seed picks, the same for the
   * same seed; by default this one}
   *
   * @param seed any number
   */
  default KernelTwin seeded(long seed) {
    return this;
  }

  /**
   * {@return the number of clusters from which on it is worth while to run a part of a launch on
   * another thread of the host; by default 64}
   */
  default int leastClusters() {
    return 64;
  }

  /**
   * {@return how many nanoseconds the launch takes on the modelled device, beside the launch
   * itself}
   *
   * @param shape of the launch
   * @param parameters the packed parameters
   * @param machine what the modelled device can do
   */
  long nanos(LaunchShape shape, MemorySegment parameters, Machine machine);

  /**
   * What a modelled device can do per second.
   *
   * @param memoryBytesPerSecond device memory traffic, read and written together
   * @param operationsPerSecond 32-bit integer or float operations
   */
  record Machine(double memoryBytesPerSecond, double operationsPerSecond) {}
}
