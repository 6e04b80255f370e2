"""Programs of model classes in the idioms of the field, run by torch and read by dllint with and without what they are told."""
