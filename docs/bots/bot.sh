#!/bin/sh
# A bot: plays the first legal move. Messages have no spaces, so that even sed can read them.

part() {
    printf '%s\n' "$line" | sed "s/.*$1.*/\\1/"
}

while IFS= read -r line; do
    case $line in
    '{"type":"hello"'*)
        echo '{"type":"hello","protocol":1,"name":"The first"}'
        ;;
    '{"type":"move?"'*)
        id=$(part '"type":"move?","id":\([0-9]*\),')
        move=$(part '"legal":\["\([^"]*\)"')
        echo "{\"type\":\"move\",\"id\":$id,\"move\":\"$move\"}"
        ;;
    esac
done
