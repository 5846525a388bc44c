import { describe, expect, it } from 'vitest'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { bodyOf } from '../../support/answers.ts'
import { sent } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, home } = await openScene()

async function found(by: { readonly token: string }, wanted: object): Promise<readonly unknown[]> {
  const body = { context_guild_id: home.id, ...wanted }
  const page = bodyOf(await guildhall.request('POST', '/v1/search/messages', { token: by.token, body }))
  return (page['messages'] as readonly { readonly id: string }[]).map(({ id }) => id)
}

describe('a search for types of authors', () => {
  it('tells people, bots and webhooks apart, also those whose messages were written together', async () => {
    const application = await newApplication(guildhall, ada)
    await addBot(guildhall, application, home)
    const bot = { token: asBot(application) }
    const made = await guildhall.request('POST', `/v1/channels/${home.channel}/webhooks`, {
      token: ada.token,
      body: { name: 'Hook' },
    })
    const { id, token } = bodyOf(made)
    const hooked = bodyOf(
      await guildhall.request('POST', `/v1/webhooks/${String(id)}/${String(token)}?wait=1`, {
        body: { content: 'plum' },
      }),
    )
    const byBots = [
      await sent(guildhall, bot, home.channel, { content: 'plum', nonce: '1' }),
      ...(await Promise.all(Array.from({ length: 6 }, () => sent(guildhall, bot, home.channel, 'plum')))),
    ]
    const byPeople = await Promise.all([ada, brian, ada].map((by) => sent(guildhall, by, home.channel, 'plum')))
    const all = async (body: object) => (await found(ada, { content: 'plum', ...body })).map(String).toSorted()
    expect(await all({ author_type: ['bot'] })).toStrictEqual(byBots.toSorted())
    expect(await all({ author_type: ['user'] })).toStrictEqual(byPeople.toSorted())
    expect(await all({ author_type: ['webhook'] })).toStrictEqual([hooked['id']])
    expect(await all({ author_type: ['webhook', 'user'] })).toStrictEqual(
      [String(hooked['id']), ...byPeople].toSorted(),
    )
    expect(await all({ exclude_author_type: ['user', 'webhook'] })).toStrictEqual(byBots.toSorted())
    expect(await all({ author_type: ['user'], exclude_author_type: ['user'] })).toStrictEqual([])
    expect(await all({ author_type: ['bot'], author_id: [ada.id] })).toStrictEqual([])
    // Without a word, too.
    expect(await found(ada, { author_type: ['webhook'] })).toStrictEqual([hooked['id']])
  })
})
