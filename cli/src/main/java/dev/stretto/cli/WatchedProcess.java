package dev.stretto.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs as a child of this process, and ends with it, and whose Java programs get
 * options for their JVMs.
 */
final class WatchedProcess implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_MILLIS = 10;
  private static final String OPTIONS = "JAVA_TOOL_OPTIONS";

  private @Nullable Process process;
  private boolean closed;

  /**
   * Starts it, unless this process is already ending.
   *
   * @param command the words of the command
   * @param options of the JVM
   * @param console is flushed before
   * @return the process
   * @throws CommandFailure if it cannot be run
   */
  Process start(List<String> command, List<String> options, Console console) {
    List<String> words = new ArrayList<>(command);
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    if (isJava(words.getFirst())) {
      words.addAll(1, options);
    } else {
      // Every Java program that the command starts reads its options from there, and prints a line
      // that says so.
      String all = options.stream().map(WatchedProcess::quoted).collect(Collectors.joining(" "));
      builder.environment().merge(OPTIONS, all, (before, added) -> before + " " + added);
    }
    console.flush();
    try {
      return start(builder);
    } catch (IOException e) {
      throw new CommandFailure(command.getFirst() + " cannot be run: " + e.getMessage(), e);
    }
  }

  /** Quotes an option the way the JVM splits its options, since it may contain spaces. */
  private static String quoted(String option) {
    return '"' + option.replace("\"", "\"'\"'\"") + '"';
  }

  private static boolean isJava(String program) {
    Path name = Path.of(program).getFileName();
    return name != null && name.toString().equals("java");
  }

  private synchronized Process start(ProcessBuilder builder) throws IOException {
    if (closed) {
      throw new IOException("this process is already ending");
    }
    Process started = builder.start();
    process = started;
    return started;
  }

  @Override
  public void close() {
    end();
  }

  /**
   * Asks the command, and the processes that it has started, to end; kills them after some seconds.
   * If the command has ended by itself, processes that it left running stay.
   */
  synchronized void end() {
    closed = true;
    Process started = process;
    if (started == null || !started.isAlive()) {
      return;
    }
    List<ProcessHandle> all = new ArrayList<>(started.descendants().toList());
    all.add(started.toHandle());
    all.forEach(ProcessHandle::destroy);
    long start = System.nanoTime();
    try {
      while (all.stream().anyMatch(ProcessHandle::isAlive)
          && System.nanoTime() - start < PATIENCE_NANOS) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the wait is over
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
