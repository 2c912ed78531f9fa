package dev.stretto.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowException;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flow reads what a library decodes: zstd, which the JDK does not have. */
class ZstdFlowTest {
  private static final int FILES = 3;
  private static final int WORDS = 500_000;

  @TempDir Path folder;

  private static byte[] text(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      text.append(random.nextInt(1000)).append(' ');
    }
    return text.toString().getBytes(US_ASCII);
  }

  private Path zipped(int number, byte[] bytes) throws IOException {
    Path file = folder.resolve(number + ".zst");
    try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(file))) {
      out.write(bytes);
    }
    return file;
  }

  private static long run(List<Path> files, MemorySegment to) {
    try (Device device = Device.open("virtual:h200")) {
      List<Source> sources = files.stream().map(Source::file).toList();
      return Flow.on(device)
          .from(Source.decoded(sources, ZstdInputStream::new))
          .through((stream, chunk) -> stream.copy(chunk.in(), chunk.out()))
          .to(Sink.of(to))
          .start()
          .await()
          .bytes();
    }
  }

  @Test
  void filesArriveAsTheyWereBeforeTheyWereCompressed() throws IOException {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = text(i);
      expected.writeBytes(bytes);
      files.add(zipped(i, bytes));
      assertThat(Files.size(files.get(i))).isLessThan(bytes.length * 2L / 3);
    }
    byte[] to = new byte[expected.size()];
    assertThat(run(files, MemorySegment.ofArray(to))).isEqualTo(to.length);
    assertThat(to).isEqualTo(expected.toByteArray());
  }

  @Test
  void aFileThatIsCutOffFailsTheFlow() throws IOException {
    Path file = zipped(0, text(0));
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length / 2));
    MemorySegment to = MemorySegment.ofArray(new byte[text(0).length]);
    assertThatThrownBy(() -> run(List.of(file), to)).isInstanceOf(FlowException.class);
  }
}
