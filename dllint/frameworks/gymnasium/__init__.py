"""What names of Gymnasium, and of Gym before it, mean."""
