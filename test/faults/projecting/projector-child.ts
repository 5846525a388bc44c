import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { until } from '../../projections/support/world.ts'
import { patience_ms } from '../../support/pace.ts'

const settings = z.object({
  connection: z.object({
    host: z.string(),
    port: z.int(),
    user: z.string(),
    password: z.string(),
    database: z.string(),
  }),
  /** In hex. */
  personalDataKey: z.string(),
  natsUrl: z.string(),
})

export type ProjectorSettings = z.infer<typeof settings>

/** Parses the settings that a projector was started with. Throws if they are not valid. */
export function projectorSettings(text: string | undefined): ProjectorSettings {
  return settings.parse(JSON.parse(text ?? ''))
}

const death = z.object({
  point: z.enum(['before apply', 'before commit', 'after commit']),
  /** Counted from the order. */
  atBatch: z.int().min(1),
})

/** Where a projector kills itself. */
export type DeathOrder = z.infer<typeof death>

/** Parses an order from the parent. Throws if it is not valid. */
export function deathOrder(message: unknown): DeathOrder {
  return death.parse(message)
}

/** A projector in a process of its own. */
export interface ProjectorChild {
  readonly isRunning: boolean
  readonly isLeading: boolean
  /** Orders it to kill itself at a point. */
  die(order: DeathOrder): void
  /** Resolves with the signal that ended it, and with its error output. */
  readonly ended: Promise<{ readonly signal: NodeJS.Signals | null; readonly said: string }>
  /** Kills it as a crash would. Safe to repeat. */
  kill(): Promise<void>
}

const script = new URL('../../../dist/test/faults/projecting/projector-process.js', import.meta.url)
const said_max = 20_000

/**
 * Starts a projector from dist/, which must be built. Resolves once it projects or stands by. It ends together with this process.
 */
export async function startProjector(given: ProjectorSettings): Promise<ProjectorChild> {
  const child = fork(fileURLToPath(script), [JSON.stringify(given)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  const heard = new Set<unknown>()
  child.stderr?.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString()}`.slice(-said_max)))
  child.on('message', (message) => heard.add(message))
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  const ended = once(child, 'exit').then(() => ({ signal: child.signalCode, said }))
  await until(() => heard.has('ready') || !isRunning(), patience_ms)
  if (!isRunning()) throw new Error(`The projector ended before it was ready: ${said}`)
  return {
    get isRunning() {
      return isRunning()
    },
    get isLeading() {
      return heard.has('leading') && isRunning()
    },
    die: (order) => void child.send(order),
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
