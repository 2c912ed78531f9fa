package dev.stretto.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** An application as users submit it. */
public final class SubmittedJob {
  private SubmittedJob() {}

  public static void main(String... arguments) {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("twice"))) {
      List<Integer> numbers = IntStream.range(0, 1000).boxed().toList();
      JavaRDD<float[]> vectors =
          spark
              .parallelize(new ArrayList<>(numbers), 4)
              .map(number -> new float[] {number, number});
      List<float[]> twice =
          SparkFlows.mapPartitions(vectors, Rows.floats(2), Rows.floats(2), Numbers::twice)
              .collect();
      double sum = 0;
      for (float[] vector : twice) {
        sum += vector[0];
      }
      List<String> devices =
          vectors
              .mapPartitions(
                  part -> {
                    TaskDevice device = SparkDevices.ofTask();
                    return List.of(device.address() + " " + device.amount()).iterator();
                  })
              .collect();
      System.out.println("sum " + sum + ", devices " + new TreeSet<>(devices));
    }
  }
}
