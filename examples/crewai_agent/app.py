"""The Lambda function of the agent."""

from crewai_agent import RUNNER

from yarrow.sdk import serve

handler = serve(RUNNER)
