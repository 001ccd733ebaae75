"""`yarrow chat`: a conversation over several runs of one session."""

import sys
import uuid

from yarrow_client.cli.actions import Context, Failed, follow
from yarrow_client.cli.input import ask
from yarrow_client.run_input import text_input
from yarrow_client.sync_client import Yarrow


def chat(context: Context, yarrow: Yarrow) -> int:
    options, words = context.options, context.words
    thread = options.thread or str(uuid.uuid4())
    message = options.message
    if message is None and not context.is_interactive:
        message = sys.stdin.read()
    if message is not None:
        if not message.strip():
            raise Failed(words("no_message"))
        return _say(context, yarrow, thread, message)
    context.out.print(words("chat"), style="dim")
    while True:
        try:
            text = ask("›")
        except EOFError:
            context.out.print()
            return 0
        if text == "/new":
            thread = str(uuid.uuid4())
        elif text:
            context.out.print()
            _say(context, yarrow, thread, text)


def _say(context: Context, yarrow: Yarrow, thread: str, text: str) -> int:
    run_input = text_input(text, thread_id=thread)
    # Without an agent, a session keeps its own: this may be a question about a cast.
    yarrow.send_message(run_input, agent=context.options.agent)
    return follow(context, yarrow, thread, run_input["runId"])
