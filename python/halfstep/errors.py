"""What can go wrong, each with one message that names the file or the deck."""


class Unreadable(Exception):
    """A file that is gone or is not what it should be."""


class RunFailed(Exception):
    """The program ended without a finished run: `code` is its exit code, the message is the program's own."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
