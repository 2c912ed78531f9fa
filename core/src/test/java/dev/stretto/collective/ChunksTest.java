package dev.stretto.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How large the chunks are that nobody asked for. */
class ChunksTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource({
    // links, MiB, chunks
    "3, 4096, 256",
    "7, 4096, 256",
    "3, 65536, 512", // larger chunks instead of thousands
    "3, 64, 12",
    "7, 64, 19", // of 3.5 MiB, since the host has to enqueue seven copies meanwhile
    "3, 1, 1",
    "1, 4096, 1", // nobody passes anything on
    "0, 4096, 1",
  })
  void aChainIsCutForItsLinks(int links, long mib, int chunks) {
    assertThat(Chunks.over(links, mib * MIB, 0).count()).isEqualTo(chunks);
  }

  @ParameterizedTest
  @CsvSource({"4, 4096, 256", "4, 24, 2", "4, 8, 1", "2, 4096, 1", "1, 4096, 1"})
  void aRingIsCutSoThatNoLinkWaitsBetweenParts(int links, long mib, int chunks) {
    assertThat(Chunks.round(links, mib * MIB, 0).count()).isEqualTo(chunks);
  }

  @Test
  void whatIsAskedForIsTaken() {
    assertThat(Chunks.over(2, 1_000, 8).count()).isEqualTo(125);
    assertThat(Chunks.round(3, 1_001, 8).count()).isEqualTo(126);
  }
}
