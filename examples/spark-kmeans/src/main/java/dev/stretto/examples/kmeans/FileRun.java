package dev.stretto.examples.kmeans;

import dev.stretto.Stream;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Iterations over files on one device, in memory of their own. */
final class FileRun implements AutoCloseable {
  /** So many bytes of points tell how fast the kernels are. */
  private static final long MEASURED = 8L << 30;

  private final Stream stream;
  private final PointFiles files;
  private final int chunkPoints;
  private final GlobalBytes memory;
  private final KMeansStep step;
  private final Lloyd lloyd;
  private State state;

  FileRun(
      Stream stream, PointFiles files, FilePass pass, Sharing sharing, int count, int chunkBytes) {
    int width = files.width();
    this.stream = stream;
    this.files = files;
    chunkPoints = FilePass.chunkPoints(width, chunkBytes);
    state = State.before(FirstCentres.of(width, files.spread(count), Opener.LOCAL));
    memory = stream.device().allocateBytes(KMeansStep.bytes(width, count, chunkPoints));
    step = new KMeansStep(memory, width, count, chunkPoints);
    lloyd = new Lloyd(stream, step, pass, sharing);
  }

  State state() {
    return state;
  }

  void next(double tolerance) {
    state = lloyd.next(state, tolerance);
  }

  /** {@return the rate of the kernels alone, on points that are on the device, in GB/s} */
  double kernels() {
    PointPart part = files.share(0, 1).getFirst();
    long bytes = Math.min(part.bytes(), (long) chunkPoints * files.pointBytes());
    boolean isFast = stream.device().properties().driver().equals("cuda");
    long rounds = isFast ? Math.max(1, MEASURED / bytes) : 1;
    try (Arena arena = Arena.ofShared();
        Source source = Opener.LOCAL.open(new PointPart(part.name(), 0, bytes, 0));
        GlobalBytes points = stream.device().allocateBytes(bytes)) {
      MemorySegment host = arena.allocate(bytes, 4096);
      long _ = source.read(0, host);
      step.begin(stream, state.centres());
      stream.copy(host, points);
      step.add(stream, points.asFloats(), 0); // compiles them
      stream.await();
      long begin = System.nanoTime();
      for (long i = 0; i < rounds; i++) {
        step.add(stream, points.asFloats(), 0);
      }
      stream.await();
      return rounds * bytes / (double) (System.nanoTime() - begin);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
