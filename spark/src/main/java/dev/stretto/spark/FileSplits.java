package dev.stretto.spark;

import dev.stretto.flow.FlowException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** Cuts files into parts of a size, each of which becomes a task near to where it lies. */
final class FileSplits {
  private final Configuration hadoop;
  private final long splitBytes;
  private final List<Tuple2<FileSplit, Seq<String>>> splits = new ArrayList<>();

  FileSplits(Configuration hadoop, long splitBytes) {
    this.hadoop = hadoop;
    this.splitBytes = splitBytes;
  }

  /**
   * Adds a file, or those of a folder by their names; hidden ones are left out, as Spark does.
   *
   * @throws FlowException if it does not exist or cannot be read
   */
  void add(String name) {
    Path path = new Path(name);
    try {
      FileSystem files = path.getFileSystem(hadoop);
      FileStatus status = files.getFileStatus(path);
      if (!status.isDirectory()) {
        cut(files, status);
        return;
      }
      FileStatus[] all = files.listStatus(path, each -> !isHidden(each.getName()));
      Arrays.sort(all);
      for (FileStatus each : all) {
        if (each.isFile()) {
          cut(files, each);
        }
      }
    } catch (IOException e) {
      throw new FlowException(name + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean isHidden(String name) {
    return name.startsWith(".") || name.startsWith("_");
  }

  private void cut(FileSystem files, FileStatus status) throws IOException {
    String path = status.getPath().toString();
    long size = status.getLen();
    for (long begin = 0; begin < size; begin += splitBytes) {
      long end = Math.min(size, begin + splitBytes);
      List<String> hosts = hosts(files, status, begin, end - begin);
      splits.add(
          new Tuple2<>(
              new FileSplit(path, begin, end, size), CollectionConverters.asScala(hosts).toSeq()));
    }
  }

  /** A file of the machine, or of a mounted disk, lies nowhere else: nobody waits for its host. */
  private static List<String> hosts(FileSystem files, FileStatus status, long begin, long bytes)
      throws IOException {
    if (SplitSource.isLocal(status.getPath())) {
      return List.of();
    }
    BlockLocation[] blocks = files.getFileBlockLocations(status, begin, bytes);
    return blocks.length == 0 ? List.of() : List.of(blocks[0].getHosts());
  }

  List<FileSplit> all() {
    return splits.stream().map(Tuple2::_1).toList();
  }

  /** {@return an RDD with a split in each partition} */
  RDD<FileSplit> rdd(SparkContext spark) {
    if (splits.isEmpty()) {
      return spark.emptyRDD(ClassTag$.MODULE$.apply(FileSplit.class));
    }
    return spark.makeRDD(
        CollectionConverters.asScala(splits).toSeq(), ClassTag$.MODULE$.apply(FileSplit.class));
  }
}
