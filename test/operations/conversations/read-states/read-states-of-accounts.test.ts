import { describe, expect, it } from 'vitest'
import { anonymising } from '../../support/anonymised.ts'
import { jsonIn, ownArchive } from '../../support/archives.ts'
import { sent } from '../../support/messages.ts'
import { readStatesOn } from '../../support/read-states.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const { guildhall, ada, brian } = await openScene({})
const { anonymise, erased } = anonymising(guildhall)
const { ack } = readStatesOn(guildhall)
const rows = async (text: string, ...values: readonly string[]) =>
  (await guildhall.store.database.pool.query(text, [...values])).rows

describe('what an account has read', () => {
  it('is in its archive, and goes with the mentions of it when it is erased', async () => {
    const carol = await guildhall.register()
    const home = await foundWith(guildhall, ada, carol)
    const message = await sent(guildhall, ada, home.channel, `<@${carol.id}> <@${brian.id}>`)
    await ack(carol, home.channel, message)
    await sent(guildhall, ada, home.channel, `<@${carol.id}>`)
    expect(jsonIn(await ownArchive(guildhall, carol), 'account/read_states.json')).toStrictEqual([
      { channel_id: home.channel, last_message_id: message, mention_count: 1, last_pin_timestamp: null },
    ])
    const own = await sent(guildhall, carol, home.channel, `<@${brian.id}>`)
    await erased(carol)
    expect(await rows('select from messages.read_states where account_id = $1', carol.id)).toStrictEqual([])
    expect(await rows('select from messages.mentions where target_id = $1', carol.id)).toStrictEqual([])
    await rows('insert into messages.read_states (account_id, channel_id) values ($1, $2)', carol.id, home.channel)
    await anonymise(carol)
    expect(await rows('select from messages.read_states where account_id = $1', carol.id)).toStrictEqual([])
    expect(await rows('select from messages.mentions where author_id = $1', carol.id)).toStrictEqual([])
    expect(await rows('select target_id from messages.mentions where message_id = $1', own)).toStrictEqual([
      { target_id: brian.id },
    ])
  })
})
