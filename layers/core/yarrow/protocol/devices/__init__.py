"""The devices of users that get notifications: requests to `/api/v1/devices` and its responses."""
