"""What to teach: scenarios and lessons as text, in English and Simplified Chinese."""
