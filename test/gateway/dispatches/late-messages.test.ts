import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PrivateChannel } from '../../../application/ports/queries/private-channel-queries.js'
import { channelId } from '../../../domain/ids/ids.js'
import { chatIn, heardOfMessages } from '../support/chat.js'
import type { Client } from '../support/client.js'
import { joined } from '../support/facts.js'
import { openStage, type Account, type Place, type Stage } from '../support/stage.js'

/** Messages that were allowed, but are dispatched after their place is gone or an account has left it. */

let stage: Stage
let ada: Account
let grace: Account
let home: Place
let owner: Client

beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  grace = stage.account()
  home = stage.found(ada, { everyone: ['READ_MESSAGE_HISTORY'] })
  stage.happen(joined(home.id, grace.id))
  owner = await stage.identify(ada)
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

const heard = (...clients: readonly Client[]) => heardOfMessages(stage, home, ada, ...clients)

describe('messages of a thread that was deleted meanwhile', () => {
  it('reach nobody: only the end of the thread is sent', async () => {
    const gone = channelId(stage.newId())
    stage.models.goneThreads.add(gone)
    const chat = chatIn(stage, home, { channelId: gone, parentId: home.general, channelType: 11 })
    const client = await stage.identify(grace, { flags: 1 << 2 })
    const message = await chat.post(ada, { content: 'late' })
    await chat.edit(message, { content: 'later' })
    expect(await heard(client)).toStrictEqual([[]])
  })
})

describe('messages of a private thread', () => {
  it('do not reach an account that was removed before they are sent, although the request still named it', async () => {
    const secret = channelId(stage.newId())
    stage.models.threadPartakers.set(secret, [ada.id])
    const place = { channelId: secret, parentId: home.general, channelType: 12, recipients: [ada.id, grace.id] }
    const flags = 1 << 2
    const clients = [await stage.identify(ada, { flags }), await stage.identify(grace, { flags })]
    await chatIn(stage, home, place).post(ada, { content: 'secret' })
    expect(await heard(...clients)).toStrictEqual([['CREATE secret'], []])
  })
})

describe('messages of a private channel', () => {
  /** A direct message or a group as it is now. */
  const standing = (more: Partial<PrivateChannel> = {}): PrivateChannel => {
    const id = channelId(stage.newId())
    const plain = { kind: 'direct', closedFor: [], ownerId: null, name: null, icon: null, nicks: {} } as const
    const channel = { ...plain, id, recipients: [ada.id, grace.id], ...more }
    stage.models.privateChannels.set(ada.id, [channel])
    return channel
  }

  it('do not reach an account that has left the group or closed the direct message before they are sent', async () => {
    const first = await stage.identify(grace)
    const group = standing({ kind: 'group', recipients: [ada.id] })
    const both = { guildId: null, recipients: [ada.id, grace.id] }
    await chatIn(stage, home, { ...both, channelId: group.id, channelType: 3 }).post(ada, { content: 'to the group' })
    expect(await heard(owner, first)).toStrictEqual([['CREATE to the group'], []])
    const direct = standing({ closedFor: [grace.id] })
    await chatIn(stage, home, { ...both, channelId: direct.id, channelType: 1 }).post(ada, { content: 'closed' })
    expect(await heard(owner, first)).toStrictEqual([['CREATE closed'], []])
  })

  it('reach nobody if the group is gone by then', async () => {
    const place = { channelId: channelId(stage.newId()), channelType: 3, guildId: null, recipients: [ada.id] }
    await chatIn(stage, home, place).post(ada, { content: 'late' })
    expect(await heard(owner)).toStrictEqual([[]])
  })
})
