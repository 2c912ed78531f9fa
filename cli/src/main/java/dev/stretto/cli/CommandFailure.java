package dev.stretto.cli;

import org.jspecify.annotations.Nullable;

/** Thrown when a command cannot do what it was asked to; the message is the line that users see. */
final class CommandFailure extends RuntimeException {
  static final int WRONG_COMMAND_LINE = 2;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(String message) {
    this(message, null);
  }

  CommandFailure(String message, @Nullable Throwable cause) {
    this(message, cause, Main.FAILED);
  }

  private CommandFailure(String message, @Nullable Throwable cause, int exitCode) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** A failure of the command line itself, whatever the machine. */
  static CommandFailure wrongCommandLine(String message) {
    return new CommandFailure(message, null, WRONG_COMMAND_LINE);
  }

  int exitCode() {
    return exitCode;
  }
}
