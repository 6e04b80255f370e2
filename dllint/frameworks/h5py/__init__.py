"""What names of h5py mean."""
