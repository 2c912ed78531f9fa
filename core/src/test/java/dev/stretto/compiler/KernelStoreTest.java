package dev.stretto.compiler;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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
    return new KernelStore(folder).get(source(file, 3, false), TARGET).ptx();
  }

  private List<Path> kept() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".kernel")).toList();
    }
  }

  @Test
  void aKernelThatIsKeptIsNotCompiledAgain() throws IOException {
    PtxText first = get(file());
    // With the folder's key another text is made to stand there: it is read, not compiled.
    CompiledKernel right = KernelCompiler.compile(source(file(), 3, false), TARGET);
    PtxText other = new PtxText("other", first.entry(), List.of(), 0, 0);
    CompiledKernel forged =
        new CompiledKernel(other, right.reach(), List.of(), List.of(), right.classes());
    Path kept = kept().getFirst();
    byte[] key = Files.readAllBytes(folder.resolve("key"));
    Files.write(kept, KeptKernel.seal(key, kept.getFileName().toString(), forged));
    assertThat(get(file())).isEqualTo(other);
  }

  @Test
  void anEntryIsWorthNothingInThePlaceOfAnother() throws IOException {
    PtxText right = get(file());
    Path ours = kept().getFirst();
    PtxText other = new KernelStore(folder).get(source(file(), 5, false), TARGET).ptx();
    assertThat(other).isNotEqualTo(right);
    for (Path theirs : kept()) {
      Files.copy(theirs, ours, StandardCopyOption.REPLACE_EXISTING);
      assertThat(get(file())).isEqualTo(right);
    }
  }

  @Test
  void anEntryIsWorthNothingInAnotherFolder(@TempDir Path other) throws IOException {
    PtxText right = get(file());
    new KernelStore(other).get(source(file(), 3, false), TARGET);
    Path ours = kept().getFirst();
    byte[] content = Files.readAllBytes(ours);
    Files.copy(other.resolve(ours.getFileName()), ours, StandardCopyOption.REPLACE_EXISTING);
    assertThat(get(file())).isEqualTo(right);
    assertThat(ours).as("written anew").hasBinaryContent(content);
  }

  @Test
  void aHashThatAnybodyCanComputeIsNotEnough() throws IOException {
    PtxText right = get(file());
    byte[] bytes = Files.readAllBytes(kept().getFirst());
    String changed = new String(bytes, StandardCharsets.ISO_8859_1).replace("4714", "4715");
    byte[] content =
        Arrays.copyOf(changed.getBytes(StandardCharsets.ISO_8859_1), bytes.length - 32);
    for (byte[] hash : List.of(Sha256.of(content), Sha256.keyed(new byte[32], content))) {
      byte[] forged = Arrays.copyOf(content, bytes.length);
      System.arraycopy(hash, 0, forged, content.length, 32);
      Files.write(kept().getFirst(), forged);
      assertThat(get(file())).isEqualTo(right);
    }
  }

  @Test
  void theKeyedHashIsTheStandards() throws GeneralSecurityException {
    byte[] key = Arrays.copyOf("a key of thirty-two bytes, or less".getBytes(UTF_8), 32);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    byte[] text = "some text".getBytes(UTF_8);
    assertThat(Sha256.keyed(key, "some ".getBytes(UTF_8), "text".getBytes(UTF_8)))
        .isEqualTo(mac.doFinal(text));
  }

  @Test
  void whatIsKeptIsAllThatALaunchNeeds() {
    KernelStore store = new KernelStore(folder);
    LaunchText compiled = KernelCompiler.compile(source(file(), 3, true), TARGET).text();
    assertThat(compiled.ptx().faults()).isNotEmpty();
    assertThat(compiled.reach().touches()).isNotEmpty();
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

  /** What a program computes is not in its class file. */
  @Test
  void anArrayWithOtherContentIsCompiledAgain() throws IOException {
    String name = KeptConstants.class.getName();
    byte[] file;
    try (InputStream in =
        getClass().getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
      file = in.readAllBytes();
    }
    List<String> texts = new ArrayList<>();
    for (int number : new int[] {2, 5, 2, 5}) {
      System.setProperty("dev.stretto.test.number", String.valueOf(number));
      try {
        ClassLoader loader = new OwnClasses(Map.of(name, file));
        KernelSource source =
            new KernelSource(loader, name.replace('.', '/'), "reads", DESCRIPTOR, Map.of(), false);
        LaunchText kept = new KernelStore(folder).get(source, TARGET);
        assertThat(kept.ptx().text())
            .isEqualTo(KernelCompiler.compile(source, TARGET).ptx().text());
        assertThat(kept.constants()).hasSize(1);
        texts.add(kept.ptx().text());
      } finally {
        System.clearProperty("dev.stretto.test.number");
      }
    }
    assertThat(texts.get(0)).isEqualTo(texts.get(2)).isNotEqualTo(texts.get(1));
    assertThat(texts.get(3)).isEqualTo(texts.get(1));
  }

  /** Its classes are its own, though the parent has some of the same names. */
  private static final class OwnClasses extends ClassLoader {
    private final Map<String, byte[]> files;

    OwnClasses(Map<String, byte[]> files) {
      super(KernelStoreTest.class.getClassLoader());
      this.files = files;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      byte[] file = files.get(name);
      if (file == null) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known == null ? defineClass(name, file, 0, file.length) : known;
    }
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

  /** What such a constant prints says nothing about it. */
  enum Mode {
    ONE,
    OTHER;

    @Override
    public String toString() {
      return "a mode";
    }
  }

  /** Has the same names and prints the same. */
  private enum Twin {
    ONE,
    OTHER;

    @Override
    public String toString() {
      return "a mode";
    }
  }

  @Kernel
  static void chosen(ThreadBlock block, GlobalInts out, @Const Mode mode) {
    out.set(block.threadIndexX(), mode == Mode.ONE ? 111_111 : 222_222);
  }

  @Test
  void aConstantOfAnEnumIsKnownByItsNameNotByWhatItPrints() {
    KernelStore store = new KernelStore(folder);
    String descriptor =
        "(Ldev/stretto/kernel/ThreadBlock;Ldev/stretto/memory/GlobalInts;L" + NAME + "$Mode;)V";
    for (Mode mode : Mode.values()) {
      KernelSource source =
          new KernelSource(
              KernelStoreTest.class.getClassLoader(),
              NAME,
              "chosen",
              descriptor,
              Map.of(2, mode),
              false);
      PtxText text = store.get(source, TARGET).ptx();
      assertThat(text).isEqualTo(KernelCompiler.compile(source, TARGET).ptx());
    }
  }

  private static Optional<String> name(Map<Integer, Object> constants) {
    return KernelName.of(
        new KernelSource(null, NAME, "kernel", DESCRIPTOR, constants, false), TARGET);
  }

  @Test
  void noTwoConstantsShareAName() {
    List<Map<Integer, Object>> all =
        List.of(
            Map.of(),
            Map.of(0, 1),
            Map.of(1, 1),
            Map.of(0, 1L),
            Map.of(0, (short) 1),
            Map.of(0, (byte) 1),
            Map.of(0, (char) 1),
            Map.of(0, true),
            Map.of(0, 1f),
            Map.of(0, 1d),
            Map.of(0, 0f),
            Map.of(0, -0f),
            Map.of(0, 0d),
            Map.of(0, -0d),
            Map.of(0, Float.NaN),
            Map.of(0, Float.intBitsToFloat(0x7fc00001)),
            Map.of(0, Double.NaN),
            Map.of(0, Double.longBitsToDouble(0x7ff8000000000001L)),
            Map.of(0, Mode.ONE),
            Map.of(0, Mode.OTHER),
            Map.of(0, Twin.ONE),
            Map.of(0, "1"),
            Map.of(0, "\ud800"),
            Map.of(0, "?"),
            Map.of(0, '?'),
            Map.of(0, '\n', 1, 2),
            Map.of(0, "\n1 java.lang.Integer 2"),
            Map.of(0, 1, 1, 2),
            Map.of(0, 2, 1, 1));
    assertThat(all.stream().map(KernelStoreTest::name).map(Optional::orElseThrow))
        .doesNotHaveDuplicates();
  }

  @Test
  void whatHasNoNameIsCompiledAndNotKept() {
    assertThat(name(Map.of(0, new Object()))).isEmpty();
    assertThat(name(Map.of(0, List.of(1)))).isEmpty();
  }

  @Test
  void aFolderThatCannotBeWrittenCostsTimeOnly() throws IOException {
    Path occupied = Files.writeString(folder.resolve("occupied"), "a file");
    PtxText text = new KernelStore(occupied).get(source(file(), 3, false), TARGET).ptx();
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
