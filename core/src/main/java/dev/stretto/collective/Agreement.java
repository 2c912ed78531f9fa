package dev.stretto.collective;

import dev.stretto.collective.mesh.Announcement;
import dev.stretto.collective.mesh.Line;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.route.HostStep;
import java.nio.ByteBuffer;

/**
 * All ranks say that they are about to do the same, and whether each can. Goes over the connections
 * between the processes with any transport, in its turn among the operations.
 */
final class Agreement implements HostStep {
  private static final byte YES = 1;

  private final Mesh mesh;
  private final String words;
  private final boolean can;
  private int lacking = -1;

  /**
   * @param words what all are about to do
   * @param can whether this rank can
   */
  Agreement(Mesh mesh, String words, boolean can) {
    this.mesh = mesh;
    this.words = words;
    this.can = can;
  }

  @Override
  public void run() {
    try {
      int own = mesh.own().rank();
      Announcement mine = Announcement.of(words);
      for (int i = 0; i < mesh.ranks().size(); i++) {
        if (i != own) {
          Line line = mesh.line(i);
          line.announce(mine);
          line.send(ByteBuffer.wrap(new byte[] {can ? YES : 0}));
        }
      }
      for (int i = 0; i < mesh.ranks().size(); i++) {
        if (i != own && !hears(mesh.line(i)) && lacking < 0) {
          lacking = i;
        }
      }
    } catch (RuntimeException e) {
      mesh.fail(e);
      throw e;
    }
  }

  private boolean hears(Line line) {
    line.awaitCollective(words);
    ByteBuffer answer = ByteBuffer.allocate(1);
    line.receive(answer);
    return answer.get(0) == YES;
  }

  /** {@return the first other rank that cannot, or -1; after the step} */
  int lacking() {
    return lacking;
  }

  @Override
  public String advice() {
    return "await it from the program's own thread";
  }
}
