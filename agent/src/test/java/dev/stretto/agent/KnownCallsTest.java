package dev.stretto.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.order.program.ProgramAccesses;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of what methods do with host memory, against the JDK and the hooks. */
class KnownCallsTest {
  private static final KnownCalls CALLS = KnownCalls.read();

  /** {@return whether the JDK has the method; rows for all types of numbers name some too many} */
  private static boolean isThere(KnownCall call) {
    try {
      Class<?> owner = Class.forName(call.owner());
      Executable[] all =
          call.name().equals(ConstantDescs.INIT_NAME)
              ? owner.getDeclaredConstructors()
              : owner.getDeclaredMethods();
      return Stream.of(all)
          .filter(each -> each.getName().equals(call.name()) || each.getName().equals(call.owner()))
          .filter(each -> Modifier.isStatic(each.getModifiers()) == call.isStatic())
          .filter(each -> Modifier.isPublic(each.getModifiers()))
          .anyMatch(each -> parameters(each).equals(call.parameters()));
    } catch (ClassNotFoundException _) {
      return false;
    }
  }

  private static List<ClassDesc> parameters(Executable method) {
    return Arrays.stream(method.getParameterTypes())
        .map(each -> ClassDesc.ofDescriptor(each.descriptorString()))
        .toList();
  }

  @Test
  void everyRowNamesMethodsOfTheJdk() {
    Set<String> rows = new TreeSet<>();
    Set<String> there = new TreeSet<>();
    for (KnownCall call : CALLS.all()) {
      rows.add(row(call));
      if (isThere(call)) {
        there.add(row(call));
      }
    }
    assertThat(rows).hasSizeGreaterThan(100).isEqualTo(there);
  }

  /** All numbers' types alike. */
  private static String row(KnownCall call) {
    String text = call.owner() + " " + call.name() + call.parameters();
    return text.replaceAll("(Byte|Char|Short|Int|Long|Float|Double|Boolean)(?=Buffer|Stream)", "T")
        .replaceAll("Of(Byte|Char|Short|Int|Long|Float|Double|Boolean)", "OfT")
        .replaceAll("byte|char|short|int|long|float|double|boolean", "t");
  }

  @Test
  void everyRowCallsHooksThatThereAre() throws Exception {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    for (KnownCall call : CALLS.all()) {
      List<TypeKind> kinds = new ArrayList<>();
      if (!call.isStatic()) {
        kinds.add(TypeKind.REFERENCE);
      }
      call.parameters().forEach(each -> kinds.add(TypeKind.from(each)));
      assertThat(call.hooks()).as(row(call)).isNotEmpty();
      for (Hook hook : call.hooks()) {
        MethodType type =
            MethodType.fromMethodDescriptorString(hook.type(kinds).descriptorString(), null);
        assertThat(lookup.findStatic(ProgramAccesses.class, hook.name(), type)).isNotNull();
      }
    }
  }
}
