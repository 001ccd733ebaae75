plugins {
    id("com.android.application")
    kotlin("plugin.compose")
}

// Notifications need google-services.json of a Firebase project; without it the app runs and registers nothing.
if (file("google-services.json").exists()) apply(plugin = "com.google.gms.google-services")

android {
    namespace = "com.example.chat"
    compileSdk = 37

    defaultConfig {
        applicationId = "com.example.chat"
        minSdk = 23
        targetSdk = 37
        versionCode = 1
        versionName = "1.0"
    }

    buildFeatures {
        buildConfig = true
        compose = true
    }

    buildTypes {
        debug {
            // 10.0.2.2 is this machine, as the emulator has it. Without an issuer, everybody is Alice on the local stack.
            buildConfigField("String", "API", "\"http://10.0.2.2:3000\"")
            buildConfigField("String", "AGENT", "\"assistant\"")
            buildConfigField("String", "ISSUER", "\"\"")
            buildConfigField("String", "CLIENT_ID", "\"\"")
        }
        release {
            buildConfigField("String", "API", "\"https://api.example.com\"")
            buildConfigField("String", "AGENT", "\"assistant\"")
            buildConfigField("String", "ISSUER", "\"https://issuer.example.com\"")
            buildConfigField("String", "CLIENT_ID", "\"chat\"")
        }
    }
}

kotlin { jvmToolchain(17) }

dependencies {
    implementation(project(":core"))
    implementation(platform("androidx.compose:compose-bom:2026.09.00"))
    implementation("androidx.compose.material3:material3")
    implementation("androidx.activity:activity-compose:1.13.0")
    implementation("androidx.lifecycle:lifecycle-runtime-compose:2.11.0")
    implementation("androidx.browser:browser:1.10.0")
    implementation(platform("com.google.firebase:firebase-bom:35.1.0"))
    implementation("com.google.firebase:firebase-messaging")
}
