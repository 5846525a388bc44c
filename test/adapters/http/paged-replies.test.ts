import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { perUser } from '../../../adapters/http/bucket.ts'
import { anyone } from '../../../adapters/http/callers.ts'
import { operation, type Operation } from '../../../adapters/http/operation.ts'
import { pagedArray, PagedReply } from '../../../adapters/http/paged-reply.ts'
import { reject } from '../../../application/commands/refused.ts'
import { codesOf, startServer } from './support.ts'

const item = z.object({ n: z.int() })
type Item = z.output<typeof item>

/** GET /v1/items, whose items come in these pages. */
function listing(pages: () => AsyncIterable<readonly Item[]>): Operation {
  return operation({
    name: 'List items',
    description: 'Does what a test asks for.',
    route: 'GET /v1/items',
    callers: anyone(),
    bucket: perUser('test:items', { requests: 10, seconds: 10 }),
    replies: { 200: pagedArray(item) },
    refuses: ['CONFLICT'],
    handle: async () => new PagedReply(pages()),
  })
}

async function* these(...pages: readonly (readonly Item[])[]): AsyncGenerator<readonly Item[]> {
  for (const page of pages) yield await Promise.resolve(page)
}

describe('a list that is written as it is read', () => {
  it.each([
    ['without a page', []],
    ['with an empty page', [[]]],
    ['with one page', [[{ n: 1 }, { n: 2 }]]],
    ['with empty pages between others', [[], [{ n: 1 }], [], [{ n: 2 }, { n: 3 }], []]],
  ])('is the JSON array of all items, %s', async (_name, pages: Item[][]) => {
    const server = await startServer([listing(() => these(...pages))])
    const answer = await server.fetch('/v1/items')
    expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([200, 'application/json'])
    expect(await answer.text()).toBe(JSON.stringify(pages.flat()))
  })

  it('is an error like any other if its first page cannot be read', async () => {
    const server = await startServer([
      listing(async function* () {
        yield await Promise.reject(new Error('no rows today'))
      }),
    ])
    expect((await server.fetch('/v1/items')).status).toBe(500)
  })

  it('is refused like any other if its first page is', async () => {
    const server = await startServer([
      listing(async function* () {
        yield await Promise.resolve().then(() => reject('CONFLICT'))
      }),
    ])
    expect(await codesOf(await server.fetch('/v1/items'))).toStrictEqual(['409 CONFLICT'])
  })

  it('ends its connection, and is logged once, if a later page cannot be read', async () => {
    const server = await startServer([
      listing(async function* () {
        yield* these([{ n: 1 }])
        throw new Error('the rows ended')
      }),
    ])
    const answer = await server.fetch('/v1/items')
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow('terminated')
    await expect.poll(() => server.logged.filter(({ msg }) => msg === 'failed to answer').length).toBe(1)
    expect(JSON.stringify(server.logged)).toContain('the rows ended')
  })

  it('ends its connection in tests if a page does not fit its schema', async () => {
    const wrong = [{ n: 1, more: 2 }]
    const server = await startServer([listing(() => these([{ n: 1 }], wrong))])
    await expect((await server.fetch('/v1/items')).text()).rejects.toThrow('terminated')
  })
})
