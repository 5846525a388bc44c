import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SentText } from '../../../application/content-rules/content-rules.ts'
import { accounts, admin } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { none, operation, type Operation } from '../../../adapters/http/operation.ts'
import type { Method } from '../../../adapters/http/route.ts'
import { adaToken, adminToken, codesOf, startServer } from './support.ts'

const body = z.object({
  name: z.string().max(20_000).optional(),
  bio: z.string().optional(),
  password: z.string().optional(),
  email: z.string().optional(),
  new_email: z.string().optional(),
  code: z.string().optional(),
  client_secret: z.string().optional(),
  mfa_ticket: z.string().optional(),
  challenge: z.string().optional(),
  avatar: z.string().nullable().optional(),
  image: z.union([z.string(), z.object({ description: z.string() })]).optional(),
  system_channel_flags: z.string().optional(),
  tags: z.array(z.string()).optional(),
  nested: z.object({ nick: z.string() }).optional(),
})
const common = { body, bucket: perUser('test:said', { requests: 10, seconds: 10 }) } as const
let done = 0
const handle = async (): Promise<void> => void (done += 1)

const say = (method: Method, keepsNoText = false): Operation =>
  operation({
    ...common,
    name: `Say by ${method}`,
    description: 'Says something.',
    route: `${method} /v1/said`,
    callers: accounts(),
    keepsNoText,
    replies: { 204: none },
    handle,
  })

const sayAsAdmin = operation({
  ...common,
  name: 'Say as an administrator',
  description: 'Says something.',
  route: 'POST /v1/admin/said',
  callers: admin({ acls: ['user:lookup'] }),
  adminAudit: none,
  replies: { 204: none },
  handle,
})

/** A server whose filter blocks `bad`, and the texts that the filter checked. */
async function serverOf(...operations: readonly Operation[]) {
  const asked: SentText[] = []
  done = 0
  const server = await startServer(operations, {
    contentFilter: {
      blocks: (texts) => {
        asked.push(...texts)
        return texts.some(({ text }) => text.includes('bad'))
      },
    },
  })
  return { asked, fetch: server.fetch }
}

const sent = (method: Method, json: unknown) => ({ method, token: adaToken, json })

describe('the content filter', () => {
  it.each(['POST', 'PUT', 'PATCH'] as const)('reads the body of %s before the handler', async (method) => {
    const { fetch } = await serverOf(say(method))
    expect(await codesOf(await fetch('/v1/said', sent(method, { name: 'a bad name' })))).toEqual([
      '403 CONTENT_BLOCKED',
    ])
    expect(done).toBe(0)
    expect((await fetch('/v1/said', sent(method, { name: 'a good name' }))).status).toBe(204)
    expect(done).toBe(1)
  })
  it('reads no body of DELETE, none of an administrator, and none that nobody is shown', async () => {
    const { asked, fetch } = await serverOf(say('DELETE'), say('PUT', true), sayAsAdmin)
    expect((await fetch('/v1/said', sent('DELETE', { name: 'a bad name' }))).status).toBe(204)
    expect((await fetch('/v1/said', sent('PUT', { name: 'a bad name' }))).status).toBe(204)
    const answer = await fetch('/v1/admin/said', { method: 'POST', token: adminToken, json: { name: 'a bad name' } })
    expect(answer.status).toBe(204)
    expect(asked).toEqual([])
  })
  it('stands behind the credential and validation', async () => {
    const { asked, fetch } = await serverOf(say('POST'))
    const stranger = await fetch('/v1/said', { method: 'POST', json: { name: 'a bad name' } })
    expect(stranger.status).toBe(401)
    expect((await fetch('/v1/said', sent('POST', { name: 'a bad name', bio: 1 }))).status).toBe(400)
    expect(asked).toEqual([])
  })
  it('reads every text that is kept, wherever it stands, and knows what of a profile it is', async () => {
    const { asked, fetch } = await serverOf(say('POST'))
    const json = { name: 'a name', bio: 'a bio', tags: ['one tag', 'more'], nested: { nick: 'a nick' }, dropped: 'bad' }
    expect((await fetch('/v1/said', sent('POST', json))).status).toBe(204)
    expect(asked).toEqual([
      { text: 'a name', scope: null },
      { text: 'a bio', scope: 'bio' },
      { text: 'one tag', scope: null },
      { text: 'more', scope: null },
      { text: 'a nick', scope: 'nickname' },
    ])
  })
  it('skips secrets, images, masks, what is shorter than 3 characters, and what no member takes', async () => {
    const { asked, fetch } = await serverOf(say('POST'))
    const secrets = { password: 'bad', email: 'bad@x.org', new_email: 'bad@x.org', code: 'bad', client_secret: 'bad' }
    const json = {
      ...secrets,
      mfa_ticket: 'bad',
      challenge: 'bad',
      avatar: 'data:bad',
      system_channel_flags: 'bad',
      bio: 'ba',
    }
    expect((await fetch('/v1/said', sent('POST', { ...json, name: `bad${'a'.repeat(10_000)}` }))).status).toBe(204)
    expect(asked).toEqual([])
  })
  it('reads what is said of an image', async () => {
    const { asked, fetch } = await serverOf(say('POST'))
    expect((await fetch('/v1/said', sent('POST', { image: 'data:bad' }))).status).toBe(204)
    expect(asked).toEqual([])
    expect((await fetch('/v1/said', sent('POST', { image: { description: 'a bad one' } }))).status).toBe(403)
  })
  it('leaves the Idempotency-Key of a request that it refuses to another one', async () => {
    const { fetch } = await serverOf(say('POST'))
    const headers = { 'idempotency-key': 'a-key-of-the-client' }
    expect((await fetch('/v1/said', { ...sent('POST', { name: 'a bad name' }), headers })).status).toBe(403)
    expect((await fetch('/v1/said', { ...sent('POST', { name: 'a good name' }), headers })).status).toBe(204)
    expect(done).toBe(1)
  })
})
