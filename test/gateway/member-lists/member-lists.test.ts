import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { disabledOperationBits, type GuildSettings } from '../../../domain/guild/state.ts'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import type { Client, Payload } from '../support/client.ts'
import { joined, left, plainRole, rolesChanged } from '../support/facts.ts'
import { fakeExchange } from '../support/fake-exchange.ts'
import { shown } from '../support/list-audience.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'
import { roleId } from '../../../domain/ids/ids.ts'

let stage: Stage
let ada: Account
let bob: Account
let home: Place
let client: Client
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account({ username: 'Ada' })
  bob = stage.account({ username: 'bob' })
  home = stage.found(ada)
  stage.happen(joined(home.id, bob.id))
  client = await stage.identify(ada)
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

const look = (channels: object, asker = client): void =>
  asker.send(14, { subscriptions: { [home.id]: { member_list_channels: channels } } })

const list = async (asker = client): Promise<unknown> => shown(await ticking(asker))

/** The next update, as time passes. */
async function ticking(asker: Client): Promise<Payload> {
  let isThere = false
  const update = asker.dispatch('GUILD_MEMBER_LIST_UPDATE').finally(() => (isThere = true))
  while (!isThere) {
    await stage.turn()
    stage.clock.advance(250)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return update
}

/** Lets the Gateway send all that it would within seconds; gives the names of what came. */
async function settled(asker = client): Promise<readonly string[]> {
  for (let count = 0; count < 12; count += 1) {
    await stage.handled()
    stage.clock.advance(250)
    await stage.turn()
  }
  asker.send(1, null)
  const told = await asker.until(({ op }) => op === 11, 'ACK')
  return told.flatMap(({ t }) => t ?? [])
}

function overwrite(channel: string, id: string, type: 0 | 1, deny: PermissionName): DomainEvent {
  const one = { id, type, allow: '0', deny: permissionBits[deny].toString() }
  return {
    type: 'ChannelOverwritesChanged',
    data: { guildId: home.id, channelId: channel, synced: [], before: [], after: [one] },
  } as unknown as DomainEvent
}

const plain = (channel: string): DomainEvent =>
  ({
    type: 'ChannelOverwritesChanged',
    data: { guildId: home.id, channelId: channel, synced: [], before: [], after: [] },
  }) as unknown as DomainEvent

describe('a list of members', () => {
  it('has the rows that were asked for, in groups, and says where they are', async () => {
    look({ [home.general]: [[0, 99]] })
    const answer = await ticking(client)
    expect(shown(answer)).toStrictEqual({
      counts: [2, 1],
      groups: ['online 1', 'offline 1'],
      rows: ['online 1', 'Ada online', 'offline 1', 'bob offline'],
    })
    expect(answer.d).toMatchObject({
      guild_id: home.id,
      id: home.general,
      channel_id: home.general,
      ops: [{ op: 'SYNC', range: [0, 99] }],
    })
  })

  it('is sent again as members come, go, are renamed, and come online, but only the rows that changed', async () => {
    look({
      [home.general]: [
        [0, 1],
        [2, 99],
      ],
    })
    await list()
    await list()
    const cay = stage.account({ username: 'Cay' })
    stage.happen(joined(home.id, cay.id))
    expect(await list()).toMatchObject({ rows: ['offline 2', 'bob offline', 'Cay offline'] })
    expect(await settled()).toStrictEqual([])
    const robin = await stage.identify(bob)
    expect(await list()).toMatchObject({ rows: ['online 2', 'Ada online'] })
    expect(await list()).toMatchObject({ rows: ['bob online', 'offline 1', 'Cay offline'] })
    robin.send(3, { status: 'idle' })
    expect(await list()).toMatchObject({ rows: ['bob idle', 'offline 1', 'Cay offline'] })
    robin.send(3, { status: 'invisible' })
    expect(await list()).toMatchObject({ counts: [3, 1] })
    await list()
    stage.happen(left(home.id, cay.id))
    expect(await list()).toMatchObject({ counts: [2, 1], rows: ['offline 1', 'bob offline'] })
    const account = stage.models.accounts.get(bob.id)
    if (account) stage.models.accounts.set(bob.id, { ...account, username: 'Rob' })
    stage.happen({ type: 'TagChanged', data: { accountId: bob.id, username: 'Rob', discriminator: 7 } } as never)
    expect(await list()).toMatchObject({ rows: ['offline 1', 'Rob offline'] })
  })

  it('puts who is online under the highest hoisted role', async () => {
    const role = { ...plainRole(roleId(stage.newId())), hoist: true }
    stage.happen({ type: 'RoleCreated', data: { guildId: home.id, role } }, rolesChanged(home.id, ada.id, role.id))
    await stage.handled()
    look({ [home.general]: [[0, 9]] })
    expect(await list()).toMatchObject({ rows: [`${role.id} 1`, 'Ada online', 'offline 1', 'bob offline'] })
    const after = { hoist: false }
    stage.happen({ type: 'RoleChanged', data: { guildId: home.id, roleId: role.id, before: { hoist: true }, after } })
    expect(await list()).toMatchObject({ rows: ['online 1', 'Ada online', 'offline 1', 'bob offline'] })
  })

  it('has only members who see the channel, as overwrites change', async () => {
    look({ [home.general]: [[0, 9]] })
    await list()
    stage.happen(overwrite(home.general, bob.id, 1, 'VIEW_CHANNEL'))
    expect(await list()).toMatchObject({ counts: [1, 1], rows: ['online 1', 'Ada online'] })
  })

  it('is silent without the sight of the channel or of its members, and comes back with it', async () => {
    const robin = await stage.identify(bob)
    for (const name of ['VIEW_CHANNEL', 'VIEW_CHANNEL_MEMBERS'] as const) {
      stage.happen(plain(home.general))
      await stage.handled()
      look({ [home.general]: [[0, 9]] }, robin)
      await list(robin)
      stage.happen(overwrite(home.general, home.id, 0, name))
      await settled(robin)
      look({ [home.general]: [[0, 5]] }, robin)
      stage.happen(joined(home.id, stage.account().id))
      expect(await settled(robin)).not.toContain('GUILD_MEMBER_LIST_UPDATE')
    }
    stage.happen(plain(home.general))
    expect(await list(robin)).toMatchObject({ counts: [4, 2] })
  })

  it('is sent at each request, merged within a tick, and ends without rows', async () => {
    look({ [home.general]: [[0, 99]] })
    await list()
    await settled()
    for (const row of [99, 5, 1]) look({ [home.general]: [[0, row]] })
    expect(await list()).toMatchObject({ rows: { length: 4 } })
    expect(await list()).toMatchObject({ rows: ['online 1', 'Ada online'] })
    expect(await settled()).toStrictEqual([])
    look({ [home.general]: [] })
    stage.happen(joined(home.id, stage.account().id))
    expect(await settled()).toStrictEqual(['GUILD_MEMBER_ADD'])
  })

  it.each([
    ['of what is no channel', { me: [[0, 9]] }],
    ['of a channel that is not there', { 1: [[0, 9]] }],
    ['without good rows', { general: [[5, 4], [0, 100], [-1, 5], [0], 'all', [0.5, 3], [99_990, 100_001]] }],
    ['that is no map', 5],
  ])('%s is not answered', async (_, channels) => {
    const named =
      typeof channels === 'object' && 'general' in channels ? { [home.general]: channels.general } : channels
    look(named as object)
    expect(await settled()).toStrictEqual([])
  })

  it('is not sent where lists are switched off, or the session has made the guild passive', async () => {
    look({ [home.general]: [[0, 9]] })
    await list()
    const settings: Partial<GuildSettings> = { disabledOperations: disabledOperationBits.MEMBER_LIST_UPDATES }
    stage.happen({ type: 'GuildSettingsChanged', data: { guildId: home.id, settings } })
    stage.happen(joined(home.id, stage.account().id))
    expect(await settled()).toStrictEqual(['GUILD_UPDATE', 'GUILD_MEMBER_ADD'])
    stage.happen({ type: 'GuildSettingsChanged', data: { guildId: home.id, settings: { disabledOperations: 0 } } })
    expect(await list()).toMatchObject({ counts: [3, 1] })
    client.send(14, { subscriptions: { [home.id]: { active: true } } })
    client.send(14, { subscriptions: { [home.id]: { active: false } } })
    await settled()
    stage.happen(joined(home.id, stage.account().id))
    expect(await settled()).toStrictEqual(['GUILD_MEMBER_ADD'])
  })

  it('is not replayed, and sent anew to a client that resumes', async () => {
    look({ [home.general]: [[0, 99]] })
    const { s = 0 } = await ticking(client)
    client.socket.terminate()
    await client.closed
    stage.happen(joined(home.id, stage.account({ username: 'Cay' }).id))
    await stage.handled()
    const back = await stage.resume(ada, client.sessionId, s - 1)
    await back.dispatch('RESUMED')
    expect(back.dispatches.map(({ t }) => t).slice(0, 2)).toStrictEqual(['GUILD_MEMBER_ADD', 'RESUMED'])
    expect(await list(back)).toMatchObject({ counts: [3, 1] })
  })

  it('is sent again to a client that resumes without it, though nothing has changed', async () => {
    look({ [home.general]: [[0, 99]] })
    const { s = 0 } = await ticking(client)
    client.socket.terminate()
    await client.closed
    const back = await stage.resume(ada, client.sessionId, s - 1)
    await back.dispatch('RESUMED')
    expect(await list(back)).toMatchObject({ counts: [2, 1] })
    client.socket.terminate()
  })

  it('puts members with sessions at other Gateways among those who are online', async () => {
    await stage.end()
    const exchange = fakeExchange()
    stage = await openStage({ presenceExchange: exchange })
    ada = stage.account({ username: 'Ada' })
    bob = stage.account({ username: 'bob' })
    home = stage.found(ada)
    stage.happen(joined(home.id, bob.id))
    client = await stage.identify(ada)
    look({ [home.general]: [[0, 9]] })
    await list()
    const session = { id: 'a'.repeat(32), status: 'dnd', afk: false, mobile: true } as const
    exchange.tell(bob.id, [session])
    expect(await list()).toMatchObject({ counts: [2, 2], rows: ['online 2', 'Ada online', 'bob dnd'] })
    exchange.tell(bob.id, [{ ...session, status: 'invisible' }])
    expect(await list()).toMatchObject({ counts: [2, 1], rows: ['online 1', 'Ada online', 'offline 1', 'bob offline'] })
  })

  it('is refused in one guild too many', async () => {
    await stage.end()
    stage = await openStage({ limits: { memberListsPerSession_max: 1 } })
    ada = stage.account()
    home = stage.found(ada)
    const other = stage.found(ada)
    client = await stage.identify(ada)
    look({ [home.general]: [[0, 9]] })
    await list()
    client.send(14, { subscriptions: { [other.id]: { member_list_channels: { [other.general]: [[0, 9]] } } } })
    expect((await client.dispatch('RATE_LIMITED')).d).toMatchObject({ opcode: 14, meta: { guild_id: other.id } })
    expect(stage.gateway.stats()).toMatchObject({ memberLists: 1, listedMembers: 1, refusedMemberLists: 1 })
  })

  it('is forgotten some time after the last session looks at it', async () => {
    look({ [home.general]: [[0, 9]] })
    await list()
    client.send(14, { subscriptions: { [home.id]: { member_list_channels: { [home.general]: [] } } } })
    await settled()
    for (let tick = 0; tick < 130; tick += 1) stage.clock.advance(250)
    await stage.stats(({ memberLists, listedMembers }) => memberLists === 0 && listedMembers === 0)
  })

  it('waits for read models that do not answer', async () => {
    stage.models.delay = (question) =>
      question === 'roll' ? Promise.reject(new Error('no answer')) : Promise.resolve()
    look({ [home.general]: [[0, 9]] })
    while (stage.errors.length === 0) {
      await stage.turn()
      stage.clock.advance(250)
    }
    expect(stage.errors.splice(0)).toMatchObject([{ message: expect.stringContaining('its lists wait') }])
    stage.models.delay = () => Promise.resolve()
    expect(await list()).toMatchObject({ counts: [2, 1] })
  })

  it('takes in events that came while its members were looked up', async () => {
    const hold = stage.models.hold('roll')
    look({ [home.general]: [[0, 99]] })
    await hold.asked
    const cay = stage.account({ username: 'Cay' })
    stage.happen(left(home.id, bob.id), joined(home.id, cay.id))
    await stage.handled()
    hold.answer()
    expect(await list()).toMatchObject({ counts: [2, 1], rows: ['online 1', 'Ada online', 'offline 1', 'Cay offline'] })
  })
})

describe('Request Channel Member Counts', () => {
  it('counts who sees a channel, for those who may look at its members', async () => {
    const robin = await stage.identify(bob)
    stage.happen(overwrite(home.general, bob.id, 1, 'VIEW_CHANNEL'))
    await stage.handled()
    for (const asker of [client, robin]) asker.send(16, { guild_id: home.id, channel_ids: [home.general] })
    expect((await client.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE')).d).toStrictEqual({
      counts: [{ guild_id: home.id, channel_id: home.general, member_count: 1, online_count: 1 }],
    })
    expect((await robin.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE')).d).toStrictEqual({ counts: [] })
  })
})
