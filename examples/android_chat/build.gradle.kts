plugins {
    id("com.android.application") version "9.5.1" apply false
    id("com.google.gms.google-services") version "4.5.0" apply false
    kotlin("jvm") version "2.4.21" apply false
    kotlin("plugin.compose") version "2.4.21" apply false
}
