import { describe, expect, it } from 'vitest'
import { openScene } from '../operations/support/scene.ts'
import { expectRefusal } from '../operations/support/answers.ts'
import { administrator } from '../support/administrators.ts'

const { guildhall, brian, home } = await openScene()
const { token } = await administrator(guildhall, '*')

describe('a listed phrase in disguise', () => {
  const send = (content: string) =>
    guildhall.request('POST', `/v1/channels/${home.channel}/messages`, { token: brian.token, body: { content } })
  const list = (type: string, body: object) =>
    guildhall.request('POST', `/v1/admin/blocklists/${type}/entries`, { token, body })

  it('is refused, and ordinary words that look like a part of one are accepted', async () => {
    await list('phrase', { phrase: 'cheapqx' })
    await list('url', { url: 'https://trapqx.example/a%62' })
    await list('phrase', { phrase: 'pocaxap' })
    await expect.poll(async () => (await send('pocaxap')).status).toBe(403)
    for (const said of [
      'c||h||eapqx',
      'c̶h̶e̶a̶p̶q̶x̶',
      'сhеapqх',
      'c h e а p q x',
      'https://a.example/%63heapqx',
      'https://trapqx.example/%61b',
    ])
      expectRefusal(await send(said), 403, 'CONTENT_BLOCKED')
    for (const said of ['роса харизмы', 'pöcaxap']) expect([said, (await send(said)).status]).toEqual([said, 200])
  })
})
