package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Stage;
import java.util.List;

/** Sends files through a device, in chunks of whole points. Nothing of them stays there. */
public final class FilePass implements Pass {
  /**
   * So large chunks have few operations for their bytes, and threads that bring pieces of several
   * chunks wait for each other least.
   */
  public static final int CHUNK_BYTES = 128 << 20;

  private final Device device;
  private final List<PointPart> parts;
  private final Opener files;
  private final int pointBytes;
  private final int chunkPoints;
  private final int depth;
  private final int times;

  /**
   * @param device that the points go through
   * @param parts of files
   * @param files opens them
   * @param width the coordinates of a point
   * @param chunkBytes how many bytes are a chunk, about
   * @param depth how many chunks are on their way; 0 for as many as a flow chooses
   * @param times how often each part is read in a pass; more than once only to measure
   */
  public FilePass(
      Device device,
      List<PointPart> parts,
      Opener files,
      int width,
      int chunkBytes,
      int depth,
      int times) {
    this.device = device;
    this.parts = List.copyOf(parts);
    this.files = files;
    this.pointBytes = Float.BYTES * width;
    this.chunkPoints = chunkPoints(width, chunkBytes);
    this.depth = depth;
    this.times = times;
  }

  /**
   * {@return how many points a chunk has}
   *
   * @param width the coordinates of a point
   * @param chunkBytes how many bytes are a chunk, about
   */
  public static int chunkPoints(int width, int chunkBytes) {
    return Math.max(1, chunkBytes / (Float.BYTES * width));
  }

  @Override
  public void addAll(KMeansStep step) {
    for (PointPart part : repeated()) {
      send(
          part,
          (stream, chunk) ->
              step.add(
                  stream,
                  chunk.in().asFloats().slice(0, chunk.byteSize() / Float.BYTES),
                  part.first() + chunk.position() / pointBytes));
    }
  }

  /** Only reads, and copies to the device: the limit of a pass. */
  public void readAll() {
    for (PointPart part : repeated()) {
      send(part, (_, _) -> {});
    }
  }

  private List<PointPart> repeated() {
    return java.util.stream.IntStream.range(0, times)
        .mapToObj(_ -> parts)
        .flatMap(List::stream)
        .toList();
  }

  private void send(PointPart part, Stage stage) {
    FlowPlan plan =
        Flow.on(device)
            .from(files.open(part))
            .through(stage)
            .inOrder()
            .drain()
            .granularity(pointBytes)
            .chunkBytes(Math.min((long) chunkPoints * pointBytes, part.bytes()));
    if (depth > 0) {
      FlowPlan _ = plan.depth(depth);
    }
    try (Flow flow = plan.start()) {
      FlowReport _ = flow.await();
    }
  }

  /** {@return how many bytes a pass reads} */
  public long bytes() {
    return times * parts.stream().mapToLong(PointPart::bytes).sum();
  }
}
