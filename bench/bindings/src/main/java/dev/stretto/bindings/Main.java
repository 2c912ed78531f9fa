package dev.stretto.bindings;

import dev.stretto.Device;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/**
 * Runs jobs with one library: {@code [--device NAME] [--bytes N] [--rounds N] [--file PATH] LIBRARY
 * [JOB…]}. Prints one JSON object per line; {@code bench/bindings.sh} runs it for each library in
 * turn.
 */
public final class Main {
  private Main() {}

  /**
   * Runs jobs. Ends with 1 if the library cannot be loaded, or if a job fails or computes a wrong
   * result.
   *
   * @param arguments as above; all jobs by default
   */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out, System.err));
  }

  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    return run(Options.of(arguments), Main::open, out, err);
  }

  static int run(
      Options options, Function<Options, Library> libraries, PrintStream out, PrintStream err) {
    Lines lines = new Lines(out, options.library());
    String doing = "load";
    try (Library library = libraries.apply(options)) {
      for (String job : options.jobs()) {
        doing = job;
        run(job, library, options, lines);
      }
      return 0;
    } catch (RuntimeException | LinkageError e) {
      // A library may be missing, or not match the driver. The script runs the others all the same.
      Throwable cause = origin(e);
      lines.error(doing, cause.toString());
      err.println(
          options.library()
              + ", "
              + doing
              + ": "
              + cause.toString().lines().findFirst().orElse(""));
      return 1;
    }
  }

  private static Throwable origin(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof ExceptionInInitializerError && cause != null ? cause : failure;
  }

  private static Library open(Options options) {
    long bytes = options.bytes();
    return switch (options.library()) {
      case "jcuda" -> new BoundLibrary(new JCudaBinding(bytes), bytes);
      case "javacpp" -> new BoundLibrary(new JavaCppBinding(bytes), bytes);
      case "lwjgl" -> new BoundLibrary(new LwjglBinding(bytes), bytes);
      default -> new StrettoLibrary(Device.open(options.device()), bytes);
    };
  }

  private static void run(String job, Library library, Options options, Lines lines) {
    LargeJobs large = new LargeJobs(library, lines, options.bytes(), options.rounds());
    SmallJobs small = new SmallJobs(library, lines, options.rounds());
    switch (job) {
      case "pinned" -> large.pinned();
      case "arrays" -> large.arrays();
      case "pipeline" -> large.pipelines();
      case "copies" -> small.copies();
      case "submit" -> small.submissions();
      case "file" -> large.fileSums(options.file());
      default -> throw new IllegalStateException(job);
    }
  }
}
