package dev.stretto.compiler.reach;

/** The numbers that a launch is made with. */
public interface Numbers {
  /** Where a component's number begins in a place. */
  int COMPONENT = 15;

  /**
   * {@return an argument that is a number, or a number of one that is a record}
   *
   * @param number the argument's number
   * @param component the number's place among all of the record; 0 for a number
   */
  long argument(int number, int component);

  /** {@return the length of an argument that is an array, in elements} */
  long length(int number);

  /** {@return the threads of a block in a dimension, 0 to 2} */
  int blockSize(int dimension);

  /** {@return the blocks of the grid in a dimension, 0 to 2} */
  int gridSize(int dimension);

  /** {@return what stands in a formula for a number of an argument} Both are less than 32,768. */
  static int place(int argument, int component) {
    return (component << COMPONENT) | argument;
  }

  /** {@return the number at such a place} */
  default long at(int place) {
    return argument(place & Short.MAX_VALUE, place >>> COMPONENT);
  }
}
