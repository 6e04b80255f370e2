"""The probe for JAX.

**The JAX probe** (``probes/jax/``). Keras's steps on JAX are pure functions: a rehearsal calls ``train_step``
uncompiled, with the values that Keras passes on (``keras/passed_state``; they are donated to the compiled step, so
that nothing of them is kept). What is differentiated is first called as it is, since tracers hold no numbers.
``FirstBad`` traces that function and runs it operation by operation; operations know the user's line and the scopes
of layers. ``guest_losses`` is what hosts with compiled steps share.
"""
