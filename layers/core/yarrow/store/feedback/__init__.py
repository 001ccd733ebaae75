"""What users say of the answers that they got."""
