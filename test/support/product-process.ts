import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Role } from '../../process/roles/role.ts'
import { isTestRun } from './test-database.ts'
import { patience_ms } from './pace.ts'

/** The command of the process: all roles at once, or one of them. */
export type ProductCommand = 'start' | Role

/** The product as an operator runs it: built, in a process of its own, with a data folder or with the given servers. */
export interface ProductProcess {
  readonly command: ProductCommand
  /** The base of its URLs, such as http://127.0.0.1:40123. */
  readonly url: string
  /** Where it answers supervisors. */
  readonly statusUrl: string
  readonly pid: number
  readonly dataDir: string
  /** From its start to its ready line. */
  readonly ready_ms: number
  readonly isRunning: boolean
  /** Its last output, one entry for each line; at most `keptLines_max`. */
  readonly lines: readonly string[]
  /** Sends a signal without waiting for its effect. */
  signal(name: NodeJS.Signals): void
  /** Sends a signal, by default SIGKILL, and resolves with the exit code once the process is gone. */
  kill(name?: NodeJS.Signals): Promise<number | null>
  /** Asks for an orderly end with SIGTERM. Rejects if that takes longer than `stop_ms_max` or fails. Safe to call twice. */
  stop(): Promise<void>
}

export interface ProductOptions {
  /** The program, built; by default that of the checkout. */
  readonly program?: string
  /** Default: `start`. */
  readonly command?: ProductCommand
  /** Used by `start` alone: roles keep nothing on disk. */
  readonly dataDir: string
  readonly environment?: Readonly<Record<string, string>>
  /** Called as soon as the process runs, before it is ready. */
  readonly onStarted?: (signal: ProductProcess['signal']) => void
  /** Called with each line of its output, from the first on. */
  readonly onLine?: (line: string) => void
}

export const stop_ms_max = 20_000
export const keptLines_max = 300

/** An empty setting counts as unset: the settings of the person who runs the tests must not reach the product. */
const defaults = {
  HTTP_PORT: '0',
  HTTP_HOST: '',
  STATUS_PORT: '',
  STATUS_HOST: '',
  PUBLIC_URL: '',
  GATEWAY_URL: '',
  DATABASE_URL: '',
  EVENTSTORE_URL: '',
  NATS_URL: '',
  PERSONAL_DATA_KEY: '',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'info',
}

const readyLine = z.object({ msg: z.literal('ready'), url: z.url(), status: z.url() })
const running = new Set<ChildProcess>()

// However the tests end, the product does not outlive them.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
// vitest ends its workers with a signal. By default, that would skip the handlers of `exit`.
process.once('SIGTERM', () => process.exit(143))

/** A process of a few seconds, beside many others on two cores, only loses by threads that collect garbage beside its own. */
const shortLived = ['--single-threaded-gc']

/** Starts the product. Resolves once it is ready. Rejects with its output if it ends before that, or takes too long. */
export async function startProduct(options: ProductOptions): Promise<ProductProcess> {
  const { program = path.join(checkout(), 'dist/cli/guildhall.js'), command = 'start' } = options
  const { dataDir, environment = {}, onStarted, onLine } = options
  const began = performance.now()
  const flags = [...nodeFlagsOf(program), ...(isTestRun() ? shortLived : [])]
  const child = spawn(process.execPath, [...flags, program, command], {
    cwd: '/',
    env: { ...process.env, ...defaults, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const ended = once(child, 'exit').then(() => running.delete(child))
  const signal = (name: NodeJS.Signals): void => void child.kill(name)
  onStarted?.(signal)
  const lines: string[] = []
  try {
    const { url, status: statusUrl } = await readyUrls(child, lines, onLine)
    const ready_ms = performance.now() - began
    return productProcess({ child, ended, signal, lines, command, url, statusUrl, dataDir, ready_ms })
  } catch (error) {
    child.kill('SIGKILL')
    await ended
    throw error
  }
}

/** The flags for Node in the first line of a program: by that line, an operator's shell starts it. */
export function nodeFlagsOf(program: string): readonly string[] {
  const [line = ''] = readFileSync(program, 'utf8').split('\n', 1)
  return line.split(' ').filter((word) => word.startsWith('--'))
}

function productProcess({ child, ended, signal, lines, ...facts }: Started): ProductProcess {
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  async function kill(name: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    signal(name)
    await ended
    return child.exitCode
  }
  return {
    ...facts,
    pid: child.pid ?? Number.NaN,
    get isRunning() {
      return isRunning()
    },
    lines,
    signal,
    kill,
    async stop() {
      if (!isRunning()) return
      const killing = setTimeout(() => child.kill('SIGKILL'), stop_ms_max)
      const code = await kill('SIGTERM')
      clearTimeout(killing)
      if (code !== 0)
        throw new Error(`The product did not stop in order (${code ?? child.signalCode}):\n${lines.join('\n')}`)
    },
  }
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  readonly signal: ProductProcess['signal']
  readonly lines: string[]
  readonly command: ProductCommand
  readonly url: string
  readonly statusUrl: string
  readonly dataDir: string
  readonly ready_ms: number
}

/** Reads the output of the process while it runs; resolves with the URLs of the ready line. */
function readyUrls(
  child: ChildProcess,
  lines: string[],
  onLine?: (line: string) => void,
): Promise<z.output<typeof readyLine>> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${why}:\n${lines.join('\n')}`))
    const late = setTimeout(() => fail(`The product was not ready within ${patience_ms} ms`), patience_ms)
    const hear = (line: string): void => {
      lines.push(line)
      onLine?.(line)
      if (lines.length > keptLines_max) lines.shift()
      const ready = readyLine.safeParse(jsonOf(line))
      if (!ready.success) return
      clearTimeout(late)
      resolve(ready.data)
    }
    if (child.stdout) createInterface({ input: child.stdout }).on('line', hear)
    if (child.stderr) createInterface({ input: child.stderr }).on('line', hear)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(late)
      fail(`The product ended (${code ?? signal}) before it was ready`)
    })
  })
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    return error instanceof SyntaxError ? undefined : error
  }
}

/** The folder of the checkout, wherever this file runs in it: as TypeScript, or from dist/. */
function checkout(): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
  }
  throw new Error(`No folder above ${import.meta.dirname} has a package.json`)
}
