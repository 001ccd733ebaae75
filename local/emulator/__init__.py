"""AWS in a separate process: `local.dynamodb`, and moto for S3, Step Functions, SQS and EventBridge Scheduler.

`python -m local.emulator URL SOCKET [FOLDER]` serves on a socket that it inherits, and keeps its data in the folder
(`stored`). State machines invoke functions and report events at URL (`executions`), tables report changes there
(`table_stream`); `scheduler` fires schedules. `resources` creates a stack's resources through its AWS API.
"""
