import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noExpressions } from '../../domain/guild-expressions/state.ts'
import { accountQueries } from '../../projections/accounts/queries.ts'
import { guildQueries } from '../../projections/guilds/queries.ts'
import { privateChannelQueries } from '../../projections/private-channels/queries.ts'
import { readModels } from '../../projections/read-models.ts'
import { sessionSnapshots } from '../../projections/session-snapshots/queries.ts'
import {
  account,
  channel,
  created,
  deleted,
  guild,
  joined,
  registered,
  someChannel,
  someRole,
  start,
  withChannel,
  withRole,
} from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const take = (number: number) => sessionSnapshots(the.database).take(account(number))

beforeAll(async () => {
  the = await world()
  projector = await the.projector(readModels)
  await happens(registered(1), registered(2), registered(3))
  await happens(
    created(1),
    withRole(1, someRole(1, 0)),
    withChannel(1, someChannel(1, 0)),
    created(2),
    created(3),
    created(4),
  )
  await happens(joined(2, 1, { seconds: 1 }), joined(1, 1, { seconds: 2 }), joined(3, 1, { seconds: 3 }))
  await happens(joined(1, 2), joined(4, 1), deleted(3))
})

afterAll(() => the.close())

describe('a session snapshot', () => {
  it('has the account and its guilds, the one joined last first, as of one position', async () => {
    const snapshot = await take(1)
    const inOrder = [guild(1), guild(2), guild(4)]
    const guilds = await Promise.all(inOrder.map((each) => guildQueries(the.database).findFor(each, account(1))))
    expect(snapshot).toStrictEqual({
      position: await the.store.end(),
      account: await accountQueries(the.database).find(account(1)),
      settings: {},
      guildSettings: [],
      passkeys: [],
      relationships: [],
      privateChannels: [],
      guilds: guilds.map((each) => ({ ...each, expressions: noExpressions })),
    })
    expect(guilds.map((each) => each?.memberCount)).toStrictEqual([2, 1, 1])
  })

  it('has the open private channels of the account, as their queries return them', async () => {
    const recipients = [account(2), account(3)]
    await happens(
      {
        type: 'DirectChannelOpened',
        data: { channelId: channel(900), accountId: account(2), otherId: account(3), openedAt: start },
      },
      { type: 'GroupCreated', data: { channelId: channel(901), recipients, ownerId: account(3), createdAt: start } },
    )
    const open = await privateChannelQueries(the.database).openFor(account(2))
    expect(open.map(({ id }) => id)).toStrictEqual([channel(901), channel(900)])
    expect((await take(2))?.privateChannels).toStrictEqual(open)
    expect((await take(3))?.privateChannels.map(({ id }) => id)).toStrictEqual([channel(901)])
  })

  it('exists for an account without guilds, and for no unknown account', async () => {
    expect(await take(3)).toMatchObject({ account: { id: account(3) }, guilds: [] })
    expect(await take(99)).toBe(undefined)
  })

  it('never shows more or less than the events up to its position', async () => {
    await happens(registered(50), ...Array.from({ length: 40 }, (_, index) => created(100 + index)))
    const from = await the.store.end()
    let stopped = false
    const joining = (async () => {
      for (let index = 0; index < 40; index += 1) {
        await the.happens(joined(100 + index, 50))
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      stopped = true
    })()
    while (!stopped) {
      const snapshot = await take(50)
      expect(BigInt(snapshot?.guilds.length ?? 0)).toBe((snapshot?.position ?? 0n) - from)
    }
    await joining
  })
})
