package dev.stretto.bench;

import dev.stretto.rows.HostRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one thread takes to read rows of floats and to make another form of them: 2,048 rows of 768,
 * 6 MiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class RowForms {
  private static final int ROWS = 2048;
  private static final int WIDTH = 768;

  /** The form. */
  @Param({"floats", "bfloat16", "binary16", "bytes"})
  public String form = "";

  private HostRows rows = HostRows.of(new float[1][1]);
  private MemorySegment there = MemorySegment.NULL;

  /** Makes the rows. */
  @Setup
  public void make() {
    float[][] floats = new float[ROWS][WIDTH];
    for (int i = 0; i < ROWS * WIDTH; i++) {
      floats[i / WIDTH][i % WIDTH] = i / 1000f - 500;
    }
    HostRows all = HostRows.of(floats);
    rows =
        switch (form) {
          case "bfloat16" -> all.asBfloats();
          case "binary16" -> all.asHalfs();
          case "bytes" -> all.asBytes(0.1f);
          default -> all;
        };
    there = Arena.global().allocate(rows.rows() * rows.rowBytes(), 4096);
  }

  /** Reads all rows. */
  @Benchmark
  public void read() {
    rows.read(0, there);
  }

  /** Writes all rows. */
  @Benchmark
  public void write() {
    rows.write(0, there);
  }
}
