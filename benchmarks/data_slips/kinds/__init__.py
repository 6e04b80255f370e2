"""The kinds of faults, one module for each subject: where a script can have one, and the script that has it."""
