// What needs no Android: it is tested on this machine, also by `make android-chat`, without Android's tools.
plugins {
    kotlin("jvm")
    `java-library`
}

kotlin { jvmToolchain(17) }

// Yarrow's client is compiled from the clone; an app of its own copies the folder.
sourceSets.main { kotlin.srcDir("../../../clients/kotlin/src/main/kotlin") }

dependencies {
    api("com.squareup.okhttp3:okhttp:5.5.1")
    api("org.jetbrains.kotlinx:kotlinx-coroutines-core:1.11.0")
    api("org.jetbrains.kotlinx:kotlinx-serialization-json:1.12.0")
    testImplementation(kotlin("test-junit5"))
    testImplementation("com.squareup.okhttp3:mockwebserver3:5.5.1")
}

tasks.test { useJUnitPlatform() }
