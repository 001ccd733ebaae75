"""The Liu Yao agent, a runner: derives, judges and answers; a model may rephrase the answer."""
