"""The whole stack on one machine: `python -m local` serves the API of `template.yaml` without Docker, AWS or network.

`template` and `intrinsics` read the SAM template into the plain description of `stack`; `resources` creates its tables,
buckets and state machines in the `emulator`; `functions` runs its Lambda functions; `gateway` answers as API Gateway
would. The product does not know any of it: it finds its endpoints in the standard `AWS_ENDPOINT_URL*` variables.
"""
