package dev.stretto.cli;

import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** Bytes to encrypt, and where they go: of a file to a file, or of memory to memory. */
interface Work extends AutoCloseable {
  /** How many bytes there are. */
  long size();

  /** What the bytes are, for people. */
  String describe();

  /**
   * Prepares what a mode needs, none of which is measured. The output of the mode before is gone
   * then.
   *
   * @param isLast whether no other mode comes behind it
   */
  void begin(Mode mode, boolean isLast);

  /** Opens both ends for chunks one after the other. */
  Steps steps(long chunkBytes);

  /** Where a flow reads. */
  Source source();

  /** Where a flow writes. */
  Sink sink();

  /** Requires that the bytes are still those of the beginning. */
  void requireUnchanged();

  /** The first position where the output is not what the JDK's cipher makes of the input. */
  OptionalLong firstDifference(Secret secret);

  /** The bytes per second of a part of a flow if nothing else runs. */
  double alone(Part part, Encryption encryption);

  /** Called when the output of the last mode was found right: where it was to go, it goes now. */
  void complete();

  /** Releases everything; output that is not complete is gone. */
  @Override
  void close();

  /** Both ends of chunks that are encrypted one after the other. */
  interface Steps extends AutoCloseable {
    /** The bytes of a chunk. */
    MemorySegment in(long position, long bytes);

    /** Where the chunk's encrypted bytes have to be: perhaps in place of the others. */
    MemorySegment out(long position, long bytes);

    /** Called when they are there. */
    void done(long position, long bytes);

    @Override
    void close();
  }
}
