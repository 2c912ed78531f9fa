package dev.stretto.bench.file;

import dev.stretto.Stream;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalFloats;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** Flows from a file in the page cache that share the link with others. */
final class TogetherRate {
  private static final int ROUNDS = 5;
  private static final String FLOW = "one flow alone";
  private static final String STAGED = "staged copies alone";
  private static final int FLOATS = 1 << 28;

  private final FileFlows flows;
  private final Path file;
  private final long bytes;
  private final PrintStream out;

  TogetherRate(FileFlows flows, Path file, long bytes, PrintStream out) {
    this.flows = flows;
    this.file = file;
    this.bytes = bytes;
    this.out = out;
  }

  void run() {
    float[] array = new float[FLOATS];
    long staged = 4L * FLOATS;
    try (Stream stream = flows.device().stream();
        GlobalFloats target = flows.device().allocateFloats(FLOATS)) {
      stream.copy(array, target).await();
      flows(1);
      Table table = new Table(ROUNDS);
      for (int i = 0; i < ROUNDS; i++) {
        table.note(i, FLOW, flows(1));
        table.note(i, "two flows at once, their sum", flows(2));
        long begin = System.nanoTime();
        for (int copy = 0; copy < 8; copy++) {
          stream.copy(array, target);
        }
        stream.await();
        table.note(i, STAGED, 8 * staged / (double) (System.nanoTime() - begin));
        beside(table, i, stream, array, target);
      }
      out.printf("%s, flows of %d MiB, copies of 1 GiB%n%n", flows.device(), bytes >> 20);
      table.print(out, FLOW);
    }
  }

  /** A flow, and copies that follow each other until it ends. */
  private void beside(Table table, int round, Stream stream, float[] array, GlobalFloats target) {
    long begin = System.nanoTime();
    try (Arena arena = Arena.ofShared();
        Flow flow = flows.startSum(Source.file(file), _ -> {}, arena.allocate(8))) {
      long copied = 0;
      while (!flow.isDone()) {
        stream.copy(array, target).await();
        copied += 4L * FLOATS;
      }
      double nanos = System.nanoTime() - begin;
      long wall = flow.await().wallNanos();
      table.note(round, "a flow beside staged copies", bytes / (double) wall);
      table.note(round, "the copies beside it", copied / nanos);
      table.note(round, "their sum", (bytes + copied) / nanos);
    }
  }

  private double flows(int count) {
    long begin = System.nanoTime();
    try (Arena arena = Arena.ofShared()) {
      Flow[] running = new Flow[count];
      for (int i = 0; i < count; i++) {
        running[i] = flows.startSum(Source.file(file), _ -> {}, arena.allocate(8));
      }
      for (Flow flow : running) {
        flow.await();
      }
    }
    return count * bytes / (double) (System.nanoTime() - begin);
  }
}
