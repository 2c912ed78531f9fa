package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.GlobalFloats;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.junit.jupiter.api.Test;

@UsesCluster
class SparkDevicesTest {
  /** What a task saw of its device. */
  record Seen(
      String executor,
      String address,
      String assigned,
      String device,
      double amount,
      long memoryBytes,
      long pinnedBytes,
      boolean isSame)
      implements Serializable {}

  private static JavaRDD<Integer> numbers(int partitions) {
    List<Integer> numbers = IntStream.range(0, partitions).boxed().toList();
    return Cluster.shared().parallelize(new ArrayList<>(numbers), partitions);
  }

  private static Seen see() {
    TaskDevice device = SparkDevices.ofTask();
    return new Seen(
        SparkEnv.get().executorId(),
        device.address(),
        TaskContext.get().resourcesJMap().get("gpu").addresses()[0],
        device.device().name(),
        device.amount(),
        device.memoryBytes(),
        device.pinnedBytes(),
        device == SparkDevices.ofTask() && device.stream() == SparkDevices.ofTask().stream());
  }

  private static Seen seeForAMoment() throws InterruptedException {
    Seen seen = see();
    Thread.sleep(200);
    return seen;
  }

  @Test
  void aTaskHasTheDeviceThatSparkHasAssignedAndHalfOfItsMemory() {
    List<Seen> all = numbers(8).map(number -> seeForAMoment()).collect();
    assertThat(all)
        .allSatisfy(
            seen -> {
              assertThat(seen.address()).isEqualTo(seen.assigned());
              assertThat(seen.amount()).isEqualTo(0.5);
              assertThat(seen.memoryBytes()).isEqualTo(1L << 29);
              assertThat(seen.pinnedBytes()).isEqualTo(8L << 20); // 32 MiB, two devices, a half
              assertThat(seen.isSame()).isTrue();
            });
    assertThat(all.stream().map(Seen::executor).distinct()).hasSize(2);
  }

  @Test
  void aProfileOfAStageDecidesHowManyDevicesATaskHas() {
    ResourceProfile whole =
        new ResourceProfileBuilder()
            .require(new TaskResourceRequests().cpus(1).resource("gpu", 2))
            .build();
    Cluster.shared().setLocalProperty("spark.stretto.taskAmount", "2");
    try {
      List<List<String>> addresses =
          numbers(2)
              .withResources(whole)
              .map(
                  number ->
                      SparkDevices.allOfTask().stream()
                          .map(device -> device.address() + " " + device.amount())
                          .collect(Collectors.toList()))
              .collect();
      assertThat(addresses).containsOnly(List.of("0 1.0", "1 1.0"));
    } finally {
      Cluster.shared().setLocalProperty("spark.stretto.taskAmount", null);
    }
  }

  @Test
  void aTaskCopiesThroughItsStreamAndItsMemory() {
    List<Float> sums =
        numbers(4)
            .map(
                number -> {
                  TaskDevice device = SparkDevices.ofTask();
                  GlobalFloats array = device.stream().allocateFloats(device.memory(), 1000);
                  MemorySegment host = device.pinned().allocate(ValueLayout.JAVA_FLOAT, 1000);
                  host.setAtIndex(ValueLayout.JAVA_FLOAT, 999, number);
                  float[] back = new float[1000];
                  device.stream().copy(host, array);
                  device.stream().copy(array, back).await();
                  return back[999];
                })
            .collect();
    assertThat(sums).containsExactly(0f, 1f, 2f, 3f);
  }

  @Test
  void memoryIsLimitedToTheTasksPart() {
    assertThatThrownBy(
            () ->
                numbers(1)
                    .map(
                        number -> {
                          TaskDevice device = SparkDevices.ofTask();
                          return device
                              .allocate(
                                  () ->
                                      device.stream()
                                          .allocateBytes(
                                              device.memory(), device.memoryBytes() + (4 << 20)))
                              .length();
                        })
                    .collect())
        .hasMessageContaining("TaskMemoryException")
        .hasMessageContaining("this task may have 536870912 of its memory");
  }

  @Test
  void pinnedMemoryIsLimitedToTheTasksPartAndComesFromSparksAccount() {
    assertThatThrownBy(
            () ->
                numbers(1)
                    .map(
                        number -> SparkDevices.ofTask().pinned().allocate((8 << 20) + 1).byteSize())
                    .collect())
        .hasMessageContaining("8388609 bytes of pinned memory: this task may have 8388608");
    List<Long> used =
        numbers(1)
            .map(
                number -> {
                  long before = SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed();
                  MemorySegment _ = SparkDevices.ofTask().pinned().allocate(1 << 20);
                  return SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed() - before;
                })
            .collect();
    assertThat(used).containsExactly(1L << 20);
  }

  /** Another consumer of Spark's memory, such as a sort. */
  static final class Spilling extends MemoryConsumer {
    private long spilled;

    Spilling() {
      super(TaskContext.get().taskMemoryManager(), 1 << 20, MemoryMode.OFF_HEAP);
    }

    @Override
    public long spill(long bytes, MemoryConsumer trigger) {
      freeMemory(bytes);
      spilled += bytes;
      return bytes;
    }
  }

  @Test
  void sparkLetsOthersSpillForPinnedMemoryAndRefusesWhatThatDoesNotGive() {
    List<String> seen =
        numbers(1)
            .map(
                number -> {
                  Spilling sort = new Spilling();
                  long held = sort.acquireMemory(1L << 40); // all that there is
                  TaskDevice device = SparkDevices.ofTask();
                  MemorySegment got = device.pinned().allocate(4 << 20);
                  String line = got.byteSize() + " spilled " + sort.spilled;
                  sort.freeMemory(held - sort.spilled);
                  return line;
                })
            .collect();
    assertThat(seen).containsExactly("4194304 spilled 4194304");
    assertThatThrownBy(
            () ->
                numbers(1)
                    .map(
                        number -> {
                          long _ = new Unyielding().acquireMemory(1L << 40);
                          return SparkDevices.ofTask().pinned().allocate(4 << 20).byteSize();
                        })
                    .collect())
        .hasMessageContaining("a task needs 4194304 bytes of host memory, but Spark grants 0")
        .hasMessageContaining("spark.memory.offHeap.size");
  }

  /** A consumer that cannot spill. */
  static final class Unyielding extends MemoryConsumer {
    Unyielding() {
      super(TaskContext.get().taskMemoryManager(), 1 << 20, MemoryMode.OFF_HEAP);
    }

    @Override
    public long spill(long bytes, MemoryConsumer trigger) {
      return 0;
    }
  }

  @Test
  void theRegistryOfAnExecutorHasTheNumbersOfItsDevices() {
    List<String> names =
        numbers(1)
            .flatMap(
                number -> {
                  TaskDevice device = SparkDevices.ofTask();
                  device.stream().copy(new float[100], device.device().allocateFloats(100)).await();
                  return SparkMetrics.of("dev.stretto.spark.StrettoPlugin").iterator();
                })
            .collect();
    assertThat(names)
        .anyMatch(line -> line.matches("gpu[01]\\.bytesToDevice=[1-9][0-9]*"))
        .anyMatch(line -> line.matches("gpu[01]\\.waits=[1-9][0-9]*"))
        .anyMatch(line -> line.matches("gpu1\\.gigabytesPerSecondToHost=[0-9.E-]+"))
        .contains("gpu0.totalBytes=1073741824", "gpu1.lost=0");
  }

  @Test
  void outsideOfATaskThereIsNoDevice() {
    assertThatThrownBy(SparkDevices::ofTask)
        .isInstanceOf(NoTaskDeviceException.class)
        .hasMessageContaining("this thread runs no task of Spark");
  }

  @Test
  void aStageWithoutGpusHasNoDevice() {
    ResourceProfile none =
        new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(1)).build();
    assertThatThrownBy(
            () -> numbers(1).withResources(none).map(number -> see().address()).collect())
        .hasMessageContaining("NoTaskDeviceException")
        .hasMessageContaining("spark.task.resource.gpu.amount");
  }
}
