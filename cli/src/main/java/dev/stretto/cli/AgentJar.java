package dev.stretto.cli;

import dev.stretto.agent.Agent;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The jar that a JVM takes as Stretto's agent. */
final class AgentJar {
  private AgentJar() {}

  /** {@return its path; where the agent lies in a folder, a new jar that refers to it} */
  static Path find(TemporaryFiles files) throws IOException {
    URI place;
    try {
      place = Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    Path path = Path.of(place).toAbsolutePath();
    return Files.isDirectory(path) ? referringTo(place, files.create("agent")) : path;
  }

  private static Path referringTo(URI folder, Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(new Attributes.Name("Premain-Class"), Agent.class.getName());
    attributes.put(Attributes.Name.CLASS_PATH, folder.toString());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar.toAbsolutePath();
  }
}
