import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ServerAccount } from './account.ts'
import { bareEnvironment } from './process.ts'

/** How long a guard waits for a fast shutdown before it asks for an immediate one. */
export const FAST_SHUTDOWN_SECONDS_MAX = 30

const LINES_KEPT_MAX = 30

/**
 * Runs a program and watches our process. Its standard input is a pipe from us. When the pipe ends, because we closed it or
 * were killed, the program gets its ending signal, and SIGQUIT if it does not end. Node also closes the pipe when the shell
 * that started the program is killed, so a program without its guard ends too.
 *
 * When the program ends, the watch ends too, and first kills the pause that it waits for, and waits until it is gone. The pause is
 * `$!`, because a variable is not set yet between two commands; before the first one, that is the program. The guard ends last.
 *
 * Descriptor 3 is the folder's lock (lock.ts). The program and its children inherit it, so it is held until the last of them
 * has ended. Everything that is done to the folder on their behalf is done before that.
 */
const SCRIPT = `
trap '' INT TERM HUP
exec 4<&0 </dev/null
signal=$1; emptied=$2; shift 2
"$@" 4<&- & program=$!
(
  read -r _
  trap '[ $! = $program ] || { kill -KILL $!; wait $!; }; exit' USR1
  kill -s $signal $program || exit
  seconds=0
  while [ $seconds -lt ${FAST_SHUTDOWN_SECONDS_MAX} ]; do
    sleep 1 &
    wait $!
    kill -0 $program || exit
    seconds=$((seconds + 1))
  done
  kill -QUIT $program
) <&4 2>/dev/null 3<&- & watch=$!
exec 4<&-
wait $program; ended=$?
kill -USR1 $watch 2>/dev/null
wait $watch 2>/dev/null
[ -z "$emptied" ] || rmdir "$emptied" 2>/dev/null
exit $ended
`

export interface Guarded {
  /**
   * How the guard ended: a status, or null for a signal. Resolves once no process that it started can report anything. Rejects
   * if it could not be started.
   */
  readonly ended: Promise<number | null>
  /** The same, but resolves at once, even if it leaves processes behind. */
  readonly exited: Promise<number | null>
  readonly hasEnded: () => boolean
  /** Ends the pipe, which makes the guard shut the program down. */
  release(): void
  /** The last lines of the program's output, for an error. */
  lastLines(): string
}

export interface GuardOptions {
  readonly account: ServerAccount
  /** The program's working folder. We enter it before we give up our rights, so the account need not be able to reach it. */
  readonly cwd: string
  /**
   * The signal that ends the program: INT is the fast shutdown of a Postgres, KILL is for programs that leave nothing of use.
   */
  readonly ending: 'INT' | 'KILL'
  /** A folder that the program leaves empty. It is removed at the end. */
  readonly emptied?: string
  /** The descriptor of the folder's lock. */
  readonly lock: number
  readonly environment?: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

/** Starts a program under a guard, in a session of its own so that Ctrl-C in a terminal reaches only us. */
export function spawnGuarded(program: readonly string[], options: GuardOptions): Guarded {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'guildhall-guard', options.ending, options.emptied ?? '', ...program], {
    ...options.account.identity,
    cwd: options.cwd,
    detached: true,
    env: { ...bareEnvironment(), ...options.environment },
    stdio: ['pipe', 'ignore', 'pipe', options.lock],
  })
  // A guard that is already gone cannot be told. Its end reports what happened.
  child.stdin?.on('error', () => child.stdin?.destroy())
  const kept = keepLines(child, options.log)
  let ended = false
  const end = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => (ended = true))
    child.once('close', resolve)
  })
  end.catch(() => (ended = true))
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  exited.catch(() => undefined)
  const hasEnded = (): boolean => ended
  return { ended: end, exited, hasEnded, release: () => child.stdin?.end(), lastLines: () => kept.join('\n') }
}

function keepLines(child: ChildProcess, log: (line: string) => void): string[] {
  const kept: string[] = []
  if (child.stderr === null) return kept
  createInterface({ input: child.stderr }).on('line', (line) => {
    kept.push(line)
    if (kept.length > LINES_KEPT_MAX) kept.shift()
    log(line)
  })
  return kept
}
