package dev.stretto.contract;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Diagnosis;
import dev.stretto.contract.DiagnosedPrograms.Pair;
import dev.stretto.contract.DiagnosedPrograms.Program;
import dev.stretto.diagnosis.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bad program is named with its rule, its line and advice; every good one is left alone. */
class DiagnosisTest extends ContractTest {
  @Override
  Machine machine() {
    if (!machine.isVirtual()) {
      return machine;
    }
    return new Machine(
        machine.isSeeded() ? machine.name().replace("h200", "h200x2") : "virtual:h200x2");
  }

  static List<Pair> pairs() {
    return DiagnosedPrograms.PAIRS;
  }

  /**
   * What is in flight is a matter of real time where threads do a virtual device's work: on a host
   * that has more to do than this, it may be done before anybody looks.
   */
  private static final int ATTEMPTS = 20;

  @ParameterizedTest
  @MethodSource("pairs")
  void theBadOneIsNamedWithItsPlaceAndAdvice(Pair pair) {
    int more = machine().isSeeded() ? 0 : ATTEMPTS - 1;
    while (true) {
      try (Workbench bench = bench(pair);
          Diagnosis diagnosis = Diagnosis.of(opened.devices())) {
        run(pair.bad(), bench);
        if (more-- > 0 && !names(diagnosis, pair, bench)) {
          continue;
        }
        List<Finding> findings = diagnosis.findings();
        assertThat(findings).as(diagnosis.report()).isNotEmpty();
        assertThat(findings).allMatch(finding -> finding.rule() == pair.rule(), "is of this rule");
        assertThat(findings).anyMatch(finding -> isNamed(finding, pair, bench), "names its place");
        assertThat(diagnosis.report())
            .containsPattern(
                "DiagnosedPrograms.java:(%s)"
                    .formatted(bench.lines().stream().map(String::valueOf).collect(joining("|"))))
            .contains(pair.rule().name(), pair.rule().advice());
        return;
      }
    }
  }

  private boolean names(Diagnosis diagnosis, Pair pair, Workbench bench) {
    return diagnosis.findings().stream().anyMatch(finding -> isNamed(finding, pair, bench));
  }

  private boolean isNamed(Finding finding, Pair pair, Workbench bench) {
    return "DiagnosedPrograms.java".equals(finding.place().getFileName())
        && bench.lines().contains(finding.place().getLineNumber())
        && finding.count() >= pair.rule().least()
        && finding.device().equals(device.name());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theGoodOneIsLeftAlone(Pair pair) {
    try (Workbench bench = bench(pair);
        Diagnosis diagnosis = Diagnosis.of(opened.devices())) {
      run(pair.good(), bench);
      assertThat(diagnosis.findings()).as(diagnosis.report()).isEmpty();
      assertThat(diagnosis.report()).contains("no hidden synchronization");
    }
  }

  private Workbench bench(Pair pair) {
    assumeTrue(
        !pair.needsPeers()
            || DiagnosedPrograms.hasPeer(opened.devices().getFirst(), opened.devices().getLast()),
        "needs two devices that reach each other");
    return new Workbench(opened.devices());
  }

  private static void run(Program program, Workbench bench) {
    program.run(bench);
    bench.awaitAll();
  }

  @Test
  void whatCameBeforeAndWhatComesAfterIsNotTold() {
    try (Workbench bench = new Workbench(opened.devices())) {
      Program bad = DiagnosedPrograms.PAIRS.getFirst().bad();
      bad.run(bench);
      Diagnosis diagnosis = Diagnosis.of(device);
      bench.awaitAll();
      diagnosis.close();
      bad.run(bench);
      bench.awaitAll();
      assertThat(diagnosis.findings()).isEmpty();
      diagnosis.close();
    }
  }

  @Test
  void twoDiagnosesSeeTheSame() {
    try (Workbench bench = new Workbench(opened.devices());
        Diagnosis one = Diagnosis.of(device);
        Diagnosis two = Diagnosis.of(device)) {
      DiagnosedPrograms.PAIRS.getFirst().bad().run(bench);
      bench.awaitAll();
      assertThat(one.findings()).hasSize(1);
      assertThat(two.findings()).hasSize(1);
    }
  }

  @Test
  void aClosedDeviceKeepsItsFindings() {
    try (Diagnosis diagnosis = Diagnosis.of(device)) {
      try (Workbench bench = new Workbench(opened.devices())) {
        DiagnosedPrograms.PAIRS.getFirst().bad().run(bench);
        bench.awaitAll();
      }
      device.close();
      assertThat(diagnosis.findings()).isNotEmpty();
    }
  }
}
