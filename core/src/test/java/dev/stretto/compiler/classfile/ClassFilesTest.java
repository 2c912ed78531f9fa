package dev.stretto.compiler.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClassFilesTest {
  private static final String NAME = ClassFilesTest.class.getName().replace('.', '/');

  /** As Java's launcher of source files: it has the file of a class once that is loaded. */
  private static final class OnDemand extends ClassLoader {
    private final Set<String> loaded = new HashSet<>();

    OnDemand() {
      super(ClassFilesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> found = super.loadClass(name, resolve);
      loaded.add(name.replace('.', '/') + ".class");
      return found;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      return loaded.contains(name) ? super.getResourceAsStream(name) : null;
    }
  }

  @Test
  void aClassThatHasNoFileBeforeItIsLoadedIsLoadedForIt() {
    assertThat(ClassFiles.bytes(new OnDemand(), NAME)).isNotEmpty();
    assertThat(new ClassFiles(new OnDemand()).find(NAME)).isPresent();
  }

  @Test
  void aClassThatThereIsNotIsNotFound() {
    assertThat(ClassFiles.bytes(new OnDemand(), NAME + "Missing")).isNull();
    assertThat(ClassFiles.bytes(ClassFilesTest.class.getClassLoader(), NAME + "Missing")).isNull();
  }
}
