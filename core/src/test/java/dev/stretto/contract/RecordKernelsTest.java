package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Graph;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.Tasks;
import dev.stretto.contract.RecordKernels.Box;
import dev.stretto.contract.RecordKernels.Doubled;
import dev.stretto.contract.RecordKernels.Every;
import dev.stretto.contract.RecordKernels.Part;
import dev.stretto.contract.RecordKernels.Scene;
import dev.stretto.contract.RecordKernels.Vector;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalLongs;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What kernels promise that take records. */
class RecordKernelsTest extends KernelContractTest {
  private Stream stream;

  @BeforeEach
  void openAStream() {
    stream = device.stream();
  }

  private static Every random(SplittableRandom random) {
    return new Every(
        (byte) random.nextInt(),
        random.nextLong(),
        (short) random.nextInt(),
        random.nextDouble(-5, 5),
        random.nextBoolean(),
        random.nextInt(),
        (char) random.nextInt(),
        (float) random.nextDouble(-5, 5));
  }

  private static long[] numbers(Every it) {
    return new long[] {
      it.aByte(),
      it.aLong(),
      it.aShort(),
      Double.doubleToRawLongBits(it.aDouble()),
      it.aBoolean() ? 1 : 0,
      it.anInt(),
      it.aChar(),
      Float.floatToRawIntBits(it.aFloat())
    };
  }

  private long[] read(GlobalLongs array) {
    long[] values = new long[Math.toIntExact(array.length())];
    stream.copy(array, values).await();
    return values;
  }

  private float[] read(GlobalFloats array) {
    float[] values = new float[Math.toIntExact(array.length())];
    stream.copy(array, values).await();
    return values;
  }

  private GlobalFloats ones(int count) {
    GlobalFloats array = device.allocateFloats(count);
    float[] values = new float[count];
    Arrays.fill(values, 1);
    stream.copy(values, array).await();
    return array;
  }

  @Test
  void everyTypeOfComponentArrives() {
    GlobalLongs out = device.allocateLongs(8);
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 5; i++) {
      Every every = random(random);
      stream.launch(Grid.of(1, 1), RecordKernels::every, every, out);
      assertThat(read(out)).containsExactly(numbers(every));
    }
  }

  @Test
  void recordsWithinRecordsArrive() {
    Vector least = new Vector(1, 2, 3);
    Box box = new Box((byte) 7, least, new Vector(-4, 5.5f, 0.25f), true);
    Scene scene = new Scene(box, 1.5, (short) -300);
    sameEverywhere(
        (on, its) -> {
          GlobalFloats out = on.allocateFloats(64);
          its.launch(Grid.of(1, 64), RecordKernels::nested, (byte) 3, scene, out, 1000);
          return List.of(out);
        });
    GlobalFloats out = device.allocateFloats(64);
    stream.launch(Grid.of(1, 64), RecordKernels::nested, (byte) 3, scene, out, 1000);
    // (-3, 7.5, 3.25) -> 397 for the first thread
    assertThat(read(out)[0]).isEqualTo(397 * 1.5f - 300 + 7 + 3 + 1000 + 0.5f);
  }

  @Test
  void threadsThatShareMemoryTakeRecords() {
    sameEverywhere(
        (on, its) -> {
          GlobalFloats x = on.allocateFloats(64);
          float[] values = new float[64];
          for (int i = 0; i < values.length; i++) {
            values[i] = i;
          }
          its.copy(values, x);
          its.launch(Grid.of(1, 64), RecordKernels::shared, new Part(5, 60, 0.5f), x);
          return List.of(x);
        });
  }

  @Test
  void aKernelGetsTheComponentAndNotWhatAMethodMakesOfIt() {
    GlobalLongs out = device.allocateLongs(1);
    stream.launch(Grid.of(1, 1), RecordKernels::doubled, new Doubled(21), out);
    assertThat(read(out)).containsExactly(42);
  }

  @Test
  void aPreparedLaunchExchangesARecord() {
    GlobalFloats x = ones(128);
    Launch launch = device.prepare(Grid.of(2, 64), RecordKernels::part, x, new Part(0, 128, 2));
    stream.launch(launch);
    stream.launch(launch.set(1, new Part(100, 110, 5)));
    stream.launch(launch.set(1, new Part(127, 128, 7)));

    float[] expected = new float[128];
    Arrays.fill(expected, 2);
    Arrays.fill(expected, 100, 110, 10);
    expected[127] = 14;
    assertThat(read(x)).containsExactly(expected);
    assertThatThrownBy(() -> launch.set(1, new Vector(1, 2, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("argument 1")
        .hasMessageContaining("is a Part, not a Vector");
    assertThatThrownBy(() -> launch.set(1, 5)).hasMessageContaining("is a Part, not an int");
    assertThat(launch.occupancy().blocksPerMultiprocessor()).isPositive();
    assertThat(launch.explain()).isNotNull();
  }

  @Test
  void aGraphExchangesARecord() {
    GlobalFloats x = ones(128);
    Graph graph =
        Graph.capture(
            stream, it -> it.launch(Grid.of(2, 64), RecordKernels::part, x, new Part(0, 128, 2)));
    graph.launch(stream);
    GraphNode node = graph.nodes().getFirst();
    graph.setArgument(node, 1, new Part(3, 5, 10));
    graph.launch(stream);
    graph.close();

    assertThat(Arrays.copyOf(read(x), 6)).containsExactly(2, 2, 2, 20, 20, 2);
  }

  /** Its parts are ordered by the bytes that follow from the records. */
  @Test
  void tasksKnowWhatAKernelAccessesFromTheNumbersInARecord() {
    GlobalFloats x = ones(128);
    try (Tasks tasks = device.tasks(3)) {
      tasks.launch(Grid.of(1, 64), RecordKernels::part, x, new Part(0, 64, 3));
      tasks.launch(Grid.of(1, 64), RecordKernels::part, x, new Part(64, 128, 4));
      tasks.launch(Grid.of(1, 64), RecordKernels::part, x, new Part(32, 96, 2));
      tasks.await();
    }
    float[] expected = new float[128];
    for (int i = 0; i < 128; i++) {
      expected[i] = (i < 64 ? 3 : 4) * (i >= 32 && i < 96 ? 2 : 1);
    }
    assertThat(read(x)).containsExactly(expected);
  }

  @Test
  void whatNoKernelTakesIsRefusedByName() {
    Grid grid = Grid.of(1, 1);
    assertThatThrownBy(
            () ->
                stream.launch(
                    grid, RecordKernels::withArray, new RecordKernels.WithArray(1, new float[1])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("parameter 0 of ")
        .hasMessageContaining("component values of the record")
        .hasMessageContaining("float[]")
        .hasMessageContaining("pass an array of the device as a parameter of its own");
    assertThatThrownBy(
            () ->
                stream.launch(grid, RecordKernels::withObject, new RecordKernels.WithObject(1, 2)))
        .hasMessageContaining("component boxed")
        .hasMessageContaining("java.lang.Integer");
    assertThatThrownBy(
            () ->
                stream.launch(
                    grid,
                    RecordKernels::withDeviceArray,
                    new RecordKernels.WithDeviceArray(ones(1))))
        .hasMessageContaining("component values")
        .hasMessageContaining("GlobalFloats");
    assertThatThrownBy(
            () ->
                stream.launch(
                    grid,
                    RecordKernels::within,
                    new RecordKernels.Within(
                        (byte) 1, new RecordKernels.WithArray(1, new float[1]))))
        .hasMessageContaining("component values of the record");
    assertThatThrownBy(() -> stream.launch(grid, RecordKernels::empty, new RecordKernels.Empty()))
        .hasMessageContaining("has no components");
  }

  @Test
  void aRecordWithinThatIsNullIsRefusedAndChangesNothing() {
    Scene whole =
        new Scene(new Box((byte) 1, new Vector(1, 1, 1), new Vector(0, 0, 0), false), 1, (short) 0);
    GlobalFloats out = device.allocateFloats(1);
    Launch launch = device.prepare(Grid.of(1, 1), RecordKernels::nested, (byte) 0, whole, out, 0);
    Box broken = new Box((byte) 100, new Vector(9, 9, 9), null, false);
    assertThatThrownBy(() -> launch.set(1, new Scene(broken, 9, (short) 9)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("component most of the record Box is null");
    assertThatThrownBy(() -> launch.set(1, new Scene(null, 9, (short) 9)))
        .hasMessageContaining("component box of the record Scene is null");
    stream.launch(launch);
    assertThat(read(out)).containsExactly(112.25f);
  }
}
