package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A file through the device with a flow: reading, copying in, computing, copying out and writing
 * all run at the same time, in chunks, and in bounded memory.
 */
final class Example11FileThroughTheDevice {
  private static final int BYTES = 20_000_000;

  private Example11FileThroughTheDevice() {}

  public static void main(String... arguments) throws IOException {
    Path plain = Files.createTempFile("plain", ".bin");
    Path masked = Files.createTempFile("masked", ".bin");
    Path back = Files.createTempFile("back", ".bin");
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      byte[] content = new byte[BYTES];
      new Random(1).nextBytes(content);
      Files.write(plain, content);

      FlowReport report = mask(device, plain, masked);
      System.out.println("bytes: " + report.bytes());
      System.out.println("chunks: " + report.chunks() + " of " + report.chunkBytes() + " bytes");
      System.out.println("under way at a time: " + report.depth());
      System.out.println("pinned memory for buffers: " + report.pinnedBytes() + " bytes");
      System.out.println("device memory for buffers: " + report.deviceBytes() + " bytes");

      mask(device, masked, back);
      System.out.println("masked differs at byte " + Files.mismatch(plain, masked));
      System.out.println("masked twice differs at byte " + Files.mismatch(plain, back));
    } finally {
      Files.delete(plain);
      Files.delete(masked);
      Files.delete(back);
    }
  }

  private static FlowReport mask(Device device, Path plain, Path masked) {
    byte bits = 0x5a;
    // @start region="flow"
    FlowReport report =
        Flow.on(device)
            .from(Source.file(plain))
            .through(
                (stream, chunk) -> {
                  Grid grid = Grid.covering(chunk.byteSize(), 256);
                  stream.launch(
                      grid, Kernels::mask, chunk.in(), chunk.out(), bits, chunk.byteSize());
                })
            .to(Sink.file(masked))
            .start()
            .await();
    // @end
    return report;
  }
}
