package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels are kept in a folder that their user alone can enter, or not at all. */
@Timeout(60)
class KernelFolderTest {
  private static final Logger LOGGER = Logger.getLogger("dev.stretto");
  private static final KernelTarget TARGET = new KernelTarget(80);
  private static final KernelSource SOURCE =
      new KernelSource(
          KernelFolderTest.class.getClassLoader(),
          KernelFolderTest.class.getName().replace('.', '/'),
          "kernel",
          "(Ldev/stretto/kernel/ThreadBlock;Ldev/stretto/memory/GlobalInts;)V",
          Map.of(),
          false);

  @TempDir Path temporary;

  private final List<String> logged = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          logged.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @Kernel
  static void kernel(ThreadBlock block, GlobalInts out) {
    out.set(block.threadIndexX(), 4711);
  }

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void leave() {
    LOGGER.removeHandler(handler);
  }

  private static void get(Path folder) {
    PtxText text = new KernelStore(folder).get(SOURCE, TARGET).ptx();
    assertThat(text).isEqualTo(KernelCompiler.compile(SOURCE, TARGET).ptx());
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static Path kept(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".kernel")).findFirst().orElseThrow();
    }
  }

  private static void make(String... command) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void itIsMadeForItsUserAlone() throws IOException {
    Path folder = temporary.resolve("cache/stretto");
    get(folder);
    assertThat(mode(folder)).isEqualTo("rwx------");
    assertThat(mode(folder.getParent())).isEqualTo("rwx------");
    assertThat(names(folder)).hasSize(2);
    for (String name : names(folder)) {
      assertThat(mode(folder.resolve(name))).as(name).isEqualTo("rw-------");
    }
    assertThat(logged).isEmpty();
  }

  @Test
  void oneOfAnEarlierVersionIsClosedToOthers() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("cache"));
    Files.writeString(folder.resolve("saxpy-1234.kernel"), "of an earlier version");
    mode(folder, "rwxr-xr-x");
    get(folder);
    assertThat(mode(folder)).isEqualTo("rwx------");
    assertThat(names(folder)).hasSize(3);
    assertThat(logged).isEmpty();
  }

  @Test
  void oneThatHoldsOtherFilesIsLeftAsItIs() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("home"));
    Files.writeString(folder.resolve("letter"), "");
    mode(folder, "rwxr-xr-x");
    isNotUsed(folder, "is open to others (rwxr-xr-x) and holds other files, such as letter");
    assertThat(mode(folder)).isEqualTo("rwxr-xr-x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwx---", "rwxrwxrwx", "rwx----w-", "rwx-w----"})
  void oneThatOthersMayWriteIsNotUsed(String mode) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("cache"));
    get(folder);
    mode(folder, mode);
    byte[] before = Files.readAllBytes(kept(folder));
    Files.write(kept(folder), new byte[10]);
    isNotUsed(folder, "is writable by others (" + mode + ")");
    assertThat(before).hasSizeGreaterThan(10);
  }

  @Test
  void oneOfSomebodyElseIsNotUsed() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("cache"));
    if (Files.getOwner(folder).getName().equals("root")) {
      mode(folder, "rwx------");
      Files.setAttribute(folder, "unix:uid", 12_345);
      isNotUsed(folder, "belongs to 12345, not to the user of this process");
    } else {
      isNotUsed(Path.of("/usr/lib"), "belongs to root");
    }
  }

  @Test
  void aLinkIsNotUsed() throws IOException {
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    mode(elsewhere, "rwx------");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), elsewhere);
    isNotUsed(link, link + " is a link");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void aPipeOrAFileIsNotUsed() throws IOException, InterruptedException {
    Path pipe = temporary.resolve("pipe");
    make("mkfifo", pipe.toString());
    isNotUsed(pipe, pipe + " is not a folder");
    Path file = Files.writeString(temporary.resolve("file"), "");
    isNotUsed(file, file + " is not a folder");
    isNotUsed(file.resolve("below"), file.toString());
  }

  @Test
  void aRelativePathIsNotUsed() {
    isNotUsed(Path.of("cache"), "is not an absolute path");
    isNotUsed(Path.of(""), "is not an absolute path");
    isNotUsed(Path.of("/"), "is not an absolute path of a folder");
  }

  /** Kernels are compiled all the same, and one line says why they are not kept. */
  private void isNotUsed(Path folder, String why) {
    logged.clear();
    List<String> before = below(folder);
    get(folder);
    get(folder);
    assertThat(below(folder)).isEqualTo(before);
    assertThat(logged).hasSize(1);
    assertThat(logged.getFirst()).contains("compiled kernels are not kept", why);
  }

  private static List<String> below(Path folder) {
    try {
      return Files.isDirectory(folder) ? names(folder) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatIsNoRegularFileIsReplacedAndNotOpened() throws IOException, InterruptedException {
    Path folder = temporary.resolve("cache");
    get(folder);
    for (String name : names(folder)) {
      Path file = folder.resolve(name);
      Files.delete(file);
      make("mkfifo", file.toString());
      get(folder);
      get(folder);
      assertThat(file).isRegularFile();
      for (String target : List.of("/dev/zero", "/dev/stdin", "/nowhere", "/etc/passwd")) {
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of(target));
        get(folder);
        assertThat(Files.isSymbolicLink(file)).as("%s, a link to %s", name, target).isFalse();
        assertThat(file).isRegularFile();
      }
    }
    assertThat(logged).isEmpty();
  }

  @Test
  void aFileThatIsTooLargeIsReplacedAndNotRead() throws IOException {
    Path folder = temporary.resolve("cache");
    get(folder);
    for (String name : names(folder)) {
      try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
        file.setLength(1L << 40);
      }
      get(folder);
      assertThat(folder.resolve(name).toFile().length()).isLessThan(1 << 20);
    }
    assertThat(logged).isEmpty();
  }

  @Test
  void aFolderInThePlaceOfAFileCostsTimeOnly() throws IOException {
    Path folder = temporary.resolve("cache");
    get(folder);
    Path file = kept(folder);
    Files.delete(file);
    Files.createDirectory(file);
    get(folder);
    get(folder);
    assertThat(logged).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw-rw----", "rw----r--"})
  void aKeyThatOthersHaveSeenIsReplaced(String mode) throws IOException {
    Path folder = temporary.resolve("cache");
    get(folder);
    Path key = folder.resolve("key");
    byte[] before = Files.readAllBytes(key);
    mode(key, mode);
    get(folder);
    assertThat(Files.readAllBytes(key)).hasSize(32).isNotEqualTo(before);
    assertThat(mode(key)).isEqualTo("rw-------");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 33})
  void aKeyThatWasCutOffIsReplaced(int length) throws IOException {
    Path folder = temporary.resolve("cache");
    get(folder);
    Files.write(folder.resolve("key"), new byte[length]);
    get(folder);
    assertThat(Files.readAllBytes(folder.resolve("key"))).hasSize(32).isNotEqualTo(new byte[32]);
  }

  @Test
  void whatACrashHasLeftIsDeletedInTheEnd() throws IOException {
    Path folder = temporary.resolve("cache");
    get(folder);
    Path old = Files.write(folder.resolve("new-12ab.tmp"), new byte[100]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    Path young = Files.write(folder.resolve("new-34cd.tmp"), new byte[100]);
    Files.delete(kept(folder));
    get(folder);
    assertThat(old).doesNotExist();
    assertThat(young).as("it may be another process that is writing it").exists();
  }

  @Test
  void theOldestGoWhereThereAreThousands() throws IOException {
    Path folder = temporary.resolve("cache");
    get(folder);
    Files.delete(kept(folder));
    Instant start = Instant.now().minus(Duration.ofDays(1));
    for (int i = 0; i < 4_096; i++) {
      Path file = Files.createFile(folder.resolve("old-" + i + ".kernel"));
      Files.setLastModifiedTime(file, FileTime.from(start.plusSeconds(i)));
    }
    get(folder);
    assertThat(names(folder)).hasSize(3_072 + 1).contains("key", "old-4095.kernel");
    assertThat(names(folder)).doesNotContain("old-0.kernel", "old-1023.kernel");
    assertThat(names(folder)).anyMatch(name -> name.startsWith("kernel-"));
  }

  // --- processes
  // ----------------------------------------------------------------------------------

  private record Ran(String output, List<String> written) {}

  /** Launches a kernel in a process of its own, in a working directory that is empty before. */
  private Ran run(String shell, Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory(temporary, "work");
    List<String> command = new ArrayList<>(List.of("sh", "-c", shell + " exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(KeepingProgram.class.getName());
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().remove("XDG_CACHE_HOME");
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output).contains("4711");
    return new Ran(output, names(directory));
  }

  @ParameterizedTest
  @CsvSource({
    "'', -Duser.home=?, the home folder is '?'",
    "'', -Duser.home=, the home folder is ''",
    "cache, -Dnothing, $XDG_CACHE_HOME is 'cache'",
    "., -Dnothing, $XDG_CACHE_HOME is '.'"
  })
  void nothingIsWrittenToTheWorkingDirectory(String cache, String option, String why)
      throws Exception {
    Ran ran = run("", cache.isEmpty() ? Map.of() : Map.of("XDG_CACHE_HOME", cache), option);
    assertThat(ran.written()).isEmpty();
    assertThat(ran.output()).containsOnlyOnce("compiled kernels are not kept").contains(why);
  }

  @Test
  void theUsersCacheFolderIsUsed() throws Exception {
    Path cache = temporary.resolve("cache with a space");
    Ran ran = run("", Map.of("XDG_CACHE_HOME", cache.toString()));
    assertThat(ran.output()).doesNotContain("not kept");
    assertThat(names(cache.resolve("stretto"))).hasSize(2);
    run("", Map.of(), "-Duser.home=" + temporary);
    assertThat(names(temporary.resolve(".cache/stretto"))).hasSize(2);
  }

  @Test
  void aHomeThatCannotBeWrittenCostsALine() throws Exception {
    Ran ran = run("", Map.of(), "-Duser.home=/proc");
    assertThat(ran.output()).containsOnlyOnce("compiled kernels are not kept").contains("/proc");
  }

  @Test
  void aFullDiskCostsALineAndLeavesNothing() throws Exception {
    Path cache = temporary.resolve("cache");
    Ran ran = run("ulimit -f 0;", Map.of(), "-Ddev.stretto.cache=" + cache);
    assertThat(ran.output()).containsOnlyOnce("compiled kernels are not kept");
    assertThat(cache).isEmptyDirectory();
  }

  @Test
  void switchedOffItLeavesNothingAndSaysNothing() throws Exception {
    Ran ran = run("", Map.of(), "-Ddev.stretto.cache=off");
    assertThat(ran.output().strip()).isEqualTo("4711");
    assertThat(ran.written()).isEmpty();
  }
}
