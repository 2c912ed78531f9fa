package dev.stretto.compiler.ir;

import java.util.List;

/** A parameter of a kernel's entry, as it lies in memory. */
public sealed interface EntryParameter {
  /** The most bytes that the parameters of a kernel take. */
  int MOST_BYTES = 32_764;

  /** {@return its size} */
  long bytes();

  /** {@return what its place is a multiple of} */
  int alignment();

  /** {@return how many parameters of the graph it is} */
  default int count() {
    return 1;
  }

  /**
   * A number or an address.
   *
   * @param bytes its size
   */
  record Scalar(long bytes) implements EntryParameter {
    @Override
    public int alignment() {
      return (int) bytes;
    }
  }

  /**
   * An object of which the kernel gets the address.
   *
   * @param bytes its size
   * @param alignment its alignment
   */
  record Whole(long bytes, int alignment) implements EntryParameter {}

  /**
   * A struct, of which each number is a parameter of the graph.
   *
   * @param bytes its size
   * @param alignment its alignment
   * @param parts its numbers
   */
  record Struct(long bytes, int alignment, List<Part> parts) implements EntryParameter {
    @Override
    public int count() {
      return parts.size();
    }
  }

  /**
   * A number in a struct.
   *
   * @param offset where it lies there
   * @param element what it is
   */
  record Part(long offset, Element element) {}
}
