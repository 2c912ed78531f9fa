package dev.stretto.kernel;

import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.fault.KernelRefusedException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an image's kernel does with its arguments, from the Java method that does the same. It may
 * be Java that no kernel may use; then nothing is known. Found out when it is first asked for.
 */
final class TwinReach implements Supplier<KernelReach> {
  private final Method twin;
  private final List<Parameter> parameters;
  private volatile @Nullable KernelReach known;

  TwinReach(Method twin, List<Parameter> parameters) {
    this.twin = twin;
    this.parameters = parameters;
  }

  @Override
  public KernelReach get() {
    KernelReach reach = known;
    if (reach == null) {
      reach = find();
      known = reach;
    }
    return reach;
  }

  private KernelReach find() {
    Class<?> owner = twin.getDeclaringClass();
    KernelSource source =
        new KernelSource(
            owner.getClassLoader(),
            owner.getName().replace('.', '/'),
            twin.getName(),
            MethodType.methodType(twin.getReturnType(), twin.getParameterTypes())
                .toMethodDescriptorString(),
            Map.of(),
            false);
    try {
      return KernelReach.inferred(
          parameters, KernelCompiler.compile(source, KernelTarget.of(9, 0)).reach());
    } catch (KernelRefusedException _) {
      return KernelReach.assumed(parameters);
    }
  }
}
