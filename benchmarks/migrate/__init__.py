"""``dllint migrate`` on public programs: ``python -m benchmarks.migrate --peers DIR``.

Files written for Keras 1 or 2, TensorFlow 1 or older torch are drawn by lot (``drawing``). Each is migrated in memory; the
result has to parse, ``check`` must offer no further version fix, and every name of the library that it uses has to exist in the
installed release, or to be announced (``names``). Models of the Keras files are built before under ``tf_keras`` and after under
Keras 3, get the same weights and inputs, and must give the same outputs (``models``, ``driver``). ``tf_upgrade_v2`` rewrites
the same TensorFlow files, for comparison.
"""
