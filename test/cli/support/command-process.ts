import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface RunOptions {
  readonly input?: string | Uint8Array
  readonly environment?: Readonly<Record<string, string>>
  /** Resolves when the process must be killed. */
  readonly killWhen?: () => Promise<void>
}

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null
  readonly output: string
  /** Standard error, without the line that says which instance the command works on. */
  readonly said: string
}

/** The line with which a command says which instance it works on. */
export const placeLine = /^Instance: .+\n/m

const program = path.resolve(import.meta.dirname, '../../../dist/cli/guildhall.js')

/** Clears the settings of the environment that the tests run in: they are not for the commands. */
export const unset = { EVENTSTORE_URL: '', NATS_URL: '' }

/** Runs the command line as an operator does: built, in a process of its own. */
export async function run(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  { input, environment = {}, killWhen }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: '/',
    env: { ...process.env, ...unset, HTTP_PORT: '0', LOG_LEVEL: 'info', ...settings, ...environment },
  })
  const texts = { output: '', said: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.said += text))
  // A command that refuses its input closes it.
  child.stdin.on('error', (error) => (texts.said += error.message === 'write EPIPE' ? '' : error.message))
  child.stdin.end(input)
  const closed = once(child, 'close')
  if (killWhen) {
    await killWhen()
    child.kill('SIGKILL')
  }
  await closed
  return { code: child.exitCode, output: texts.output, said: texts.said.replace(placeLine, '') }
}
