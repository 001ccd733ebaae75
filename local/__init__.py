"""The whole stack on one machine: `python -m local` serves the API of `template.yaml` without Docker, AWS or network.

`template` reads the SAM template into a `stack`; `resources` creates its tables, buckets and state machines in the
`emulator`; `functions` runs its Lambda functions, those of runs in `sandboxes`; `api_gateway` serves its API. The
product only sees the standard `AWS_ENDPOINT_URL*` variables.
"""
