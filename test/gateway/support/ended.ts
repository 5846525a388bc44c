import { expect } from 'vitest'
import type { Client } from './client.ts'

/** Waits until a client hears that its session is over: op 9, and the socket is still open. */
export async function expectEnded(client: Client): Promise<void> {
  expect(await client.op(9)).toStrictEqual({ op: 9, d: false })
  client.send(1, null)
  await client.op(11)
}

/** Waits until a client has no session: one that had begun has ended, and one that had not is refused. */
export async function expectNoSession(client: Client): Promise<void> {
  const refused = client.closed.then(({ code }) => {
    expect(code).toBe(4004)
  })
  await Promise.race([refused, client.op(9).then(({ d }) => expect(d).toBe(false))])
}
