"""Notifications of apps by Amazon SNS, which hands them to APNs and to Firebase Cloud Messaging."""
