"""The agent of Strands' Python quickstart with its own tool, and the two lines that make it a runner.

The tools that the quickstart takes from `strands-agents-tools` are left out.
"""

from strands import Agent, tool

from yarrow.adapters.strands import runner


@tool
def letter_counter(word: str, letter: str) -> int:
    """Count occurrences of a specific letter in a word.

    Args:
        word (str): The input word to search in
        letter (str): The specific letter to count

    Returns:
        int: The number of occurrences of the letter in the word
    """
    if not isinstance(word, str) or not isinstance(letter, str):
        return 0

    if len(letter) != 1:
        raise ValueError("The 'letter' parameter must be a single character")

    return word.lower().count(letter.lower())


agent = Agent(tools=[letter_counter])

RUNNER = runner(agent, id="plugin:tests/strands/default", label="Letter counter")
"""Of the adapter: the import and this line."""

RESOURCES = {"tools": ["get_current_time"]}
"""For a test: the tool of the host that its model is offered."""
