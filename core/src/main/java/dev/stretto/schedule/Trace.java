package dev.stretto.schedule;

import dev.stretto.driver.virtual.Choice;
import dev.stretto.driver.virtual.Choices;
import dev.stretto.driver.virtual.VirtualConfig;
import java.util.List;
import java.util.Objects;

/**
 * What happened on seeded devices, in order: the choices of a seed, written down. Its text is one
 * line, such as
 *
 * <pre>{@code
 * h200,seed=7: upload.copy1*2 compute.fill1-3 host.task1 compute.launch1@upload.copy2
 * }</pre>
 *
 * <p>First come the words of the devices' name. Then two pieces of the first copy on the stream
 * {@code upload} ran, three fills on {@code compute}, a task of the host (a callback, say), and a
 * launch; the last within the call that enqueued another copy, and all others while the program
 * waited. A stream without a name is called {@code s1}, {@code s2} and so on, in the order in which
 * they were made; with several devices, the device's number comes before it, as in {@code 1:s2}.
 *
 * <p>Operations have names rather than numbers of choices, so that a trace is good for a program
 * that has changed elsewhere.
 */
public final class Trace {
  private final String words;
  private final List<Choice> choices;

  Trace(String words, List<Choice> choices) {
    this.words = words;
    this.choices = List.copyOf(choices);
  }

  /**
   * {@return the trace that a text describes}
   *
   * @param text what {@link #toString()} has returned
   * @throws IllegalArgumentException if it is no such text
   */
  public static Trace parse(String text) {
    Objects.requireNonNull(text, "text");
    int colon = text.indexOf(": ");
    if (colon < 0 && text.strip().endsWith(":")) {
      colon = text.lastIndexOf(':');
    }
    if (colon < 0) {
      throw new IllegalArgumentException(
          "'%s' is no trace: one begins like 'h200,seed=7: '".formatted(text));
    }
    String words = text.substring(0, colon).strip();
    if (VirtualConfig.parse(words).seed().isEmpty()) {
      throw new IllegalArgumentException(
          "'%s' is no trace: '%s' has no seed=N".formatted(text, words));
    }
    return new Trace(words, Choices.parse(text.substring(colon + 1)));
  }

  /** {@return the words of the devices' name, such as {@code h200x2,seed=7}} */
  public String words() {
    return words;
  }

  /** {@return how many pieces of operations and tasks ran} */
  public int length() {
    return choices.size();
  }

  /**
   * {@return in how many turns they ran: how often another stream's turn came, and one} A trace in
   * which nothing ran has none.
   */
  public int turns() {
    int turns = 0;
    String stream = "";
    for (Choice choice : choices) {
      turns += choice.op().stream().equals(stream) ? 0 : 1;
      stream = choice.op().stream();
    }
    return turns;
  }

  /** {@return how many of them ran within a call that enqueued, before the program went on} */
  public int early() {
    return (int) choices.stream().filter(choice -> choice.within() != null).count();
  }

  List<Choice> choices() {
    return choices;
  }

  /** {@return the same program's trace with other choices} */
  Trace with(List<Choice> others) {
    return new Trace(words, others);
  }

  /** {@return a picture: a column for each stream, a line for each turn, from top to bottom} */
  public String picture() {
    return Picture.of(choices, List.of());
  }

  /** {@return whether the other object is a trace of the same devices with the same choices} */
  @Override
  public boolean equals(Object other) {
    return other instanceof Trace trace
        && trace.words.equals(words)
        && trace.choices.equals(choices);
  }

  /** {@return a hash code that fits {@link #equals}} */
  @Override
  public int hashCode() {
    return 31 * words.hashCode() + choices.hashCode();
  }

  /** {@return its text, from which {@link #parse} makes it again} */
  @Override
  public String toString() {
    return words + ": " + Choices.print(choices);
  }
}
