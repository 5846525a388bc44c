import { describe, expect, it } from 'vitest'
import { anonymising } from '../../support/anonymised.ts'
import { jsonIn, ownArchive } from '../../support/archives.ts'
import { sent } from '../../support/messages.ts'
import { reactionsOn } from '../../support/reactions.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const { guildhall, ada, brian } = await openScene({})
const { anonymise, erased } = anonymising(guildhall)

describe('the reactions of an account', () => {
  it('are in its archive, without what the messages say, and go when it is erased', async () => {
    const carol = await guildhall.register()
    const home = await foundWith(guildhall, ada, carol)
    const reactions = reactionsOn(guildhall, home.channel)
    const message = await sent(guildhall, ada, home.channel, 'nobody else may archive this')
    for (const who of [ada, carol]) expect((await reactions.add(who, message, '👍')).status).toBe(204)
    expect((await reactions.add(carol, message, '🎉')).status).toBe(204)
    const held = jsonIn(await ownArchive(guildhall, carol), 'account/reactions.json')
    expect(held).toStrictEqual(['🎉', '👍'].map((emoji) => ({ channel_id: home.channel, message_id: message, emoji })))
    await erased(carol)
    expect(await reactions.of(ada, message)).toStrictEqual([{ emoji: { name: '👍' }, count: 1, me: true }])
    // A request that was under way when the account was erased.
    await guildhall.store.database.pool.query('insert into messages.reactions values ($1, $2, $3, $4)', [
      home.channel,
      message,
      '👍',
      carol.id,
    ])
    await anonymise(carol)
    const { rows } = await guildhall.store.database.pool.query(
      'select account_id from messages.reactions where message_id = $1',
      [message],
    )
    expect(rows).toStrictEqual([{ account_id: ada.id }])
  })

  it('go with the channel that they are in', async () => {
    const home = await foundWith(guildhall, ada, brian)
    const reactions = reactionsOn(guildhall, home.channel)
    const message = await sent(guildhall, ada, home.channel, 'hello')
    await reactions.add(brian, message, '👍')
    const { status } = await guildhall.request('DELETE', `/v1/channels/${home.channel}`, { token: ada.token })
    expect(status).toBeLessThan(300)
    await expect
      .poll(async () => {
        const { rowCount } = await guildhall.store.database.pool.query(
          'select from messages.reactions where channel_id = $1',
          [home.channel],
        )
        return rowCount
      })
      .toBe(0)
  })
})
