"""The body of `POST /api/v1/agent/attachments/uploads`."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from yarrow.protocol import request_body
from yarrow.protocol.problems import Code


class UploadRequest(BaseModel):
    """The file to be sent to the bucket."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)

    thread_id: Annotated[str, Field(json_schema_extra={"format": "uuid"})]
    mime_type: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.+_-]{1,63}/[A-Za-z0-9.+_-]{1,63}$")]
    filename: str | None = None


def read_upload_request(raw: bytes) -> UploadRequest:
    """Read the request in a body. Raises Problem 422."""
    return request_body.read(raw, UploadRequest, Code.AGENT_ATTACHMENT_INVALID)
