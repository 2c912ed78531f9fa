package dev.stretto.bindings;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Stretto. */
final class StrettoLibrary implements Library {
  private static final byte OLD = (byte) 0xA5;

  private final Device device;
  private final Deque<Runnable> releases = new ArrayDeque<>();
  final GlobalBytes in;
  final GlobalBytes out;
  final GlobalLongs total;

  StrettoLibrary(Device device, long bytes) {
    this.device = device;
    this.in = device.allocateBytes(bytes);
    this.out = device.allocateBytes(bytes);
    this.total = device.allocateLongs(1);
  }

  Stream stream() {
    return device.stream();
  }

  @Override
  public List<Way<WholeArrays>> wholeArrays() {
    return List.of(new Way<>(Way.PLAIN, 1, plain()));
  }

  @Override
  public List<Way<Pipeline>> pipelines() {
    return List.of(new Way<>(Way.PLAIN, 1, plain()), new Way<>("flow", 1, new StrettoFlow(device)));
  }

  @Override
  public List<Way<FileSum>> fileSums() {
    StrettoPlain plain = plain();
    return List.of(new Way<>(Way.PLAIN, 1, plain), new Way<>("chunks", 1, plain::ofChunks));
  }

  private StrettoPlain plain() {
    StrettoPlain plain = new StrettoPlain(this);
    releases.push(plain::close);
    return plain;
  }

  @Override
  public List<Way<Submission>> submissions() {
    return List.of(
        new Way<>(Way.PLAIN, 1, submission(false)), new Way<>("prepared", 1, submission(true)));
  }

  private StrettoSubmission submission(boolean prepared) {
    StrettoSubmission submission = new StrettoSubmission(device, prepared);
    releases.push(submission::close);
    return submission;
  }

  @Override
  public List<Way<PinnedCopies>> pinnedCopies() {
    return List.of();
  }

  @Override
  public void clear() {
    try (Stream stream = device.stream()) {
      stream.fill(in, OLD);
      stream.fill(out, OLD).await();
    }
  }

  @Override
  public void close() {
    while (!releases.isEmpty()) {
      releases.pop().run();
    }
    in.close();
    out.close();
    total.close();
    device.close();
  }
}
