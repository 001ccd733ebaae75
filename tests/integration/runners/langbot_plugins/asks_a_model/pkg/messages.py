from langbot_plugin.api.entities.builtin.provider.message import ContentElement, Message


def build(prompt: list[dict[str, str]], contents: list[ContentElement]) -> list[Message]:
    return [*(Message(**item) for item in prompt), Message(role="user", content=contents)]
