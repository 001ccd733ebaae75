"""`yarrow new`: writes the project of an agent."""

from pathlib import Path

from yarrow_client.cli.actions import Context, Failed
from yarrow_client.starter import FRAMEWORKS, NotAName, clone_near, files, write
from yarrow_client.starter.project import relative


def new(context: Context) -> int:
    """Write the project, and print what to do next."""
    options, words = context.options, context.words
    folder = Path(options.name)
    clone = Path(options.yarrow) if options.yarrow else clone_near(Path.cwd())
    try:
        texts = files(folder.name, options.framework, "" if clone is None else relative(clone, folder), options.deploy)
        write(folder, texts)
    except NotAName as error:
        raise Failed(words("no_name", taken=folder.name, offered=error)) from None
    except FileExistsError:
        raise Failed(words("folder_exists", path=folder)) from None
    except OSError as error:
        raise Failed(words("no_folder", path=folder, reason=error.strerror)) from None
    if options.json:
        context.document({"folder": str(folder), "files": sorted(texts)})
        return 0
    say = context.out.file.write
    say(words("written", path=folder, title=FRAMEWORKS[options.framework].title) + "\n")
    say("".join(f"  {folder}/{path}\n" for path in sorted(texts)))
    command = "make test run" if "\nrun:" in texts["Makefile"] else "make test"
    say(words("next" if clone else "next_yarrow", path=folder, command=command) + "\n")
    return 0
