package dev.stretto.contract;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Runs each test that is for a GPU in a process of its own: after a kernel has faulted, CUDA gives
 * a process no context any more. On other machines tests run where they are.
 */
final class OwnProcess implements InvocationInterceptor {
  private static final String CHILD = "stretto.ownProcess";

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    Machine machine = ((ContractTest) context.getRequiredTestInstance()).machine;
    if (machine.isVirtual() || Boolean.getBoolean(CHILD)) {
      invocation.proceed();
      return;
    }
    invocation.skip();
    run(machine, context.getRequiredTestClass(), context.getRequiredTestMethod());
  }

  private static void run(Machine machine, Class<?> test, Method method)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-ea",
                    "--enable-native-access=ALL-UNNAMED",
                    "-D" + CHILD + "=true",
                    "-Dstretto.machines=" + machine,
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    "org.junit.platform.console.ConsoleLauncher",
                    "execute",
                    "--fail-if-no-tests",
                    "--disable-banner",
                    "--details=tree",
                    "--select-method=" + test.getName() + "#" + method.getName()))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (output.contains(" 1 tests aborted ")) { // which the launcher takes for no test
      throw new TestAbortedException("in a process of its own:\n" + output);
    }
    if (status != 0) {
      throw new AssertionError("in a process of its own:\n" + output);
    }
  }
}
