package dev.stretto.cli;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "overlap",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Encrypts bytes with ChaCha20 on a device, in four modes in the order in "
          + "which people learn them: sync, pageable, pinned, overlap.",
      "Compares every output with the JDK's own cipher, and shows which operations ran when."
    },
    footer = {
      "",
      "Exit code: 0 if every mode was verified, 2 for a wrong command line, 1 otherwise."
    })
final class OverlapCommand implements Callable<Integer> {
  /** Larger ones are not faster, and a program needs several times as much host memory. */
  private static final long MOST_CHUNK_BYTES = 1L << 30;

  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = {
        "The file to encrypt.",
        "Default: random bytes in memory, 1 GiB on a GPU and 256 MiB on a virtual device; no "
            + "file is read or written then."
      })
  private @Nullable Path file;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the last mode's output. Default: nowhere.")
  private @Nullable Path out;

  @Option(
      names = "--key",
      paramLabel = "HEX",
      description = "256 bits. Default: the example of RFC 8439, which is no secret.")
  private String key = Secret.EXAMPLE_KEY;

  @Option(
      names = "--nonce",
      paramLabel = "HEX",
      description = "96 bits; the counter of the first block is 1.")
  private String nonce = Secret.EXAMPLE_NONCE;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = {
        "cuda:N, virtual, virtual:PROFILE (t4 to rtx5090), or a name that "
            + "stretto devices --measure-host prints.",
        "Default: the first GPU, or otherwise a virtual H200."
      })
  private @Nullable String device;

  @Option(
      names = "--chunk",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = {
        "The size of a chunk, such as 16M; a multiple of 64, 1G or less.",
        "Default: 64M; in the overlap mode, chosen by a measurement."
      })
  private @Nullable Long chunk;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Chunks in flight at a time in the overlap mode, 1 to 64.")
  private @Nullable Integer depth;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      split = ",",
      description = "One or several of sync, pageable, pinned, overlap. Default: all.")
  private List<Mode> modes = List.of(Mode.values());

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Writes the timelines as a Chrome trace, for Perfetto.")
  private @Nullable Path trace;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes the timelines as a page for a browser.")
  private @Nullable Path html;

  @Option(names = "--json", description = "Prints one JSON object instead of a table.")
  private boolean json;

  @Option(
      names = "--image",
      hidden = true,
      description = "Launches the PTX that nvcc made, instead of the Java kernel.")
  private boolean image;

  OverlapCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Request request =
        new Request(
            file,
            out,
            Secret.ofHex(key, nonce),
            device,
            chunkBytes(),
            chunksUnderWay(),
            inOrder(),
            trace,
            html,
            json,
            image);
    Console shown = json ? console.withoutProgress() : console;
    return OverlapJob.run(request, shown) ? Main.DONE : Main.FAILED;
  }

  private long chunkBytes() {
    if (chunk == null) {
      return 0;
    }
    if (chunk < 1 || chunk % Encryption.GRANULARITY != 0) {
      throw CommandFailure.wrongCommandLine(
          "--chunk is " + chunk + " bytes; it must be a multiple of 64");
    }
    if (chunk > MOST_CHUNK_BYTES) {
      throw CommandFailure.wrongCommandLine(
          "--chunk is %d bytes; it must be %d (%s) or less"
              .formatted(chunk, MOST_CHUNK_BYTES, ByteSize.show(MOST_CHUNK_BYTES)));
    }
    return chunk;
  }

  private int chunksUnderWay() {
    if (depth == null) {
      return 0;
    }
    if (depth < 1 || depth > 64) {
      throw CommandFailure.wrongCommandLine("--depth is " + depth + "; it must be 1 to 64");
    }
    return depth;
  }

  private List<Mode> inOrder() {
    Set<Mode> asked = EnumSet.noneOf(Mode.class);
    asked.addAll(modes);
    return List.copyOf(asked);
  }
}
