package dev.stretto.bindings;

import java.util.List;

/** A library that does the jobs, in one way or several, with memory on a device that it holds. */
interface Library extends AutoCloseable {
  List<Way<WholeArrays>> wholeArrays();

  List<Way<Pipeline>> pipelines();

  List<Way<FileSum>> fileSums();

  List<Way<Submission>> submissions();

  /** Pinned copies: what the link can do. Empty if the library need not say that. */
  List<Way<PinnedCopies>> pinnedCopies();

  /** Overwrites the device's memory, so that no way finds what another has left there. */
  void clear();

  @Override
  void close();
}
