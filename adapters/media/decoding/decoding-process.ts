import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Decoding, Outcome } from './messages.ts'

/** A process that decodes images, and can be killed at any time. */
export interface DecodingProcess {
  ask(decoding: Decoding): void
  /** Kills it. Resolves once it is gone. */
  end(): Promise<void>
}

export interface DecodingProcessSettings {
  readonly program: URL
  /** The limit of its JavaScript heap. */
  readonly heap_MB_max: number
  /** The limit of all its memory, if the system reports that: on Linux. */
  readonly memory_MB_max: number
  readonly onOutcome: (outcome: Outcome) => void
  /** Called once, when the process ended by itself or holds too much memory. */
  readonly onEnd: () => void
}

const look_ms = 50

/**
 * Starts such a process, without this process's environment. A thread would not do: native decoder code can't be interrupted,
 * and would occupy the pool threads that files and passwords need.
 */
export function startDecodingProcess(settings: DecodingProcessSettings): DecodingProcess {
  const { program, heap_MB_max, memory_MB_max, onOutcome, onEnd } = settings
  const child = fork(fileURLToPath(program), [], {
    execArgv: [`--max-old-space-size=${heap_MB_max}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  let isOver = false
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const over = (): void => {
    if (isOver) return
    isOver = true
    clearInterval(looks)
    onEnd()
  }
  const looks = setInterval(() => {
    void heldBy(child.pid).then((held_MB) => {
      if (held_MB > memory_MB_max) over()
    })
  }, look_ms)
  looks.unref()
  child.on('message', (outcome: Outcome) => onOutcome(outcome))
  void gone.then(over)
  return {
    ask: (decoding) => {
      child.send(decoding, (error) => {
        if (error) over()
      })
    },
    end: async () => {
      isOver = true
      clearInterval(looks)
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        child.kill('SIGKILL')
        await gone
      }
    },
  }
}

/** The megabytes that a process holds; 0 if the system does not report it. */
async function heldBy(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'latin1').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  })
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}
