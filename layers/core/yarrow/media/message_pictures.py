"""The pictures of a message and of tool results as artifacts of their thread (RUN-17)."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats.pictures import SHOWN_TYPES
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.store import artifacts, objects
from yarrow.store.sessions import StoredPicture

if TYPE_CHECKING:  # submitting a run needs none
    from collections.abc import Iterator, Mapping, Sequence

    from yarrow.protocol.run_input.tool_results import ResultPictures
    from yarrow.protocol.runner.api import TranscriptItem
    from yarrow.protocol.runner.models import ArtifactRef

EARLIER_PICTURES: Final = 3
EARLIER_BYTES: Final = 10 * 1024 * 1024
"""Bytes of earlier pictures that a run gets again."""


def pictures_with_sizes(run_input: RunInput) -> list[tuple[StoredPicture, int]]:
    """Find the pictures of message and tool results, with sizes in bytes. Raises Problem 422 for a missing file."""
    found = []
    for picture in {
        candidate.artifact_id: candidate for candidate in (*pictures_of(run_input), *_of_results(run_input))
    }.values():
        size = objects.size(picture.path)
        if size is None:
            raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "binary content url names a file that no longer exists")
        found.append((picture, size))
    return found


def references(run_input: RunInput) -> "tuple[ArtifactRef, ...]":
    """Refer to the message's pictures, for the run's agent (RNR-19)."""
    from yarrow.protocol.runner.models import ArtifactRef

    return tuple(
        ArtifactRef(artifact_id=picture.artifact_id, artifact_type="image", mime_type=picture.mime_type)
        for picture in pictures_of(run_input)
    )


def earlier_pictures(items: "Sequence[TranscriptItem]", thread_id: str) -> list[str]:
    """Find the ids of the latest pictures before the run (RNR-19). They have types that models accept, and are in
    answered messages: one that failed its run would fail later ones.
    """
    found: list[str] = []
    room = EARLIER_BYTES
    for item, following in reversed(list(pairwise(items))):
        if (item.role, following.role) != ("user", "assistant"):
            continue
        for reference in reversed(item.artifacts):
            if len(found) == EARLIER_PICTURES:
                return found
            if reference["mime_type"] not in SHOWN_TYPES:
                continue
            artifact = artifacts.metadata(reference["artifact_id"], thread_id)
            if artifact is None or artifacts.read_range(artifact.artifact_id, thread_id, 0, 1) is None:
                continue
            room -= artifact.size_bytes
            if room < 0:
                return found
            found.append(artifact.artifact_id)
    return found


def pictures_of(run_input: RunInput) -> list[StoredPicture]:
    return [_picture(run_input, block.url or "", block.mime_type) for block in run_input.pictures]


def ids_in_results(run_input: RunInput) -> list[str]:
    return [picture.artifact_id for picture in _of_results(run_input)]


def with_result_pictures(run_input: RunInput, results: "Sequence[Mapping[str, Any]]") -> list[dict[str, Any]]:
    """Return the tool results, with `contents` for those that have pictures (MSG-05)."""
    pictures = {result.tool_call_id: result for result in run_input.result_pictures}
    found = []
    for result in results:
        own = pictures.get(result["tool_call_id"])
        contents = {} if own is None else {"contents": own.contents(result["content"], _ids(run_input, own))}
        found.append({**result, **contents})
    return found


def _of_results(run_input: RunInput) -> "Iterator[StoredPicture]":
    for result in run_input.result_pictures:
        yield from (_picture(run_input, picture.path, picture.mime_type) for picture in result.pictures)


def _ids(run_input: RunInput, result: "ResultPictures") -> list[str]:
    return [_picture(run_input, picture.path, picture.mime_type).artifact_id for picture in result.pictures]


def _picture(run_input: RunInput, path: str, mime_type: str) -> StoredPicture:
    # The same id in every run of the thread: later runs read earlier runs' pictures.
    return StoredPicture(artifacts.id_from(f"{run_input.thread_id.lower()}/{path}"), path, mime_type)
