package dev.stretto.cli;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Gives the command files with faults: class files, jars and sources to {@code explain}, and
 * anything to {@code overlap}. Prints what was neither taken nor refused in one line. A process of
 * its own, in which there is no assembler.
 */
final class MutatedFilesProgram {
  private static final String NAME = ExplainedKernels.class.getName().replace('.', '/');
  private static final String FAULTY = "f" + NAME.substring(1);
  private static final Pattern RAW = Pattern.compile("^stretto: \\w*(Exception|Error)\\b.*");
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MOST_BYTES = 256L << 20;

  /** A second of a machine that has other things to do is measured again. */
  private static final int ATTEMPTS = 10;

  private static final int SHOWN = 5;

  private final Path folder;
  private final byte[] classFile;
  private final byte[] jar;
  private int wrong;
  private int taken;
  private long slowest;
  private long largest;

  private MutatedFilesProgram(Path folder) throws IOException {
    this.folder = folder;
    this.classFile = classFile();
    Path file = folder.resolve("right.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry(FAULTY + ".class"));
      zip.write(classFile);
    }
    this.jar = Files.readAllBytes(file);
  }

  /** A class of another name, of the same length, which is not on the command's own class path. */
  private static byte[] classFile() throws IOException {
    try (InputStream in =
        MutatedFilesProgram.class.getClassLoader().getResourceAsStream(NAME + ".class")) {
      byte[] bytes = in.readAllBytes();
      byte[] name = NAME.getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i + name.length <= bytes.length; i++) {
        if (Arrays.equals(bytes, i, i + name.length, name, 0, name.length)) {
          bytes[i] = 'f';
        }
      }
      return bytes;
    }
  }

  /**
   * Runs.
   *
   * @param arguments a folder, the first seed, and how many
   */
  public static void main(String[] arguments) throws IOException {
    MutatedFilesProgram program = new MutatedFilesProgram(Path.of(arguments[0]));
    long first = Long.parseLong(arguments[1]);
    long files = Long.parseLong(arguments[2]);
    long start = System.nanoTime();
    for (long seed = first; seed < first + files && program.wrong < SHOWN; seed++) {
      program.run(seed);
    }
    System.out.printf(
        "%d mutated files given to the command: %d taken, the others refused; %.1f s in all, the"
            + " slowest %d ms, the largest %d KiB%n",
        files,
        program.taken,
        (System.nanoTime() - start) / 1e9,
        program.slowest / 1_000_000,
        program.largest >> 10);
    System.exit(program.wrong == 0 ? 0 : 1);
  }

  private void run(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> line = line(random);
    Ran ran = null;
    long nanos = Long.MAX_VALUE;
    long bytes = 0;
    String thrown = "";
    for (int i = 0; i < ATTEMPTS && nanos > MOST_NANOS; i++) {
      long before = allocated();
      long start = System.nanoTime();
      try {
        ran = Ran.stretto(line.toArray(String[]::new));
      } catch (RuntimeException | Error e) {
        thrown = e.toString();
      }
      nanos = System.nanoTime() - start;
      bytes = allocated() - before;
    }
    slowest = Math.max(slowest, nanos);
    largest = Math.max(largest, bytes);
    taken += ran != null && ran.exitCode() == 0 ? 1 : 0;
    boolean right =
        ran != null
            && thrown.isEmpty()
            && nanos <= MOST_NANOS
            && bytes <= MOST_BYTES
            && (ran.exitCode() == 0
                ? ran.err().isEmpty()
                : ran.err().lines().count() == 1 && !RAW.matcher(ran.err().strip()).matches());
    if (!right) {
      wrong++;
      System.out.printf(
          "-Dstretto.fuzz.seed=%d: %s: %s%s %d ms, %d KiB%n",
          seed, line, thrown, ran, nanos / 1_000_000, bytes >> 10);
    }
  }

  /** Writes a file with faults, and a command line that names it. */
  private List<String> line(SplittableRandom random) throws IOException {
    Path file = folder.resolve("mutated");
    String kernel = FAULTY.replace('/', '.') + "::scale";
    List<String> line = new ArrayList<>(List.of("explain", kernel, "--arch", "sm_80"));
    switch (random.nextInt(6)) {
      case 0 -> {
        Files.write(file, mutated(jar, random));
        line.addAll(List.of("-cp", file.toString()));
      }
      case 1 -> {
        byte[] any = new byte[random.nextInt(2_000)];
        random.nextBytes(any);
        Files.write(file, any);
        line.addAll(List.of("--source", file.toString(), "-cp", folder.resolve("right.jar") + ""));
      }
      case 2 -> {
        byte[] any = new byte[random.nextInt(500)];
        random.nextBytes(any);
        Files.write(file, any);
        return List.of("overlap", file.toString(), "--mode", "sync", "--device", "virtual");
      }
      default -> {
        Path at = folder.resolve("classes/" + FAULTY + ".class");
        Files.createDirectories(at.getParent());
        Files.write(at, mutated(classFile, random));
        line.addAll(List.of("-cp", folder.resolve("classes").toString()));
      }
    }
    return line;
  }

  private static byte[] mutated(byte[] right, SplittableRandom random) {
    byte[] file = right.clone();
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && file.length > 0; i++) {
      int at = random.nextInt(file.length);
      switch (random.nextInt(6)) {
        case 0 -> file[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> file[at] = (byte) random.nextInt();
        case 2 -> file = Arrays.copyOf(file, at);
        case 3 -> Arrays.fill(file, at, Math.min(file.length, at + 4), (byte) -1);
        case 4 -> Arrays.fill(file, at, Math.min(file.length, at + random.nextInt(32)), (byte) 0);
        default -> {
          int to = random.nextInt(file.length);
          int length = random.nextInt(Math.min(64, file.length - Math.max(at, to)) + 1);
          System.arraycopy(file, at, file, to, length);
        }
      }
    }
    return file;
  }

  private static long allocated() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
        ? threads.getCurrentThreadAllocatedBytes()
        : 0;
  }
}
