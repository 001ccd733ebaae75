"""What DynamoDB promises and moto does not keep; every other test of the table runs on both engines."""

from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError
from botocore.httpsession import URLLib3Session

from tests.support.divination_runs import submit
from tests.support.journals import numbered
from yarrow.store import clients, journal, runs, table

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.parametrize("dynamodb", ["dynamodb_local"], indirect=True)]

LINE = '{"type":"STEP_STARTED","threadId":"t","runId":"r","stepName":"worker"}'


class FirstAnswerLost:
    """A network that delivers every request and loses the answer to the first; called before each is sent."""

    def __init__(self) -> None:
        self.statuses: list[int] = []

    def __call__(self, request: Any, **_: Any) -> Any:
        answer = URLLib3Session().send(request)
        self.statuses.append(answer.status_code)
        if len(self.statuses) == 1:
            raise ReadTimeoutError(endpoint_url=request.url)
        return answer


def test_events_are_stored_once_when_the_answer_to_the_append_is_lost() -> None:
    """EVT-27, CMP-11: the append is sent again, and its place is found taken by the worker itself."""
    run_key = submit().task_id
    run = runs.claim(run_key)
    assert run is not None
    network = FirstAnswerLost()
    clients.dynamodb().meta.events.register("before-send.dynamodb.PutItem", network)
    at = journal.Position(1)
    with pytest.raises(table.ConditionFailedError):
        journal.append(run_key, run.attempt, at, [LINE])
    assert network.statuses == [200, 400]
    assert journal.own(run_key, run.attempt, at) == journal.Position(2)
    assert journal.own(run_key, run.attempt + 1, at) is None
    assert numbered(run_key)[1:] == [(2, LINE)]
