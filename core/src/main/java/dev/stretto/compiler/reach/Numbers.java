package dev.stretto.compiler.reach;

/** The numbers that a launch is made with. */
public interface Numbers {
  /** {@return an argument that is a number} */
  long argument(int number);

  /** {@return the length of an argument that is an array, in elements} */
  long length(int number);

  /** {@return the threads of a block in a dimension, 0 to 2} */
  int blockSize(int dimension);

  /** {@return the blocks of the grid in a dimension, 0 to 2} */
  int gridSize(int dimension);
}
