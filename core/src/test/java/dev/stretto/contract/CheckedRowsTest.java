package dev.stretto.contract;

import dev.stretto.rows.HostRows;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/** Copies of rows: each row is an access of its own, and what lies between rows is none. */
class CheckedRowsTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  static {
    PROGRAMS.bad(
        "rows in, while a launch's neighbour writes one of them",
        with -> {
          float[][] rows = {with.other, with.host};
          with.first.copyRows(HostRows.of(rows), with.device.allocateFloats(2 * LENGTH));
          with.second.copy(with.a, with.host);
        });
    PROGRAMS.good(
        "rows in, while another array is written",
        with -> {
          float[][] rows = {with.other, new float[LENGTH]};
          with.first.copyRows(HostRows.of(rows), with.device.allocateFloats(2 * LENGTH));
          with.second.copy(with.a, with.host);
        });
    PROGRAMS.bad(
        "rows out to an array that another stream reads",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.copyRows(with.b, HostRows.of(new float[][] {with.host}));
        });
    PROGRAMS.good(
        "rows out to an array behind the stream that reads it",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.waitFor(with.first.record());
          with.second.copyRows(with.b, HostRows.of(new float[][] {with.host}));
        });
    PROGRAMS.good(
        "the program writes a row after the copy was awaited",
        with -> {
          float[][] rows = {new float[LENGTH], with.host};
          with.first.copyRows(HostRows.of(rows), with.device.allocateFloats(2 * LENGTH)).await();
          with.host[LENGTH - 1] = 7;
        });
    PROGRAMS.good(
        "columns of one array out from two streams, row by row",
        with -> {
          with.first.copyRows(with.a.slice(0, 32), columns(with.host, 0));
          with.second.copyRows(with.b.slice(0, 32), columns(with.host, 8));
        });
    PROGRAMS.bad(
        "columns of one array out from two streams, which share one",
        with -> {
          with.first.copyRows(with.a.slice(0, 32), columns(with.host, 0));
          with.second.copyRows(with.b.slice(0, 32), columns(with.host, 4));
        });
    PROGRAMS.good(
        "rows that another index leaves out",
        with -> {
          with.first.copyRows(with.a.slice(0, 8), rows(with.host).at(new int[] {2, 9}));
          with.second.copyRows(with.b.slice(0, 8), rows(with.host).at(new int[] {1, 3}));
        });
    PROGRAMS.bad(
        "a row that another index has, too",
        with -> {
          with.first.copyRows(with.a.slice(0, 8), rows(with.host).at(new int[] {2, 9}));
          with.second.copyRows(with.b.slice(0, 8), rows(with.host).at(new int[] {1, 9}));
        });
    PROGRAMS.good(
        "the rows of a padded matrix, and what lies between them",
        with -> {
          with.first.copyRows(rows(with.host).slice(0, 8), with.a, 32);
          with.second.copy2D(with.b, 32, with.a.slice(4, 60), 32, 16, 8);
        });
    PROGRAMS.bad(
        "the rows of a padded matrix, and one byte of the last",
        with -> {
          with.first.copyRows(rows(with.host).slice(0, 8), with.a, 32);
          with.second.copy2D(with.b, 32, with.a.slice(3, 61), 32, 20, 8);
        });
    PROGRAMS.bad(
        "joined rows of two arrays, of which one is written",
        with -> {
          HostRows joined = HostRows.join(List.of(rows(with.other), rows(with.host)));
          with.first.copyRows(joined.asHalfs(), with.device.allocateHalfs(2 * LENGTH));
          with.second.copy(with.a, with.host);
        });
  }

  /** Rows of four floats. */
  private static HostRows rows(float[] array) {
    return HostRows.of(MemorySegment.ofArray(array), 16);
  }

  /** Two floats of each row of four. */
  private static HostRows columns(float[] array, long from) {
    return HostRows.of(MemorySegment.ofArray(array).asSlice(from), 16, 8, 16);
  }

  CheckedRowsTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
