"""What names of libraries for sound mean: recordings that librosa and torchaudio read, and features of librosa."""
