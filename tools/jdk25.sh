# Sourced by the scripts of this repository: find_jdk25 sets $jdk to the home of a JDK 25,
# and find_maven sees to it that Maven runs and knows that home.
# shellcheck shell=bash

# Reads the release file instead of starting a JVM, which would cost every start of ./stretto 50 ms.
is_jdk25() {
  local line
  [[ -x $1/bin/java && -x $1/bin/javac && -r $1/release ]] || return 1
  while read -r line; do
    [[ $line != 'JAVA_VERSION="25'[.\"]* ]] || return 0
  done <"$1/release"
  return 1
}

find_jdk25() {
  local java candidate
  java=$(command -v java) && java=$(readlink -f "$java") || java=/none/bin/java
  for candidate in "${JAVA_HOME:-}" "${JAVA25_HOME:-}" "${java%/bin/java}" \
    /usr/lib/jvm/* "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/*; do
    if is_jdk25 "$candidate"; then
      jdk=$candidate
      return
    fi
  done
  echo "Stretto needs a JDK 25: install one (Eclipse Temurin 25, say) under /usr/lib/jvm, or set JAVA_HOME to its folder." >&2
  exit 1
}

# Leaves Maven on the JVM that it finds itself; the build then picks the JDK 25 named here.
find_maven() {
  if ! command -v mvn >/dev/null; then
    echo "Stretto needs Maven 3.8 or later to build itself: install it so that mvn is on the path." >&2
    exit 1
  fi
  [[ -n ${JAVA_HOME:-} ]] || command -v java >/dev/null || export JAVA_HOME=$jdk
  export JAVA25_HOME=$jdk
}
