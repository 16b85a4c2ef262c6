/* A bot: plays the last legal move. Compile it: cc -o bot bot.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "{\"type\":\"hello\"") == line) {
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"The last\"}");
        } else if (strstr(line, "{\"type\":\"move?\"") == line) {
            long id = strtol(strstr(line, "\"id\":") + 5, NULL, 10);
            char *end = strchr(strstr(line, "\"legal\":["), ']') - 1, *move = end;
            while (move[-1] != '"') move--;
            printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"%.*s\"}\n", id, (int)(end - move), move);
        }
        fflush(stdout);
    }
    return 0;
}
