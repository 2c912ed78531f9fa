package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many kernels stay loaded, of a program that makes ever new ones. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LoadedModulesTest {
  private static final Logger LOGGER = Logger.getLogger("dev.stretto");
  private static final int VALUES = 100;
  private static final int BOUND = 64;

  private final AtomicInteger loads = new AtomicInteger();
  private final AtomicInteger unloads = new AtomicInteger();
  private final List<String> logged = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public synchronized void publish(LogRecord line) {
          String message = line.getMessage();
          // Other tests run at the same time.
          if (message.contains("LoadedModulesTest") || message.contains("kernel images")) {
            logged.add(line.getLevel() + " " + message);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private Device device;
  private Stream stream;
  private GlobalInts out;

  @Kernel
  static void constant(ThreadBlock block, GlobalInts out, @Const int radius) {
    out.set(block.threadIndexX(), radius);
  }

  @Kernel
  static void any(ThreadBlock block, GlobalInts out) {
    out.set(block.threadIndexX(), 4711);
  }

  @BeforeEach
  void open() {
    LOGGER.addHandler(handler);
    device =
        Device.openAll(
                new DriverTap(new VirtualDriver(VirtualConfig.DEFAULT)) {
                  @Override
                  void before(Call call) {
                    if (call == Call.LOAD_MODULE) {
                      loads.incrementAndGet();
                    } else if (call == Call.UNLOAD_MODULE) {
                      unloads.incrementAndGet();
                    }
                  }
                })
            .getFirst();
    stream = device.stream();
    out = device.allocateInts(1);
  }

  @AfterEach
  void close() {
    LOGGER.removeHandler(handler);
    device.close();
  }

  private int result() {
    int[] result = new int[1];
    stream.copy(out, result).await();
    return result[0];
  }

  private int loaded() {
    return loads.get() - unloads.get();
  }

  private void launchAll(int first) {
    for (int value = first; value < first + VALUES; value++) {
      stream.launch(Grid.of(1, 1), LoadedModulesTest::constant, out, value);
      assertThat(result()).isEqualTo(value);
    }
  }

  @Test
  void valuesOfAConstantAreBoundedAndOneLineSaysWhatToWriteInstead() {
    launchAll(0);
    assertThat(loads).hasValue(VALUES);
    assertThat(loaded()).isEqualTo(BOUND);
    assertThat(logged).hasSize(1);
    assertThat(logged.getFirst())
        .startsWith("WARNING kernel LoadedModulesTest::constant (line ")
        .contains("more than 64 values of @Const parameter 'radius'", "take @Const from 'radius'");
    // The latest are still there; the first is compiled and loaded again.
    stream.launch(Grid.of(1, 1), LoadedModulesTest::constant, out, VALUES - 1);
    assertThat(loads).hasValue(VALUES);
    stream.launch(Grid.of(1, 1), LoadedModulesTest::constant, out, 0);
    assertThat(result()).isZero();
    assertThat(loads).hasValue(VALUES + 1);
    assertThat(loaded()).isEqualTo(BOUND);
    assertThat(logged).hasSize(1);
  }

  @Test
  void soAreThoseOfACapturedVariable() {
    for (int i = 0; i < VALUES; i++) {
      int step = i;
      stream.launch(Grid.of(1, 1), (block, array) -> array.set(block.threadIndexX(), step), out);
      assertThat(result()).isEqualTo(i);
    }
    assertThat(loaded()).isEqualTo(BOUND);
    assertThat(logged).hasSize(1);
    assertThat(logged.getFirst())
        .startsWith("WARNING kernel LoadedModulesTest::lambda$")
        .contains("captured variable 'step'", "pass 'step' at the launch");
  }

  @Test
  void whatIsUsedAllTheTimeStays() {
    for (int value = 1; value < VALUES; value++) {
      stream.launch(Grid.of(1, 1), LoadedModulesTest::constant, out, 0);
      stream.launch(Grid.of(1, 1), LoadedModulesTest::constant, out, value);
    }
    assertThat(result()).isEqualTo(VALUES - 1);
    assertThat(loads).hasValue(VALUES);
  }

  @Test
  void whatIsPreparedOrInAGraphStaysAsLongAsThat() throws Exception {
    Launch prepared = device.prepare(Grid.of(1, 1), LoadedModulesTest::constant, out, -1);
    try (Graph graph =
        Graph.capture(
            stream, inner -> inner.launch(Grid.of(1, 1), LoadedModulesTest::constant, out, -2))) {
      launchAll(0);
      assertThat(loaded()).isEqualTo(BOUND + 2);
      int before = loads.get();
      stream.launch(prepared);
      assertThat(result()).isEqualTo(-1);
      graph.launch(stream);
      assertThat(result()).isEqualTo(-2);
      assertThat(loads).as("nothing was loaded again").hasValue(before);
    }
    prepared = null;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (loaded() > BOUND) {
      assertThat(System.nanoTime()).as("%d are loaded", loaded()).isLessThan(deadline);
      System.gc();
      Thread.sleep(10);
    }
  }

  @Test
  void manyThreadsMayHaveEachOthersUnloaded() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Void>> calls = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int first = 20 * thread;
        calls.add(
            () -> {
              try (Stream own = device.stream();
                  GlobalInts array = device.allocateInts(1)) {
                int[] result = new int[1];
                for (int i = 0; i < 60; i++) {
                  int value = first + i % 25;
                  own.launch(Grid.of(1, 1), LoadedModulesTest::constant, array, value);
                  own.copy(array, result).await();
                  assertThat(result[0]).isEqualTo(value);
                }
              }
              return null;
            });
      }
      for (Future<Void> call : threads.invokeAll(calls)) {
        call.get();
      }
    }
    device.await();
    assertThat(logged).hasSize(1);
  }

  @Test
  void imagesThatAreMadeAgainAndAgainAreBoundedToo() {
    int images = 1_100;
    for (int i = 0; i < images; i++) {
      KernelImage image =
          KernelImage.ofPtx(
              """
              .version 8.0
              .target sm_80
              .address_size 64
              .entry any(.param .u64 out) { ret; }
              """);
      DeviceKernel kernel = DeviceKernel.of(image, "any", LoadedModulesTest.class, "any");
      stream.launch(Grid.of(1, 1), kernel, out);
    }
    assertThat(result()).isEqualTo(4711);
    assertThat(loads).hasValue(images);
    assertThat(loaded()).isEqualTo(1_024);
    assertThat(logged).hasSize(1);
    assertThat(logged.getFirst()).startsWith("WARNING more than 1024 kernel images are loaded on");
  }
}
