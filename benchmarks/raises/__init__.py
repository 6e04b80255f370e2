"""Where the analysis believes that Python raises.

Behind such a belief a path is ended, or the handler of a ``try`` is executed, so that on code that runs each one hides or
invents something. ``public`` lists the beliefs about public files, ``proving`` compares those about programs that run with what
a run of them raises.
"""
