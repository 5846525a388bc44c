import { expect, it } from 'vitest'
import { z } from 'zod'
import { anyone } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { operation } from '../../../adapters/http/operation.ts'
import type { Ports } from '../../../application/ports.ts'
import { noPorts, startServer } from './support.ts'

it('a use case gets the ports of its server once, whatever the number of requests', async () => {
  const opened: unknown[] = []
  const count = (ports: Ports) => {
    opened.push(ports)
    let count = 0
    return async () => (count += 1)
  }
  const counting = operation({
    name: 'Count',
    description: 'Does what a test asks for.',
    route: 'GET /v1/count',
    callers: anyone(),
    bucket: perUser('test:count', { requests: 10, seconds: 10 }),
    replies: { 200: z.object({ count: z.int() }) },
    useCase: count,
    handle: async (_, run) => ({ count: await run() }),
  })
  const server = await startServer([counting])
  for (const count of [1, 2, 3]) expect(await (await server.fetch('/v1/count')).json()).toEqual({ count })
  expect(opened).toEqual([noPorts])
})
