plugins { application }

repositories {
  mavenLocal()
  mavenCentral()
}

dependencies {
  implementation(platform("dev.stretto:stretto-bom:0.2.0"))
  implementation("dev.stretto:stretto-core")
  testImplementation("dev.stretto:stretto-junit")
  testImplementation("org.junit.jupiter:junit-jupiter:6.1.3")
  testRuntimeOnly("org.junit.platform:junit-platform-launcher:6.1.3")
}

java { toolchain { languageVersion = JavaLanguageVersion.of(25) } }

application {
  mainModule = "com.acme.scale"
  mainClass = "com.acme.scale.Scale"
  applicationDefaultJvmArgs = listOf("--enable-native-access=dev.stretto")
}

tasks.test {
  useJUnitPlatform()
  jvmArgs("--enable-native-access=ALL-UNNAMED")
  modularity.inferModulePath = false
}
