from .messages import build


class Loop:
    def __init__(self, ctx) -> None:
        self._ctx = ctx

    async def chunks(self):
        messages = build(self._ctx.config["prompt"], self._ctx.input.contents)
        model = self._ctx.resources.models[0].model_id
        assert await self._ctx.api.count_tokens(model, messages, []) > 0
        async for chunk in self._ctx.api.invoke_llm_stream(model, messages):
            yield chunk
