"""In which releases libraries have which names and keywords: what running them has shown."""
