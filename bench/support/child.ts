import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** A process of the bench that answers requests until it is ended. */
export interface Child {
  readonly pid: number
  /** Resolves with the answer, which the caller parses. Rejects if the child fails, ends, or exceeds the time limit. */
  ask(question: unknown, within_ms: number): Promise<unknown>
  end(): Promise<void>
}

const answer = z.union([z.object({ id: z.int(), value: z.unknown() }), z.object({ id: z.int(), error: z.string() })])
const question = z.object({ id: z.int(), value: z.unknown() })
const end_ms_max = 5000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Starts a script of the bench in a process of its own; the script calls `answerParent`. It ends with this process. */
export function forkChild(script: URL): Child {
  const child = fork(fileURLToPath(script), { serialization: 'advanced' })
  const exited = once(child, 'exit')
  const waiting = new Map<number, Waiting>()
  let questions = 0
  child.on('message', (message) => {
    const parsed = answer.parse(message)
    const asked = waiting.get(parsed.id)
    waiting.delete(parsed.id)
    if ('error' in parsed) asked?.reject(new Error(`${script.pathname}: ${parsed.error}`))
    else asked?.resolve(parsed.value)
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${script.pathname} ended (${code ?? signal})`))
    waiting.clear()
  })
  return {
    pid: child.pid ?? Number.NaN,
    ask: (value, within_ms) => {
      const id = (questions += 1)
      const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
      child.send({ id, value })
      return within(answered, within_ms, `${script.pathname} gave no answer within ${within_ms} ms`)
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      const killing = setTimeout(() => child.kill('SIGKILL'), end_ms_max)
      await exited
      clearTimeout(killing)
    },
  }
}

/** In the child: answers each request of the parent, and ends when the parent disconnects or dies. */
export function answerParent(reply: (asked: unknown) => Promise<unknown>): void {
  process.on('message', (message) => {
    const { id, value } = question.parse(message)
    reply(value).then(
      (replied) => process.send?.({ id, value: replied }),
      (error: unknown) =>
        process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
}

/** Rejects if a promise exceeds the time limit. */
export async function within<Value>(promise: Promise<Value>, ms: number, message: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
