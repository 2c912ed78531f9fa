package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one node of a graph does, in the driver's terms. */
public sealed interface GraphWork {
  /**
   * A copy of rows, with pinned memory at the host's end if it has one.
   *
   * @param dst device or host address
   * @param dstPitch bytes from row to row there; at least {@code width}
   * @param src device or host address
   * @param srcPitch bytes from row to row there; at least {@code width}
   * @param width bytes of a row
   * @param rows how many
   * @param kind which way
   */
  record Copy(
      long dst, long dstPitch, long src, long srcPitch, long width, long rows, CopyKind kind)
      implements GraphWork {
    /**
     * {@return a copy of one run of bytes}
     *
     * @param dst device or host address
     * @param src device or host address
     * @param bytes at least 1
     * @param kind which way
     */
    public static Copy of(long dst, long src, long bytes, CopyKind kind) {
      return new Copy(dst, bytes, src, bytes, bytes, 1, kind);
    }
  }

  /**
   * A copy between two devices. The graph's own has access to the other's memory, when the graph is
   * made and when it is launched.
   *
   * @param dst device address
   * @param to number of the device it belongs to
   * @param src device address
   * @param from number of the device it belongs to; one of the two is the graph's
   * @param bytes at least 1
   */
  record PeerCopy(long dst, int to, long src, int from, long bytes) implements GraphWork {}

  /**
   * A fill of device memory.
   *
   * @param dst aligned to {@code elementBytes}
   * @param value its low {@code 8 * elementBytes} bits are repeated
   * @param elementBytes 1, 2, 4 or 8
   * @param count how many elements
   */
  record Fill(long dst, long value, int elementBytes, long count) implements GraphWork {}

  /**
   * A launch. The parameters are copied when the graph is made or the node changed.
   *
   * @param function from {@link DriverDevice#function}
   * @param shape how many blocks of how many threads
   * @param parameters the parameters, packed with their natural alignment; native memory
   * @param parameterPointers for each parameter its address within {@code parameters}
   * @param place the line of the program that made the node, or null if that is not known
   */
  @SuppressWarnings("exports") // the annotation, which is there when this is compiled and no later
  record Kernel(
      long function,
      LaunchShape shape,
      MemorySegment parameters,
      MemorySegment parameterPointers,
      @Nullable StackTraceElement place)
      implements GraphWork {
    /**
     * A launch that comes from nowhere in particular.
     *
     * @param function from {@link DriverDevice#function}
     * @param shape how many blocks of how many threads
     * @param parameters the parameters, packed with their natural alignment; native memory
     * @param parameterPointers for each parameter its address within {@code parameters}
     */
    public Kernel(
        long function,
        LaunchShape shape,
        MemorySegment parameters,
        MemorySegment parameterPointers) {
      this(function, shape, parameters, parameterPointers, null);
    }

    /**
     * {@return the same launch, made at a line of the program}
     *
     * @param line the line
     */
    public Kernel at(StackTraceElement line) {
      return new Kernel(function, shape, parameters, parameterPointers, line);
    }
  }

  /**
   * Records an event.
   *
   * @param event from {@link DriverDevice#createEvent}
   */
  record RecordEvent(long event) implements GraphWork {}

  /**
   * Waits for what an event stands for when the graph is launched.
   *
   * @param event from {@link DriverDevice#createEvent}
   */
  record WaitEvent(long event) implements GraphWork {}

  /** Does nothing: what comes after it comes after all that it comes after. */
  record Empty() implements GraphWork {}

  /**
   * Does all that another graph does.
   *
   * @param plan the other graph, without conditional nodes in it
   */
  record Child(GraphPlan plan) implements GraphWork {}

  /** What is done of the bodies of a conditional node. */
  enum Branching {
    /** The first if the condition is not 0; the second, if there is one, if it is. */
    IF,
    /** The only one, again and again, while the condition is not 0. */
    WHILE,
    /** The one whose number the condition is, counted from 0; none if there is none. */
    SWITCH
  }

  /**
   * Does what a condition says that the device knows only when the node begins.
   *
   * @param branching which body is done, and how often
   * @param condition device address of an int, aligned to 4 bytes: read when the node begins and,
   *     by {@link Branching#WHILE}, each time the body is done
   * @param bodies copies, fills, kernels, empty nodes, children and conditional nodes
   */
  record Conditional(Branching branching, long condition, List<GraphPlan> bodies)
      implements GraphWork {
    /**
     * Keeps the list as it is now.
     *
     * @throws IllegalArgumentException if there are too many bodies, or none
     */
    public Conditional {
      bodies = List.copyOf(bodies);
      int most =
          switch (branching) {
            case IF -> 2;
            case WHILE -> 1;
            case SWITCH -> Integer.MAX_VALUE;
          };
      if (bodies.isEmpty() || bodies.size() > most) {
        throw new IllegalArgumentException(branching + " with " + bodies.size() + " bodies");
      }
    }
  }
}
