import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { perUser } from '../../../adapters/http/bucket.js'
import { anyone } from '../../../adapters/http/callers.js'
import { joinedReply } from '../../../adapters/http/joined-reply.js'
import { none, operation } from '../../../adapters/http/operation.js'
import { startServer } from './support.js'

const answered = (variant: string, source: object, shared: () => object, own: object): unknown =>
  JSON.parse(joinedReply({ source, variant, shared, own: () => own, ownState: JSON.stringify(own) }).text())

describe('a reply in two parts', () => {
  it('is written as one object, the shared members first', () => {
    const parts = {
      source: {},
      variant: 'a',
      shared: () => ({ id: '1', name: 'x "y"' }),
      own: () => ({ count: 2, last: null }),
      ownState: '2',
    }
    const reply = joinedReply(parts)
    expect(reply.text()).toBe('{"id":"1","name":"x \\"y\\"","count":2,"last":null}')
    expect(reply.whole()).toStrictEqual({ id: '1', name: 'x "y"', count: 2, last: null })
  })

  it('makes what is shared twice at most, as long as its source is the same', () => {
    let made = 0
    const source = {}
    const shared = () => ({ made: (made += 1) })
    const answers = [1, 2, 3, 4].map((count) => answered('a', source, shared, { count }))
    expect(answers).toStrictEqual([1, 2, 2, 2].map((times, index) => ({ made: times, count: index + 1 })))
    expect(answered('a', {}, shared, { count: 5 })).toStrictEqual({ made: 3, count: 5 })
  })

  it('makes what is own anew where it follows from something else than in the reply before', () => {
    let made = 0
    const source = {}
    const shared = () => ({ id: '1' })
    const shown = (ownState: string): unknown =>
      JSON.parse(joinedReply({ source, variant: 'a', shared, own: () => ({ made: (made += 1) }), ownState }).text())
    const answers = ['x', 'x', 'x', 'y', 'y', 'x'].map(shown)
    expect(answers).toStrictEqual([1, 2, 2, 3, 3, 4].map((times) => ({ id: '1', made: times })))
  })

  it('keeps one variant apart from another', () => {
    const source = {}
    const shown = (variant: string) => answered(variant, source, () => ({ variant }), { own: 1 })
    for (let times = 0; times < 3; times += 1)
      expect([shown('plain'), shown('threads')]).toStrictEqual([
        { variant: 'plain', own: 1 },
        { variant: 'threads', own: 1 },
      ])
  })

  it('keeps no text that would drive out all others', () => {
    let made = 0
    const source = {}
    const shared = () => ({ made: (made += 1), text: 'x'.repeat(300_000) })
    for (let times = 1; times <= 3; times += 1)
      expect(answered('a', source, shared, { own: 1 })).toMatchObject({ made: times })
  })

  it('is checked against the schema as a whole, and sent as JSON', async () => {
    const server = await startServer(
      [{ n: 1 }, { n: -1 }].map((own, index) =>
        operation({
          name: `Get ${index}`,
          description: 'Does what a test asks for.',
          route: `GET /v1/things${index}`,
          callers: anyone(),
          bucket: perUser('test:things', { requests: 10, seconds: 10 }),
          params: none,
          query: none,
          body: none,
          replies: { 200: z.object({ id: z.string(), n: z.int().positive() }) },
          handle: async () =>
            joinedReply({ source: {}, variant: 'b', shared: () => ({ id: '1' }), own: () => own, ownState: '' }),
        }),
      ),
    )
    const right = await server.fetch('/v1/things0')
    expect(right.status).toBe(200)
    expect(right.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await right.text()).toBe('{"id":"1","n":1}')
    expect((await server.fetch('/v1/things1')).status).toBe(500)
  })
})
