/* timed COMMAND ARGUMENT… runs a command and writes to descriptor 3 what it took:
 * wall seconds, CPU seconds, peak resident KiB.
 *
 * A program's own: a large parent, such as an interpreter, would leave its size in the child's peak. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
  if (count < 2) return 64;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  pid_t child = fork();
  if (child < 0) return 71;
  if (child == 0) {
    close(3);
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  int status;
  struct rusage usage;
  wait4(child, &status, 0, &usage);
  clock_gettime(CLOCK_MONOTONIC, &end);
  dprintf(3, "%.9f %.6f %ld\n",
          (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9,
          seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
