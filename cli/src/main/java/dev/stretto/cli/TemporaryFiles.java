package dev.stretto.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Files that are deleted when the command ends, however it ends: by itself or by Ctrl-C. */
final class TemporaryFiles implements AutoCloseable {
  private final Set<Path> paths = Collections.synchronizedSet(new LinkedHashSet<>());
  // No CUDA calls here, and nothing that takes a lock: other threads may hold any lock at this
  // time.
  private final Thread hook = new Thread(this::endEarly, "stretto temporary files");
  private @Nullable Path folder;
  private volatile @Nullable Runnable farewell;

  TemporaryFiles() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** A new empty file in a folder of its own, in the system's folder for temporary files. */
  Path create(String name) throws IOException {
    Path parent = folder;
    if (parent == null) {
      parent = Files.createTempDirectory("stretto-");
      folder = parent;
      paths.add(parent);
    }
    return createNew(parent.resolve(name));
  }

  /** A new empty file beside another one, so that it can take its place. */
  Path createBeside(Path file) throws IOException {
    String name = "." + file.getFileName() + "." + Long.toHexString(random()) + ".stretto";
    return createNew(file.resolveSibling(name));
  }

  private static long random() {
    return ThreadLocalRandom.current().nextLong() >>> 24;
  }

  private Path createNew(Path file) throws IOException {
    paths.add(file);
    try {
      // Not a temporary file of the JDK, which only its owner could read.
      Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE).close();
    } catch (IOException e) {
      paths.remove(file);
      throw e;
    }
    return file;
  }

  /** Deletes one of the files now. */
  void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
    paths.remove(file);
  }

  /** Releases a file that was moved to its destination. */
  void keep(Path file) {
    paths.remove(file);
  }

  /** Sets an action to run if the process is ended, before the files are deleted. */
  void beforeAnEarlyEnd(Runnable action) {
    farewell = action;
  }

  private void endEarly() {
    Runnable action = farewell;
    try {
      if (action != null) {
        action.run();
      }
    } finally {
      deleteAll();
    }
  }

  private void deleteAll() {
    List<Path> all;
    synchronized (paths) {
      all = new ArrayList<>(paths);
    }
    for (Path path : all.reversed()) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // Nobody can see a message any more, and the other files still have to be deleted.
      }
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the hook is running
    }
    deleteAll();
  }
}
