"""The pictures of a user's message, as artifacts of its thread: shown in the history, read by agents (RUN-17)."""

from typing import TYPE_CHECKING

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input import RunInput
from yarrow.store import artifacts, objects
from yarrow.store.sessions import Picture

if TYPE_CHECKING:  # and imported where it is made: who submits a run makes none
    from yarrow.protocol.runner import ArtifactRef


def stored(run_input: RunInput) -> list[tuple[Picture, int]]:
    """The pictures of an input that has paths for URLs, with their sizes in bytes. Raises Problem 422 without one."""
    found = []
    for picture in of(run_input):
        size = objects.size(picture.path)
        if size is None:
            raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "binary content url is of a file that is not there any more")
        found.append((picture, size))
    return found


def references(run_input: RunInput) -> "tuple[ArtifactRef, ...]":
    """The same pictures for the run's agent, by reference (RNR-19)."""
    from yarrow.protocol.runner import ArtifactRef

    return tuple(
        ArtifactRef(artifact_id=picture.artifact_id, artifact_type="image", mime_type=picture.mime_type)
        for picture in of(run_input)
    )


def of(run_input: RunInput) -> list[Picture]:
    """The pictures of an input that has paths for URLs."""
    # The same in every run of the thread: one that goes on reads what the one before was given.
    return [
        Picture(artifacts.id_from(f"{run_input.thread_id.lower()}/{block.url}"), block.url or "", block.mime_type)
        for block in run_input.user_message.pictures()
    ]
