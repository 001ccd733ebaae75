"""Checks the parameter `Models` (the variable `MODELS`) at a function's start, without importing a provider's client.

pydantic_ai would report errors only in the first run, and takes half a second to import.
"""

import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

from yarrow.observability.logs import logger
from yarrow.settings import settings

RERANK: Final = "bedrock-rerank"

INCLUDED: Final = frozenset(
    {
        *("bedrock", RERANK, "openai", "openai-chat", "openai-responses", "azure", "azure-responses"),
        *(
            "alibaba",
            "cerebras",
            "crusoe",
            "deepseek",
            "fireworks",
            "github",
            "heroku",
            "litellm",
            "meta",
            "moonshotai",
        ),
        *("nebius", "ollama", "openrouter", "ovhcloud", "sambanova", "together", "vercel", "vllm", "zai"),
    }
)
"""Providers whose clients the layer `models` has."""

EXTRAS: Final[Mapping[str, tuple[str, str]]] = {
    "anthropic": ("anthropic", "anthropic"),
    "cohere": ("cohere", "cohere"),
    "google": ("google.genai", "google"),
    "google-cloud": ("google.genai", "google"),
    "groq": ("groq", "groq"),
    "huggingface": ("huggingface_hub", "huggingface"),
    "mistral": ("mistralai", "mistral"),
    "xai": ("xai_sdk", "xai"),
}
"""Other providers: the module they need, and the extra of pydantic-ai-slim that installs it."""

VARIABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": ("OLLAMA_BASE_URL",),
    **dict.fromkeys(("openai", "openai-chat", "openai-responses"), ("OPENAI_API_KEY", "OPENAI_BASE_URL")),
    "openrouter": ("OPENROUTER_API_KEY",),
    "vllm": ("VLLM_BASE_URL",),
}
"""Variables, of which a provider's client needs one."""


class ModelsError(ValueError):
    """The message is one line that names the parameter."""


def check() -> None:
    """Log and raise ModelsError if the parameter is invalid."""
    try:
        _check()
    except ModelsError as error:
        logger.critical("the models cannot be used", extra={"reason": str(error)})
        raise


def _check() -> None:
    try:
        models: object = settings.models
    except OSError as error:
        raise ModelsError(f"Models (MODELS): {error.filename}: {error.strerror}") from None
    except json.JSONDecodeError as error:
        raise ModelsError(f"Models (MODELS) is not JSON: {error}") from None
    if not isinstance(models, dict):
        raise ModelsError('Models (MODELS) is not a JSON object, such as {"chat": "openai-chat:MODEL"}')
    for model_id, name in models.items():
        if name is not None and (fault := _fault(name)):
            raise ModelsError(f"Models (MODELS): {model_id}: {fault}")


def _fault(name: object) -> str | None:
    if not isinstance(name, str):
        return "the model is neither text nor null"
    provider, colon, model = name.partition(":")
    if not colon or not model:
        return f"{name} is not PROVIDER:MODEL"
    if provider in EXTRAS:
        module, extra = EXTRAS[provider]
        if not _is_installed(module):
            return f"{provider}: needs the package pydantic-ai-slim[{extra}]"
    if provider in EXTRAS or provider in INCLUDED:
        variables = VARIABLES.get(provider, ())
        missing = variables and not any(map(settings.of_provider, variables))
        return f"{provider}: needs the variable {variables[0]}" if missing else None
    import difflib  # rarely needed

    close = difflib.get_close_matches(provider, [*INCLUDED, *EXTRAS], 1)
    return f"there is no provider {provider}" + (f"; is it {close[0]}?" if close else "")


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the version of its package
        return False
