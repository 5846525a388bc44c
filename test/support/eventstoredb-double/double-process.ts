import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { patience_ms } from '../pace.ts'

/** The double of EventStoreDB in a process of its own, which can be stopped and continued. Its log is lost with it. */
export interface DoubleProcess {
  /** The connection string. */
  readonly url: string
  readonly pid: number
  readonly isRunning: boolean
  /** Sends a signal without waiting for its effect. */
  signal(name: NodeJS.Signals): void
  /** Ends it, even if it is stopped by a signal, and resolves once it is gone. Safe to call twice. */
  stop(): Promise<void>
}

export interface DoubleProcessOptions {
  /** The port to serve on. Default: any free one. */
  readonly port?: number
}

/** An orderly end takes milliseconds; after this it is killed. */
const stop_ms_max = 3000

const readyLine = z.object({ url: z.string().startsWith('esdb://') })
const running = new Set<ChildProcess>()

// However the tests end, the double ends with them, even one that is stopped by a signal.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts the built double (`npx tsc -b`). Resolves once it accepts connections. If it ends before that, rejects with its
 * output.
 */
export async function startDoubleProcess({ port = 0 }: DoubleProcessOptions = {}): Promise<DoubleProcess> {
  // Its standard input is a pipe without input, which ends when this process does.
  const child = spawn(process.execPath, [doubleProgram(), String(port)], { stdio: ['pipe', 'pipe', 'pipe'] })
  running.add(child)
  const ended = once(child, 'exit').then(() => running.delete(child))
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  const url = await readyUrl(child).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    pid: child.pid ?? Number.NaN,
    get isRunning() {
      return isRunning()
    },
    signal: (name) => void child.kill(name),
    async stop() {
      if (!isRunning()) return
      const killing = setTimeout(() => child.kill('SIGKILL'), stop_ms_max)
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await ended
      clearTimeout(killing)
    },
  }
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    const fail = (why: string): void => reject(new Error(`${why}:\n${said.join('\n')}`))
    const late = setTimeout(() => fail(`The double was not ready within ${patience_ms} ms`), patience_ms)
    const hear = (line: string): void => {
      said.push(line)
      if (!line.startsWith('{"url"')) return
      clearTimeout(late)
      resolve(readyLine.parse(JSON.parse(line)).url)
    }
    if (child.stdout) createInterface({ input: child.stdout }).on('line', hear)
    if (child.stderr) createInterface({ input: child.stderr }).on('line', hear)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(late)
      fail(`The double ended (${code ?? signal}) before it was ready`)
    })
  })
}

/** The built program of the double, wherever this file runs in the checkout: as TypeScript, or from dist/. */
export function doubleProgram(): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json')))
      return path.join(folder, 'dist/test/support/eventstoredb-double/serve.js')
  }
  throw new Error(`No folder above ${import.meta.dirname} has a package.json`)
}
