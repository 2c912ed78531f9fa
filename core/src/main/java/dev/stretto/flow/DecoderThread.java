package dev.stretto.flow;

import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Decodes one source, a few pieces ahead of those who take them. */
final class DecoderThread {
  /** Some decoded bytes. */
  static final class Piece {
    final byte[] bytes = new byte[PIECE];
    int next;
    int end;

    int left() {
      return end - next;
    }
  }

  private static final int PIECE = 256 << 10;
  private static final int PIECES = 8;

  private final Source source;
  private final Decoder decoder;
  private final BlockingQueue<Piece> empty = new ArrayBlockingQueue<>(PIECES);
  private final BlockingQueue<Piece> full = new ArrayBlockingQueue<>(PIECES + 1);
  private final Thread thread;
  private @Nullable Piece current;
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;
  private volatile boolean ended;

  DecoderThread(Source source, Decoder decoder) {
    this.source = source;
    this.decoder = decoder;
    for (int i = 0; i < PIECES; i++) {
      empty.add(new Piece());
    }
    this.thread = Thread.ofPlatform().daemon().name("stretto-decoder").start(this::run);
  }

  private void run() {
    SourceStream encoded = new SourceStream(source);
    try (InputStream decoded =
        Objects.requireNonNull(decoder.decode(encoded), "the stream of a decoder")) {
      boolean isMore = true;
      while (isMore) {
        Piece piece = empty.take();
        piece.next = 0;
        piece.end = decoded.readNBytes(piece.bytes, 0, PIECE);
        isMore = piece.end == PIECE;
        full.put(piece);
      }
    } catch (Throwable e) { // the program's decoder may throw anything; the reader throws it on
      failure = e;
    } finally {
      ended = true;
    }
  }

  /**
   * {@return the next bytes; null at the end} Waits for them.
   *
   * @throws FlowException if they cannot be decoded, or the flow has been stopped
   */
  @Nullable Piece piece() {
    Piece piece = current;
    while (piece == null || piece.left() == 0) {
      if (piece != null) {
        boolean _ = empty.offer(piece);
      }
      piece = next();
      current = piece;
      if (piece == null) {
        return null;
      }
    }
    return piece;
  }

  private @Nullable Piece next() {
    while (true) {
      boolean isLast = ended;
      Piece piece = poll(isLast ? 0 : 1);
      if (piece != null) {
        return piece;
      }
      if (stopped) {
        throw new FlowException("the decoding of " + source + " was stopped");
      }
      if (isLast) {
        Throwable cause = failure;
        if (cause == null) {
          return null;
        }
        throw cause instanceof FlowException e
            ? e
            : new FlowException(source + " cannot be decoded: " + cause, cause);
      }
    }
  }

  private @Nullable Piece poll(int millis) {
    try {
      return full.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FlowException("interrupted while " + source + " was decoded", e);
    }
  }

  /** Notes that some bytes of a piece were taken. */
  void taken(Piece piece, int bytes) {
    piece.next += bytes;
  }

  /** Makes it return soon. */
  void stop() {
    stopped = true;
    if (!ended) {
      thread.interrupt();
    }
  }
}
