"""The Liu Yao agent: derives, judges and answers; a model may rephrase the answer."""
