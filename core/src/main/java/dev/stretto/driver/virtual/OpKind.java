package dev.stretto.driver.virtual;

/** The kinds of operations, for names. */
enum OpKind {
  ALLOCATE("allocate"),
  CONDITION("condition"),
  COPY("copy"),
  FILL("fill"),
  FREE("free"),
  GRAPH("graph"),
  LAUNCH("launch"),
  PEER("peer"),
  RECORD("record"),
  WAIT("wait"),
  WAIT_VALUE("waitvalue"),
  WRITE_VALUE("writevalue");

  private final String word;

  OpKind(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }
}
