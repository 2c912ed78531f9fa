rootProject.name = "scale"
