package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Processes that begin to share at the same time do not take each other's sockets for left ones.
 */
class ProcessesAtOnceTest {
  private static final int PROCESSES = 4;

  @Test
  void noneDeletesWhatAnotherOneHasJustMade() throws IOException, InterruptedException {
    List<OtherProcess> processes = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(OtherProcess.on("virtual"));
      }
      for (OtherProcess process : processes) {
        assertThat(process.ask("used nothing")).contains("Exception"); // it runs
      }
      Looker looker = new Looker(processes);
      Thread looks = Thread.ofPlatform().start(looker);
      processes.forEach(process -> process.tell("event"));
      for (OtherProcess process : processes) {
        assertThat(process.answer()).matches("[0-9a-f]+");
      }
      looker.isOver = true;
      looks.join();
      assertThat(looker.seen).hasSize(PROCESSES);
      assertThat(looker.notLocked).isEmpty();
    } finally {
      processes.forEach(OtherProcess::close);
    }
  }

  /** Looks again and again, as a process does that sweeps, whether the others' locks are held. */
  private static final class Looker implements Runnable {
    final Set<Path> seen = new HashSet<>();
    final Set<Path> notLocked = new HashSet<>();
    volatile boolean isOver;
    private final List<OtherProcess> processes;

    Looker(List<OtherProcess> processes) {
      this.processes = processes;
    }

    @Override
    public void run() {
      boolean isLast = false;
      while (!isLast) {
        isLast = isOver;
        for (OtherProcess process : processes) {
          look("stretto-" + process.id() + "-*");
        }
      }
    }

    private void look(String name) {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, name)) {
        for (Path folder : folders) {
          look(folder.resolve("alive"));
        }
      } catch (IOException _) { // it is gone meanwhile
        return;
      }
    }

    private void look(Path alive) {
      try (FileChannel channel = FileChannel.open(alive, StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        seen.add(alive);
        if (lock != null) {
          notLocked.add(alive);
        }
      } catch (IOException _) { // not there yet
        return;
      }
    }
  }
}
