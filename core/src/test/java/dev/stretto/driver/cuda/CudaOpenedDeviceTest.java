package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.Topology;
import dev.stretto.contract.OpenedDeviceTest;
import dev.stretto.contract.OpeningProgram;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which device a program gets on a machine with GPUs, which the fake stands for. */
class CudaOpenedDeviceTest {
  /** {@link OpeningProgram} on the fake, which has no devices before it is reset. */
  static final class OnFake {
    private OnFake() {}

    public static void main(String[] arguments) throws Throwable {
      reset();
      OpeningProgram.main(arguments);
    }

    static void reset() throws Throwable {
      SymbolLookup fake =
          SymbolLookup.libraryLookup(System.getProperty("dev.stretto.libcuda"), Arena.global());
      Linker.nativeLinker()
          .downcallHandle(fake.findOrThrow("fake_reset"), FunctionDescriptor.ofVoid())
          .invokeExact();
    }
  }

  /** Opens one GPU three times, and prints how the first opening sees the others. */
  static final class SameGpuAgain {
    private SameGpuAgain() {}

    public static void main(String[] arguments) throws Throwable {
      OnFake.reset();
      try (Device first = Device.open();
          Device second = Device.open("cuda:0");
          Device third = Device.openGpu();
          PinnedArena pinned = first.pinnedArena();
          Stream stream = second.stream();
          GlobalInts numbers = second.allocateInts(4)) {
        for (Device again : List.of(second, third)) {
          System.out.println(Topology.of(List.of(first)).link(first, again));
        }
        Copy copy = stream.copy(pinned.allocate(16, 16), numbers);
        copy.await();
        System.out.println(copy.route().kind());
      }
    }
  }

  private static List<String> open(String property, String... calls) throws Exception {
    return OpenedDeviceTest.run(
        OnFake.class, FakeCuda.reset().library().toString(), property, calls);
  }

  @Test
  void theFirstGpuIsOpenedAndNothingIsLogged() throws Exception {
    List<String> lines = open("", "open", "openGpu", "0", "1", "2");
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith("open: cuda:0").endsWith("the first GPU of this machine");
    assertThat(lines.get(1)).startsWith("openGpu: cuda:0");
    assertThat(lines.get(2)).startsWith("0: cuda:0");
    assertThat(lines.get(3)).startsWith("1: cuda:1");
    assertThat(lines.get(4)).startsWith("2: virtual:");
  }

  @Test
  void aDeploymentPicksTheGpu() throws Exception {
    assertThat(open("gpu", "open").getFirst())
        .startsWith("open: cuda:0")
        .endsWith("-Ddev.stretto.device=gpu says so");
    assertThat(open("cuda:1", "open").getFirst()).startsWith("open: cuda:1");
    assertThat(open("cuda:2", "open").getFirst())
        .startsWith("open: NoSuchDeviceException: -Ddev.stretto.device=cuda:2: there is no cuda:2");
    assertThat(open("virtual", "open").getFirst()).startsWith("open: virtual:");
  }

  @Test
  void aGpuThatIsOpenedAgainIsTheSameGpu() throws Exception {
    List<String> lines =
        OpenedDeviceTest.run(SameGpuAgain.class, FakeCuda.reset().library().toString(), "");
    assertThat(lines).containsExactly("SELF", "SELF", "DIRECT");
  }
}
