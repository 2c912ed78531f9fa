package dev.stretto.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** What a run of the command, in this process, came to. */
record Ran(int exitCode, String out, String err) {
  private static final int WIDTH = 80;

  static Ran stretto(String... arguments) {
    return stretto(StandardCharsets.UTF_8, arguments);
  }

  static Ran stretto(Charset charset, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new PrintStream(out, true, charset), new PrintStream(err, true, charset), WIDTH, 0);
    int exitCode = Main.run(console, arguments);
    return new Ran(exitCode, out.toString(charset), err.toString(charset));
  }

  JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out);
  }
}
