package dev.stretto.cli.doctor;

import java.util.Locale;

/**
 * What a check found.
 *
 * @param level how bad it is
 * @param check what was checked, in a word
 * @param what what is so, in a clause
 * @param remedy what to do; empty if nothing needs to be done
 */
public record Finding(Level level, String check, String what, String remedy) {
  /** How bad a finding is. */
  public enum Level {
    /** All is well. */
    OK,
    /** Copies work, but slower or less often than they could. */
    WARN,
    /** GPUs cannot be used. */
    BAD;

    /** {@return the word that users see} */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Finding ok(String check, String what) {
    return new Finding(Level.OK, check, what, "");
  }

  static Finding warn(String check, String what, String remedy) {
    return new Finding(Level.WARN, check, what, remedy);
  }

  static Finding bad(String check, String what, String remedy) {
    return new Finding(Level.BAD, check, what, remedy);
  }
}
