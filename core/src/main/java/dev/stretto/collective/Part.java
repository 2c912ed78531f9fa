package dev.stretto.collective;

import dev.stretto.memory.GlobalArray;
import java.util.ArrayList;
import java.util.List;

/** One call of a program to a communicator, or one of a group. */
sealed interface Part {
  /** What all ranks do together. */
  enum Kind {
    ALL_REDUCE("all-reduce"),
    ALL_GATHER("all-gather"),
    REDUCE_SCATTER("reduce-scatter"),
    BROADCAST("broadcast"),
    ALL_TO_ALL("all-to-all");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /**
   * An operation of all ranks.
   *
   * @param kind which
   * @param source what it reads here
   * @param destination what it writes here
   * @param reduction how it makes one number of several, if it does
   * @param root whose array all get, if it is a broadcast
   * @param isInWindows whether all memory of it is registered
   */
  record All(
      Kind kind,
      GlobalArray source,
      GlobalArray destination,
      Reduction reduction,
      int root,
      boolean isInWindows)
      implements Part {
    All(Kind kind, GlobalArray source, GlobalArray destination, Reduction reduction, int root) {
      this(kind, source, destination, reduction, root, false);
    }

    boolean reduces() {
      return kind == Kind.ALL_REDUCE || kind == Kind.REDUCE_SCATTER;
    }

    @Override
    public String words() {
      GlobalArray array = kind == Kind.ALL_GATHER ? destination : source;
      String what = array.length() + " " + Element.of(array).words();
      return switch (kind) {
        case ALL_REDUCE, REDUCE_SCATTER ->
            "%s (%s) of %s".formatted(kind.words, reduction.words(), what);
        case BROADCAST -> "%s of %s from rank %d".formatted(kind.words, what, root);
        case ALL_GATHER, ALL_TO_ALL -> "%s of %s".formatted(kind.words, what);
      };
    }
  }

  /**
   * What this rank sends to one.
   *
   * @param array what
   * @param peer to whom
   */
  record Send(GlobalArray array, int peer) implements Part {
    @Override
    public String words() {
      return array.length() + " " + Element.of(array).words();
    }
  }

  /**
   * What this rank receives from one.
   *
   * @param array where it arrives
   * @param peer from whom
   */
  record Receive(GlobalArray array, int peer) implements Part {
    @Override
    public String words() {
      return array.length() + " " + Element.of(array).words();
    }
  }

  /** {@return what the ranks that take part must say alike} */
  String words();

  /** {@return the arrays that parts read} */
  static List<GlobalArray> reads(List<Part> parts, int rank) {
    if (parts.size() == 1 && parts.getFirst() instanceof All all) {
      return all.kind != Kind.BROADCAST || all.root == rank ? List.of(all.source) : List.of();
    }
    List<GlobalArray> reads = new ArrayList<>();
    for (Part part : parts) {
      switch (part) {
        case All all -> {
          if (all.kind != Kind.BROADCAST || all.root == rank) {
            reads.add(all.source);
          }
        }
        case Send send -> reads.add(send.array);
        case Receive _ -> {}
      }
    }
    return reads;
  }

  /** {@return the arrays that parts write} */
  static List<GlobalArray> writes(List<Part> parts, int rank) {
    if (parts.size() == 1 && parts.getFirst() instanceof All all) {
      return all.kind != Kind.BROADCAST || all.root != rank ? List.of(all.destination) : List.of();
    }
    List<GlobalArray> writes = new ArrayList<>();
    for (Part part : parts) {
      switch (part) {
        case All all -> {
          if (all.kind != Kind.BROADCAST || all.root != rank) {
            writes.add(all.destination);
          }
        }
        case Send _ -> {}
        case Receive receive -> writes.add(receive.array);
      }
    }
    return writes;
  }
}
