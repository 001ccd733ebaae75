"""The context an SDK runner gets: what it knows under the SDK's names, and nothing more."""

from tests.support.run_contexts import run_context
from yarrow.protocol.runner.models import (
    ActorContext,
    AgentInput,
    AgentResources,
    AgentRunState,
    AgentTrigger,
    ArtifactRef,
    ConversationContext,
)
from yarrow.protocol.runner.resources import KnowledgeBaseResource, ModelResource, StorageResource, ToolResource
from yarrow.runners.langbot.context import to_sdk_context

CONTEXT = run_context("run-1", "hi")


def test_a_text_is_also_a_part() -> None:
    """CMP-02: runners read either."""
    value = to_sdk_context(CONTEXT)["input"]
    assert (value["text"], value["contents"]) == ("hi", [{"type": "text", "text": "hi"}])


def test_an_artifact_is_an_attachment_by_reference() -> None:
    """C21."""
    artifact = ArtifactRef(artifact_id="a-1", artifact_type="image", mime_type="image/png", name="a.png", size_bytes=7)
    context = CONTEXT.model_copy(update={"input": AgentInput(attachments=(artifact,), message_chain={"a": 1})})
    assert to_sdk_context(context)["input"] == {
        "text": None,
        "contents": [],
        "attachments": [
            {"ref": "a-1", "id": "a-1", "type": "image", "mime_type": "image/png", "name": "a.png", "size": 7}
        ],
    }


def test_a_picture_is_base64_where_the_sdk_has_a_place_for_it() -> None:
    """C50: It is in its place among the words, and the content of its attachment."""
    picture = ArtifactRef(artifact_id="a-1", artifact_type="image", mime_type="image/png")
    parts = ({"type": "text", "text": "look"}, {"type": "artifact", "artifact_id": "a-1"})
    context = CONTEXT.model_copy(update={"input": AgentInput(contents=parts, attachments=(picture,))})
    url = "data:image/png;base64,eA=="
    value = to_sdk_context(context, {"a-1": url})["input"]
    assert value["contents"] == [{"type": "text", "text": "look"}, {"type": "image_base64", "image_base64": url}]
    [attachment] = value["attachments"]
    assert (attachment["id"], attachment["content"], attachment["source"]) == ("a-1", url, "base64")


def test_an_adapter_of_a_pipeline_has_another_name() -> None:
    """C20."""
    trigger = AgentTrigger(type="message.received", source="pipeline_adapter")
    assert to_sdk_context(CONTEXT.model_copy(update={"trigger": trigger}))["trigger"]["source"] == "host_adapter"
    assert to_sdk_context(CONTEXT)["trigger"]["source"] == "api"


def test_the_state_of_the_binding_stays_with_the_host() -> None:
    """C19."""
    state = AgentRunState(conversation={"a": 1}, binding={"b": 2})
    value = to_sdk_context(CONTEXT.model_copy(update={"state": state}))["state"]
    assert value == {"conversation": {"a": 1}, "actor": {}, "subject": {}, "runner": {}}


def test_resources_have_the_sdks_names_and_the_clients_tools_are_not_among_them() -> None:
    """RNR-25, RNR-53."""
    resources = AgentResources(
        models=(
            ModelResource(model_id="m", operations=("invoke",)),
            ModelResource(model_id="r", model_type="rerank", operations=("rerank",)),
        ),
        tools=(ToolResource(tool_name="weather"), ToolResource(tool_name="confirm", tool_type="frontend")),
        knowledge_bases=(KnowledgeBaseResource(kb_id="kb"),),
        storage=StorageResource(plugin=True, binding=True),
    )
    value = to_sdk_context(CONTEXT.model_copy(update={"resources": resources}))["resources"]
    assert [(model["model_id"], model["operations"]) for model in value["models"]] == [
        ("m", ["invoke", "count_tokens"]),
        ("r", ["rerank"]),
    ]
    assert [tool["tool_name"] for tool in value["tools"]] == ["weather"]
    assert [base["kb_id"] for base in value["knowledge_bases"]] == ["kb"]
    assert value["storage"] == {"plugin_storage": True, "workspace_storage": False}


def test_what_the_sdk_has_no_field_for_is_kept_where_a_runner_may_look() -> None:
    """RNR-23."""
    runtime = CONTEXT.runtime.model_copy(update={"locale": "zh-CN", "timezone": "Asia/Shanghai"})
    value = to_sdk_context(CONTEXT.model_copy(update={"runtime": runtime}))["runtime"]
    assert value["trace_id"] == "run-1"
    assert value["metadata"] == {"host": "yarrow", "locale": "zh-CN", "timezone": "Asia/Shanghai"}


def test_who_acted_is_who_sent() -> None:
    """RNR-18."""
    update = {
        "actor": ActorContext(actor_type="user", actor_id="alice"),
        "conversation": ConversationContext(conversation_id="c"),
    }
    assert to_sdk_context(CONTEXT.model_copy(update=update))["conversation"]["sender_id"] == "alice"
