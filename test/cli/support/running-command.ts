import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { placeLine, unset } from './command-process.ts'

const program = path.resolve(import.meta.dirname, '../../../dist/cli/guildhall.js')

/** A command that goes on until it is ended, in a process of its own. */
export interface RunningCommand {
  readonly child: ChildProcess
  /** What it has printed so far. */
  readonly output: () => string
  /** What it has said on standard error so far, without the line that says which instance it works on. */
  readonly said: () => string
}

/** Returns a function that starts commands; `end` ends those that still run. */
export function runningCommands() {
  const children: ChildProcess[] = []
  return {
    start(words: readonly string[], environment: Readonly<Record<string, string>>): RunningCommand {
      const env = { ...process.env, ...unset, ...environment }
      const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      children.push(child)
      const texts = { output: '', said: '' }
      child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.output += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.said += text))
      return { child, output: () => texts.output, said: () => texts.said.replace(placeLine, '') }
    },
    end() {
      for (const child of children.splice(0)) child.kill('SIGKILL')
    },
  }
}
