"""A workspace that plans a trip: it asks a choice and a number, works in two steps and hands over a file."""

import base64

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner

EVENTS = ["workspace.init", "workspace.input", "workspace.option", "workspace.answer", "workspace.control"]
MANIFEST = AgentRunnerManifest(
    id="plugin:examples/trip/default",
    name="default",
    label={"en_US": "Trip"},
    metadata={"workspace": {"events": EVENTS}},
)
PLACES = {"sea": ["a swim", "the harbour"], "hills": ["a long walk", "a hut"], "city": ["a museum", "the market"]}
MOST_DAYS = 14


def prompt(trip):
    """Return both questions, with what is answered."""
    options = [{"id": place, "label": f"To the {place}"} for place in PLACES]
    choice = {"id": "place", "text": "Where to?", "options": options, "selectedOptionId": trip.get("place", "")}
    days = str(trip.get("days", ""))
    number = {"id": "days", "text": "For how many days?", "type": "input", "inputType": "number", "answerValue": days}
    return {"text": "Two questions, and I plan it.", "questions": [choice, number]}


def subtasks(choose, write):
    return {"items": [{"key": "choose", "status": choose}, {"key": "write", "status": write}]}


class Trip:
    async def run(self, context, api):
        def result(type_, **data):
            return AgentRunResult(run_id=context.run_id, type=type_, data=data)

        event, data = context.event.event_type, context.event.data
        trip = dict(context.state.conversation.get("trip", {}))
        if event == "workspace.option" and data["optionId"] in PLACES:
            trip["place"] = data["optionId"]
        elif event == "workspace.answer" and data["answer"].isdecimal():
            trip["days"] = max(1, min(int(data["answer"]), MOST_DAYS))
        elif event == "workspace.control" and data["action"] == "retry":
            trip = {}
        yield result("state.updated", scope="conversation", key="trip", value=trip)
        if prompt(trip) != data["prompt"]:  # one that is sent again closes what the user has open
            yield result("workspace.prompt", **prompt(trip))

        if event == "workspace.init":  # sent again when the page's language changes: then nothing is appended
            if data["reason"] == "session_created":
                yield result("workspace.subtasks", **subtasks("pending", "pending"))
                yield result("workspace.message", content="Let us plan a trip.")
            return
        if len(trip) < 2:
            yield result("workspace.subtasks", **subtasks("pending", "pending"))
            yield result("workspace.message", content="Thank you. Please answer both questions.")
            return

        yield result("workspace.subtasks", **subtasks("running", "pending"))
        ideas = PLACES[trip["place"]]
        lines = [f"Day {day}: {ideas[day % len(ideas)]}" for day in range(1, trip["days"] + 1)]
        yield result(
            "workspace.log", text=f"{len(ideas)} ideas for the {trip['place']}", source="subtask", key="choose"
        )
        yield result("workspace.subtasks", **subtasks("done", "running"))
        file = base64.b64encode("\n".join(lines).encode()).decode()
        plan = {"artifact_type": "file", "name": "trip.txt", "mime_type": "text/plain", "content_base64": file}
        yield result("artifact.created", **plan)
        yield result("workspace.subtasks", **subtasks("done", "done"))
        yield result("workspace.message", content=f"{trip['days']} days, planned: see trip.txt.")


RUNNER = InstalledRunner(MANIFEST, Trip)
