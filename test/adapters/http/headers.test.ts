import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anyone } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { none, operation } from '../../../adapters/http/operation.ts'
import { clientAddress } from '../../../adapters/http/request/client-address.ts'
import { localeOf } from '../../../adapters/http/request/locale.ts'
import { auditLogReason, capabilitiesOf, clientRequestId } from '../../../adapters/http/request/request-facts.ts'
import { act, guarded } from './operations.ts'
import { adaToken, startServer } from './support.ts'

const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

const whoAsks = operation({
  name: 'Who asks',
  description: 'Does what a test asks for.',
  route: 'GET /v1/who',
  callers: anyone(),
  bucket: perUser('test:who', { requests: 10, seconds: 10 }),
  replies: { 200: z.looseObject({}) },
  openToAllOrigins: true,
  handle: async ({ caller: { context, ...requester } }) => ({
    ...requester,
    capabilities: [...requester.capabilities],
    reason: context.reason ?? null,
    actor: context.actor,
    correlationId: context.correlationId,
    clientRequestId: context.clientRequestId,
    causedByItself: context.causationId === context.commandId,
  }),
})

describe('every answer', () => {
  it('has a request id, the version, and is not kept by caches', async () => {
    const server = await startServer([guarded(anyone())])
    for (const path of ['/v1/guarded', '/v1/nothing', '/_health', '/docs']) {
      const { headers } = await server.fetch(path)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect([
        headers.get('x-service-version'),
        headers.get('cache-control'),
        headers.get('x-content-type-options'),
      ]).toEqual(['1.2.3-test', 'no-cache', 'nosniff'])
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
  it('may be read by scripts of other origins only where the operation says so', async () => {
    const server = await startServer([whoAsks, guarded(anyone())])
    const origin = { headers: { origin: 'https://elsewhere.example' } }
    const open = await server.fetch('/v1/who', origin)
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
    expect(open.headers.get('access-control-allow-credentials')).toBeNull()
    expect((await server.fetch('/v1/openapi.json', origin)).headers.get('access-control-allow-origin')).toBe('*')
    expect((await server.fetch('/v1/guarded', origin)).headers.get('access-control-allow-origin')).toBeNull()
    expect((await server.fetch('/v1/guarded', { ...origin, method: 'OPTIONS' })).status).toBe(404)
  })
  it('without a body has neither type nor cache rule', async () => {
    const server = await startServer([act(async () => undefined, none)])
    const { headers } = await server.fetch('/v1/things', { method: 'POST' })
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([null, null])
  })
})

describe('X-Request-ID', () => {
  it('is echoed, and kept beside the correlation id of what the request leads to, which is ours', async () => {
    const server = await startServer([whoAsks])
    const response = await server.fetch('/v1/who', { headers: { 'x-request-id': 'chosen:by/the-client' } })
    expect(response.headers.get('x-request-id')).toBe('chosen:by/the-client')
    expect(await response.json()).toMatchObject({
      correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientRequestId: 'chosen:by/the-client',
      causedByItself: true,
    })
  })
  it('is the correlation id where the client chose none', async () => {
    const server = await startServer([whoAsks])
    const response = await server.fetch('/v1/who')
    expect(await response.json()).toEqual(
      expect.objectContaining({ correlationId: response.headers.get('x-request-id') }),
    )
  })
  it.each(['a b', 'x'.repeat(129), 'x'.repeat(4000), 'a\tb', '{"a":1}'])(
    'is echoed unchanged, whatever a header can carry: %j',
    async (given) => {
      const server = await startServer([whoAsks])
      const response = await server.fetch('/v1/who', { headers: { 'x-request-id': given } })
      expect(response.headers.get('x-request-id')).toBe(given)
    },
  )
  it('is made anew where it is not ASCII', async () => {
    const server = await startServer([whoAsks])
    const response = await server.fetch('/v1/who', { headers: { 'x-request-id': latin1('ü') } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
  it.each(['', 'a b', 'ü', 'x'.repeat(129), 'a\tb'])(
    'is left out of events and logs where it is no id: %j',
    (given) => {
      expect(clientRequestId(given)).toBeUndefined()
    },
  )
})

describe('X-Audit-Log-Reason', () => {
  it.each([
    ['spam and worse', 'spam and worse'],
    ['100%25 sure', '100%25 sure'],
    ['  trimmed \f ', 'trimmed'],
    [latin1('für Größe 😀'), 'für Größe 😀'],
    [latin1('a\u202eb'), 'ab'],
    ['a\tb\u007f', 'ab'],
    ['\u00e4', '\u00e4'],
    ['<b>x</b>', '<b>x</b>'],
    ['x'.repeat(512), 'x'.repeat(512)],
    [latin1('😀'.repeat(512)), '😀'.repeat(512)],
  ])('is taken as it is, without control characters, and trimmed: %j', (header, reason) => {
    expect(auditLogReason(header)).toBe(reason)
  })
  it.each(['', '  ', '\t', latin1('\u202e'), 'x'.repeat(513)])(
    'that is blank or too long counts as none: %j',
    (header) => {
      expect(auditLogReason(header)).toBeUndefined()
    },
  )
  it('reaches the command, and no header of the answer', async () => {
    const server = await startServer([whoAsks])
    const response = await server.fetch('/v1/who', { headers: { 'x-audit-log-reason': latin1('weil: ü') } })
    expect(await response.json()).toMatchObject({ reason: 'weil: ü' })
    expect([...response.headers.values()].join()).not.toContain('weil')
  })
})

describe('a requester', () => {
  it('is known by what the headers say', async () => {
    const server = await startServer([whoAsks])
    const headers = {
      'user-agent': `Test/1.0 ${'x'.repeat(600)}`,
      'x-service-features': 'Channel_Threads, , other, bad-name, ünicode',
      'accept-language': 'de-AT,de;q=0.9',
    }
    expect(await (await server.fetch('/v1/who', { headers })).json()).toMatchObject({
      ip: '127.0.0.1',
      userAgent: `Test/1.0 ${'x'.repeat(503)}`,
      capabilities: ['channel_threads', 'other'],
      locale: 'de',
      authorization: null,
      actor: { kind: 'system', name: 'anonymous' },
    })
    expect(await (await server.fetch('/v1/who', { token: adaToken })).json()).toMatchObject({
      authorization: adaToken,
      actor: { kind: 'account', id: '1001' },
    })
  })
  it('declares at most 64 capabilities', () => {
    const many = Array.from({ length: 100 }, (_, index) => `c${index}`).join(',')
    expect([...capabilitiesOf(many)]).toHaveLength(64)
    expect([...capabilitiesOf(undefined)]).toEqual([])
  })
})

describe('the locale', () => {
  it.each([
    [undefined, 'en-US'],
    ['', 'en-US'],
    ['*', 'en-US'],
    ['tlh', 'en-US'],
    ['en-AU', 'en-US'],
    ['EN-gb', 'en-GB'],
    ['de-CH', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['sv', 'sv-SE'],
    ['es', 'es-ES'],
    ['es-MX', 'es-419'],
    ['es-ES', 'es-ES'],
    ['zh', 'zh-CN'],
    ['zh-Hant-HK', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['nb-NO', 'no'],
    ['fr;q=0.1, ja;q=0.9, ko;q=0.8', 'ja'],
    ['fr;q=0, ko', 'ko'],
    ['fr;q=x, ko;q=0.1', 'ko'],
    ['xx, fr', 'fr'],
    [`${'xx,'.repeat(10_000)}fr`, 'en-US'],
  ])('of %j is %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale)
  })
})

describe('the client’s address', () => {
  const forwarded = '198.51.100.7, 203.0.113.9, 10.0.0.2'
  it('is that of the socket where no proxy is trusted, whatever the header says', () => {
    expect(clientAddress([])('192.0.2.1', forwarded)).toBe('192.0.2.1')
  })
  it('is the last hop that no trusted proxy is', () => {
    const addressOf = clientAddress(['10.0.0.0/8', '203.0.113.9'])
    expect(addressOf('10.1.1.1', forwarded)).toBe('198.51.100.7')
    expect(addressOf('192.0.2.1', forwarded)).toBe('192.0.2.1')
    expect(clientAddress(['10.0.0.0/8'])('10.1.1.1', forwarded)).toBe('203.0.113.9')
  })
  it('is the last known one where a hop is no address', () => {
    const addressOf = clientAddress(['10.0.0.0/8'])
    expect(addressOf('10.1.1.1', 'evil, 10.0.0.2')).toBe('10.0.0.2')
    expect(addressOf('10.1.1.1', '')).toBe('10.1.1.1')
    expect(addressOf('10.1.1.1', `198.51.100.7,${'10.0.0.2,'.repeat(100)}10.0.0.3`)).toBe('10.0.0.2')
  })
  it('is of IPv4 where it stands in IPv6 clothes, and without a zone', () => {
    expect(clientAddress([])('::ffff:192.0.2.1', undefined)).toBe('192.0.2.1')
    expect(clientAddress([])('fe80::1%eth0', undefined)).toBe('fe80::1')
    expect(clientAddress(['::1', '2001:db8::/32'])('::1', '198.51.100.7, 2001:db8::5')).toBe('198.51.100.7')
    expect(clientAddress([])(undefined, undefined)).toBe('unknown')
    for (const mapped of ['::FFFF:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:ffff:c000:0201'])
      expect(clientAddress([])(mapped, undefined)).toBe('192.0.2.1')
  })

  it.each([
    ['203.0.114.7:51234', '203.0.114.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['"[2001:db8::7]:443"', '2001:db8::7'],
    ['"203.0.114.7"', '203.0.114.7'],
    ['[::ffff:203.0.114.7]:80', '203.0.114.7'],
  ])('is read in the notation of any proxy: %s', (hop, address) => {
    expect(clientAddress(['10.0.0.0/8'])('10.1.1.1', `198.51.100.1, ${hop}`)).toBe(address)
  })

  it.each(['unknown', '_hidden', '203.0.114.7:port', '203.0.114.999', '[203.0.114.7'])(
    'is the proxy where a hop names none, which is told: %s',
    (hop) => {
      let told = 0
      expect(clientAddress(['10.0.0.0/8'], () => (told += 1))('10.1.1.1', hop)).toBe('10.1.1.1')
      expect(told).toBe(1)
    },
  )
  it('over HTTP is believed of a trusted proxy only', async () => {
    const ipSeen = async (trustedProxies: readonly string[]) => {
      const server = await startServer([whoAsks], { trustedProxies })
      const response = await server.fetch('/v1/who', { headers: { 'x-forwarded-for': '198.51.100.7' } })
      return ((await response.json()) as { ip: string }).ip
    }
    expect(await ipSeen([])).toBe('127.0.0.1')
    expect(await ipSeen(['127.0.0.1'])).toBe('198.51.100.7')
  })
})
