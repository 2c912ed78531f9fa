package dev.stretto.compiler;

import dev.stretto.compiler.classfile.ClassFiles;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ptx.FaultSite;
import dev.stretto.compiler.ptx.PtxText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compiled kernels on disk. A kernel is found again while every class file that it was made of, and
 * the compiler, are what they were. Several processes may use a folder at once: a file is written
 * aside and then moved to its place, and what cannot be read counts as not there.
 */
public final class KernelStore {
  private static final int MAGIC = 0x53545245;

  private final Path folder;

  /**
   * Creates a store.
   *
   * @param folder where its files are; made when the first one is written
   */
  public KernelStore(Path folder) {
    this.folder = folder;
  }

  /**
   * {@return the store that the system property {@code stretto.cache} names, or the one in the
   * user's cache folder; nothing if the property says {@code off}}
   */
  public static Optional<KernelStore> ofThisUser() {
    String named = System.getProperty("stretto.cache");
    if (named != null) {
      return named.equals("off") ? Optional.empty() : Optional.of(new KernelStore(Path.of(named)));
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path base =
        cache == null || cache.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(cache);
    return Optional.of(new KernelStore(base.resolve("stretto")));
  }

  /**
   * {@return a kernel, from the folder if it is there, or compiled and kept}
   *
   * @param source the method
   * @param target for which devices
   * @throws dev.stretto.fault.KernelRefusedException if it is not the Java that a kernel may use
   */
  public PtxText get(KernelSource source, KernelTarget target) {
    Path file = folder.resolve(name(source, target));
    Optional<PtxText> found = read(file, source.loader());
    if (found.isPresent()) {
      return found.get();
    }
    CompiledKernel compiled = KernelCompiler.compile(source, target);
    write(file, compiled);
    return compiled.ptx();
  }

  private static String name(KernelSource source, KernelTarget target) {
    StringBuilder key = new StringBuilder();
    key.append(CompilerBuild.ID).append('\n');
    key.append(target).append(source.checked() ? " checked\n" : "\n");
    key.append(source.owner()).append('.').append(source.method()).append(source.descriptor());
    new TreeMap<>(source.constants())
        .forEach(
            (index, value) ->
                key.append('\n')
                    .append(index)
                    .append(' ')
                    .append(value.getClass().getName())
                    .append(' ')
                    .append(value));
    byte[] hash = hash(key.toString().getBytes(StandardCharsets.UTF_8));
    return source.method().replaceAll("[^A-Za-z0-9_]", "_")
        + "-"
        + HexFormat.of().formatHex(hash, 0, 16)
        + ".kernel";
  }

  private static byte[] hash(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private static Optional<PtxText> read(Path file, @Nullable ClassLoader loader) {
    try {
      byte[] all = Files.readAllBytes(file);
      if (all.length < 32) {
        return Optional.empty();
      }
      byte[] content = Arrays.copyOf(all, all.length - 32);
      if (!Arrays.equals(hash(content), Arrays.copyOfRange(all, content.length, all.length))) {
        return Optional.empty();
      }
      return parse(new DataInputStream(new ByteArrayInputStream(content)), loader);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // not there, or not to be read: compiled again
    }
  }

  private static Optional<PtxText> parse(DataInputStream in, @Nullable ClassLoader loader)
      throws IOException {
    if (in.readInt() != MAGIC) {
      return Optional.empty();
    }
    int classes = in.readInt();
    for (int i = 0; i < classes; i++) {
      byte[] bytes = ClassFiles.bytes(loader, in.readUTF());
      byte[] expected = in.readNBytes(32);
      if (bytes == null || !Arrays.equals(hash(bytes), expected)) {
        return Optional.empty();
      }
    }
    String entry = in.readUTF();
    long moved = in.readLong();
    long fixed = in.readLong();
    List<FaultSite> faults = new ArrayList<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      Trap trap = new Trap(Trap.Kind.valueOf(in.readUTF()), in.readUTF());
      faults.add(new FaultSite(trap, in.readUTF(), in.readInt(), in.readUTF()));
    }
    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    return Optional.of(new PtxText(text, entry, faults, moved, fixed));
  }

  /** A cache that cannot be written costs time only. */
  private void write(Path file, CompiledKernel kernel) {
    try {
      byte[] content = content(kernel);
      Files.createDirectories(folder);
      Path aside = Files.createTempFile(folder, "new", ".tmp");
      try {
        byte[] all = Arrays.copyOf(content, content.length + 32);
        System.arraycopy(hash(content), 0, all, content.length, 32);
        Files.write(aside, all);
        Files.move(
            aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(aside);
      }
    } catch (IOException e) {
      System.getLogger(KernelStore.class.getName())
          .log(System.Logger.Level.DEBUG, "a compiled kernel could not be kept", e);
    }
  }

  private static byte[] content(CompiledKernel kernel) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(MAGIC);
    out.writeInt(kernel.classes().size());
    for (Map.Entry<String, byte[]> entry : kernel.classes().entrySet()) {
      out.writeUTF(entry.getKey());
      out.write(hash(entry.getValue()));
    }
    PtxText ptx = kernel.ptx();
    out.writeUTF(ptx.entry());
    out.writeLong(ptx.movedBytes());
    out.writeLong(ptx.staticBytes());
    out.writeInt(ptx.faults().size());
    for (FaultSite site : ptx.faults()) {
      out.writeUTF(site.trap().kind().name());
      out.writeUTF(site.trap().message());
      out.writeUTF(site.file());
      out.writeInt(site.line());
      out.writeUTF(site.method());
    }
    out.write(ptx.text().getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }
}
