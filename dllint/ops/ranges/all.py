"""Importing this module declares the ranges of every operation that has one."""

from dllint.ops.ranges import activation as activation
from dllint.ops.ranges import assigned as assigned
from dllint.ops.ranges import attention as attention
from dllint.ops.ranges import binary as binary
from dllint.ops.ranges import elementwise as elementwise
from dllint.ops.ranges import gradient as gradient
from dllint.ops.ranges import indices as indices
from dllint.ops.ranges import losses as losses
from dllint.ops.ranges import marks as marks
from dllint.ops.ranges import norms as norms
from dllint.ops.ranges import padded as padded
from dllint.ops.ranges import part_sums as part_sums
from dllint.ops.ranges import placing as placing
from dllint.ops.ranges import pools as pools
from dllint.ops.ranges import products as products
from dllint.ops.ranges import reduce as reduce
from dllint.ops.ranges import sources as sources
from dllint.ops.ranges import special as special
from dllint.ops.ranges import spectral as spectral
from dllint.ops.ranges import weights as weights
