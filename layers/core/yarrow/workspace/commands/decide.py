"""The changes of a command in a state; pure except for new times and ids."""

from collections.abc import Sequence

from yarrow.protocol.workspace import commands
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.workspace.commands import control, replies, sessions
from yarrow.workspace.commands.attach import TakenFiles, attach
from yarrow.workspace.commands.draft import Draft
from yarrow.workspace.earlier_sessions import EarlierSession
from yarrow.workspace.state.changes import Change

_NOTHING_TAKEN = TakenFiles((), (), ())


def decide(draft: Draft, taken: TakenFiles | None = None, earlier: Sequence[EarlierSession] = ()) -> Sequence[Change]:
    """Return what a command changes, given the files it stored and the user's earlier sessions.

    Raises CommandError if it is refused; then nothing changes.
    """
    match draft.request.command:
        case commands.Init():
            sessions.init(draft, earlier)
        case commands.CreateSession() as command:
            sessions.create_session(draft, command)
        case commands.DeleteSession() as command:
            sessions.delete_session(draft, command)
        case commands.SwitchSession() as command:
            sessions.switch_session(draft, command)
        case commands.UpdateContext() as command:
            sessions.update_context(draft, command)
        case commands.Input() as command:
            replies.say(draft, command)
        case commands.ChooseOption() as command:
            replies.choose_option(draft, command)
        case commands.AnswerQuestion() as command:
            replies.answer(draft, command)
        case commands.Attach() as command:
            attach(draft, command, taken or _NOTHING_TAKEN)
        case commands.Control() as command:
            control.control(draft, command)
        case commands.Unsupported(type=type_):
            raise CommandError(ErrorCode.COMMAND_UNSUPPORTED, f"the agent takes no {type_}")
    return draft.changes
