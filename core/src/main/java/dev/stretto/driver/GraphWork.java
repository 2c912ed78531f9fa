package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The work of one node of a graph, in the driver's terms. */
public sealed interface GraphWork {
  /**
   * A copy of rows. A host end has to be pinned.
   *
   * @param dst device or host address
   * @param dstPitch bytes from row to row at the destination; at least {@code width}
   * @param src device or host address
   * @param srcPitch bytes from row to row at the source; at least {@code width}
   * @param width bytes of a row
   * @param rows how many
   * @param kind the direction
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
     * @param kind the direction
     */
    public static Copy of(long dst, long src, long bytes, CopyKind kind) {
      return new Copy(dst, bytes, src, bytes, bytes, 1, kind);
    }
  }

  /**
   * A copy of planes of rows. A host end has to be pinned.
   *
   * @param dst device or host address
   * @param src device or host address
   * @param shape the planes, with {@link Volume#isPossible}
   * @param kind the direction
   */
  record Planes(long dst, long src, Volume shape, CopyKind kind) implements GraphWork {}

  /**
   * A copy of planes of rows between two devices. The device that does it has to have access to the
   * other's memory, both when the graph is created and when it is launched.
   *
   * @param dst device address
   * @param to the ordinal of the device that holds the destination
   * @param src device address
   * @param from the ordinal of the device that holds the source; one of the two does the copy
   * @param shape the planes, with {@link Volume#isPossible}
   */
  record PeerCopy(long dst, int to, long src, int from, Volume shape) implements GraphWork {}

  /**
   * A fill of device memory.
   *
   * @param dst aligned to {@code elementBytes}
   * @param value the value, of which the low {@code 8 * elementBytes} bits are repeated
   * @param elementBytes 1, 2, 4 or 8
   * @param count how many elements a row has
   * @param pitch from the beginning of a row to the next, in bytes, a multiple of {@code
   *     elementBytes}; ignored if there is one row
   * @param rows how many rows
   */
  record Fill(long dst, long value, int elementBytes, long count, long pitch, long rows)
      implements GraphWork {
    /**
     * Creates a fill of one row.
     *
     * @param dst aligned to {@code elementBytes}
     * @param value the value, of which the low {@code 8 * elementBytes} bits are repeated
     * @param elementBytes 1, 2, 4 or 8
     * @param count how many elements
     */
    public Fill(long dst, long value, int elementBytes, long count) {
      this(dst, value, elementBytes, count, count * elementBytes, 1);
    }
  }

  /**
   * A launch. The parameters are copied when the graph is created or the node is changed.
   *
   * @param function from {@link DriverDevice#function}
   * @param shape the shape of the launch
   * @param parameters the parameters, packed with their natural alignment; native memory
   * @param parameterPointers for each parameter its address within {@code parameters}
   * @param place the line of the program that created the node, or null if it is not known
   */
  @SuppressWarnings("exports") // the annotation is needed only at compile time
  record Kernel(
      long function,
      LaunchShape shape,
      MemorySegment parameters,
      MemorySegment parameterPointers,
      @Nullable StackTraceElement place)
      implements GraphWork {
    /**
     * Creates a launch without a line of the program.
     *
     * @param function from {@link DriverDevice#function}
     * @param shape the shape of the launch
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
     * {@return the same launch with a line of the program}
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
   * @param measures whether it is there only to measure the rest of the graph; a model does not
   *     count its cost, nor that of getting such a graph to the device
   */
  record RecordEvent(long event, boolean measures) implements GraphWork {
    /**
     * Creates a record that the program has asked for.
     *
     * @param event from {@link DriverDevice#createEvent}
     */
    public RecordEvent(long event) {
      this(event, false);
    }
  }

  /**
   * Waits for the work that an event stands for when the graph is launched.
   *
   * @param event from {@link DriverDevice#createEvent}
   */
  record WaitEvent(long event) implements GraphWork {}

  /** Does nothing, but carries order: its successors come after all its predecessors. */
  record Empty() implements GraphWork {}

  /**
   * Writes a number, as {@link DriverDevice#writeValue} does.
   *
   * @param address of the number, aligned to its size
   * @param value the number
   * @param bytes its size: 4 or 8
   */
  record WriteValue(long address, long value, int bytes) implements GraphWork {}

  /**
   * Waits for a number, as {@link DriverDevice#waitValue} does.
   *
   * @param address of the number, aligned to its size
   * @param value what it is compared with
   * @param bytes its size: 4 or 8
   * @param condition how
   */
  record WaitValue(long address, long value, int bytes, ValueCondition condition)
      implements GraphWork {}

  /**
   * The contents of memory become undefined: the memory begins to be used for something new, or is
   * no longer used. A GPU has nothing to do for that.
   *
   * @param address device address
   * @param bytes at least 1
   * @param isOver whether it is no longer used
   */
  record Undefined(long address, long bytes, boolean isOver) implements GraphWork {}

  /**
   * Work of another device of the same driver. It uses that device's memory, functions and copy
   * engines as {@code work} would in a graph of that device.
   *
   * @param device the device that does it; it has to stay open as long as the graph
   * @param work neither an event's nor a conditional step's, and neither switched off nor work of
   *     another device again
   */
  record Elsewhere(DriverDevice device, GraphWork work) implements GraphWork {
    /**
     * Checks the work.
     *
     * @throws IllegalArgumentException if another device cannot do such work in a graph
     */
    public Elsewhere {
      switch (work) {
        case RecordEvent _, WaitEvent _, Off _, Elsewhere _, Conditional _ ->
            throw new IllegalArgumentException("cannot be another device's: " + work);
        default -> {}
      }
    }

    @Override
    public String toString() {
      return "on " + device.properties().name() + ": " + work;
    }
  }

  /**
   * Does nothing in place of other work, until the step is changed back.
   *
   * @param work a copy, a fill or a launch
   */
  record Off(GraphWork work) implements GraphWork {
    /**
     * Checks the work.
     *
     * @throws IllegalArgumentException if CUDA cannot switch such work off
     */
    public Off {
      if (!GraphChanges.isSwitchable(work)) {
        throw new IllegalArgumentException("cannot be switched off: " + work);
      }
    }
  }

  /**
   * What another library has enqueued on a stream while that was captured.
   *
   * @param handle of {@link DriverDevice#capture}
   * @param nodes how many nodes of the driver it consists of
   */
  record Captured(long handle, long nodes) implements GraphWork {}

  /** Which body of a conditional node is done. */
  enum Branching {
    /** The first body if the condition is not 0, else the second one, if there is one. */
    IF,
    /** The only body, repeated while the condition is not 0. */
    WHILE,
    /** The body whose index, counted from 0, is the condition; none if there is no such body. */
    SWITCH
  }

  /**
   * Does one of its bodies, or none, as a condition says that the device reads when the node
   * begins.
   *
   * @param branching which body is done, and how often
   * @param condition device address of an int, aligned to 4 bytes; it is read when the node begins
   *     and, for {@link Branching#WHILE}, after each pass of the body
   * @param bodies copies, fills, kernels, empty nodes and conditional nodes
   */
  record Conditional(Branching branching, long condition, List<GraphPlan> bodies)
      implements GraphWork {
    /**
     * Keeps an immutable copy of the list.
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
