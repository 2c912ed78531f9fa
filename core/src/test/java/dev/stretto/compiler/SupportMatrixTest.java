package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Sample;
import dev.stretto.compiler.Vocabulary.Word;
import dev.stretto.fault.KernelRefusedException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each target of the matrix can: every method that stands for PTX assembles there, or is
 * refused by its name; and so does every kernel of core's tests. The assembler's word decides, not
 * that of the compiler.
 */
class SupportMatrixTest {
  /** The text of a kernel names its target; the assembler makes code of it for others. */
  private static final String ONLY_THERE = ".target sm_90a";

  /** Those that an ordinary build takes: a text for 9.0 is the same for every newer target. */
  private static final Set<String> SOME = Set.of("sm_75", "sm_80", "sm_89", "sm_90", "sm_120");

  private static Map<Word, KernelSource> vocabulary;

  @TempDir Path folder;

  private static Stream<String> names() {
    return KernelTarget.names().stream()
        .filter(name -> Sample.of(0, 1) == 1 || SOME.contains(name));
  }

  /** The target that has substitutes; where a build takes everything, each whose text differs. */
  private static Stream<String> namesForKernels() {
    return names()
        .filter(
            name ->
                Sample.of(0, 1) == 1
                    ? SOME.contains(name) && !name.equals("sm_89")
                    : name.equals("sm_75"));
  }

  /** A kernel for each word, which some target takes. */
  private static synchronized Map<Word, KernelSource> vocabulary() {
    if (vocabulary == null) {
      Map<Word, KernelSource> all = new LinkedHashMap<>();
      for (Word word : Vocabulary.words()) {
        all.put(word, accepted(word, all.size()));
      }
      vocabulary = all;
    }
    return vocabulary;
  }

  private static KernelSource accepted(Word word, int number) {
    KernelRefusedException refusal = null;
    for (KernelSource kernel : Vocabulary.kernels(word, number)) {
      try {
        KernelCompiler.compile(kernel, new KernelTarget(90));
        return kernel;
      } catch (KernelRefusedException e) {
        refusal = e;
      }
    }
    throw new AssertionError(word + " is refused everywhere", refusal);
  }

  private static String withoutEntry(String text) {
    return text.substring(0, text.indexOf(".address_size"));
  }

  /**
   * Assembles texts with the same header in one go; each with constant arrays by itself, since all
   * arrays of a module have to fit into 64 KiB.
   */
  private void assemble(List<String> texts, String name) throws IOException, InterruptedException {
    Ptxas ptxas = Ptxas.find().orElse(null);
    Assumptions.assumeTrue(ptxas != null, "no ptxas");
    Map<String, List<String>> alike = new LinkedHashMap<>();
    for (String text : texts) {
      String alone = text.contains(".const ") ? "// " + alike.size() : "";
      alike.computeIfAbsent(withoutEntry(text) + alone, _ -> new ArrayList<>()).add(text);
    }
    for (Map.Entry<String, List<String>> group : alike.entrySet()) {
      boolean onlyThere = group.getKey().contains(ONLY_THERE);
      assertThat(onlyThere && !name.startsWith("sm_90")).as(name).isFalse();
      assertThat(
              ptxas.complaints(
                  Ptxas.together(group.getValue()), onlyThere ? "sm_90a" : name, folder))
          .as("for %s: %s", name, group.getKey())
          .isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyWordAssemblesOrIsRefusedByItsName(String name)
      throws IOException, InterruptedException {
    KernelTarget target = KernelTarget.named(name);
    List<String> texts = new ArrayList<>();
    for (Map.Entry<Word, KernelSource> each : vocabulary().entrySet()) {
      Word word = each.getKey();
      try {
        texts.add(KernelCompiler.compile(each.getValue(), target).ptx().text());
      } catch (KernelRefusedException e) {
        assertThat(e)
            .as("%s for %s", word, name)
            .hasMessageContaining(word.owner() + "." + word.method() + " needs ")
            .hasMessageContaining("compute capability ")
            .hasMessageContaining("the target is " + target + "; ");
      }
    }
    assemble(texts, name);
  }

  /** What nobody may lose by a mistake in an annotation. */
  @Test
  void newerTargetsRefuseOnlyWhatWarpGroupsHave() {
    Map<Integer, Set<String>> refused = new HashMap<>();
    for (KernelTarget target : KernelTarget.all()) {
      for (Map.Entry<Word, KernelSource> each : vocabulary().entrySet()) {
        try {
          KernelCompiler.compile(each.getValue(), target);
        } catch (KernelRefusedException _) {
          Word word = each.getKey();
          refused
              .computeIfAbsent(target.sm(), _ -> new TreeSet<>())
              .add(word.owner() + "." + word.method());
        }
      }
    }

    assertThat(refused).doesNotContainKey(90);
    for (int sm : List.of(100, 103, 110, 120, 121)) {
      assertThat(refused.get(sm))
          .as("%d", sm)
          .isNotEmpty()
          .allSatisfy(word -> assertThat(word).startsWith("PtxWarpGroups."));
    }
    for (int sm : List.of(86, 87, 88)) {
      assertThat(refused.get(sm)).as("%d", sm).isEqualTo(refused.get(80));
    }
    Set<String> on80 = new TreeSet<>(refused.get(80));
    on80.removeAll(refused.get(89));
    assertThat(on80)
        .containsExactly(
            "Ptx.cvtRnF16x2E4m3x2",
            "Ptx.cvtRnF16x2E5m2x2",
            "Ptx.cvtRnSatfiniteE4m3x2F32",
            "Ptx.cvtRnSatfiniteE5m2x2F32",
            "Ptx.mmaM16N8K32E4m3",
            "Ptx.mmaM16N8K32E5m2");
    assertThat(refused.get(80)).containsAll(refused.get(89));
    Set<String> on75 = new TreeSet<>(refused.get(75));
    on75.removeAll(refused.get(80));
    assertThat(on75)
        .containsExactly(
            "Ptx.addRnBf16x2",
            "Ptx.cvtRnaTf32F32",
            "Ptx.fmaRnBf16x2",
            "Ptx.maxBf16x2",
            "Ptx.minBf16x2",
            "Ptx.mmaM16N8K16Bf16",
            "Ptx.mmaM16N8K8Tf32",
            "Ptx.mulRnBf16x2");
  }

  @ParameterizedTest
  @MethodSource("namesForKernels")
  void everyKernelOfTheTestsAssemblesOrIsRefused(String name)
      throws IOException, InterruptedException, URISyntaxException {
    KernelTarget target = KernelTarget.named(name);
    List<String> texts = new ArrayList<>();
    for (Method kernel : RightKernelsTest.kernels()) {
      for (int number : RightKernelsTest.NUMBERS) {
        try {
          boolean checked = texts.size() % 3 == 0;
          texts.add(
              KernelCompiler.compile(RightKernelsTest.source(kernel, number, checked), target)
                  .ptx()
                  .text());
          break;
        } catch (KernelRefusedException e) {
          assertThat(e).hasMessageNotContaining(KernelCompiler.OWN_FAULT);
        }
      }
    }
    assertThat(texts).hasSizeGreaterThan(100);
    assemble(texts, name);
  }
}
