"""Another plugin's client of the same name."""

import json

import httpx


class Client:
    def __init__(self, base_url: str, user: str) -> None:
        self._http = httpx.AsyncClient(base_url=base_url, trust_env=False)
        self._user = user

    async def upload(self, data: bytes, name: str) -> str:
        answer = await self._http.post("/v1/files/upload", files={"file": (name, data)})
        return str(answer.raise_for_status().json()["data"]["id"])

    async def chat(self, parts: list[dict[str, str]]) -> str:
        message = {"role": "user", "content": json.dumps(parts), "content_type": "object_string"}
        answer = await self._http.post("/v3/chat", json={"user_id": self._user, "additional_messages": [message]})
        return str(answer.raise_for_status().json()["answer"])
