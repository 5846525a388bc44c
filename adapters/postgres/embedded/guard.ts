import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ServerAccount } from './account.js'
import { bareEnvironment } from './process.js'

/** How long a guard gives a fast shutdown before it asks for an immediate one. */
export const FAST_SHUTDOWN_SECONDS_MAX = 30

const LINES_KEPT_MAX = 30

/**
 * Runs a program and watches our process: standard input is a pipe from us, and when it ends, for we closed it or were
 * killed, the program gets its ending signal, and SIGQUIT if it does not end. Node closes the pipe also when the shell
 * that started the program is killed, so a program without its guard ends too.
 *
 * Descriptor 3 is the folder's lock (lock.ts). The program and its children inherit it, so it is held until the last
 * of them has ended. Everything that is done to the folder on their behalf is done before.
 */
const SCRIPT = `
trap '' INT TERM HUP
exec 4<&0 </dev/null
signal=$1; emptied=$2; shift 2
"$@" 4<&- & program=$!
(
  read -r _
  kill -s $signal $program || exit
  trap 'kill -KILL $pause; exit' USR1
  seconds=0
  while [ $seconds -lt ${FAST_SHUTDOWN_SECONDS_MAX} ]; do
    sleep 1 & pause=$!
    wait $pause
    kill -0 $program || exit
    seconds=$((seconds + 1))
  done
  kill -QUIT $program
) <&4 2>/dev/null 3<&- & watch=$!
exec 4<&-
wait $program; ended=$?
kill -USR1 $watch 2>/dev/null
[ -z "$emptied" ] || rmdir "$emptied" 2>/dev/null
exit $ended
`

export interface Guarded {
  /**
   * How the guard ended: a status, or null for a signal. Resolves once no process that it started is left to report anything.
   * Rejects when it could not be started.
   */
  readonly ended: Promise<number | null>
  /** The same at once, whatever it leaves behind. */
  readonly exited: Promise<number | null>
  readonly hasEnded: () => boolean
  /** Ends the pipe, on which the guard shuts the program down. */
  release(): void
  /** The last lines of the program's messages, for an error. */
  lastLines(): string
}

export interface GuardOptions {
  readonly account: ServerAccount
  /** Where the program runs. We enter it before we give up our rights, so the account need not be able to reach it. */
  readonly cwd: string
  /** What the program is asked to end with: INT is the fast shutdown of a Postgres, KILL for what leaves nothing of use. */
  readonly ending: 'INT' | 'KILL'
  /** A folder that the program leaves empty, to be removed at the end. */
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
  // A guard that is already gone cannot be told; its end is what we learn from.
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
