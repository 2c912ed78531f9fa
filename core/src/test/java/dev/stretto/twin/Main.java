package dev.stretto.twin;

import dev.stretto.Device;
import dev.stretto.Stream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs twins and prints their lines: {@code Main [--machine NAME] [TWIN…]}, all if none is named.
 * On GPUs one that loses the device runs in a process of its own.
 */
final class Main {
  private static final String HERE = "--here";

  private static final String FAULT = "--fault";
  private static final long LIMIT_MILLIS = 60_000;

  private Main() {}

  /**
   * The program.
   *
   * @param words its arguments
   */
  public static void main(String[] words) throws Exception {
    List<String> wanted = new ArrayList<>(Arrays.asList(words));
    TwinMachine machine = TwinMachine.present();
    if (!wanted.isEmpty() && wanted.getFirst().equals("--machine")) {
      machine = new TwinMachine(wanted.get(1));
      wanted = wanted.subList(2, wanted.size());
    }
    boolean here = wanted.remove(HERE);
    if (wanted.remove(FAULT)) {
      System.exit(loses(machine) ? 0 : 1);
    }
    // Keeps the GPUs' contexts while twins open and close theirs.
    List<Device> kept = machine.isCuda() ? TwinMachine.open(machine.driver()) : List.of();
    for (Twin twin : Twins.all()) {
      if (!wanted.isEmpty() && !wanted.contains(twin.name())) {
        continue;
      }
      if (twin.kind().losesDevice() && machine.isCuda() && !here) {
        runAlone(twin, machine);
      } else {
        run(twin, machine, Main::print);
      }
    }
    if (!here) {
      kept.forEach(Device::close);
    }
    System.out.flush();
    // Not by returning: a twin that failed may have left threads behind.
    System.exit(0);
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush(); // so that nothing is missing if the process is ended from outside
  }

  /**
   * Runs a twin to its end, on a platform thread of its own, which has a default stream of its own.
   * What it did not expect is a line too, and so is that it has not come to its end in a minute.
   */
  static void run(Twin twin, TwinMachine machine, Consumer<String> out)
      throws InterruptedException {
    Thread thread = Thread.ofPlatform().daemon().start(() -> runHere(twin, machine, out));
    thread.join(LIMIT_MILLIS);
    if (thread.isAlive()) {
      out.accept("%s: failed=it runs for %d ms".formatted(twin.name(), LIMIT_MILLIS));
      System.err.printf("%s stands at%n", twin.name());
      for (StackTraceElement frame : thread.getStackTrace()) {
        System.err.printf("\tat %s%n", frame);
      }
    }
  }

  private static void runHere(Twin twin, TwinMachine machine, Consumer<String> out) {
    try (Scene scene = new Scene(twin.name(), machine, out)) {
      if (twin.kind().needsPair() && !scene.hasPair()) {
        scene.say("skipped", "one GPU");
        return;
      }
      scene.prepareKernels();
      twin.body().run(scene);
    } catch (Exception e) {
      out.accept("%s: failed=%s".formatted(twin.name(), e));
      e.printStackTrace();
    }
  }

  private static void runAlone(Twin twin, TwinMachine machine)
      throws IOException, InterruptedException {
    if (inProcess(machine, HERE, twin.name()) != 0) {
      System.out.printf("%s: failed=its process%n", twin.name());
    }
  }

  /**
   * {@return whether a device is lost and says so, where it does not concern the device in hand: in
   * another process, or on a virtual machine of its own}
   */
  static boolean losesElsewhere(TwinMachine machine) throws IOException, InterruptedException {
    return machine.isCuda() ? inProcess(machine, FAULT) == 0 : loses(machine);
  }

  private static boolean loses(TwinMachine machine) {
    Device device = TwinMachine.open(machine.driver()).getFirst();
    Stream stream = device.stream();
    ErrorTwins.fault(device.allocateInts(1), stream);
    return Scene.lostOutcome(stream::await).equals("lost");
  }

  private static int inProcess(TwinMachine machine, String... words)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-ea", // one kernel fails an assertion
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--machine",
                machine.name()));
    command.addAll(Arrays.asList(words));
    System.out.flush();
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
