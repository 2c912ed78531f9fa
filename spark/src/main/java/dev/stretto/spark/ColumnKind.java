package dev.stretto.spark;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** What the elements of a column are. */
enum ColumnKind {
  INT(Integer.BYTES),
  LONG(Long.BYTES),
  FLOAT(Float.BYTES),
  DOUBLE(Double.BYTES);

  private final int bytes;

  ColumnKind(int bytes) {
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }

  DataType type() {
    return switch (this) {
      case INT -> DataTypes.IntegerType;
      case LONG -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
    };
  }
}
