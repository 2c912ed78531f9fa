package dev.stretto.timeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/** Writes JSON from a sequence of calls, with commas in the right places. */
final class JsonText {
  private final Appendable out;
  private boolean comma;
  private boolean newLine;

  JsonText(Appendable out) {
    this.out = out;
  }

  JsonText beginObject() {
    return open('{');
  }

  JsonText endObject() {
    return close('}');
  }

  JsonText beginArray() {
    return open('[');
  }

  JsonText endArray() {
    return close(']');
  }

  /** Writes the name of the next value. */
  JsonText name(String name) {
    separate();
    quote(name);
    raw(":");
    comma = false;
    return this;
  }

  JsonText value(String text) {
    separate();
    quote(text);
    return this;
  }

  JsonText value(long number) {
    separate();
    raw(Long.toString(number));
    return this;
  }

  JsonText value(boolean is) {
    separate();
    raw(is ? "true" : "false");
    return this;
  }

  /** A number with three decimals, as microseconds have that come from nanoseconds. */
  JsonText thousandths(long number) {
    separate();
    long positive = Math.abs(number);
    long decimals = positive % 1000;
    raw(number < 0 ? "-" : "");
    raw(Long.toString(positive / 1000));
    raw(decimals < 10 ? ".00" : decimals < 100 ? ".0" : ".");
    raw(Long.toString(decimals));
    return this;
  }

  /** Puts the next value on a new line, for human readers of the file. */
  JsonText line() {
    newLine = true;
    return this;
  }

  private JsonText open(char bracket) {
    separate();
    raw(String.valueOf(bracket));
    comma = false;
    return this;
  }

  private JsonText close(char bracket) {
    raw(String.valueOf(bracket));
    comma = true;
    return this;
  }

  private void separate() {
    if (comma) {
      raw(",");
    }
    if (newLine) {
      raw("\n");
    }
    comma = true;
    newLine = false;
  }

  private void quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        // Characters below a space as JSON demands; "<" so that the text may be part of a page's
        // script.
        case '<' -> escape(quoted, c);
        default -> {
          if (c < ' ' || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
            escape(quoted, c);
          } else {
            quoted.append(c);
          }
        }
      }
    }
    raw(quoted.append('"'));
  }

  private static void escape(StringBuilder quoted, char c) {
    quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
  }

  private void raw(CharSequence text) {
    try {
      out.append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
