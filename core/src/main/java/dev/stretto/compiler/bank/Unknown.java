package dev.stretto.compiler.bank;

/**
 * Something that an address depends on, and that is known only when the kernel runs.
 *
 * @param kind what it is
 * @param number tells apart those of a kind
 * @param place where it comes from, as {@code file:line}, or the parameter; empty for other things
 *     that belong to the launch
 */
public record Unknown(Kind kind, int number, String place) {
  /** What is not known. */
  public enum Kind {
    /** The shape of the block. */
    SHAPE("the shape of the block"),
    /** Which warp of the block it is. */
    WARP("which warp of the block it is"),
    /** An index of the block, or the size of the grid. */
    GRID("the index of the block in its grid"),
    /** A parameter of the kernel. */
    ARGUMENT(""),
    /** How often a loop has run. */
    ROUND("the round of the loop at "),
    /** A value that is the same for all lanes, such as one that was loaded. */
    VALUE("the value computed at "),
    /** Values that may differ from lane to lane. */
    LANES("values that differ from lane to lane, from ");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  @Override
  public String toString() {
    return kind.words + place;
  }
}
