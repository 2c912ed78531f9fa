package dev.stretto.compiler;

import dev.stretto.compiler.classfile.ClassFiles;
import dev.stretto.compiler.classfile.ConstantArrays;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ptx.FaultSite;
import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.compiler.reach.Reach;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serializes a compiled kernel: the hash of each class file that it was made from, what a launch
 * needs to know, the PTX, and finally a keyed hash over all of that and the kernel's name. Without
 * the key, nobody can forge such bytes or substitute those of another kernel.
 */
final class KeptKernel {
  private static final int MAGIC = 0x53545234;

  private KeptKernel() {}

  /** Writes a kernel as bytes. */
  static byte[] seal(byte[] key, String name, CompiledKernel kernel) throws IOException {
    byte[] content = content(kernel);
    byte[] all = Arrays.copyOf(content, content.length + Sha256.BYTES);
    System.arraycopy(hash(key, name, content), 0, all, content.length, Sha256.BYTES);
    return all;
  }

  /**
   * Reads a kernel from bytes, or returns nothing if they cannot be trusted or a class file has
   * changed.
   */
  static Optional<LaunchText> open(
      byte[] key, String name, byte[] all, @Nullable ClassLoader loader) {
    if (all.length < Sha256.BYTES) {
      return Optional.empty();
    }
    byte[] content = Arrays.copyOf(all, all.length - Sha256.BYTES);
    byte[] hash = Arrays.copyOfRange(all, content.length, all.length);
    if (!MessageDigest.isEqual(hash(key, name, content), hash)) {
      return Optional.empty();
    }
    try {
      return parse(new DataInputStream(new ByteArrayInputStream(content)), loader);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // written by another version, which has the same key
    }
  }

  private static byte[] hash(byte[] key, String name, byte[] content) {
    return Sha256.keyed(key, name.getBytes(StandardCharsets.UTF_8), new byte[1], content);
  }

  private static Optional<LaunchText> parse(DataInputStream in, @Nullable ClassLoader loader)
      throws IOException {
    if (in.readInt() != MAGIC) {
      return Optional.empty();
    }
    int classes = in.readInt();
    for (int i = 0; i < classes; i++) {
      byte[] bytes = ClassFiles.bytes(loader, in.readUTF());
      byte[] expected = in.readNBytes(Sha256.BYTES);
      if (bytes == null || !Arrays.equals(Sha256.of(bytes), expected)) {
        return Optional.empty();
      }
    }
    List<ConstantArray> constants = new ArrayList<>();
    for (int count = in.readInt(); count > 0; count--) {
      ConstantArray array = constant(loader, in.readUTF(), in.readUTF());
      byte[] expected = in.readNBytes(Sha256.BYTES);
      if (array == null || !Arrays.equals(hash(array), expected)) {
        return Optional.empty();
      }
      constants.add(array);
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
    Reach reach = Reach.read(in);
    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    return Optional.of(
        new LaunchText(new PtxText(text, entry, faults, moved, fixed), reach, constants));
  }

  /** An array as this process has it; null if it cannot be read, which compiling will say. */
  private static @Nullable ConstantArray constant(
      @Nullable ClassLoader loader, String owner, String name) {
    try {
      return ConstantArrays.of(loader, owner, name, false);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError _) {
      return null;
    }
  }

  private static byte[] hash(ConstantArray array) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(array.element().name());
    for (int i = 0; i < array.length(); i++) {
      switch (array.get(i).value()) {
        case Float it -> out.writeInt(Float.floatToRawIntBits(it));
        case Double it -> out.writeLong(Double.doubleToRawLongBits(it));
        case Long it -> out.writeLong(it);
        case Object it -> out.writeInt((Integer) it);
      }
    }
    return Sha256.of(bytes.toByteArray());
  }

  private static byte[] content(CompiledKernel kernel) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(MAGIC);
    out.writeInt(kernel.classes().size());
    for (Map.Entry<String, byte[]> entry : kernel.classes().entrySet()) {
      out.writeUTF(entry.getKey());
      out.write(Sha256.of(entry.getValue()));
    }
    out.writeInt(kernel.constants().size());
    for (ConstantArray array : kernel.constants()) {
      out.writeUTF(array.owner());
      out.writeUTF(array.name());
      out.write(hash(array));
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
    kernel.reach().write(out);
    out.write(ptx.text().getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }
}
