package dev.stretto.compiler;

import dev.stretto.compiler.PrivateFolder.Held;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compiled kernels on disk. A stored kernel is used as long as the compiler, and every class file
 * that the kernel was made from, are unchanged. Several processes may use a folder at once: a file
 * is written under another name and then moved to its place, and a file that cannot be read counts
 * as missing.
 *
 * <p><b>Whom the store trusts.</b> A kernel from the store runs on a GPU with all rights of the
 * program, so the store returns only kernels that this user's own compiler has written. It does not
 * defend against the user or root, who can do anything to the user's programs anyway. It defends
 * against everybody else:
 *
 * <ul>
 *   <li>The folder belongs to the user, and nobody else can enter it (mode 0700). Its path is
 *       absolute, so that it does not depend on where a program is started, and it is not a link. A
 *       folder that others may write to is not used. A folder that others may only read, as earlier
 *       versions made it, is closed to them.
 *   <li>The folder is held open while it is used ({@link PrivateFolder}), so that moving another
 *       folder to its path gains nothing.
 *   <li>An entry ends in a hash with a key over its name and content ({@link KeptKernel}). The key
 *       is in the folder, in a file that its owner alone may read (mode 0600). So an entry is
 *       rejected in the place of another entry, in another folder, and if it was made by something
 *       that can write there but cannot read the key: a tool that unpacks archives, a backup, a
 *       shared image.
 *   <li>Only regular files are opened, and none that is larger than a kernel can be.
 * </ul>
 *
 * <p>If the folder cannot be trusted or made, kernels are compiled in each process, and one line is
 * logged about it.
 */
public final class KernelStore {
  /** The largest kernels have some hundred thousand bytes. */
  private static final int MOST_BYTES = 4 << 20;

  /**
   * A program that compiles a kernel for each value of a variable would otherwise fill the disk.
   */
  private static final int MOST_FILES = 4096;

  private static final String KEY = "key";
  private static final long ABANDONED_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** Folders that a line was logged about. */
  private static final Set<Path> LOGGED = ConcurrentHashMap.newKeySet();

  private final Path folder;

  /**
   * Creates a store.
   *
   * @param folder the folder for its files; made when the first kernel is looked up
   */
  public KernelStore(Path folder) {
    this.folder = folder;
  }

  /**
   * {@return the store that the system property {@code dev.stretto.cache} names, or the one in the
   * user's cache folder; nothing if the property says {@code off}, or there is no such folder}
   *
   * @throws dev.stretto.fault.SettingException if the property names no folder
   */
  public static Optional<KernelStore> ofThisUser() {
    Optional<String> named = Settings.CACHE.value();
    if (named.isPresent()) {
      return named.filter(it -> !it.equals(Settings.OFF)).map(Path::of).map(KernelStore::new);
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    return cache == null || cache.isEmpty()
        ? at("the home folder", System.getProperty("user.home", ""), ".cache/stretto")
        : at("$XDG_CACHE_HOME", cache, "stretto");
  }

  private static Optional<KernelStore> at(String what, String named, String within) {
    try {
      Path path = Path.of(named);
      if (path.isAbsolute()) {
        return Optional.of(new KernelStore(path.resolve(within).normalize()));
      }
      log(path, Level.WARNING, what + " is '" + named + "', which is not an absolute path");
    } catch (InvalidPathException e) {
      log(Path.of(""), Level.WARNING, what + " is not a path: " + e.getMessage());
    }
    return Optional.empty();
  }

  /**
   * {@return a kernel, from the folder if it is there, or compiled and kept}
   *
   * @param source the method
   * @param target for which devices
   * @throws dev.stretto.fault.KernelRefusedException if it is not the Java that a kernel may use
   */
  public LaunchText get(KernelSource source, KernelTarget target) {
    Optional<String> name = KernelName.of(source, target);
    Optional<LaunchText> found = name.flatMap(it -> find(it, source));
    if (found.isPresent()) {
      return found.get();
    }
    CompiledKernel compiled = KernelCompiler.compile(source, target);
    name.ifPresent(it -> keep(it, compiled));
    return compiled.text();
  }

  private Optional<LaunchText> find(String name, KernelSource source) {
    try (PrivateFolder files = PrivateFolder.open(folder, KernelStore::isOurs)) {
      Optional<byte[]> key = key(files);
      Optional<byte[]> kept = key.isEmpty() ? key : files.read(name, MOST_BYTES, false);
      return kept.flatMap(bytes -> KeptKernel.open(key.get(), name, bytes, source.loader()));
    } catch (IOException e) {
      log(e);
      return Optional.empty();
    }
  }

  /** If the store cannot be written to, that only costs time. */
  private void keep(String name, CompiledKernel kernel) {
    try (PrivateFolder files = PrivateFolder.open(folder, KernelStore::isOurs)) {
      Optional<byte[]> key = key(files);
      if (key.isEmpty()) {
        byte[] random = new byte[Sha256.BYTES];
        new SecureRandom().nextBytes(random);
        files.write(KEY, random);
        key = key(files); // possibly the one that another process has written in the meantime
      }
      if (key.isPresent()) {
        byte[] bytes = KeptKernel.seal(key.get(), name, kernel);
        if (bytes.length <= MOST_BYTES) {
          files.write(name, bytes);
        }
      }
      makeRoom(files);
    } catch (IOException e) {
      log(e);
    }
  }

  private static Optional<byte[]> key(PrivateFolder files) throws IOException {
    return files.read(KEY, Sha256.BYTES, true).filter(key -> key.length == Sha256.BYTES);
  }

  private static boolean isOurs(String name) {
    return name.equals(KEY) || name.endsWith(KernelName.SUFFIX) || PrivateFolder.isAside(name);
  }

  /**
   * Deletes unfinished files of processes that have ended, and the oldest kernels if there are too
   * many.
   */
  private static void makeRoom(PrivateFolder files) throws IOException {
    List<Held> kernels = new ArrayList<>();
    long now = System.currentTimeMillis();
    for (Held file : files.files()) {
      if (PrivateFolder.isAside(file.name())) {
        if (now - file.modifiedMillis() > ABANDONED_MILLIS) {
          files.delete(file.name());
        }
      } else if (file.name().endsWith(KernelName.SUFFIX)) {
        kernels.add(file);
      }
    }
    if (kernels.size() > MOST_FILES) {
      kernels.sort(Comparator.comparingLong(Held::modifiedMillis));
      for (Held file : kernels.subList(0, kernels.size() - MOST_FILES * 3 / 4)) {
        files.delete(file.name());
      }
    }
  }

  private void log(IOException trouble) {
    if (trouble instanceof ClosedByInterruptException) {
      return; // the interruption is the thread's, and says nothing about the folder
    }
    if (trouble instanceof UntrustedFolderException) {
      log(folder, Level.WARNING, trouble.getMessage());
    } else {
      log(folder, Level.INFO, folder + " cannot be used (" + trouble + ")");
    }
  }

  private static void log(Path folder, Level level, @Nullable String why) {
    String option = Settings.CACHE.option();
    if (LOGGED.add(folder)) {
      System.getLogger("dev.stretto")
          .log(
              level,
              "compiled kernels are not kept, so the first launch of each takes "
                  + "longer: "
                  + why
                  + " ("
                  + option
                  + "=FOLDER selects another folder, "
                  + option
                  + "=off disables the store)");
    }
  }
}
