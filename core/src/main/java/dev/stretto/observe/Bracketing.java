package dev.stretto.observe;

import dev.stretto.route.OpenStream;
import dev.stretto.route.TimedMark;
import org.jspecify.annotations.Nullable;

/** Listens with two marks of each operation, and passes it on to an observer of the program. */
public interface Bracketing extends Listener {
  /**
   * Called when an operation was enqueued.
   *
   * @param stream the stream of the operation
   * @param work the operation
   * @param begin reached when all earlier operations are done; the listener closes it
   * @param end reached when the operation is done; the listener closes it
   * @param hostNanos the time of the enqueue, by {@link System#nanoTime()}
   */
  void enqueued(OpenStream stream, Work work, TimedMark begin, TimedMark end, long hostNanos);

  /**
   * Called when an operation was enqueued but its end could not be marked.
   *
   * @param stream the stream of the operation
   * @param work the operation
   * @param cause the exception that refused the mark
   */
  void missed(OpenStream stream, Work work, RuntimeException cause);

  @Override
  default Begun begin(OpenStream stream) {
    return new Bracket(this, stream.recordTimed());
  }

  /** The two marks of an operation. */
  final class Bracket implements Begun {
    private final Bracketing listener;
    private final TimedMark begin;
    private @Nullable ObservedEnd end;

    private Bracket(Bracketing listener, TimedMark begin) {
      this.listener = listener;
      this.begin = begin;
    }

    @Override
    public Listener listener() {
      return listener;
    }

    @Override
    public void end(OpenStream stream) {
      end = ObservedEnd.record(stream);
    }

    @Override
    public void report(OpenStream stream, Work work, long hostNanos) {
      ObservedEnd ended = end;
      TimedMark mark = ended == null ? null : ended.event();
      if (ended != null && mark != null) {
        listener.enqueued(stream, work, begin, mark, hostNanos);
        return;
      }
      begin.close();
      work.nodes().forEach(NodeMarks::close);
      if (ended != null) {
        listener.missed(stream, work, ended.refusal());
      }
    }

    @Override
    public void letGo() {
      begin.close();
      if (end != null) {
        end.close();
      }
    }
  }
}
