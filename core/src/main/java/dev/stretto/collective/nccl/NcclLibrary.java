package dev.stretto.collective.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The library of this process: looked for once, and never unloaded. */
public final class NcclLibrary {
  /** The result of looking for it. */
  public sealed interface Finding {}

  /** It is there. */
  public record Found(NcclLibrary library) implements Finding {}

  /**
   * It is not.
   *
   * @param why a clause
   */
  public record Missing(String why) implements Finding {}

  /** Why there is none if the program wants none. */
  public static final String SWITCHED_OFF = Settings.NCCL.option() + "=" + Settings.OFF;

  /** The oldest version whose functions are all there: non-blocking communicators. */
  private static final int NEEDED = 21_400;

  private static final String NAME = "libnccl.so.2";

  private static @Nullable Finding known;

  private final SymbolLookup exports;
  private final int version;
  private final String path;

  private NcclLibrary(SymbolLookup exports, int version, String path) {
    this.exports = exports;
    this.version = version;
    this.path = path;
  }

  /**
   * {@return the library, or why there is none}
   *
   * @throws dev.stretto.fault.SettingException if the setting that names it is wrong
   */
  public static synchronized Finding find() {
    Finding found = known;
    if (found == null) {
      found = look(Settings.NCCL.value(), System.getenv());
      known = found;
    }
    return found;
  }

  /** {@return its version: 22705 for 2.27.5} */
  public int version() {
    return version;
  }

  /** {@return where it was found} */
  public String path() {
    return path;
  }

  SymbolLookup exports() {
    return exports;
  }

  /**
   * Looks for the library.
   *
   * @param setting its path, {@code off}, or nothing for the usual places
   * @param environment the variables of the process
   */
  static Finding look(String setting, Map<String, String> environment) {
    if (setting.equals(Settings.OFF)) {
      return new Missing(SWITCHED_OFF);
    }
    if (!setting.isEmpty()) {
      return open(setting);
    }
    Finding found = open(NAME);
    for (Path path : usual(environment)) {
      if (found instanceof Found) {
        return found;
      }
      found = open(path.toString());
    }
    return found instanceof Found
        ? found
        : new Missing(
            "%s is neither among the system's libraries nor in a Python environment of the usual places: install NCCL, or set %s to its path"
                .formatted(NAME, Settings.NCCL.option()));
  }

  /** Where PyTorch's wheels and conda put it. */
  private static List<Path> usual(Map<String, String> environment) {
    List<Path> roots = new ArrayList<>();
    for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      String value = environment.get(variable);
      if (value != null && !value.isEmpty()) {
        roots.add(Path.of(value));
      }
    }
    roots.add(Path.of(System.getProperty("user.home"), ".local"));
    roots.add(Path.of("/opt/conda"));
    roots.add(Path.of("/usr/local"));
    roots.add(Path.of("/usr"));
    List<Path> found = new ArrayList<>();
    for (Path root : roots) {
      addIfThere(found, root.resolve("lib").resolve(NAME));
      for (Path python : matches(root.resolve("lib"), "python3*")) {
        for (String packages : List.of("site-packages", "dist-packages")) {
          addIfThere(found, python.resolve(packages).resolve("nvidia/nccl/lib").resolve(NAME));
        }
      }
    }
    return found;
  }

  private static void addIfThere(List<Path> found, Path path) {
    if (Files.isRegularFile(path)) {
      found.add(path);
    }
  }

  private static List<Path> matches(Path folder, String glob) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
        entries.forEach(found::add);
      } catch (IOException | UncheckedIOException _) { // a folder that this user may not read
        return found;
      }
    }
    return found;
  }

  // The functions that are looked up in it have been checked against the signatures of nccl.h.
  @SuppressWarnings("restricted")
  private static Finding open(String path) {
    SymbolLookup exports;
    try {
      exports = SymbolLookup.libraryLookup(path, Arena.global());
    } catch (IllegalArgumentException | IllegalCallerException e) {
      return new Missing(path + " could not be opened: " + e.getMessage());
    }
    MemorySegment getVersion = exports.find("ncclGetVersion").orElse(null);
    if (getVersion == null) {
      return new Missing(path + " is not NCCL: it exports no ncclGetVersion");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_INT);
      int result =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(getVersion, FunctionDescriptor.of(JAVA_INT, ADDRESS))
                  .invokeExact(out);
      int version = out.get(JAVA_INT, 0);
      return result == 0 && version >= NEEDED
          ? new Found(new NcclLibrary(exports, version, path))
          : new Missing(
              "%s has version %d, and %d is the oldest that is of use"
                  .formatted(path, version, NEEDED));
    } catch (Throwable e) {
      throw new IllegalStateException(path, e);
    }
  }
}
