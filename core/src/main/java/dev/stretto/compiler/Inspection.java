package dev.stretto.compiler;

import dev.stretto.compiler.bank.BankConflicts;
import dev.stretto.compiler.bank.BlockShape;
import dev.stretto.compiler.bank.SharedAccess;
import dev.stretto.compiler.classfile.KernelAttributes;
import dev.stretto.compiler.ir.EntryParameter;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.lint.CopyLints;
import dev.stretto.compiler.lint.Lint;
import java.util.ArrayList;
import java.util.List;

/** Looks at a kernel while it is compiled, for those who ask what can be found in it. */
class Inspection {
  /** That of a launch, which spends no time on it. */
  static final Inspection NONE = new Inspection();

  private Inspection() {}

  static Inspection of(KernelSource source, BlockShape block) {
    return new Thorough(source, block);
  }

  /** Takes the kernel before loads, stores and branches are moved. */
  void accepted(Function function, int maxThreads) {}

  /** Takes the kernel as it is written. */
  void finished(Function function, KernelAttributes attributes, List<EntryParameter> parameters) {}

  InspectedKernel result(CompiledKernel kernel) {
    return new InspectedKernel(kernel, List.of(), List.of(), 0);
  }

  private static final class Thorough extends Inspection {
    private final KernelSource source;
    private final BlockShape block;
    private final List<Lint> lints = new ArrayList<>();
    private List<SharedAccess> accesses = List.of();
    private int most;

    Thorough(KernelSource source, BlockShape block) {
      this.source = source;
      this.block = block;
    }

    @Override
    void accepted(Function function, int maxThreads) {
      most = maxThreads;
      lints.addAll(CopyLints.of(function, maxThreads));
    }

    @Override
    void finished(Function function, KernelAttributes attributes, List<EntryParameter> parameters) {
      accesses = BankConflicts.of(function, block, most, names(attributes, parameters));
    }

    @Override
    InspectedKernel result(CompiledKernel kernel) {
      return new InspectedKernel(kernel, List.copyOf(lints), accesses, most);
    }

    /** What each parameter of the entry is for the reader of the kernel. */
    private List<String> names(KernelAttributes attributes, List<EntryParameter> parameters) {
      List<String> all =
          ParameterNames.of(source.loader(), source.owner(), source.method(), source.descriptor());
      List<String> names = new ArrayList<>();
      int kind = 0;
      int next = 0;
      List<KernelAttributes.ParameterKind> kinds =
          attributes.parameters(source.constants().keySet());
      for (int i = 0; i < all.size(); i++) {
        boolean isBlock = attributes.types().get(i).descriptorString().endsWith("/ThreadBlock;");
        if (isBlock || source.constants().containsKey(i)) {
          continue;
        }
        String name = all.get(i);
        switch (kinds.get(kind++)) {
          case ARRAY -> {
            names.add("the address of " + name);
            names.add("the length of " + name);
            next += 2;
          }
          case RECORD -> {
            for (int component = 0; component < parameters.get(next).count(); component++) {
              names.add("a component of " + name);
            }
            next++;
          }
          case NUMBER, TENSOR_MAP -> {
            names.add("the argument " + name);
            next++;
          }
        }
      }
      return names;
    }
  }
}
