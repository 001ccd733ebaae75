"""The knowledge base `liu-yao`: the terms of Liu Yao, explained in Chinese and English."""

from pathlib import Path
from typing import Final

from yarrow.protocol.runner.knowledge import KnowledgeBase

LIU_YAO: Final = KnowledgeBase(Path(__file__).with_name("liu_yao.jsonl"))
