package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScratchTest {
  private static final int MORE_THAN_ARE_SHARED = 100;

  @Test
  void aPlatformThreadHasItsOwn() throws InterruptedException {
    Scratch mine = Scratch.borrow();
    mine.giveBack();
    List<Scratch> others = new ArrayList<>();
    Thread.ofPlatform().start(() -> others.add(Scratch.borrow())).join();

    assertThat(Scratch.borrow()).isSameAs(mine);
    assertThat(others).hasSize(1).doesNotContain(mine);
  }

  @Test
  void virtualThreadsNeverShareOneAtTheSameTime() throws InterruptedException {
    List<Scratch> borrowed = new ArrayList<>();
    Thread.ofVirtual()
        .start(
            () -> {
              for (int i = 0; i < MORE_THAN_ARE_SHARED; i++) {
                borrowed.add(Scratch.borrow());
              }
              borrowed.forEach(Scratch::giveBack);
            })
        .join();

    assertThat(borrowed).hasSize(MORE_THAN_ARE_SHARED).doesNotHaveDuplicates();
  }

  @Test
  void virtualThreadsUseWhatOthersGaveBack() throws InterruptedException {
    List<Scratch> borrowed = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                Scratch scratch = Scratch.borrow();
                borrowed.add(scratch);
                scratch.giveBack();
              })
          .join();
    }

    assertThat(borrowed.stream().distinct().count()).isLessThan(MORE_THAN_ARE_SHARED);
  }

  @Test
  void whatIsWrittenIsRead() {
    Scratch scratch = Scratch.borrow();
    scratch.write(Scratch.OUT, 5);
    scratch.write(Scratch.SECOND, 7);

    assertThat(scratch.read(Scratch.OUT)).isEqualTo(5);
    assertThat(scratch.at(Scratch.SECOND) - scratch.at(Scratch.OUT)).isEqualTo(8);
    scratch.giveBack();
  }
}
