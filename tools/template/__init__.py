"""What is made of `template.yaml`, in it."""
