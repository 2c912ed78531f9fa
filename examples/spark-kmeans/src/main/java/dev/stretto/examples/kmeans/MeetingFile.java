package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.DeadlineExceededException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/** The file in which rank 0 leaves the id for the others. */
final class MeetingFile {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private MeetingFile() {}

  static Communicator await(Path file, int rank, int size, Device device) {
    try {
      if (rank > 0) {
        return Communicator.awaitPeers(
            CommunicatorId.parse(word(file, size)), rank, size, device, LIMIT);
      }
      CommunicatorId id = Communicator.id();
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Path _ = Files.writeString(part, id.toString());
      Path _ = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      try {
        return Communicator.awaitPeers(id, rank, size, device, LIMIT);
      } finally {
        boolean _ = Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be used to meet", e);
    }
  }

  private static String word(Path file, int size) throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!Files.exists(file)) {
      if (System.nanoTime() > end) {
        throw new DeadlineExceededException(
            "rank 0 of %d has not written %s in %d s".formatted(size, file, LIMIT.toSeconds()),
            List.of());
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AwaitInterruptedException("interrupted while waiting for " + file, e);
      }
    }
    return Files.readString(file);
  }
}
