package dev.stretto.enqueue;

/** When the source of a copy may be read; {@code dev.stretto.SourceAccess} is the public form. */
public enum SourceReading {
  /** In the order of the stream. */
  STREAM_ORDER,
  /** During the call. */
  DURING_CALL,
  /** At any time from the call to the end of the copy. */
  ANY;

  /** The most bytes that are read during a call. */
  public static final int DURING_CALL_BYTES = 1 << 20;
}
