package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.ConstantInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kernel is found again while nothing has changed that it was made of, and only then. */
class KernelStoreTest {
  private static final String NAME = "dev/stretto/compiler/KernelStoreTest";
  private static final String DESCRIPTOR =
      "(Ldev/stretto/kernel/ThreadBlock;Ldev/stretto/memory/GlobalInts;I)V";
  private static final KernelTarget TARGET = new KernelTarget(80);

  @TempDir Path folder;

  @Kernel
  static void kernel(ThreadBlock block, GlobalInts out, @Const int factor) {
    out.set(block.threadIndexX(), addend() + factor);
  }

  private static int addend() {
    return 4711;
  }

  /** Finds a file for this class that may be another one than that on the class path. */
  private static class Classes extends ClassLoader {
    private final byte[] ours;

    Classes(byte[] ours) {
      super(KernelStoreTest.class.getClassLoader());
      this.ours = ours;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      return name.equals(NAME + ".class")
          ? new ByteArrayInputStream(ours)
          : super.getResourceAsStream(name);
    }
  }

  private static byte[] file() {
    try (InputStream in =
        KernelStoreTest.class.getClassLoader().getResourceAsStream(NAME + ".class")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same class, of which another method, that the kernel calls, gives another number. */
  private static byte[] changed() {
    ClassFile classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(file()),
        ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("addend"),
            CodeTransform.ofStateful(
                () ->
                    (builder, element) -> {
                      if (element instanceof ConstantInstruction constant
                          && Integer.valueOf(4711).equals(constant.constantValue())) {
                        builder.loadConstant(4712);
                      } else {
                        builder.with(element);
                      }
                    })));
  }

  private static KernelSource source(byte[] file, int factor, boolean checked) {
    return new KernelSource(
        new Classes(file), NAME, "kernel", DESCRIPTOR, Map.of(2, factor), checked);
  }

  private PtxText get(byte[] file) {
    return new KernelStore(folder).get(source(file, 3, false), TARGET);
  }

  private List<Path> kept() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Puts the file of another kernel in the place of the one that is kept. */
  private void replace(Path by) throws IOException {
    Files.write(kept().getFirst(), Files.readAllBytes(by));
  }

  @Test
  void aKernelThatIsKeptIsNotCompiledAgain(@TempDir Path other) throws IOException {
    PtxText first = get(file());
    // What is kept for another factor stands where this one's was: it is read, not compiled.
    PtxText stranger = new KernelStore(other).get(source(file(), 5, false), TARGET);
    try (Stream<Path> files = Files.list(other)) {
      replace(files.findFirst().orElseThrow());
    }
    assertThat(get(file())).isEqualTo(stranger).isNotEqualTo(first);
  }

  @Test
  void whatIsKeptIsAllThatALaunchNeeds() {
    KernelStore store = new KernelStore(folder);
    PtxText compiled = KernelCompiler.compile(source(file(), 3, true), TARGET).ptx();
    assertThat(compiled.faults()).isNotEmpty();
    assertThat(store.get(source(file(), 3, true), TARGET)).isEqualTo(compiled);
    assertThat(store.get(source(file(), 3, true), TARGET)).isEqualTo(compiled);
  }

  @Test
  void aChangedClassIsCompiledAgain() {
    PtxText before = get(file());
    PtxText after = get(changed());
    assertThat(before.text()).contains("4714").doesNotContain("4715");
    assertThat(after.text()).contains("4715").doesNotContain("4714");
    assertThat(get(file())).isEqualTo(before);
  }

  @Test
  void constantsTargetsAndChecksAreKeptApart() throws IOException {
    KernelStore store = new KernelStore(folder);
    store.get(source(file(), 3, false), TARGET);
    store.get(source(file(), 4, false), TARGET);
    store.get(source(file(), 3, true), TARGET);
    store.get(source(file(), 3, false), new KernelTarget(90));
    assertThat(kept()).hasSize(4);
  }

  @Test
  void aFileThatIsCutOffOrDamagedIsCompiledAgain() throws IOException {
    PtxText right = get(file());
    byte[] bytes = Files.readAllBytes(kept().getFirst());
    for (int length : new int[] {0, 10, 31, 100, bytes.length - 1}) {
      Files.write(kept().getFirst(), Arrays.copyOf(bytes, length));
      assertThat(get(file())).as("%d bytes of it", length).isEqualTo(right);
      assertThat(Files.readAllBytes(kept().getFirst())).isEqualTo(bytes);
    }
    for (int at = 0; at < bytes.length; at += 97) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x40;
      Files.write(kept().getFirst(), damaged);
      assertThat(get(file())).as("byte %d", at).isEqualTo(right);
    }
  }

  @Test
  void aFolderThatCannotBeWrittenCostsTimeOnly() throws IOException {
    Path occupied = Files.writeString(folder.resolve("occupied"), "a file");
    PtxText text = new KernelStore(occupied).get(source(file(), 3, false), TARGET);
    assertThat(text.text()).contains("4714");
    assertThat(occupied).hasContent("a file");
  }

  @Test
  void manyMayUseAFolderAtOnce() throws IOException, InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Callable<PtxText>> calls = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        calls.add(() -> get(file()));
      }
      for (Future<PtxText> call : threads.invokeAll(calls)) {
        assertThat(call.get().text()).contains("4714");
      }
    }
    assertThat(kept()).as("nothing half written is left").hasSize(1);
  }
}
