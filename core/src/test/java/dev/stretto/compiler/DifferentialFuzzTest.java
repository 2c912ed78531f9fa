package dev.stretto.compiler;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class DifferentialFuzzTest {
  @Test
  void x() {
    long from = Long.getLong("stretto.fuzz.seed", 1);
    int n = Integer.getInteger("stretto.fuzz.kernels", 10);
    java.util.Map<String, Integer> seen = new java.util.TreeMap<>();
    long t = System.nanoTime();
    for (long s = from; s < from + n; s++) {
      KernelTree.Kernel k = KernelGenerator.generate(s);
      long before = System.nanoTime();
      if (!KernelScopes.areRight(k)) System.out.println("NOT RIGHT " + s);
      Optional<FuzzedKernel.Mistake> m =
          new FuzzedKernel(k, s, s % 2 == 1, (a, b) -> {}).check();
      if (m.isPresent()) {
        String key = m.get().stage() + " " + m.get().kind();
        if (seen.merge(key, 1, Integer::sum) <= 2) {
          System.out.println(s + " size " + KernelTree.size(k) + " " + m.get());
          long s1 = s;
          KernelTree.Kernel small = KernelShrinker.shrink(k, c -> {
            var again = new FuzzedKernel(c, s1, s1 % 2 == 1, (a, b) -> {}).check();
            return again.isPresent() && again.get().isLike(m.get());
          }, 3000);
          System.out.println(KernelText.of(small) + " " + new FuzzedKernel(small, s1, s1 % 2 == 1, (a, b) -> {}).check());
        }
      }
      long took = (System.nanoTime() - before) / 1000000;
      if (took > Long.getLong("slow", 1000)) System.out.println("slow " + s + " " + took + " " + KernelTree.size(k));
      if (Boolean.getBoolean("show")) System.out.println(KernelText.of(k));
    }
    System.out.println(FuzzedKernel.T[0] / 1000000 + " write, " + FuzzedKernel.T[1]/1000000 + " java, " + FuzzedKernel.T[2]/1000000 + " compile+, " + FuzzedKernel.T[3]/1000000 + " lower, " + FuzzedKernel.T[4]/1000000 + " interpret, count " + FuzzedKernel.T[5] + " of " + FuzzedKernel.T[6]);
    System.out.println((System.nanoTime() - t) / 1e6 / n + " ms each");
    seen.forEach((a, b) -> System.out.println(b + "  " + a));
  }
}
