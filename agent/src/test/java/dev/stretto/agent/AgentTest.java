package dev.stretto.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in processes of their own: on the class path, on the module path, and in loaders. */
class AgentTest {
  private static final String PROGRAM =
      """
      package acme;

      import dev.stretto.*;
      import dev.stretto.fault.RaceException;
      import dev.stretto.memory.GlobalInts;

      public final class Main {
        public static void main(String[] arguments) {
          try (Device device = Device.open("virtual:h200,seed=1");
              Stream stream = device.stream();
              GlobalInts array = device.allocateInts(1000)) {
            stream.fill(array, 7).await();
            int[] host = new int[1000];
            Copy copy = stream.copy(array, host);
            try {
              System.out.println("not seen " + host[3]);
            } catch (RaceException e) {
              System.out.println(e.second().orElseThrow());
            }
            copy.await();
            System.out.println(host[3]);
          }
        }
      }
      """;

  @TempDir private Path folder;
  private Path agent;

  @BeforeEach
  void makeTheAgentsJar() throws IOException {
    agent = folder.resolve("agent.jar");
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(new Attributes.Name("Premain-Class"), Agent.class.getName());
    attributes.put(Attributes.Name.CLASS_PATH, Path.of(placeOf(Agent.class)).toUri().toString());
    new JarOutputStream(Files.newOutputStream(agent), manifest).close();
  }

  private static String placeOf(Class<?> type) {
    return Path.of(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  private Path compile(String name, String text, String... options) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path source = sources.resolve(name + ".java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, text);
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-d", classes.toString(), source.toString()));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
    return classes;
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-javaagent:" + agent);
    command.add("-Ddev.stretto.order=checked");
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void seesProgramsOnTheClassPath() throws Exception {
    String stretto = placeOf(Device.class);
    Path classes = compile("acme/Main", PROGRAM, "-cp", stretto);
    String path = classes + java.io.File.pathSeparator + stretto;
    assertThat(run("--enable-native-access=ALL-UNNAMED", "-cp", path, "acme.Main"))
        .isEqualToNormalizingNewlines("acme.Main.main(Main.java:16)\n7\n");
  }

  @Test
  void seesProgramsOnTheModulePath() throws Exception {
    String stretto = placeOf(Device.class);
    Path classes = compile("acme/Main", PROGRAM, "-cp", stretto);
    compile("module-info", "module acme { requires dev.stretto; }", "-p", stretto);
    String path = classes + java.io.File.pathSeparator + stretto;
    assertThat(run("--enable-native-access=dev.stretto", "-p", path, "-m", "acme/acme.Main"))
        .contains("acme.Main.main(acme/Main.java:16)".replace("acme/M", "M"))
        .endsWith("7" + System.lineSeparator());
  }

  @Test
  void tellsTheThreadsOfAProgramApart() throws Exception {
    String program =
        """
        package acme;

        import dev.stretto.*;
        import dev.stretto.fault.RaceException;
        import dev.stretto.memory.GlobalFloats;
        import java.util.concurrent.*;

        public final class Main {
          public static void main(String[] arguments) throws Exception {
            try (Device device = Device.open("virtual:h200");
                Stream one = device.stream();
                Stream two = device.stream();
                GlobalFloats a = device.allocateFloats(64)) {
              System.out.println("begin");
              CountDownLatch late = new CountDownLatch(1);
              try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
                pool.execute(
                    () -> {
                      one.fill(a, 1).await();
                      late.countDown();
                      System.out.println("filled");
                    });
                late.await();
                two.fill(a, 2).await();
              }
              CountDownLatch early = new CountDownLatch(1);
              Thread thread =
                  new Thread(
                      () -> {
                        early.countDown();
                        one.fill(a, 1).await();
                      });
              thread.start();
              early.await();
              Thread.sleep(300);
              System.out.println("waited");
              try {
                two.fill(a, 3);
                System.out.println("missed");
              } catch (RaceException e) {
                System.out.println(e.first().orElseThrow() + " " + e.second().orElseThrow());
              }
              thread.join();
              two.fill(a, 3).await();
              System.out.println("end");
            }
          }
        }
        """;
    String stretto = placeOf(Device.class);
    Path classes = compile("acme/Main", program, "-cp", stretto);
    String path = classes + java.io.File.pathSeparator + stretto;
    assertThat(run("--enable-native-access=ALL-UNNAMED", "-cp", path, "acme.Main"))
        .isEqualToNormalizingNewlines(
            """
            begin
            filled
            waited
            acme.Main.lambda$main$1(Main.java:31) acme.Main.main(Main.java:38)
            end
            """);
  }

  @Test
  void leavesClassesAloneThatDoNotSeeStretto() throws Exception {
    String program =
        """
        package acme;

        public final class Main {
          public static void main(String[] arguments) {
            int[] some = {1, 2};
            some[1] = 3;
            System.out.println(some[1]);
          }
        }
        """;
    Path classes = compile("acme/Main", program);
    assertThat(run("-cp", classes.toString(), "acme.Main")).isEqualToNormalizingNewlines("3\n");
  }

  @Test
  void seesClassesOfLoadersThatSeeStretto() throws Exception {
    String stretto = placeOf(Device.class);
    Path classes = compile("acme/Main", PROGRAM, "-cp", stretto);
    String loading =
        """
        package outside;

        import java.net.*;
        import java.nio.file.Path;

        public final class Loading {
          public static void main(String[] arguments) throws Exception {
            URL[] urls = new URL[arguments.length];
            for (int i = 0; i < urls.length; i++) {
              urls[i] = Path.of(arguments[i]).toUri().toURL();
            }
            Class.forName("acme.Main", true, new URLClassLoader(urls))
                .getMethod("main", String[].class)
                .invoke(null, (Object) new String[0]);
          }
        }
        """;
    Path outside = folder.resolve("outside");
    Path source = Files.writeString(folder.resolve("Loading.java"), loading);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", outside.toString(), source.toString()))
        .isZero();
    String[] arguments = {
      "--enable-native-access=ALL-UNNAMED",
      "-cp",
      outside.toString(),
      "outside.Loading",
      classes.toString(),
      stretto
    };
    assertThat(run(arguments)).contains("Main.java:16").contains("\n7");
  }

  @Test
  void tellsWhichClassItCannotChange() throws Exception {
    String stretto = placeOf(Device.class);
    Path classes = compile("acme/Main", PROGRAM, "-cp", stretto);
    byte[] bytes = Files.readAllBytes(classes.resolve("acme/Main.class"));
    bytes[7]++; // a version that is not known yet
    Files.write(classes.resolve("acme/Main.class"), bytes);
    String path = classes + java.io.File.pathSeparator + stretto;
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-javaagent:" + agent,
            "-cp",
            path,
            "acme.Main");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("the accesses of acme.Main to host memory are not seen");
  }
}
