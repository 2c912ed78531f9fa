package dev.stretto;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.stretto.diagnosis.tally.Places;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The arrows of the house, which point downwards only. If the code teaches that a wall stands in
 * the wrong place, move the wall here and in {@code docs/architecture.md} together.
 */
class ArchitectureTest {
  /** What lies where {@link Device} does, in a folder or in a jar: core, without its tests. */
  static final JavaClasses CORE = importCore();

  private static JavaClasses importCore() {
    try {
      Path place =
          Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isDirectory(place)
          ? new ClassFileImporter().importPath(place)
          : new ClassFileImporter().importJar(new JarFile(place.toFile()));
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each room, and the rooms that it may look into. */
  @ParameterizedTest(name = "{0} may use {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          flow               | file stretto route memory kernel driver fault
          file               | driver fault
          collective         | collective.mesh collective.nccl stretto route memory driver fault settings
          collective.mesh    | fault
          collective.nccl    | fault settings
          timeline           | stretto observe diagnosis route memory driver fault
          schedule           | stretto driver driver.virtual
          stretto            | enqueue observe order process route kernel memory rows driver driver.cuda driver.virtual fault diagnosis diagnosis.tally jfr jmx settings
          enqueue            | observe order route memory rows driver fault
          rows               | driver fault
          order              | fault settings
          order.program      | order fault
          observe            | route driver diagnosis diagnosis.tally jfr settings
          diagnosis          |
          diagnosis.tally    | diagnosis
          route              | order process driver fault settings
          kernel.math        |
          kernel             | kernel.host kernel.machine compiler compiler.ptx compiler.reach compiler.ir memory driver fault settings
          kernel.host        | kernel.machine compiler compiler.jvm compiler.ir driver fault
          kernel.machine     | memory driver fault
          compiler           | compiler.bank compiler.classfile compiler.jvm compiler.pass compiler.lint compiler.ptx compiler.reach compiler.ir fault settings
          compiler.lint      | compiler.ir fault
          compiler.bank      | compiler.ir
          compiler.classfile | compiler.ir fault
          compiler.pass      | compiler.ir fault
          compiler.ptx       | compiler.ir
          compiler.jvm       | compiler.ir
          compiler.reach     | compiler.ir
          compiler.ir        | fault
          memory             | fault
          driver             | fault
          driver.cuda        | driver fault settings
          driver.virtual     | process driver fault settings
          process            | fault
          settings           | fault
          fault              |
          """)
  void roomsLookDownwardsOnly(String room, String below) {
    String[] allowed = (room + " " + (below == null ? "" : below)).strip().split(" +", -1);
    String[] packages = new String[allowed.length + 2];
    for (int i = 0; i < allowed.length; i++) {
      packages[i] = packageOf(allowed[i]);
    }
    packages[allowed.length] = "java..";
    packages[allowed.length + 1] = "org.jspecify..";
    ArchRule rule =
        classes()
            .that()
            .resideInAPackage(packageOf(room))
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(packages)
            .allowEmptyShould(false);
    rule.check(CORE);
  }

  private static String packageOf(String room) {
    return room.equals("stretto") ? "dev.stretto" : "dev.stretto." + room;
  }

  @Test
  void everyRoomIsOnThePlan() {
    classes()
        .should()
        .resideInAnyPackage(
            "dev.stretto",
            "dev.stretto.flow",
            "dev.stretto.file",
            "dev.stretto.collective",
            "dev.stretto.collective.mesh",
            "dev.stretto.collective.nccl",
            "dev.stretto.timeline",
            "dev.stretto.schedule",
            "dev.stretto.enqueue",
            "dev.stretto.observe",
            "dev.stretto.route",
            "dev.stretto.rows",
            "dev.stretto.kernel",
            "dev.stretto.kernel.host",
            "dev.stretto.kernel.machine",
            "dev.stretto.kernel.math",
            "dev.stretto.compiler",
            "dev.stretto.compiler.bank",
            "dev.stretto.compiler.classfile",
            "dev.stretto.compiler.pass",
            "dev.stretto.compiler.lint",
            "dev.stretto.compiler.ptx",
            "dev.stretto.compiler.reach",
            "dev.stretto.order",
            "dev.stretto.order.program",
            "dev.stretto.compiler.jvm",
            "dev.stretto.compiler.ir",
            "dev.stretto.memory",
            "dev.stretto.process",
            "dev.stretto.driver",
            "dev.stretto.driver.cuda",
            "dev.stretto.driver.virtual",
            "dev.stretto.diagnosis",
            "dev.stretto.diagnosis.tally",
            "dev.stretto.jfr",
            "dev.stretto.jmx",
            "dev.stretto.settings",
            "dev.stretto.fault")
        .check(CORE);
  }

  /** Or a finding, a fault or a node of a graph would be laid at a line of the library. */
  @Test
  void noLineOfTheLibraryIsTakenForTheProgramsLine() {
    assertThat(
            CORE.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.matches("dev\\.stretto\\.(driver|compiler)(\\..*)?")))
        .contains("dev.stretto.flow", "dev.stretto.enqueue", "dev.stretto.settings")
        .allMatch(Places::isStretto);
    assertThat(Places.isStretto("dev.stretto.examples")).isFalse();
  }

  @Test
  void theTwoDriversAreChosenInOnePlace() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.stretto.Devices")
        .and()
        .resideOutsideOfPackages(
            "dev.stretto.driver.cuda",
            "dev.stretto.driver.virtual",
            "dev.stretto.schedule") // schedules are those of virtual devices
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.stretto.driver.cuda", "dev.stretto.driver.virtual")
        .check(CORE);
  }

  @Test
  void noTwoRoomsDependOnEachOther() {
    slices().matching("dev.stretto.(**)").should().beFreeOfCycles().check(CORE);
  }

  /** The Flight Recorder is a module of its own, which a program may do without. */
  @Test
  void theFlightRecorderIsKnownInOneRoom() {
    classes()
        .that()
        .resideInAPackage("dev.stretto.jfr")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.stretto.jfr", "dev.stretto.diagnosis", "jdk.jfr", "java..", "org.jspecify..")
        .check(CORE);
  }

  /** So are the management beans. */
  @Test
  void managementBeansAreKnownInOneRoom() {
    classes()
        .that()
        .resideInAPackage("dev.stretto.jmx")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.stretto.jmx", "java..", "javax.management", "org.jspecify..")
        .check(CORE);
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.stretto.jmx")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.lang.management..", "javax.management..")
        .check(CORE);
  }

  @Test
  void nothingButTheJdksBaseIsNeeded() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.stretto.jfr", "dev.stretto.jmx")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are neither ours nor the JDK's base",
                (JavaClass type) ->
                    !type.getPackageName().startsWith("dev.stretto")
                        && !type.getPackageName().startsWith("java.")
                        && !type.getPackageName().equals("org.jspecify.annotations")
                        && !type.isPrimitive()
                        && !type.isArray()))
        .check(CORE);
  }
}
