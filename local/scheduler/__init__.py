"""EventBridge Scheduler: fires the emulator's schedules by a clock that tests can move."""
