package dev.stretto.bench.turns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.function.Function;

/** What another process asks for, one request a line, so that the two can take turns. */
public final class Requests {
  private Requests() {}

  /**
   * Answers requests until there are no more. One that fails is answered with {@code failed}, and
   * the others have their turn.
   *
   * @param requests words separated by a space, one request a line
   * @param out receives the answers, one a line
   * @param answer turns the words of a request into a JSON object
   * @throws UncheckedIOException if the requests cannot be read
   */
  public static void answer(Reader requests, PrintStream out, Function<String[], String> answer) {
    try (BufferedReader lines = new BufferedReader(requests)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(answerTo(line, answer));
        out.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String answerTo(String line, Function<String[], String> answer) {
    try {
      return answer.apply(line.split(" "));
    } catch (RuntimeException e) {
      String reason = e.toString().replaceAll("[\\p{Cntrl}\"\\\\]", " ");
      return "{\"failed\":\"" + reason + "\"}";
    }
  }
}
