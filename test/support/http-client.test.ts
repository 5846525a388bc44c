import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sendRequest } from './http-client.ts'
import { standStill } from './stand-still.ts'

it('sends no request on a connection that has to end, after its worker computed for long', async () => {
  const server = createServer((request, response) => void request.resume().on('end', () => response.end('got it')))
  server.keepAliveTimeout = 2000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async () => (await sendRequest(url, { method: 'POST', headers: {}, body: 'x'.repeat(1_000_000) })).text
  try {
    expect(await send()).toBe('got it')
    // In this phase of the event loop, timers come before what has arrived.
    await setImmediate()
    standStill(3300)
    expect(await send()).toBe('got it')
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})
