"""``dllint migrate``: a project's version fixes in one go.

For each file, *steps* rewrite what a file-wide decision is needed for (the names of TensorFlow 1, imports that move in part),
then the safe fixes of the rules on versions are applied, proved by the fix gate, with the release of the goal as target. What
the rules still find then, and what the steps remark, is left to be done by hand, and listed.
"""
