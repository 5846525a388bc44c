import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.ts'
import { bodyOf } from './support/answers.ts'
import { connections } from './support/connected.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

const valueOf = ({ attributes }: Span, name: string) => attributes.find(({ key }) => key === name)?.value.stringValue

/** A double of a collector: keeps what is sent to it over OTLP in JSON. */
async function openCollector() {
  const sent: Sent[] = []
  const paths = new Set<string>()
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    paths.add(`${request.method} ${request.url}`)
    request.on('data', (piece: Buffer) => void pieces.push(piece))
    request.on('end', () => {
      sent.push(JSON.parse(Buffer.concat(pieces).toString()) as Sent)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const spans = () =>
    sent
      .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      .flatMap(({ spans: ofScope }) => ofScope)
  return {
    url: `http://127.0.0.1:${port}`,
    paths,
    resources: () => sent.flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => resource)),
    /** The spans of a request, by its id. */
    spansOf: (requestId: string) => spans().filter((span) => valueOf(span, 'guildhall.request_id') === requestId),
    /** Waits for the request to which its client gave an id, and gives its own. */
    async idOf(chosen: string): Promise<string> {
      const find = () => spans().find((span) => valueOf(span, 'guildhall.client_request_id') === chosen)
      await expect.poll(find).toBeDefined()
      const found = find()
      return String(found && valueOf(found, 'guildhall.request_id'))
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

describe('a trace', () => {
  const { connect, end } = connections()
  let collector: Awaited<ReturnType<typeof openCollector>>
  let guildhall: TestGuildhall
  beforeAll(async () => {
    collector = await openCollector()
    guildhall = await startTestGuildhall({ traces: { endpoint: `${collector.url}/`, share: 1, sendsEvery_ms: 100 } })
  })
  afterAll(async () => {
    end()
    await guildhall.close()
    await collector.close()
  })

  it('has the request, the append, the batch of the projector and the dispatch', async () => {
    const ada = await guildhall.register()
    const { client } = await connect(guildhall, ada)
    const headers = { 'x-request-id': 'create-one' }
    bodyOf(await guildhall.request('POST', '/v1/guilds', { token: ada.token, body: { name: 'Chess' }, headers }))
    const id = await collector.idOf('create-one')
    await client.dispatch('GUILD_CREATE')
    const names = () => collector.spansOf(id).map(({ name }) => name)
    const wanted = ['create_guild', 'append guild', 'projection batch', 'dispatch MemberJoined']
    await expect.poll(names).toEqual(expect.arrayContaining(wanted))
    const spans = collector.spansOf(id)
    const [request, ...others] = spans.filter(({ name }) => name === 'create_guild')
    expect(others).toEqual([])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    expect(request?.parentSpanId ?? '').toBe('')
    for (const span of spans.filter((each) => each !== request)) expect(span.parentSpanId).toBe(request?.spanId)
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    expect([...collector.paths]).toEqual(['POST /v1/traces'])
    expect(collector.resources()[0]?.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'guildhall' },
    })
  })

  it('is one for each request, and holds neither tokens nor what was sent', async () => {
    const ada = await guildhall.register()
    const ids: string[] = []
    for (const name of ['Tea', 'Go']) {
      const body = { name: `${name} secrets` }
      const { headers } = await guildhall.request('POST', '/v1/guilds', { token: ada.token, body })
      ids.push(String(headers.get('x-request-id')))
    }
    await expect.poll(() => collector.spansOf(ids[1] ?? '').length).toBeGreaterThan(2)
    const [tea = [], go = []] = ids.map((id) => collector.spansOf(id))
    expect(tea[0]?.traceId).not.toBe(go[0]?.traceId)
    expect(JSON.stringify([tea, go])).not.toMatch(/secrets/)
    expect(JSON.stringify([tea, go])).not.toContain(ada.token)
  })
})
