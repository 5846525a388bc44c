import { vi } from 'vitest'
import { program } from '../../../cli/command-line.ts'
import { placeLine, unset, type Ended } from './command-process.ts'

let last: Promise<unknown> = Promise.resolve()

/** Runs the command line in this process, one command after the other, because the environment and the console are shared. */
export function runHere(words: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  const ended = last.then(() => runAlone(words, settings))
  last = ended.catch(() => undefined)
  return ended
}

async function runAlone(words: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  const texts = { output: '', said: '' }
  const before = { ...process.env }
  Object.assign(process.env, unset, { HTTP_PORT: '0', LOG_LEVEL: 'info' }, settings)
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => void (texts.output += `${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => void (texts.said += `${line}\n`)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      texts.said += String(text)
      return true
    }),
  ]
  const statusBefore = process.exitCode
  process.exitCode = 0
  try {
    await program.parseAsync(words, { from: 'user' })
    return { code: Number(process.exitCode), output: texts.output, said: texts.said.replace(placeLine, '') }
  } catch (error) {
    // Reports the error as cli/guildhall.ts does.
    const said = texts.said.replace(placeLine, '')
    return { code: 1, output: texts.output, said: `${said}${error instanceof Error ? error.message : String(error)}\n` }
  } finally {
    process.exitCode = statusBefore
    for (const spy of spies) spy.mockRestore()
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
