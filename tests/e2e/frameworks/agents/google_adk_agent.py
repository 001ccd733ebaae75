"""Google's Agent Development Kit, with LiteLLM for the model."""

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part
from say import runner

agents = InMemoryRunner(LlmAgent(name="assistant", model=LiteLlm(model="openai/fake")), app_name="test")
config = RunConfig(streaming_mode=StreamingMode.SSE)


async def pieces(text):
    session = await agents.session_service.create_session(app_name="test", user_id="user")
    message = Content(role="user", parts=[Part(text=text)])
    events = agents.run_async(user_id="user", session_id=session.id, new_message=message, run_config=config)
    async for event in events:
        if event.partial and event.content:
            yield "".join(part.text or "" for part in event.content.parts)


RUNNER = runner(pieces)
