import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The pages of {@code docs} as files that the javadoc tool takes over: {@code pages DOCS FOLDER}
 * writes them, {@code check SITE} names each link of the site's pages that leads nowhere.
 */
final class Site {
  private static final Pattern LINK = Pattern.compile("\\[([^\\[\\]]+)]\\(([^()\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");
  private static final Pattern HREF = Pattern.compile("<a [^>]*href=\"([^\"]+)\"");
  private static final Pattern ID = Pattern.compile("\\bid=\"([^\"]+)\"");

  private Site() {}

  public static void main(String... arguments) throws IOException {
    switch (arguments[0]) {
      case "pages" -> writePages(Path.of(arguments[1]), Path.of(arguments[2]));
      case "check" -> check(Path.of(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void writePages(Path docs, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Path page : files(docs, ".md")) {
      Path written = folder.resolve(docs.relativize(page));
      Files.createDirectories(written.getParent());
      Predicate<String> isPage =
          link -> page.resolveSibling(link).normalize().startsWith(docs.normalize());
      Files.writeString(written, converted(Files.readString(page), isPage));
    }
  }

  /** Gives each heading the name that links use, and has links lead to the site's pages. */
  private static String converted(String page, Predicate<String> isPage) {
    Map<String, Integer> names = new HashMap<>();
    StringBuilder written = new StringBuilder();
    boolean code = false;
    // A link may go over two lines, and so what lies between two blocks of code is one text.
    for (String part : page.split("(?m)(?=^```)")) {
      if (part.startsWith("```")) {
        code = !code;
      }
      if (code) {
        written.append(part);
        continue;
      }
      String linked = LINK.matcher(part).replaceAll(link -> link(link, isPage));
      written.append(HEADING.matcher(linked).replaceAll(heading -> named(heading, names)));
    }
    return written.toString();
  }

  private static String named(MatchResult heading, Map<String, Integer> names) {
    String name = name(heading.group(1));
    int before = names.merge(name, 1, Integer::sum) - 1;
    return Matcher.quoteReplacement(
        "<a id=\"%s%s\"></a>\n\n%s"
            .formatted(name, before == 0 ? "" : "-" + before, heading.group()));
  }

  private static String name(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static String link(MatchResult link, Predicate<String> isPage) {
    String text = link.group(1);
    String to = link.group(2);
    if (!to.startsWith("#") && !to.matches("[a-z]+:.*") && !isPage.test(to)) {
      return Matcher.quoteReplacement(text); // a source file, which no site has
    }
    return Matcher.quoteReplacement(
        "[" + text + "](" + to.replaceFirst("^([\\w/.-]+)\\.md", "$1.html") + ")");
  }

  private static void check(Path site) throws IOException {
    Map<Path, Set<String>> ids = new HashMap<>();
    List<Path> pages = files(site, ".html");
    for (Path page : pages) {
      Set<String> here = new HashSet<>();
      ID.matcher(Files.readString(page)).results().forEach(id -> here.add(unescaped(id.group(1))));
      ids.put(page.normalize(), here);
    }
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Path page : pages) {
      for (MatchResult link : HREF.matcher(Files.readString(page)).results().toList()) {
        String to = unescaped(link.group(1));
        if (to.equals("#") || to.matches("[a-z]+:.*")) {
          continue;
        }
        links++;
        String[] parts = to.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        Set<String> there = ids.get(target.normalize());
        boolean found =
            there == null
                ? Files.exists(target)
                : parts.length == 1 || there.contains(decoded(parts[1]));
        if (!found) {
          dead.add(site.relativize(page) + ": " + to);
        }
      }
    }
    dead.stream().distinct().forEach(System.err::println);
    System.out.println(
        site + ": " + pages.size() + " pages, " + links + " links, " + dead.size() + " dead");
    if (!dead.isEmpty()) {
      System.exit(1);
    }
  }

  private static String unescaped(String html) {
    return html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  private static String decoded(String id) {
    return URLDecoder.decode(id.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static List<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }
}
