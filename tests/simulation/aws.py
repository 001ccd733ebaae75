"""The AWS of a simulation: a table in memory, whose calls fail in every way that DynamoDB's and Lambda's do."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ReadTimeoutError

from tests.simulation.scheduler import Scheduler, Stopped
from tests.support.memory_aws.table import Key, MemoryTable, error

Json = dict[str, Any]
Make = Callable[[], Any]

FAULTS: Final = (
    *("throttled", "collided", "lost", "twice", "late", "unprocessed", "stale", "torn"),
    *("killed before", "killed after", "unheard"),
)
"""`torn` reads some items later than others; `unheard` is an invocation that its caller takes for failed too early."""

READS: Final = frozenset({"GetItem", "BatchGetItem", "Query"})
UNREPEATED: Final = frozenset({"PostToConnection"})
"""Which botocore does not make again."""
LONGEST_DELAY: Final = 70.0
LONGEST_POST: Final = 7.0
"""Its timeouts: what comes later was not awaited."""
STALE_ITEMS: Final = 3
"""That an eventually consistent read may miss."""


class Aws:
    """`rate` is the probability that a call has a fault. `history` is every call, for people."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.table = MemoryTable()
        self.rate = 0.0
        self.rates: dict[str, float] = {}
        """Other rates, by the first word of an actor's name."""
        self.faults = 0
        self.kinds = frozenset(FAULTS)
        """Those that happen at all."""
        self.without: frozenset[int] = frozenset()
        """Numbers of faults that do not happen."""
        self.made: Counter[tuple[str, str]] = Counter()
        self.history: list[tuple[float, str, str, str, str]] = []
        self.services: dict[str, Any] = {"dynamodb": self.table}
        self.decide: Callable[[list[str]], str] | None = None
        """Chooses a fault, or none, in place of chance."""
        self._scheduler = scheduler

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Have every call of this process end here."""

        def make_api_call(client: BaseClient, operation: str, parameters: Json) -> Any:
            service = self.services[client.meta.service_model.service_name]
            return self.call(client, operation, parameters, lambda: getattr(service, operation)(**parameters))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BaseClient, "_make_api_call", make_api_call)
            yield

    def call(self, client: BaseClient, operation: str, parameters: Json, make: Make) -> Any:
        """On the way there and back, others have their turns."""
        actor = self._scheduler.current
        if actor is None:
            return make()
        chance = self._scheduler.chance
        self._scheduler.pause(chance.uniform(0.001, 0.01))
        fault = self._fault(operation, parameters, may_die=actor.may_die)
        self.made[operation, fault] += 1
        outcome = "made"
        try:
            answer = self._made(client, operation, parameters, make, fault)
        except BaseException as raised:
            outcome = type(raised).__name__
            actor.learned = hash((actor.learned, operation, outcome))
            raise
        else:
            if self.decide is not None:
                actor.learned = hash((actor.learned, operation, repr(answer)))
            return answer
        finally:
            what = f"{operation} {_subject(parameters)}"
            self.history.append((self._scheduler.now, actor.name, what, fault, outcome))

    def _fault(self, operation: str, parameters: Json, *, may_die: bool) -> str:
        fitting = {
            "unheard": False,
            "torn": "Limit" not in parameters
            and "IndexName" not in parameters
            and operation in ("BatchGetItem", "Query"),
            "twice": operation not in UNREPEATED,
            "collided": operation in ("TransactWriteItems", "UpdateItem", "PutItem"),
            "unprocessed": operation == "BatchGetItem",
            "stale": operation in READS and not _is_consistent(parameters),
            "killed before": may_die,
            "killed after": may_die,
        }
        return self._drawn([fault for fault in FAULTS if fault in self.kinds and fitting.get(fault, True)])

    def is_unheard(self) -> bool:
        """Whether this invocation is taken for failed while it goes on."""
        fault = self._drawn(["unheard"] if "unheard" in self.kinds else [])
        self.made["Invoke", fault] += 1
        return fault == "unheard"

    def post_fault(self) -> str:
        """What happens to a post to somebody else's server; who makes it dies of some."""
        actor = self._scheduler.current
        assert actor is not None
        deaths = [fault for fault in ("killed before", "killed after") if actor.may_die]
        fault = self._drawn([fault for fault in ("lost", "late", *deaths) if fault in self.kinds])
        self.made["POST", fault] += 1
        return fault

    def die(self) -> NoReturn:
        """End the process of whoever makes a call."""
        actor = self._scheduler.current
        assert actor is not None
        self._scheduler.stop(actor)
        raise Stopped

    def _drawn(self, faults: list[str]) -> str:
        if self.decide is not None:
            return self.decide(faults)
        chance = self._scheduler.chance
        actor = self._scheduler.current
        rate = self.rates.get(actor.name.partition(" ")[0], self.rate) if actor and self.rates else self.rate
        if chance.random() >= rate or not faults:
            return "none"
        fault = chance.choice(faults)
        self.faults += 1
        return "none" if self.faults in self.without else fault

    def _made(self, client: BaseClient, operation: str, parameters: Json, make: Make, fault: str) -> Any:
        scheduler, chance = self._scheduler, self._scheduler.chance
        match fault:
            case "throttled":
                raise error(operation, "ThrottlingException")
            case "collided":
                if operation != "TransactWriteItems":
                    raise error(operation, "TransactionConflictException")
                reasons = [{"Code": "TransactionConflict"}, {"Code": "None"}]
                raise error(operation, "TransactionCanceledException", CancellationReasons=reasons)
            case "late":
                scheduler.pause(chance.uniform(0.5, LONGEST_POST if operation in UNREPEATED else LONGEST_DELAY))
            case "killed before":
                self.die()
        if fault == "unprocessed":
            ((name, request),) = parameters["RequestItems"].items()
            left = chance.randrange(len(request["Keys"]))
            some = {name: {**request, "Keys": request["Keys"][:left]}}
            found = self.table.BatchGetItem(RequestItems=some) if left else {"Responses": {name: []}}
            answer: Any = {**found, "UnprocessedKeys": {name: {**request, "Keys": request["Keys"][left:]}}}
        elif fault == "stale":
            answer = self._stale(operation, parameters, make())
        elif fault == "torn":
            answer = self._torn(operation, parameters, make)
        else:
            answer = make()
        if fault == "twice" and operation not in READS:
            scheduler.pause(chance.uniform(0.01, 2.0))
            answer = make()
        scheduler.pause(chance.uniform(0.001, 0.01))
        if fault == "lost":
            raise ReadTimeoutError(endpoint_url="https://simulated")
        if fault == "killed after":
            self.die()
        return answer

    def _stale(self, operation: str, parameters: Json, answer: Json) -> Json:
        """An item as it was before its latest change, or a page without one of its last items: not up to date."""
        match operation:
            case "GetItem":
                item = self.table.earlier.get(_key(parameters["Key"]))
                return {"Item": item} if item else {}
            case "BatchGetItem":
                ((name, request),) = parameters["RequestItems"].items()
                stale = _key(self._scheduler.chance.choice(request["Keys"]))
                found = [item for item in answer["Responses"][name] if _key(item) != stale]
                found += [item] if (item := self.table.earlier.get(stale)) else []
                return {**answer, "Responses": {name: found}}
        if parameters.get("IndexName") is not None or not answer["Items"]:
            return answer
        missing = self._scheduler.chance.randrange(min(STALE_ITEMS, len(answer["Items"]))) + 1
        items = list(answer["Items"])
        del items[-missing]
        return {**answer, "Items": items, "Count": len(items)}

    def _torn(self, operation: str, parameters: Json, make: Make) -> Json:
        """The items that are read first as they were, the others as they are some time later."""
        scheduler, first = self._scheduler, make()
        scheduler.pause(scheduler.chance.uniform(0.01, 1.0))
        second = make()
        if operation == "BatchGetItem":
            ((name, request),) = parameters["RequestItems"].items()
            keys = list(map(_key, request["Keys"]))
            early = scheduler.chance.sample(keys, scheduler.chance.randint(0, len(keys)))
            found = [item for item in first["Responses"][name] if _key(item) in early]
            found += [item for item in second["Responses"][name] if _key(item) not in early]
            return {**second, "Responses": {name: found}}
        places = sorted({item["sk"]["S"] for answer in (first, second) for item in answer["Items"]})
        if not places or "LastEvaluatedKey" in first or "LastEvaluatedKey" in second:
            return second  # type: ignore[no-any-return]
        at, forward = scheduler.chance.choice(places), parameters.get("ScanIndexForward", True)
        items = {item["sk"]["S"]: item for item in first["Items"] if (item["sk"]["S"] <= at) is forward}
        items |= {item["sk"]["S"]: item for item in second["Items"] if (item["sk"]["S"] <= at) is not forward}
        found = [items[place] for place in sorted(items, reverse=not forward)]
        return {**second, "Items": found, "Count": len(found)}


def _key(item: Json) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def _is_consistent(parameters: Json) -> bool:
    requests = parameters.get("RequestItems", {"": parameters}).values()
    return all(request.get("ConsistentRead", False) for request in requests)


def _subject(parameters: Json) -> str:
    """What a call is about, in few words."""
    match parameters:
        case {"Key": {"pk": {"S": pk}, "sk": {"S": sk}}} | {"Item": {"pk": {"S": pk}, "sk": {"S": sk}}}:
            return f"{pk[:12]} {sk}"
        case {"TransactItems": items}:
            return ", ".join(_subject(next(iter(item.values()))).split(" ", 1)[1] for item in items)
        case {"RequestItems": requests}:
            return ", ".join(key["sk"]["S"] for request in requests.values() for key in request["Keys"])
        case {"ExpressionAttributeValues": {":start": {"S": start}}}:
            return f"from {start}"
    if (connection := parameters.get("ConnectionId")) is not None:
        return f"{connection} {parameters['Data'][:60].decode(errors='replace')}"
    return str(parameters.get("name") or parameters.get("executionArn", "")).rpartition(":")[2][:40]
