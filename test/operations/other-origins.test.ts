import { describe, expect, it } from 'vitest'
import { foreignOriginRefusal } from '../../adapters/http/server/cross-origin.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { Client } from '../gateway/support/client.ts'
import { openServer } from './support/scene.ts'

/** CORS_ORIGINS (decision 155). test/abuse/administrators.test.ts has what holds without it. */

const own = 'https://chat.example'
const guildhall = await openServer({ corsOrigins: [own] })
const preflight = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' }
const asked = async (method: string, path: string, headers: Record<string, string>) => {
  const answer = await guildhall.request(method, path, { headers })
  return { ...answer, origin: answer.headers.get('access-control-allow-origin') }
}

describe('a page of an origin of CORS_ORIGINS', () => {
  it('may send every method and header after its preflight', async () => {
    const { status, origin, headers } = await asked('OPTIONS', '/v1/users/@me', { origin: own, ...preflight })
    expect([status, origin]).toStrictEqual([204, own])
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(headers.get('access-control-allow-headers')).toMatch(/Authorization.*X-Service-Sudo-Mode-JWT/)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('vary')).toBe('Origin')
  })

  it('may read answers and refusals, and the headers that clients go by', async () => {
    for (const [path, expected] of [
      ['/v1/users/@me', 401],
      ['/v1/nowhere', 404],
      ['/v1/auth/register', 404],
    ] as const) {
      const { status, origin, headers } = await asked('GET', path, { origin: own })
      expect([path, status, origin]).toStrictEqual([path, expected, own])
      expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
    }
  })

  it('reads answers that caches keep apart by origin, besides what else they differ by', async () => {
    for (const [path, other] of [
      ['/nowhere', 'Accept'],
      ['/docs/start.js', 'Accept-Encoding'],
    ] as const)
      expect((await fetch(guildhall.url + path, { headers: { origin: own } })).headers.get('vary')).toBe(
        `Origin, ${other}`,
      )
  })

  it('may connect to the Gateway, as may the own origin and clients without one', async () => {
    const url = `${guildhall.url.replace('http', 'ws')}/gateway`
    for (const headers of [{ origin: own }, { origin: guildhall.url }, {}]) {
      const client = new Client(url, headers)
      expect(await client.op(10)).toMatchObject({ op: 10 })
      client.close()
    }
  })
})

describe('a page of another origin', () => {
  it.each(['https://evil.example', 'https://chat.example.evil.example', 'http://chat.example', 'null'])(
    '%s gets no leave, no answer that it may read, and no websocket',
    async (origin) => {
      expect(await asked('OPTIONS', '/v1/users/@me', { origin, ...preflight })).toMatchObject({
        status: 404,
        origin: null,
      })
      expect(await asked('GET', '/v1/users/@me', { origin })).toMatchObject({ status: 401, origin: null })
      const response = await upgraded(origin)
      expect(response).toMatchObject({ status: 403, body: { code: 'INVALID_API_ORIGIN' } })
    },
  )

  it('may still read what is open to all', async () => {
    const { origin } = await asked('GET', '/.well-known/guildhall', { origin: 'https://evil.example' })
    expect(origin).toBe('*')
  })

  it('is admitted by PUBLIC_URL, behind a proxy that changes the host, and by *', () => {
    const headers = { origin: own, host: 'gateway:3000' }
    expect(foreignOriginRefusal([], [undefined], headers)).toMatchObject({ code: 'INVALID_API_ORIGIN' })
    expect(foreignOriginRefusal([], [`${own}/base`], headers)).toBeUndefined()
    expect(foreignOriginRefusal(['*'], [], headers)).toBeUndefined()
  })
})

describe('the setting CORS_ORIGINS', () => {
  it('takes origins as people write them', () => {
    const read = (text?: string) => readSettings(text === undefined ? {} : { CORS_ORIGINS: text }).corsOrigins
    expect(read()).toStrictEqual([])
    expect(read('*')).toStrictEqual(['*'])
    expect(read('HTTPS://Chat.example:443/, http://localhost:5173,tauri://localhost')).toStrictEqual([
      own,
      'http://localhost:5173',
      'tauri://localhost',
    ])
  })
  it('has the origin of WEBAPP_URL beside its own, once', () => {
    const read = (webapp: string, origins: string) =>
      readSettings({ WEBAPP_URL: webapp, CORS_ORIGINS: origins }).corsOrigins
    expect(readSettings({ WEBAPP_URL: 'https://app.example/chat' }).corsOrigins).toStrictEqual(['https://app.example'])
    expect(read('https://app.example', 'https://app.example')).toStrictEqual(['https://app.example'])
    expect(read('https://app.example', 'https://chat.example')).toStrictEqual([
      'https://chat.example',
      'https://app.example',
    ])
    expect(read('https://app.example', '*')).toStrictEqual(['*'])
  })
  it.each(['chat.example', 'https://chat.example/app', '*,https://chat.example', 'https://a b', ','])(
    'refuses %j by name',
    (text) => {
      expect(() => readSettings({ CORS_ORIGINS: text })).toThrow('CORS_ORIGINS')
    },
  )
})

/** The refusal of a websocket, as its client gets it. */
async function upgraded(origin: string): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const client = new Client(`${guildhall.url.replace('http', 'ws')}/gateway`, { origin })
    client.socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => {
        resolve({ status: response.statusCode, body: JSON.parse(text) })
      })
    })
    client.socket.on('open', () => {
      client.close()
      reject(new Error('the Gateway took the page'))
    })
  })
}
