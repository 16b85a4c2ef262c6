"""Completion in bash, which breaks words at '=' and wants only what comes after it."""

from click.shell_completion import BashComplete, CompletionItem, add_completion_class


class WholeWords(BashComplete):
    """Joins NAME=VALUE again, and answers with the part that bash has still to write."""

    written = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before, and the beginning of the one to complete."""
        args, incomplete = super().get_completion_args()
        if incomplete == "=":
            args, incomplete = [*args, "="], ""
        args = _joined(args)
        if args and args[-1].endswith("="):
            self.written = args.pop()
        return args, self.written + incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """What is left to write of an answer."""
        left = CompletionItem(item.value.removeprefix(self.written), item.type, item.help)
        return super().format_completion(left)


def _joined(words: list[str]) -> list[str]:
    """NAME, = and VALUE as one word again."""
    joined: list[str] = []
    for word in words:
        if joined and (word == "=" or joined[-1].endswith("=")):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


add_completion_class(WholeWords)
