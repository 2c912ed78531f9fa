package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
  @TempDir private Path folder;
  private Path path;
  private InputFile file;

  @BeforeEach
  void write() throws Exception {
    path = Files.write(folder.resolve("plain"), new byte[1000]);
    file = InputFile.of(path);
    file.requireUnchanged();
  }

  @Test
  void saysWhereATruncatedFileEnds() throws Exception {
    try (FileChannel channel = file.open()) {
      Files.write(path, new byte[700]);
      assertThatThrownBy(() -> file.read(channel, 500, MemorySegment.ofArray(new byte[500])))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("was truncated")
          .hasMessageContaining("1000 bytes")
          .hasMessageContaining("ends at 700");
    }
  }

  @Test
  void noticesThatTheFileGrew() throws Exception {
    Files.write(path, new byte[1], StandardOpenOption.APPEND);
    assertThatThrownBy(file::requireUnchanged)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("it had 1000 bytes and now has 1001");
  }

  @Test
  void noticesThatTheFileWasWrittenTo() throws Exception {
    Files.setLastModifiedTime(path, FileTime.fromMillis(1));
    assertThatThrownBy(file::requireUnchanged)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("was written to");
  }

  @Test
  void noticesThatTheFileIsGone() throws Exception {
    Files.delete(path);
    assertThatThrownBy(file::requireUnchanged)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("no such file");
  }
}
