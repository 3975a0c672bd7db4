"""A partition as one page of HTML that scrubs by itself."""
