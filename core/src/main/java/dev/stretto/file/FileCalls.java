package dev.stretto.file;

/**
 * System calls for files that Java does not make. Each returns a number that is negative if it
 * failed: then it is the negated number of the error.
 */
public interface FileCalls {
  /** A signal came first. */
  int INTERRUPTED = 4;

  /** The arguments do not suit, such as memory that is not aligned. */
  int INVALID = 22;

  /** The disk has no room. */
  int NO_SPACE = 28;

  /** The file would become larger than one may be. */
  int TOO_LARGE = 27;

  /** The user has no room on the disk. */
  int QUOTA = 122;

  /** {@return a descriptor of a file for {@link #readPast}} */
  int openPast(String path);

  /** {@return a descriptor of a file to read} */
  int openToRead(String path);

  /** {@return a descriptor of a file to read and write, which must exist} */
  int openToWrite(String path);

  /** Closes a descriptor. */
  int close(int descriptor);

  /** {@return how many bytes were read past the page cache; all aligned to 4,096} */
  long readPast(int descriptor, long address, long bytes, long position);

  /** Gives a file room on its disk for its first bytes, and at least that length. */
  int allocate(int descriptor, long bytes);

  /** Asks for large pages for mapped memory. */
  int wantLargePages(long address, long bytes);

  /** {@return 1 if the memory at an address is in a large page, else 0} */
  int isLargePage(long address);

  /**
   * {@return 0}
   *
   * @param address of mapped memory, aligned to 4,096
   * @param pages gets a byte for each page: whether the page cache has it is its lowest bit
   */
  int cached(long address, long bytes, long pages);

  /** {@return what an error is called} */
  String name(int error);
}
