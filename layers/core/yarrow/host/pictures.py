"""The pictures of a user's message, as artifacts of its thread: shown in the history, read by agents (RUN-17)."""

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input import RunInput
from yarrow.protocol.runner import ArtifactRef
from yarrow.store import artifacts, objects, runs
from yarrow.store.sessions import Picture


def stored(run_key: str, run_input: RunInput) -> list[tuple[Picture, int]]:
    """The pictures of an input that has paths for URLs, with their sizes in bytes. Raises Problem 422 without one."""
    found = []
    for picture in _pictures(run_key, run_input):
        size = objects.size(picture.path)
        if size is None:
            raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "binary content url is of a file that is not there any more")
        found.append((picture, size))
    return found


def references(run: runs.Run, run_input: RunInput) -> tuple[ArtifactRef, ...]:
    """The same pictures for the run's agent, by reference (RNR-19)."""
    return tuple(
        ArtifactRef(artifact_id=picture.artifact_id, artifact_type="image", mime_type=picture.mime_type)
        for picture in _pictures(run.key, run_input)
    )


def _pictures(run_key: str, run_input: RunInput) -> list[Picture]:
    return [
        Picture(artifacts.id_from(f"{run_key}/picture/{index}"), block.url or "", block.mime_type)
        for index, block in enumerate(run_input.user_message.pictures())
    ]
