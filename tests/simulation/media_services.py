"""S3 and Amazon Transcribe as uploads and recordings use them, on virtual time."""

import base64
import hashlib
import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any, Final

from tests.simulation.world import BEGINNING, World
from tests.support.memory_aws.aws import MemoryBucket
from tests.support.memory_aws.table import error
from yarrow.formats import wav

Json = dict[str, Any]
PIECE_BYTES: Final = 8
SLOW: Final = 200.0
"""Seconds that nobody waits."""


class Bucket(MemoryBucket):
    """A bucket with the forms that `signed_post` signs."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def PutObject(self, Key: str, Body: Any, ContentType: str, **more: Any) -> Json:  # noqa: N802, N803
        if not isinstance(Body, bytes):
            Body.seek(0)  # as botocore does when it sends it again
        return super().PutObject(Key, Body, ContentType, **more)

    def post(self, fields: dict[str, str], content_type: str, data: bytes) -> bool:
        """What a client sends with a signed form; whether its policy allows it."""
        policy = json.loads(base64.b64decode(fields["policy"]))
        now = BEGINNING.timestamp() + self._world.scheduler.now
        if datetime.strptime(policy["expiration"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp() < now:
            return False
        sent = {**fields, "Content-Type": content_type}
        for condition in policy["conditions"]:
            match condition:
                case ["content-length-range", least, most]:
                    if not least <= len(data) <= most:
                        return False
                case dict():
                    if any(sent.get(name) != value for name, value in condition.items() if name != "bucket"):
                        return False
        self.objects[fields["key"]] = content_type, data
        return True


class Speech:
    """Amazon Transcribe: each job is paid; its text names the recording. `paid` counts by that, `failed` those without
    one in time.
    """

    def __init__(self, world: World, bucket: Bucket) -> None:
        self.paid: Counter[str] = Counter()
        self.failed = 0
        self._world, self._bucket = world, bucket
        self._fails = 0.2 if world.scheduler.chance.random() < 0.4 else 0.0
        self._jobs: dict[str, tuple[str, float, str, str]] = {}

    def StartTranscriptionJob(  # noqa: N802
        self,
        TranscriptionJobName: str,  # noqa: N803
        Media: Json,  # noqa: N803
        OutputKey: str,  # noqa: N803
        **_: Any,
    ) -> Json:
        if TranscriptionJobName in self._jobs:
            raise error("StartTranscriptionJob", "ConflictException")
        chance = self._world.scheduler.chance
        key = Media["MediaFileUri"].split("/", 3)[3]
        heard = name_of(self._bucket.objects[key][1])
        self.paid[heard] += 1
        is_failed = chance.random() < self._fails
        seconds = chance.choice((1.0, 8.0, 40.0, SLOW if self._fails else 40.0))
        self.failed += is_failed or seconds == SLOW
        ready = self._world.scheduler.now + seconds
        self._jobs[TranscriptionJobName] = "FAILED" if is_failed else "COMPLETED", ready, OutputKey, heard
        return {}

    def GetTranscriptionJob(self, TranscriptionJobName: str) -> Json:  # noqa: N802, N803
        status, ready, output, heard = self._jobs[TranscriptionJobName]
        if self._world.scheduler.now < ready:
            status = "IN_PROGRESS"
        if status == "COMPLETED":
            text = json.dumps({"results": {"transcripts": [{"transcript": heard}]}})
            self._bucket.objects[output] = "application/json", text.encode()
        return {"TranscriptionJob": {"TranscriptionJobStatus": status}}

    def DeleteTranscriptionJob(self, TranscriptionJobName: str) -> Json:  # noqa: N802, N803
        self._jobs.setdefault(TranscriptionJobName, ("FAILED", 0.0, "", ""))
        return {}


def recording(chance: Any) -> bytes:
    """Return a WAV of its own, of a second."""
    samples: bytes = chance.randbytes(PIECE_BYTES) * (16_000 // PIECE_BYTES)
    return wav.header(1, 8_000, 16, len(samples)) + samples


def name_of(data: bytes) -> str:
    """What is heard in it."""
    return hashlib.sha256(data).hexdigest()[:12]
