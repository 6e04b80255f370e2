"""What names of OpenCV (``cv2``) mean."""
