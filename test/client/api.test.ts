import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiError, dataOf, openApi, type Api } from '../../client/api.ts'
import { sharedGuildhall } from '../support/shared-guildhall.ts'

describe('the API of the client', () => {
  it('calls operations by their paths, and gives what they answer', async () => {
    const guildhall = await sharedGuildhall()
    const { token } = await guildhall.register()
    const api = openApi({ url: `${guildhall.url}/`, token })
    const guild = await dataOf(api.POST('/v1/guilds', { body: { name: 'The Analytical Engine' } }))
    const params = { path: { guild_id: guild.id } }
    expect(await dataOf(api.GET('/v1/guilds/{guild_id}', { params }))).toMatchObject({ name: guild.name })
    const { error } = await api.PATCH('/v1/guilds/{guild_id}', { params, body: { name: '' } })
    expect(error).toMatchObject({ code: 'INVALID_FORM_BODY' })
  })

  it('rejects with what is wrong, for those who want only the answer', async () => {
    const guildhall = await sharedGuildhall()
    const error = await dataOf(openApi({ url: guildhall.url }).GET('/v1/users/@me')).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED', requestId: expect.stringMatching(/./) as unknown })
  })

  it('sends a request again when the server says, so that more come through than a bucket admits at once', async () => {
    const guildhall = await sharedGuildhall('limited')
    const { token } = await guildhall.register()
    const statuses: number[] = []
    const api = openApi({
      url: guildhall.url,
      token,
      fetch: async (request) => {
        const answer = await fetch(request)
        statuses.push(answer.status)
        return answer
      },
    })
    // Ten at once, and one more each second. There is no such channel.
    const params = { path: { channel_id: '1' } }
    const stats = () => api.GET('/v1/channels/{channel_id}/follower-stats', { params })
    const answers = await Promise.all(Array.from({ length: 15 }, stats))
    expect(new Set(answers.map(({ response }) => response.status))).toStrictEqual(new Set([404]))
    expect(statuses).toContain(429)
  })
})

describe('a refusal for now', () => {
  let server: Server
  let api: Api
  /** What the server answers, in turn, and the bodies that it got. */
  const answers: { readonly status: number; readonly retryAfter?: string }[] = []
  const bodies: string[] = []

  beforeEach(async () => {
    server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    api = openApi({ url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` })
  })
  afterEach(() => {
    answers.splice(0)
    bodies.splice(0)
    server.close()
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    bodies.push(await text(request))
    const { status, retryAfter } = answers.shift() ?? { status: 200 }
    const headers = {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    }
    response.writeHead(status, headers).end('{}')
  }

  const create = (headers = {}) => api.POST('/v1/guilds', { body: { name: 'Home' }, headers })
  const statusOf = async (call: Promise<{ readonly response: Response }>) => (await call).response.status

  it('is waited out, and the request sent again as it was', async () => {
    answers.push({ status: 429, retryAfter: '1' }, { status: 429, retryAfter: '0' })
    const began = performance.now()
    expect(await statusOf(create())).toBe(200)
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
    expect(bodies).toStrictEqual(Array.from({ length: 3 }, () => '{"name":"Home"}'))
  })

  it('that wants more than a minute, alone or with those before it, is the answer', async () => {
    answers.push({ status: 429, retryAfter: '61' })
    expect(await statusOf(create())).toBe(429)
    answers.push({ status: 429, retryAfter: '1' }, { status: 429, retryAfter: '60' })
    expect(await statusOf(create())).toBe(429)
    expect(bodies).toHaveLength(3)
  })

  it('of a server that cannot answer is waited out only where nothing can be done twice', async () => {
    const unavailable = { status: 503, retryAfter: '0' }
    answers.push(unavailable)
    expect(await statusOf(create())).toBe(503)
    answers.push(unavailable)
    expect(await statusOf(create({ 'Idempotency-Key': 'one' }))).toBe(200)
    answers.push(unavailable)
    expect(await statusOf(api.GET('/v1/users/@me'))).toBe(200)
  })

  it('is not waited for once the caller gives up', async () => {
    answers.push({ status: 429, retryAfter: '50' })
    const giving = new AbortController()
    const call = api.GET('/v1/users/@me', { signal: giving.signal })
    await expect.poll(() => bodies).toHaveLength(1)
    giving.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})
