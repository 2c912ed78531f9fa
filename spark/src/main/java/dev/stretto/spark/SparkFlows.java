package dev.stretto.spark;

import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;

/**
 * Flows over what Spark has: each task sends its part through its device, in chunks, with reading,
 * both copies and the stage at the same time.
 */
public final class SparkFlows {
  private SparkFlows() {}

  /**
   * {@return an RDD of what a stage makes of each element} Elements keep their order and their
   * partitions. As with other RDDs, nothing runs before an action asks for results.
   *
   * <p>The stage gets as many elements at a time as fit into a chunk, one after the other in {@code
   * chunk.in()}, and leaves as many results in {@code chunk.out()}. Chunks have up to 4 MiB, four
   * are in flight, and all have at most half of the task's part of the memory. Tasks that share a
   * device overlap as well.
   *
   * <p>An action throws what a flow throws: a lost device fails the task with its {@link
   * dev.stretto.fault.DeviceLostException}, and Spark runs it again. It fails with a {@link
   * TaskMemoryException} if the task gets no memory in time, and with a {@link
   * NoTaskDeviceException} as {@link SparkDevices#ofTask()} does. All of them are the cause of a
   * {@link org.apache.spark.SparkException}.
   *
   * @param elements what to send through the devices
   * @param in how an element lies in a chunk
   * @param out how a result lies in a chunk
   * @param stage enqueues the kernels that make the results of a chunk
   * @param <T> the elements
   * @param <R> the results
   */
  public static <T, R> JavaRDD<R> mapPartitions(
      JavaRDD<T> elements, Rows<T> in, Rows<R> out, SparkStage stage) {
    Objects.requireNonNull(elements, "elements");
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
    Objects.requireNonNull(stage, "stage");
    return elements.mapPartitions(part -> results(part, in, out, stage), true);
  }

  private static <T, R> Iterator<R> results(
      Iterator<T> part, Rows<T> in, Rows<R> out, SparkStage stage) {
    return part.hasNext() ? new PartitionFlow<>(part, in, out, stage) : Collections.emptyIterator();
  }
}
