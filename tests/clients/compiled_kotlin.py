"""Kotlin that Maven has compiled into `.cache`, with its tests: the client, and the sample for Android."""

import shutil
import subprocess
from dataclasses import dataclass

from tests.support.paths import ROOT

SECONDS = 60
_JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")


@dataclass(frozen=True)
class CompiledKotlin:
    """What `make <target>` compiles, from folders of which one has a `pom.xml`."""

    target: str
    folders: tuple[str, ...]

    @property
    def _output(self) -> str:
        return str(ROOT / ".cache" / self.target)

    def missing(self) -> str | None:
        """What it lacks to run here, in one line; None when it can run."""
        if shutil.which("java") is None:
            return "needs Java 17 or newer"
        folders = [ROOT / folder for folder in self.folders]
        sources = [
            *(folder / "pom.xml" for folder in folders),
            *(kt for folder in folders for kt in folder.rglob("*.kt")),
        ]
        ready = ROOT / ".cache" / self.target / ".ready"
        if not ready.exists() or ready.stat().st_mtime < max(path.stat().st_mtime for path in sources if path.exists()):
            return f"needs Kotlin that was compiled since its last change: make {self.target}"
        return None

    def command(self, main: str, *arguments: str) -> list[str]:
        """Return the command that runs a main class."""
        classes = ":".join(f"{self._output}/{text}" for text in ("classes", "test-classes", "lib/*"))
        return [*_JAVA, "-cp", classes, main, *arguments]

    def unit_tests(self) -> subprocess.CompletedProcess[str]:
        """Run its own tests, in Kotlin."""
        launcher = ("execute", "--disable-banner", "--disable-ansi-colors", "--details=summary")
        tests = f"--scan-classpath={self._output}/test-classes"
        command = self.command("org.junit.platform.console.ConsoleLauncher", *launcher, tests)
        folder = ROOT / self.folders[0]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
