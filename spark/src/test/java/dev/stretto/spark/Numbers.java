package dev.stretto.spark;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Kernels of the tests, and the stages that launch them. */
final class Numbers {
  private Numbers() {}

  @Kernel
  static void doubles(ThreadBlock block, GlobalFloats in, GlobalFloats out, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      out.set(i, 2 * in.get(i));
    }
  }

  @Kernel
  static void sums(ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, long rows) {
    long row = block.globalIndexX();
    if (row < rows) {
      float sum = 0;
      for (int i = 0; i < width; i++) {
        sum += in.get(row * width + i);
      }
      out.set(row, sum);
    }
  }

  /** Faults: there is no such element. */
  @Kernel
  static void writesBeyond(ThreadBlock block, GlobalFloats out) {
    out.set(out.length(), 1);
  }

  /** A column of each type becomes one of each type. */
  @Kernel
  static void mixes(
      ThreadBlock block,
      GlobalInts ints,
      GlobalLongs longs,
      GlobalFloats floats,
      GlobalDoubles doubles,
      GlobalInts nextInts,
      GlobalLongs nextLongs,
      GlobalDoubles sums,
      long rows) {
    long row = block.globalIndexX();
    if (row < rows) {
      nextInts.set(row, ints.get(row) + 1);
      nextLongs.set(row, longs.get(row) + 1);
      sums.set(row, doubles.get(row) + floats.get(row) + longs.get(row) + ints.get(row));
    }
  }

  static void mix(Stream stream, ColumnChunk chunk) {
    ColumnArrays in = chunk.in();
    ColumnArrays out = chunk.out();
    stream.launch(
        Grid.covering(chunk.rows(), 256),
        Numbers::mixes,
        in.ints("i"),
        in.longs("l"),
        in.floats("f"),
        in.doubles("d"),
        out.ints("i1"),
        out.longs("l1"),
        out.doubles("sum"),
        chunk.rows());
  }

  static void twiceVectors(Stream stream, ColumnChunk chunk) {
    GlobalFloats in = chunk.in().floats("v");
    stream.launch(
        Grid.covering(in.length(), 256),
        Numbers::doubles,
        in,
        chunk.out().floats("v2"),
        in.length());
  }

  @Kernel
  static void counts(ThreadBlock block, GlobalBytes in, GlobalInts count, long n) {
    int own = 0;
    for (long i = block.globalIndexX(); i < n; i += 1024) {
      if (in.get(i) == '\n') {
        own++;
      }
    }
    int _ = Atomics.add(count, 0, own);
  }

  static void countLines(Stream stream, Chunk chunk) {
    GlobalInts count = chunk.out().slice(0, Integer.BYTES).asInts();
    stream.fill(count, 0);
    stream.launch(Grid.of(4, 256), Numbers::counts, chunk.in(), count, chunk.byteSize());
  }

  @Kernel
  static void uppers(ThreadBlock block, GlobalBytes in, GlobalBytes out, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      byte b = in.get(i);
      out.set(i, b >= 'a' && b <= 'z' ? (byte) (b - 32) : b);
    }
  }

  static void upper(Stream stream, Chunk chunk) {
    long n = chunk.byteSize();
    stream.launch(Grid.covering(n, 256), Numbers::uppers, chunk.in(), chunk.out(), n);
  }

  static void twice(Stream stream, Chunk chunk) {
    long n = chunk.byteSize() / Float.BYTES;
    Grid grid = Grid.covering(n, 256);
    stream.launch(grid, Numbers::doubles, chunk.in().asFloats(), chunk.out().asFloats(), n);
  }

  static void sum(Stream stream, Chunk chunk, int width) {
    long rows = chunk.byteSize() / Float.BYTES / width;
    stream.launch(
        Grid.covering(rows, 256),
        Numbers::sums,
        chunk.in().asFloats(),
        chunk.out().asFloats(),
        width,
        rows);
  }
}
