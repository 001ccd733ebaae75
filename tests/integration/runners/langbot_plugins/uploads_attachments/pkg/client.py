"""Uploads files to its service, and asks it about them."""

import json

import httpx


class Client:
    def __init__(self, base_url: str) -> None:
        self._http = httpx.AsyncClient(base_url=base_url, trust_env=False)

    async def upload(self, name: str, data: bytes, content_type: str, user: str) -> str:
        answer = await self._http.post("/files/upload", files={"file": (name, data, content_type)}, data={"user": user})
        return str(answer.raise_for_status().json()["id"])

    async def chat(self, query: str, files: list[dict[str, str]]):
        body = {"query": query, "files": files}
        async with self._http.stream("POST", "/chat-messages", json=body) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))["answer"]
