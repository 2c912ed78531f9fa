package dev.stretto.examples;

// @start region="program"
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import java.nio.file.Path;

final class MaskFile {
  @Kernel
  static void mask(ThreadBlock block, GlobalBytes in, GlobalBytes out, byte bits, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      out.set(i, (byte) (in.get(i) ^ bits));
    }
  }

  public static void main(String... files) {
    byte bits = 0x5a;
    try (Device device = Device.open()) {
      FlowReport report =
          Flow.on(device)
              .from(Source.file(Path.of(files[0])))
              .through(
                  (stream, chunk) -> {
                    Grid grid = Grid.covering(chunk.byteSize(), 256);
                    stream.launch(
                        grid, MaskFile::mask, chunk.in(), chunk.out(), bits, chunk.byteSize());
                  })
              .to(Sink.file(Path.of(files[1])))
              .start()
              .await();
      System.out.println(report);
    }
  }
}
// @end
