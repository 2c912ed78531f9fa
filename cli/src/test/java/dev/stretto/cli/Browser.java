package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Chromium without a screen, which a test moves by mouse and keys, and whose page it reads. Both it
 * and its driver are packages of Debian: {@code chromium} and {@code chromium-driver}.
 */
final class Browser implements AutoCloseable {
  private static final List<Path> CHROMIUM =
      List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/google-chrome"));
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration SOON = Duration.ofSeconds(10);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts one. Without a browser a test is skipped, unless {@code -Dstretto.browser=required}. */
  static Browser start() {
    Path chromium = CHROMIUM.stream().filter(Files::isExecutable).findFirst().orElse(null);
    if (chromium == null || !Files.isExecutable(DRIVER)) {
      String missing = "pages are tested in a browser: apt-get install chromium chromium-driver";
      assertThat(System.getProperty("stretto.browser")).as(missing).isNotEqualTo("required");
      assumeTrue(false, missing);
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(Objects.requireNonNull(chromium).toFile());
    options.addArguments("--headless=new", "--window-size=1400,1000", "--hide-scrollbars");
    // Root has no sandbox, and containers have little shared memory.
    options.addArguments("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    return new Browser(new ChromeDriver(service, options));
  }

  /** Opens a page, and returns how long it took until the page was drawn. */
  Duration open(Path page) {
    List<String> _ = problems();
    long start = System.nanoTime();
    driver.get(page.toUri().toString());
    Object _ =
        driver.executeAsyncScript(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));");
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertThat(script("return document.documentElement.dataset.ready")).isEqualTo("true");
    return took;
  }

  /** {@return the errors of the page since it was opened} */
  List<String> problems() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().equals(Level.SEVERE))
        .map(entry -> entry.getLevel() + " " + entry.getMessage())
        .toList();
  }

  /** {@return the addresses that were asked for since the last call} */
  List<String> requests() {
    return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
        .map(entry -> entry.getMessage())
        .filter(message -> message.contains("\"Network.requestWillBeSent\""))
        .map(message -> message.replaceAll("(?s).*\"request\":\\{.*?\"url\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  // --- reading ----------------------------------------------------------------------------------

  Object script(String text, Object... arguments) {
    return Objects.requireNonNullElse(driver.executeScript(text, arguments), "nothing");
  }

  Object asynchronousScript(String text) {
    return Objects.requireNonNull(driver.executeAsyncScript(text));
  }

  double number(String expression) {
    return ((Number) script("return " + expression)).doubleValue();
  }

  WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** {@return what is read there, as one line} */
  String text(String selector) {
    return String.valueOf(find(selector).getDomProperty("textContent")).replaceAll("\\s+", " ");
  }

  List<String> texts(String selector) {
    return all(selector).stream().map(each -> each.getDomProperty("textContent")).toList();
  }

  /** {@return the colour of a canvas at a place, as red, green and blue} */
  List<Long> pixel(int canvas, double x, double y) {
    List<Long> colour = new ArrayList<>();
    Object read =
        script(
            "const c = views[arguments[0]].canvas, s = devicePixelRatio;return"
                + " [...c.getContext('2d').getImageData(arguments[1] * s, arguments[2] * s, 1,"
                + " 1).data].slice(0, 3)",
            canvas,
            x,
            y);
    ((List<?>) read).forEach(part -> colour.add(((Number) part).longValue()));
    return colour;
  }

  void awaitTrue(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(20);
    }
  }

  /** Waits until what was changed is drawn. */
  void settle() {
    Object _ =
        driver.executeAsyncScript(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));");
  }

  // --- acting -----------------------------------------------------------------------------------

  Actions actions() {
    return new Actions(driver);
  }

  void press(CharSequence... keys) {
    actions().sendKeys(keys).perform();
    settle();
  }

  void pressWithShift(CharSequence key) {
    actions().keyDown(Keys.SHIFT).sendKeys(key).keyUp(Keys.SHIFT).perform();
    settle();
  }

  void click(String selector) {
    find(selector).click();
    settle();
  }

  void type(String selector, String text) {
    WebElement element = find(selector);
    element.clear();
    element.sendKeys(text);
    settle();
  }

  /** Goes with the mouse to a place of a canvas, measured from its upper left corner. */
  Actions at(int canvas, double x, double y) {
    WebElement element = all(".scroller canvas").get(canvas);
    int width =
        ((Number) script("return views[arguments[0]].canvas.clientWidth", canvas)).intValue();
    int height =
        ((Number) script("return views[arguments[0]].canvas.clientHeight", canvas)).intValue();
    return actions()
        .moveToElement(element, (int) Math.round(x) - width / 2, (int) Math.round(y) - height / 2);
  }

  void theme(String scheme) {
    Map<String, Object> _ =
        driver.executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    settle();
  }

  void screenshot(Path file) {
    try {
      Path _ = Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
