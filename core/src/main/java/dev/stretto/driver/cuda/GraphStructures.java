package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.Volume;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Lays out the structures of cuda.h for graph nodes. */
final class GraphStructures {
  private static final int HOST = 1;
  private static final int DEVICE = 2;

  private static final long COPY_BYTES = 200;
  private static final long FILL_BYTES = 40;
  private static final long KERNEL_BYTES = 72;
  private static final long ATTRIBUTE_BYTES = 64;
  private static final long VALUES_BYTES = 32;

  /** {@code CUstreamBatchMemOpParams}. */
  private static final long VALUE_BYTES = 48;

  private static final int WAIT_FOR_INT = 1;
  private static final int WRITE_INT = 2;
  private static final int WAIT_FOR_LONG = 4;
  private static final int WRITE_LONG = 5;
  private static final long NODE_BYTES = 256;

  /** {@code CU_GRAPH_NODE_TYPE_CONDITIONAL}. */
  private static final int CONDITIONAL = 13;

  private static final long BODIES = 32;

  private GraphStructures() {}

  /** {@return the address of a {@code CUDA_MEMCPY3D}} */
  static long copy(GraphWork.Copy copy, Arena arena) {
    Volume rows =
        new Volume(
            copy.dstPitch(),
            copy.rows() * copy.dstPitch(),
            copy.srcPitch(),
            copy.rows() * copy.srcPitch(),
            copy.width(),
            copy.rows(),
            1);
    return copy(new GraphWork.Planes(copy.dst(), copy.src(), rows, copy.kind()), arena);
  }

  /** {@return the same for planes, whose distances are whole rows} */
  static long copy(GraphWork.Planes copy, Arena arena) {
    MemorySegment at = arena.allocate(COPY_BYTES, 8); // all zeros
    boolean fromHost = copy.kind() == CopyKind.HOST_TO_DEVICE;
    boolean toHost = copy.kind() == CopyKind.DEVICE_TO_HOST;
    Volume shape = copy.shape();
    at.set(JAVA_INT, 32, fromHost ? HOST : DEVICE);
    at.set(JAVA_LONG, fromHost ? 40 : 48, copy.src());
    at.set(JAVA_LONG, 72, shape.srcPitch());
    at.set(JAVA_LONG, 80, shape.srcPlane() / shape.srcPitch());
    at.set(JAVA_INT, 120, toHost ? HOST : DEVICE);
    at.set(JAVA_LONG, toHost ? 128 : 136, copy.dst());
    at.set(JAVA_LONG, 160, shape.dstPitch());
    at.set(JAVA_LONG, 168, shape.dstPlane() / shape.dstPitch());
    at.set(JAVA_LONG, 176, shape.width());
    at.set(JAVA_LONG, 184, shape.rows());
    at.set(JAVA_LONG, 192, shape.planes());
    return at.address();
  }

  /** {@return the address of a {@code CUDA_BATCH_MEM_OP_NODE_PARAMS} that writes a number} */
  static long write(GraphWork.WriteValue write, long context, Arena arena) {
    int operation = write.bytes() == Integer.BYTES ? WRITE_INT : WRITE_LONG;
    return value(operation, write.address(), write.value(), 0, context, arena);
  }

  /** {@return the same for a wait} */
  static long await(GraphWork.WaitValue wait, long context, Arena arena) {
    int operation = wait.bytes() == Integer.BYTES ? WAIT_FOR_INT : WAIT_FOR_LONG;
    int condition = wait.condition().ordinal();
    return value(operation, wait.address(), wait.value(), condition, context, arena);
  }

  private static long value(
      int operation, long address, long value, int flags, long context, Arena arena) {
    MemorySegment one = arena.allocate(VALUE_BYTES, 8);
    one.set(JAVA_INT, 0, operation);
    one.set(JAVA_LONG, 8, address);
    one.set(JAVA_LONG, 16, value); // of 32 bits, the low half is read
    one.set(JAVA_INT, 24, flags);
    MemorySegment at = arena.allocate(VALUES_BYTES, 8);
    at.set(JAVA_LONG, 0, context);
    at.set(JAVA_INT, 8, 1);
    at.set(JAVA_LONG, 16, one.address());
    return at.address();
  }

  /** {@return the address of a {@code CUDA_MEMSET_NODE_PARAMS} for a run of elements} */
  static long fill(long dst, int value, int elementBytes, long count, Arena arena) {
    int bits = elementBytes == Integer.BYTES ? value : value & ((1 << (8 * elementBytes)) - 1);
    return fill(dst, 0, bits, elementBytes, count, 1, arena);
  }

  /** {@return the same for one word in each row} */
  static long fillWords(long dst, long pitch, int value, long rows, Arena arena) {
    return fill(dst, pitch, value, Integer.BYTES, 1, rows, arena);
  }

  /** {@return the same for rows} */
  static long fill(
      long dst, long pitch, int value, int elementBytes, long width, long height, Arena arena) {
    MemorySegment at = arena.allocate(FILL_BYTES, 8);
    at.set(JAVA_LONG, 0, dst);
    at.set(JAVA_LONG, 8, pitch);
    at.set(JAVA_INT, 16, value);
    at.set(JAVA_INT, 20, elementBytes);
    at.set(JAVA_LONG, 24, width);
    at.set(JAVA_LONG, 32, height);
    return at.address();
  }

  /** {@return the address of a {@code CUDA_KERNEL_NODE_PARAMS_v2}} */
  static long kernel(GraphWork.Kernel kernel, Arena arena) {
    MemorySegment at = arena.allocate(KERNEL_BYTES, 8);
    LaunchShape shape = kernel.shape();
    at.set(JAVA_LONG, 0, kernel.function());
    at.set(JAVA_INT, 8, shape.gridX());
    at.set(JAVA_INT, 12, shape.gridY());
    at.set(JAVA_INT, 16, shape.gridZ());
    at.set(JAVA_INT, 20, shape.blockX());
    at.set(JAVA_INT, 24, shape.blockY());
    at.set(JAVA_INT, 28, shape.blockZ());
    at.set(JAVA_INT, 32, shape.sharedBytes());
    at.set(JAVA_LONG, 40, kernel.parameterPointers().address());
    return at.address();
  }

  /** {@return one run of bytes between devices, whose addresses say to which they belong} */
  static GraphWork.Copy run(GraphWork.PeerCopy copy) {
    return GraphWork.Copy.of(
        copy.dst(), copy.src(), copy.shape().bytes(), CopyKind.DEVICE_TO_DEVICE);
  }

  /**
   * {@return the address of a {@code CUDA_KERNEL_NODE_PARAMS_v2} of a kernel of one thread}
   *
   * @param parameters the parameters, of 8 bytes each
   */
  static long kernel(long function, Arena arena, long... parameters) {
    MemorySegment values = arena.allocateFrom(JAVA_LONG, parameters);
    MemorySegment pointers = arena.allocate(JAVA_LONG, parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      pointers.setAtIndex(JAVA_LONG, i, values.address() + (long) i * Long.BYTES);
    }
    LaunchShape one = LaunchShape.of(1, 1, 1, 1, 1, 1, 0);
    return kernel(new GraphWork.Kernel(function, one, values, pointers), arena);
  }

  /** {@return a {@code CUgraphNodeParams} of a conditional node} */
  static MemorySegment conditional(
      long handle, GraphWork.Conditional work, long context, Arena arena) {
    MemorySegment at = arena.allocate(NODE_BYTES, 8);
    at.set(JAVA_INT, 0, CONDITIONAL);
    at.set(JAVA_LONG, 16, handle);
    at.set(
        JAVA_INT,
        24,
        switch (work.branching()) {
          case IF -> 0;
          case WHILE -> 1;
          case SWITCH -> 2;
        });
    at.set(JAVA_INT, 28, work.bodies().size());
    at.set(JAVA_LONG, 40, context);
    return at;
  }

  /**
   * {@return the graph that the driver has created for a body}
   *
   * @param node the structure of {@link #conditional}, after the node was added
   * @param body its number
   */
  @SuppressWarnings("restricted") // an array of the driver with one element for each body
  static long body(MemorySegment node, int body) {
    return MemorySegment.ofAddress(node.get(JAVA_LONG, BODIES))
        .reinterpret((body + 1L) * Long.BYTES)
        .getAtIndex(JAVA_LONG, body);
  }

  /** {@return the address of a {@code CUkernelNodeAttrValue} with the size of a cluster} */
  static long cluster(LaunchShape shape, Arena arena) {
    MemorySegment at = arena.allocate(ATTRIBUTE_BYTES, 8);
    at.set(JAVA_INT, 0, shape.clusterX());
    at.set(JAVA_INT, 4, shape.clusterY());
    at.set(JAVA_INT, 8, shape.clusterZ());
    return at.address();
  }

  /** {@return the address of a {@code CUkernelNodeAttrValue} that says yes} */
  static long yes(Arena arena) {
    MemorySegment at = arena.allocate(ATTRIBUTE_BYTES, 8);
    at.set(JAVA_INT, 0, 1);
    return at.address();
  }

  /** {@return the address of these handles, one after the other} */
  static long handles(long[] handles, Arena arena) {
    return handles.length == 0 ? 0 : arena.allocateFrom(JAVA_LONG, handles).address();
  }
}
