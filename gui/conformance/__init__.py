"""The page that holds what is open against the rules of each era."""
