package dev.stretto.compiler.ir;

/**
 * What has to be known to hold when a kernel is compiled.
 *
 * @param reason why the kernel is refused where it does not
 * @param unknown why it is where that is not known
 * @param advice what to write instead
 */
public record Requirement(String reason, String unknown, String advice) implements Attribute {
  /** Creates a requirement of which the reason names what must not be. */
  public Requirement(String reason, String advice) {
    this(reason, "it is not known here, and would have to be, that this is not " + reason, advice);
  }
}
