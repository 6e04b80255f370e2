"""The probe for JAX.

Keras's training steps on JAX are pure functions: a rehearsal calls ``train_step`` uncompiled with the values that Keras passes
on (``keras/passed_state``; these are donated to the compiled step, so no reference to them is kept). The differentiated
function is first called on numbers, because tracers hold none. ``FirstBad`` traces it and runs it operation by operation;
operations carry the user's line and the name scopes of layers. ``guest_losses`` has what hosts with compiled steps share.
"""
