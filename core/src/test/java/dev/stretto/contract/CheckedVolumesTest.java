package dev.stretto.contract;

import dev.stretto.Extent;
import dev.stretto.PinnedArena;
import dev.stretto.Pitches;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Rows and planes whose boxes share bytes, and those that lie side by side in one box: an array of
 * 4 planes of 4 rows of 4 floats.
 */
class CheckedVolumesTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();
  private static final int ROW = 16;
  private static final int PLANE = 64;
  private static final Pitches CUBE = new Pitches(ROW, PLANE);

  static {
    PROGRAMS.bad(
        "two boxes share a corner of one element",
        with -> {
          box(with, true, 0, new Extent(8, 2, 2));
          box(with, false, at(1, 1, 1), new Extent(8, 2, 2));
        });
    PROGRAMS.good(
        "two boxes touch at a corner",
        with -> {
          box(with, true, 0, new Extent(8, 2, 2));
          box(with, false, at(2, 2, 2), new Extent(8, 2, 2));
        });
    PROGRAMS.good(
        "two boxes side by side in a row",
        with -> {
          box(with, true, 0, new Extent(8, 4, 4));
          box(with, false, at(2, 0, 0), new Extent(8, 4, 4));
        });
    PROGRAMS.bad(
        "two boxes side by side, one of them a byte too wide",
        with -> {
          box(with, true, 0, new Extent(9, 4, 4));
          box(with, false, at(2, 0, 0), new Extent(8, 4, 4));
        });
    PROGRAMS.good(
        "the rows of one box lie between those of another one",
        with -> {
          every(with, true, 0, new Pitches(2 * ROW, PLANE), new Extent(ROW, 2, 4));
          every(with, false, at(0, 1, 0), new Pitches(2 * ROW, PLANE), new Extent(ROW, 2, 4));
        });
    PROGRAMS.bad(
        "the rows of one box reach into those of another one",
        with -> {
          every(with, true, 0, new Pitches(2 * ROW, PLANE), new Extent(ROW + 4, 2, 3));
          every(with, false, at(0, 1, 0), new Pitches(2 * ROW, PLANE), new Extent(ROW, 2, 3));
        });
    PROGRAMS.good(
        "the planes of one box lie between those of another one",
        with -> {
          every(with, true, 0, new Pitches(ROW, 2 * PLANE), new Extent(ROW, 4, 2));
          every(with, false, at(0, 0, 1), new Pitches(ROW, 2 * PLANE), new Extent(ROW, 4, 2));
        });
    PROGRAMS.bad(
        "a box has one plane too many",
        with -> {
          box(with, true, 0, new Extent(ROW, 4, 3));
          box(with, false, at(0, 0, 2), new Extent(ROW, 4, 2));
        });
    PROGRAMS.good(
        "the planes of two boxes follow each other",
        with -> {
          box(with, true, 0, new Extent(ROW, 4, 2));
          box(with, false, at(0, 0, 2), new Extent(ROW, 4, 2));
        });
    PROGRAMS.bad(
        "a fill of one element of a box",
        with -> {
          box(with, true, at(1, 1, 1), new Extent(8, 2, 2));
          with.second.fill(with.a.slice(at(2, 2, 2), 1), 1);
        });
    PROGRAMS.good(
        "a fill of one element beside a box",
        with -> {
          box(with, true, at(1, 1, 1), new Extent(8, 2, 2));
          with.second.fill(with.a.slice(at(3, 2, 2), 1), 1);
        });
    PROGRAMS.good(
        "a fill of one element of a box behind a wait",
        with -> {
          box(with, true, at(1, 1, 1), new Extent(8, 2, 2));
          with.second.waitFor(with.first.record());
          with.second.fill(with.a.slice(at(2, 2, 2), 1), 1);
        });
    PROGRAMS.bad(
        "rows of another distance meet a box in one element",
        with -> {
          box(with, true, at(3, 3, 3), new Extent(4, 1, 1));
          with.second.copy2D(with.b, 12, with.a.slice(3, 61), 12, 4, 21);
        });
    PROGRAMS.good(
        "rows of another distance pass a box by",
        with -> {
          box(with, true, at(1, 3, 3), new Extent(4, 1, 1));
          with.second.copy2D(with.b, 12, with.a.slice(3, 61), 12, 4, 20);
        });
    PROGRAMS.bad(
        "planes out while a launch's neighbour writes them",
        with -> {
          with.second.copy3D(with.b, CUBE, with.a, CUBE, new Extent(8, 2, 2));
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy3D(with.a, CUBE, host, CUBE, new Extent(8, 2, 2));
        });
    PROGRAMS.good(
        "planes out beside those that are written",
        with -> {
          with.second.copy3D(
              with.b, CUBE, with.a.slice(at(2, 0, 0), 62), CUBE, new Extent(8, 2, 2));
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy3D(with.a, CUBE, host, CUBE, new Extent(8, 2, 2));
        });
    PROGRAMS.bad(
        "two copies out to the same planes of pinned memory",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(256);
            with.first.copy3D(with.a, CUBE, host, CUBE, new Extent(8, 2, 2));
            with.second.copy3D(with.b, CUBE, host, CUBE, new Extent(4, 1, 1));
          }
        });
    PROGRAMS.good(
        "two copies out to planes of pinned memory side by side",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(256);
            with.first.copy3D(with.a, CUBE, host, CUBE, new Extent(8, 4, 4));
            with.second.copy3D(with.b, CUBE, host.asSlice(8), CUBE, new Extent(8, 4, 4));
          }
        });
    PROGRAMS.bad(
        "columns out to ordinary memory that overlap by a byte",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy2D(with.a, ROW, host, ROW, 9, 16);
          with.second.copy2D(with.b, ROW, host.asSlice(8), ROW, 8, 15);
        });
    PROGRAMS.good(
        "columns out to ordinary memory side by side",
        with -> {
          MemorySegment host = MemorySegment.ofArray(with.host);
          with.first.copy2D(with.a, ROW, host, ROW, 8, 16);
          with.second.copy2D(with.b, ROW, host.asSlice(8), ROW, 8, 16);
        });
  }

  /** The element of a column, a row and a plane. */
  private static int at(int column, int row, int plane) {
    return column + 4 * row + 16 * plane;
  }

  /** Writes a box, from the other array or from host memory. */
  private static void box(Hands with, boolean first, int at, Extent extent) {
    every(with, first, at, CUBE, extent);
  }

  private static void every(Hands with, boolean first, int at, Pitches pitches, Extent extent) {
    if (first) {
      with.first.copy3D(with.b, pitches, with.a.slice(at, LENGTH - at), pitches, extent);
    } else {
      MemorySegment host = MemorySegment.ofArray(with.host);
      with.second.copy3D(host, CUBE, with.a.slice(at, LENGTH - at), pitches, extent);
    }
  }

  CheckedVolumesTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }

  @Override
  boolean areWrittenInOrder() {
    return false; // the boxes are written below the programs
  }
}
