package dev.stretto.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The session with a debugger that the guide shows: jdb gets its commands, and prints its lines.
 */
class DebuggingPageTest {
  private static final String NAME = "dev.stretto.examples.DebuggedSum";
  private static final String PAGE = "docs/guide/debugging.md";

  /** What is typed begins with the prompt: a greater-than sign, or a thread's name. */
  private static final Pattern TYPED = Pattern.compile("(?:> |\\S+\\[1] )(.+)");

  @Test
  void theSessionIsAsShown() throws Exception {
    List<String> session = session();
    Process jdb =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jdb").toString(),
                "-classpath",
                placeOf(DebuggedSum.class) + File.pathSeparator + DocumentsTest.placeOfCore(),
                NAME)
            .redirectErrorStream(true)
            .start();
    // If a line does not come, the failure shows what came instead.
    jdb.onExit().orTimeout(80, TimeUnit.SECONDS).exceptionally(_ -> stopped(jdb));
    try (Writer typing = jdb.outputWriter(UTF_8);
        Reader printed = jdb.inputReader(UTF_8)) {
      StringBuilder unread = new StringBuilder();
      for (String line : session) {
        var typed = TYPED.matcher(line);
        if (typed.matches()) {
          typing.write(typed.group(1) + "\n");
          typing.flush();
        } else {
          readUntil(pattern(line), printed, unread);
        }
      }
    } finally {
      jdb.destroy();
      assertThat(jdb.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Process stopped(Process process) {
    // What it started goes first: then it prints why it ends, and its stream ends by itself.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    return process;
  }

  private static void readUntil(Pattern line, Reader printed, StringBuilder unread)
      throws IOException {
    var found = line.matcher(unread);
    while (!found.find()) {
      int next = printed.read();
      assertThat(next).as("jdb prints %s after%n%s", line, unread).isNotNegative();
      unread.append((char) next);
      found = line.matcher(unread);
    }
    unread.delete(0, found.end());
  }

  private static Pattern pattern(String line) {
    return Pattern.compile(
        Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(joining(".*")));
  }

  /** {@return the lines of the page's session, without its first one, which starts jdb} */
  private static List<String> session() {
    return DocumentsTest.blocksOf(PAGE).stream()
        .map(DocumentsTest.Block::lines)
        .filter(lines -> lines.getFirst().startsWith("$ jdb "))
        .map(lines -> lines.subList(1, lines.size()))
        .findFirst()
        .orElseThrow();
  }

  private static String placeOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
