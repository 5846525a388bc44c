import { afterEach, describe, expect, it } from 'vitest'
import { liveReaders_max } from '../../../../application/administration/history/follow-events.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { expectRefusal, found, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({})
const { request } = guildhall
const root = await administrator(guildhall, '*')
const ada = await guildhall.register()
const home = await found(guildhall, ada)
const rename = (name: string) => request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name } })

interface Reader {
  readonly response: Response
  /** The next event, after lines that say nothing. */
  next(): Promise<{ readonly id: string; readonly data: Readonly<Record<string, unknown>> }>
  /** Resolves once the server has ended the answer. */
  ended(): Promise<void>
  leave(): void
}

const open: Reader[] = []
afterEach(() => {
  for (const reader of open.splice(0)) reader.leave()
})

/** Opens the stream of events; resolves once its first line is there. */
async function follow(query: string): Promise<Reader> {
  const leaving = new AbortController()
  const response = await fetch(`${guildhall.url}/v1/admin/history/events/stream${query}`, {
    headers: { authorization: root.token },
    signal: leaving.signal,
  })
  const lines = linesOf(response)
  const reader: Reader = {
    response,
    async next() {
      let id = ''
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        if (line.value.startsWith('id: ')) id = line.value.slice(4)
        if (line.value.startsWith('data: ')) return { id, data: JSON.parse(line.value.slice(6)) }
      }
      throw new Error('The stream has ended')
    },
    async ended() {
      for (let line = await lines.next(); !line.done; line = await lines.next());
    },
    leave: () => leaving.abort(),
  }
  open.push(reader)
  if (response.ok) await lines.next()
  return reader
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    const lines = (rest + piece.value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

describe('Follow history events', () => {
  it('sends events as they are written, with their positions as ids, and nothing personal', async () => {
    const reader = await follow('?category=guild')
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream')
    await guildhall.register()
    await rename('Engine')
    const { id, data } = await reader.next()
    expect(data).toMatchObject({ type: 'GuildModified', stream: `guild-${home.id}`, position: id, left_out: [] })
  })
  it('goes on after a position without leaving anything out', async () => {
    const [newest] = listOf(await request('GET', '/v1/admin/history/events?limit=1', { token: root.token }))
    await rename('One')
    await rename('Two')
    const reader = await follow(`?after=${String(newest?.['position'])}&type=GuildModified`)
    expect((await reader.next()).data).toMatchObject({ data: { after: { name: 'One' } } })
    expect((await reader.next()).data).toMatchObject({ data: { after: { name: 'Two' } } })
  })
  it('records that something personal is revealed', async () => {
    const before = (await auditEntries(guildhall)).length
    const reader = await follow('?type=AccountRegistered&reveal=true')
    const bob = await guildhall.register()
    expect((await reader.next()).data).toMatchObject({
      data: { accountId: bob.id, email: expect.stringContaining('@') },
      left_out: ['passwordHash'],
    })
    expect((await auditEntries(guildhall)).slice(before)).toMatchObject([{ action: 'get_personal_history' }])
  })
  it('takes only so many readers, and another one once one has left', async () => {
    const readers = await Promise.all(Array.from({ length: liveReaders_max }, () => follow('')))
    expect((await follow('')).response.status).toBe(503)
    readers[0]?.leave()
    await expect.poll(async () => (await follow('')).response.status, { timeout: 30_000 }).toBe(200)
  })
  it('is for those who may read the audit log', async () => {
    expectRefusal(
      await request('GET', '/v1/admin/history/events/stream', { token: ada.token }),
      403,
      'MISSING_PERMISSIONS',
    )
  })
  it('ends with the server', async () => {
    const other = await openServer({})
    const admin = await administrator(other, '*')
    const response = await fetch(`${other.url}/v1/admin/history/events/stream`, {
      headers: { authorization: admin.token },
    })
    const lines = linesOf(response)
    await lines.next()
    await Promise.all([
      other.close(),
      (async () => {
        for await (const line of lines) expect(line).toBe('')
      })(),
    ])
  })
})
