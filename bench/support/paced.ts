import { openConnection } from '../http/raw-connection.ts'

const connections = 16

/**
 * Sends requests at an even pace, each once, whether or not earlier ones are answered. Gives the latencies in milliseconds, in
 * ascending order, each from when its request was due. Rejects if any answer is not a success.
 */
export async function paced(port: number, requests: readonly Buffer[], perSecond: number): Promise<readonly number[]> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const began = performance.now()
  const latencies: number[] = []
  let next = 0
  try {
    await Promise.all(
      open.map(async (connection) => {
        for (let index = next++; index < requests.length; index = next++) {
          const due = began + (index * 1000) / perSecond
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
          const status = await connection.ask(requests[index] ?? Buffer.alloc(0))
          if (status < 200 || status > 299) throw new Error(`A request was answered with ${status}`)
          latencies.push(performance.now() - due)
        }
      }),
    )
  } finally {
    for (const connection of open) connection.close()
  }
  return latencies.toSorted((one, other) => one - other)
}
