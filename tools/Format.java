import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds every Java source below some paths and hands it to google-java-format: {@code java
 * Format.java (check|write) PATH…}.
 */
final class Format {
  private Format() {}

  public static void main(String[] args) throws Exception {
    boolean check = args[0].equals("check");
    List<String> arguments = new ArrayList<>();
    arguments.addAll(check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace"));
    for (String path : List.of(args).subList(1, args.length)) {
      arguments.addAll(sourcesBelow(Path.of(path)));
    }
    PrintWriter out = new PrintWriter(System.out, true);
    PrintWriter err = new PrintWriter(System.err, true);
    int status = new Main(out, err, System.in).format(arguments.toArray(String[]::new));
    if (check && status != 0) {
      err.println("The files named above are not formatted; tools/format rewrites them.");
    }
    // The formatter prints errors without the line end that flushes them.
    err.flush();
    System.exit(status);
  }

  private static List<String> sourcesBelow(Path folder) throws IOException {
    List<String> sources = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = dir.getFileName().toString();
            boolean ours = dir.equals(folder) || !(name.equals("target") || name.startsWith("."));
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              sources.add(file.toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    sources.sort(null);
    return sources;
  }
}
