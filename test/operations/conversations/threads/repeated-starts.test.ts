import { afterEach, describe, expect, it, vi } from 'vitest'
import { bodyOf, listOf } from '../../support/answers.ts'
import { openThreads, threadsHeader } from '../../support/threads.ts'

const { guildhall, ada, home, threads } = await openThreads()
const made = await threads.send(ada, 'POST', `/v1/guilds/${home.id}/channels`, { name: 'ideas', type: 15 })
const forum = String(bodyOf(made)['id'])
afterEach(() => {
  vi.restoreAllMocks()
})

/** Sends the same request with the same Idempotency-Key each time. */
const keyed = (channel: string, key: string, body: object) => () =>
  guildhall.request('POST', `/v1/channels/${channel}/threads`, {
    token: ada.token,
    headers: { ...threadsHeader, 'idempotency-key': key },
    body,
  })

describe('a thread whose request stopped just after its start', () => {
  it('is finished by the same Idempotency-Key: a post gets its first message, once', async () => {
    const start = keyed(forum, 'a post', { name: 'Idea', message: { content: 'An idea' } })
    const { messages } = guildhall.ports
    vi.spyOn(messages, 'post').mockRejectedValueOnce(new Error('the process dies'))
    expect((await start()).status).toBe(500)
    const again = await start()
    expect(again.status).toBe(201)
    const { id } = bodyOf(again)
    expect(bodyOf(await start())['id']).toBe(id)
    expect(listOf(await threads.read(ada, String(id)))).toMatchObject([{ id, content: 'An idea' }])
    const search = await threads.send(ada, 'GET', `/v1/channels/${forum}/threads/search`)
    expect(bodyOf(search)).toMatchObject({ total_results: 1 })
  })

  it('is also finished if it took the last place in its guild', async () => {
    const start = keyed(forum, 'the last', { name: 'Last', message: { content: 'Room for one' } })
    const { messages, reservations } = guildhall.ports
    vi.spyOn(messages, 'post').mockRejectedValueOnce(new Error('the process dies'))
    expect((await start()).status).toBe(500)
    // No place is left from here on.
    vi.spyOn(reservations, 'within').mockResolvedValue(undefined)
    expect((await start()).status).toBe(201)
  })
})
