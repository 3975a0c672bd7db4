"""The centre of the window: pictures of core.picture on the screen, under the mouse and the keys."""
