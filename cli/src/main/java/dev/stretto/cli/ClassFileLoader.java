package dev.stretto.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds class files like other loaders, but opens regular files only, and none that is larger than
 * any real class file: an archive may hold a few bytes that unpack to gigabytes.
 */
final class ClassFileLoader extends URLClassLoader {
  private static final int MOST_BYTES = 16 << 20;

  ClassFileLoader(List<URL> urls, ClassLoader parent) {
    super(urls.toArray(URL[]::new), parent);
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    URL url = getResource(name);
    if (url == null) {
      return null;
    }
    requireRegular(url);
    try (InputStream in = super.getResourceAsStream(name)) {
      if (in == null) {
        return null;
      }
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new CommandFailure(
            "%s has more than %d bytes, which no class file has".formatted(url, MOST_BYTES));
      }
      return new ByteArrayInputStream(bytes);
    } catch (IOException e) {
      throw new CommandFailure(url + " cannot be read: " + Faults.reason(e), e);
    }
  }

  private static void requireRegular(URL url) {
    try {
      if (url.getProtocol().equals("file") && !Files.isRegularFile(Path.of(url.toURI()))) {
        throw new CommandFailure(url.getPath() + " is not a regular file");
      }
    } catch (URISyntaxException e) {
      throw new CommandFailure(url + " does not name a file", e);
    }
  }
}
