# SPDX-License-Identifier: Apache-2.0
"""Writes random MPI programs in C that look like HPC codes: hpc.program.write(seed)."""
