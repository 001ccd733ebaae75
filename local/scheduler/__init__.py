"""EventBridge Scheduler: fires the schedules that the emulator keeps, by a clock that tests move."""
