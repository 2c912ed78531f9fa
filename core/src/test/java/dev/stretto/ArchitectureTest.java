package dev.stretto;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** The house: one library, few rooms, arrows only downwards. docs/architecture.md draws it. */
@AnalyzeClasses(packages = "dev.stretto", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String JDK = "java..";
  private static final String NULLNESS = "org.jspecify.annotations";

  @ArchTest static final ArchRule faultStandsOnNothing = room("dev.stretto.fault");

  @ArchTest
  static final ArchRule driverStandsOnFault = room("dev.stretto.driver", "dev.stretto.fault");

  @ArchTest
  static final ArchRule cudaStandsOnDriver =
      room("dev.stretto.driver.cuda", "dev.stretto.driver", "dev.stretto.fault");

  @ArchTest
  static final ArchRule virtualStandsOnDriver =
      room("dev.stretto.driver.virtual", "dev.stretto.driver", "dev.stretto.fault");

  @ArchTest
  static final ArchRule memoryStandsOnFault = room("dev.stretto.memory", "dev.stretto.fault");

  @ArchTest
  static final ArchRule kernelStandsOnMemory =
      room("dev.stretto.kernel", "dev.stretto.memory", "dev.stretto.driver", "dev.stretto.fault");

  @ArchTest
  static final ArchRule routeStandsOnDriver =
      room("dev.stretto.route", "dev.stretto.driver", "dev.stretto.fault");

  @ArchTest
  static final ArchRule programsStandOnAllBelow =
      room(
          "dev.stretto",
          "dev.stretto.route",
          "dev.stretto.kernel",
          "dev.stretto.memory",
          "dev.stretto.driver",
          "dev.stretto.driver.cuda",
          "dev.stretto.driver.virtual",
          "dev.stretto.fault");

  @ArchTest
  static final ArchRule timelineStandsOnPrograms =
      room("dev.stretto.timeline", "dev.stretto", "dev.stretto.driver", "dev.stretto.fault");

  @ArchTest
  static final ArchRule flowStandsOnPrograms =
      room(
          "dev.stretto.flow",
          "dev.stretto",
          "dev.stretto.memory",
          "dev.stretto.driver",
          "dev.stretto.fault");

  @ArchTest
  static final ArchRule onlyDevicesKnowsWhichDriversThereAre =
      noClasses()
          .that()
          .resideInAPackage("dev.stretto")
          .and()
          .doNotHaveFullyQualifiedName("dev.stretto.Devices")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.stretto.driver.cuda", "dev.stretto.driver.virtual");

  @ArchTest
  static final ArchRule noArrowsInCircles =
      SlicesRuleDefinition.slices().matching("dev.stretto.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule noDumpingGrounds =
      noClasses().should().resideInAnyPackage("..util..", "..common..", "..helper..", "..impl..");

  private static ArchRule room(String name, String... below) {
    String[] allowed = new String[below.length + 3];
    System.arraycopy(below, 0, allowed, 0, below.length);
    allowed[below.length] = name;
    allowed[below.length + 1] = JDK;
    allowed[below.length + 2] = NULLNESS;
    return classes()
        .that()
        .resideInAPackage(name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }
}
