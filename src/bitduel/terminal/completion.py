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
        if len(args) > 1 and args[-1] == "=":
            self.written = f"{args[-2]}="
            return args[:-2], self.written + incomplete
        return args, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """What is left to write of an answer."""
        left = CompletionItem(item.value.removeprefix(self.written), item.type, item.help)
        return super().format_completion(left)


add_completion_class(WholeWords)
