import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf } from '../../support/answers.ts'
import { letEveryone, messagesPath } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, home } = await openScene({ linkPreviews: ['127.0.0.0/8'] })

let url = ''
const server = createServer((request, answer) => {
  answer.setHeader('content-type', 'text/html').end(`<head><title>Page ${request.url}</title></head>`)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const get = async (id: string) =>
  bodyOf(await guildhall.request('GET', messagesPath(home.channel, id), { token: ada.token }))
const send = async (body: object) =>
  String(bodyOf(await guildhall.request('POST', messagesPath(home.channel), { token: brian.token, body }))['id'])
const edit = (id: string, body: object) =>
  guildhall.request('PATCH', messagesPath(home.channel, id), { token: brian.token, body })
const titles = async (id: string) =>
  ((await get(id))['embeds'] as readonly { readonly title: string }[]).map(({ title }) => title)

describe('a message with links', () => {
  it('gets their previews from a worker, and is not edited by that', async () => {
    const id = await send({ content: `${url}/a and <${url}/quiet> and ${url}/b` })
    await expect.poll(() => titles(id)).toStrictEqual(['Page /a', 'Page /b'])
    expect(await get(id)).toMatchObject({ edited_timestamp: null, embeds: [{ type: 'link', url: `${url}/a` }, {}] })
  })

  it('loses them with the text that had them, and gets those of the new one', async () => {
    const id = await send({ content: `${url}/a` })
    await expect.poll(() => titles(id)).toStrictEqual(['Page /a'])
    expect(bodyOf(await edit(id, { content: 'nothing' }))['embeds']).toStrictEqual([])
    bodyOf(await edit(id, { content: `${url}/c` }))
    await expect.poll(() => titles(id)).toStrictEqual(['Page /c'])
  })

  it('gets none beside embeds of its own, while it hides them, or without EMBED_LINKS', async () => {
    const ids = [
      await send({ content: `${url}/a`, embeds: [{ title: 'own' }] }),
      await send({ content: `${url}/a`, flags: 4 }),
    ]
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['EMBED_LINKS'] })
    ids.push(await send({ content: `${url}/a` }))
    await letEveryone(guildhall, ada, home, home.channel, {})
    // Workers take jobs in turn: when the last one has its preview, the others would have theirs.
    const last = await send({ content: `${url}/last` })
    await expect.poll(() => titles(last)).toStrictEqual(['Page /last'])
    expect(await Promise.all(ids.map(titles))).toStrictEqual([['own'], [], []])
  })
})
