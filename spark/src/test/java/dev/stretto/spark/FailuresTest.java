package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.Grid;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(90)
@UsesCluster
class FailuresTest {
  private static final int WIDTH = 1000;

  private final Happenings happenings = new Happenings();

  @BeforeEach
  void listen() {
    Cluster.shared().sc().addSparkListener(happenings);
  }

  @AfterEach
  void listenNoMore() {
    Cluster.shared().sc().removeSparkListener(happenings);
  }

  @AfterAll
  static void replaceTheExecutors() {
    Cluster.stop();
  }

  private static JavaRDD<Integer> numbers(int count, int partitions) {
    List<Integer> numbers = IntStream.range(0, count).boxed().toList();
    return Cluster.shared().parallelize(new ArrayList<>(numbers), partitions);
  }

  private static String loseDevice() {
    TaskDevice device = SparkDevices.ofTask();
    device.stream().launch(Grid.of(1, 1), Numbers::writesBeyond, device.device().allocateFloats(1));
    device.stream().await();
    return "not lost";
  }

  @Test
  void aLostDeviceFailsTheTaskWithItsCauseAndSparkRunsItElsewhere() {
    long lostBefore = lostDevices();
    List<String> results =
        numbers(1, 1)
            .map(
                number ->
                    TaskContext.get().attemptNumber() == 0
                        ? loseDevice()
                        : SparkDevices.ofTask().device().isLost() ? "lost" : "well")
            .collect();
    assertThat(results).containsExactly("well");
    assertThat(happenings.awaitFailures(1))
        .anyMatch(
            failure -> failure.contains("DeviceLostException") && failure.contains("writesBeyond"));
    assertThat(lostDevices()).isEqualTo(lostBefore + 1);
  }

  @Test
  void anotherDeviceOfTheExecutorTakesThePlaceOfALostOne() {
    List<String> executors =
        numbers(1, 1)
            .map(
                number ->
                    TaskContext.get().attemptNumber() == 0
                        ? loseDevice()
                        : "a retry, so one device is lost")
            .collect();
    assertThat(executors).hasSize(1);
    List<String> used =
        numbers(16, 16)
            .map(
                number -> {
                  Thread.sleep(30);
                  TaskDevice device = SparkDevices.ofTask();
                  return device.device().isLost() ? "lost" : "well";
                })
            .collect();
    assertThat(used).hasSize(16).containsOnly("well");
  }

  @Test
  void anExecutorThatHasLostAllDevicesEndsAndIsReplaced() {
    String doomed = numbers(1, 1).map(number -> SparkEnv.get().executorId()).collect().getFirst();
    for (int i = 0; i < 20 && !happenings.removed().containsKey(doomed); i++) {
      List<String> all =
          numbers(4, 4)
              .map(
                  number -> {
                    Thread.sleep(100);
                    return SparkEnv.get().executorId().equals(doomed) ? loseDevice() : "well";
                  })
              .collect();
      assertThat(all).containsOnly("well");
    }
    assertThat(happenings.awaitRemoval(doomed)).contains("20");
    assertThat(happenings.awaitReplacement(doomed)).isNotEqualTo(doomed);
    assertThat(happenings.awaitFailures(1))
        .anyMatch(failure -> failure.contains("DeviceLostException"));
  }

  @Test
  void aStageSurvivesAnExecutorThatIsKilledInTheMiddle(@TempDir Path folder) {
    String killed = folder.resolve("killed").toString();
    JavaRDD<float[]> vectors =
        numbers(4000, 4)
            .map(
                number -> {
                  if (number == 1500 && new File(killed).createNewFile()) {
                    Runtime.getRuntime().halt(137);
                  }
                  float[] vector = new float[WIDTH];
                  vector[number % WIDTH] = number;
                  return vector;
                });
    List<float[]> twice =
        SparkFlows.mapPartitions(vectors, Rows.floats(WIDTH), Rows.floats(WIDTH), Numbers::twice)
            .collect();
    assertThat(new File(killed)).exists();
    assertThat(IntStream.range(0, 4000)).allMatch(i -> twice.get(i)[i % WIDTH] == 2f * i);
    String gone = happenings.awaitRemoval();
    assertThat(happenings.removed().get(gone)).contains("137");
    assertThat(happenings.awaitReplacement(gone)).isNotEqualTo(gone);
  }

  @Test
  void aDeviceLostInTheMiddleOfAFlowFailsTheTaskAndTheRetrySucceeds(@TempDir Path folder) {
    String done = folder.resolve("lost").toString();
    JavaRDD<float[]> vectors =
        numbers(2000, 2)
            .map(
                number -> {
                  float[] vector = new float[WIDTH];
                  vector[number % WIDTH] = number;
                  return vector;
                });
    List<float[]> twice =
        SparkFlows.mapPartitions(
                vectors,
                Rows.floats(WIDTH),
                Rows.floats(WIDTH),
                (stream, chunk) -> {
                  if (chunk.index() == 2 && create(done)) {
                    stream.launch(Grid.of(1, 1), Numbers::writesBeyond, chunk.out().asFloats());
                  }
                  Numbers.twice(stream, chunk);
                })
            .collect();
    assertThat(new File(done)).exists();
    assertThat(IntStream.range(0, 2000)).allMatch(i -> twice.get(i)[i % WIDTH] == 2f * i);
    assertThat(happenings.awaitFailures(1))
        .anyMatch(failure -> failure.contains("DeviceLostException"));
  }

  private static boolean create(String file) {
    try {
      return new File(file).createNewFile();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aKilledTaskLeavesNothingEnqueued(@TempDir Path folder) throws Exception {
    String started = folder.resolve("started").toString();
    String ended = folder.resolve("ended").toString();
    Cluster.shared().setJobGroup("killed", "is killed", true);
    JavaFutureAction<List<String>> job =
        numbers(1, 1)
            .map(
                number -> {
                  Event[] last = new Event[1];
                  // Of the listeners, Spark calls the last one first: this one after ours.
                  TaskContext _ =
                      TaskContext.get()
                          .addTaskCompletionListener(
                              (TaskContext context) -> append(ended, "done " + last[0].isDone()));
                  TaskDevice device = SparkDevices.ofTask();
                  CountDownLatch open = new CountDownLatch(1);
                  device.stream().then(() -> sleep(800));
                  device.stream().copy(new float[1 << 20], device.device().allocateFloats(1 << 20));
                  last[0] = device.stream().record();
                  append(started, "done " + last[0].isDone());
                  open.await(); // until it is killed
                  return "not killed";
                })
            .collectAsync();
    await(started);
    Cluster.shared().cancelJobGroup("killed");
    Cluster.shared().clearJobGroup();
    assertThatThrownBy(job::get)
        .isInstanceOfAny(ExecutionException.class, CancellationException.class);
    await(ended);
    assertThat(Files.readString(Path.of(started))).isEqualTo("done false");
    assertThat(Files.readString(Path.of(ended))).isEqualTo("done true");
  }

  @Test
  void aKilledFlowEndsAndGivesItsMemoryBack(@TempDir Path folder) {
    String started = folder.resolve("started").toString();
    JavaRDD<float[]> endless =
        numbers(2, 2)
            .mapPartitions(
                part ->
                    Stream.generate(
                            () -> {
                              append(started, "x");
                              return new float[WIDTH];
                            })
                        .iterator());
    Rows<float[]> rows = Rows.floats(WIDTH);
    Cluster.shared().setJobGroup("killed", "is killed", true);
    JavaFutureAction<Long> job =
        SparkFlows.mapPartitions(endless, rows, rows, Numbers::twice).countAsync();
    await(started);
    Cluster.shared().cancelJobGroup("killed");
    Cluster.shared().clearJobGroup();
    assertThatThrownBy(job::get)
        .isInstanceOfAny(ExecutionException.class, CancellationException.class);
    List<Long> used = List.of(1L);
    for (int i = 0; i < 100 && !used.stream().allMatch(each -> each == 0); i++) {
      used =
          numbers(8, 8)
              .map(
                  number -> {
                    sleep(20);
                    return SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed();
                  })
              .collect();
    }
    assertThat(used).containsOnly(0L);
  }

  @Test
  void aSecondCopyOfStrettoIsRefusedWithTheSettingsToChange() {
    List<String> messages =
        numbers(1, 1)
            .map(
                number -> {
                  TaskDevice _ = SparkDevices.ofTask();
                  try (URLClassLoader second = secondCopy()) {
                    Class<?> devices = second.loadClass(SparkDevices.class.getName());
                    return String.valueOf(devices.getMethod("ofTask").invoke(null));
                  } catch (InvocationTargetException e) {
                    return e.getCause().toString();
                  }
                })
            .collect();
    assertThat(messages.getFirst())
        .contains("SecondCopyException")
        .contains("loaded twice")
        .contains("spark.executor.userClassPathFirst");
  }

  /** Loads Stretto by itself, and all else as everybody. */
  private static URLClassLoader secondCopy() throws IOException {
    List<URL> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      URI uri = Path.of(entry).toUri();
      entries.add(uri.toURL());
    }
    return new URLClassLoader(entries.toArray(URL[]::new), FailuresTest.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("dev.stretto.")) {
          return super.loadClass(name, resolve);
        }
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    };
  }

  private static long lostDevices() {
    return SparkMetrics.of(StrettoPlugin.class.getName()).stream()
        .filter(line -> line.startsWith(DriverReports.LOST))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
        .sum();
  }

  private static void append(String file, String line) {
    try {
      Path _ =
          Files.writeString(
              Path.of(file), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(String file) {
    for (int i = 0; i < 600 && new File(file).length() == 0; i++) {
      sleep(50);
    }
    assertThat(new File(file)).exists();
  }
}
