package dev.stretto.flow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What a decoder makes of sources, one after the other, each on a thread of its own. */
final class DecodedSource implements Source {
  /** So many are decoded at a time at most: each has buffers. */
  private static final int MOST = 8;

  private final List<Source> sources;
  private final Decoder decoder;
  private final List<DecoderThread> threads = new ArrayList<>();
  private final List<Long> ends = new ArrayList<>();
  private volatile boolean stopped;

  DecodedSource(List<Source> sources, Decoder decoder) {
    this.sources = sources;
    this.decoder = decoder;
  }

  @Override
  public long size() {
    return -1;
  }

  @Override
  public boolean isPositional() {
    return false;
  }

  @Override
  public long read(long position, MemorySegment into) {
    Objects.requireNonNull(into, "into");
    long done = 0;
    while (done < into.byteSize() && ends.size() < sources.size()) {
      DecoderThread thread = current();
      DecoderThread.Piece piece = thread.piece();
      if (piece == null) {
        synchronized (this) {
          ends.add(position + done);
        }
        continue;
      }
      int some = (int) Math.min(piece.left(), into.byteSize() - done);
      MemorySegment.copy(piece.bytes, piece.next, into, ValueLayout.JAVA_BYTE, done, some);
      done += some;
      thread.taken(piece, some);
    }
    return done;
  }

  /** {@return the thread that decodes what is read now} Those of the next sources run ahead. */
  private synchronized DecoderThread current() {
    int now = ends.size();
    int ahead = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MOST);
    while (threads.size() < Math.min(sources.size(), now + ahead)) {
      if (stopped) {
        throw new FlowException("the decoding of " + sources.get(now) + " was stopped");
      }
      threads.add(new DecoderThread(sources.get(threads.size()), decoder));
    }
    return threads.get(now);
  }

  @Override
  public synchronized long partEnd(long position) {
    for (long end : ends) {
      if (end > position) {
        return end;
      }
    }
    return Long.MAX_VALUE;
  }

  @Override
  public void stop() {
    stopped = true;
    sources.forEach(Source::stop);
    synchronized (this) {
      threads.forEach(DecoderThread::stop);
    }
  }

  @Override
  public void close() {
    stopped = true;
    synchronized (this) {
      threads.forEach(DecoderThread::stop);
    }
    Flow.closeAll(sources);
  }

  @Override
  public String toString() {
    return "what is decoded of "
        + (sources.size() == 1 ? sources.getFirst() : sources.size() + " sources");
  }
}
