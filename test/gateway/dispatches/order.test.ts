import { roleId } from '../../../domain/ids/ids.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identifyOf, joined, left, plainRole, rolesChanged } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let grace: Account
let home: Place
beforeEach(async () => {
  await set()
})
afterEach(async () => {
  await stage.end()
})

async function set(options: Parameters<typeof openStage>[0] = {}): Promise<void> {
  stage = await openStage(options)
  ada = stage.account()
  grace = stage.account()
  home = stage.found(ada)
}

const roles = (ready: Readonly<Record<string, unknown>>): number =>
  (ready['guilds'] as { readonly roles: readonly object[] }[])[0]?.roles.length ?? 0

describe('an event during the start of a session', () => {
  it('is in READY if it came before the snapshot, and follows otherwise, once in any case', async () => {
    const watching = await stage.identify(ada)
    stage.role(home)
    const snapshot = stage.models.hold('snapshot')
    const client = await stage.greet()
    client.send(2, identifyOf(ada))
    await snapshot.asked
    stage.role(home)
    stage.happen(joined(home.id, grace.id))
    await stage.heard(home, watching)
    snapshot.answer()
    const ready = await client.dispatch('READY')
    expect(roles(ready.d)).toBe(2)
    expect(await stage.heard(home, client)).toStrictEqual([
      ['GUILD_ROLE_CREATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE', 'GUILD_MEMBER_ADD'],
    ])
    expect(client.dispatches.map(({ s }) => s)).toStrictEqual([1, 2, 3, 4, 5, 6])
  })

  it('is not sent again by the bus if the snapshot contains it', async () => {
    const watching = await stage.identify(ada)
    const late = stage.commit(
      { type: 'RoleCreated', data: { guildId: home.id, role: plainRole(roleId(stage.newId())) } },
      joined(home.id, grace.id),
    )
    const client = await stage.identify(ada)
    stage.publish(late)
    expect(await stage.heard(home, watching, client)).toStrictEqual([
      ['GUILD_ROLE_CREATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE', 'GUILD_MEMBER_ADD'],
      [],
    ])
    expect(roles(client.dispatches[0]?.d ?? {})).toBe(2)
  })

  it('is not sent by the bus if it was undone before the snapshot', async () => {
    stage.happen(joined(home.id, grace.id))
    const watching = await stage.identify(ada)
    const again = stage.commit(left(home.id, grace.id), joined(home.id, grace.id))
    const linus = stage.account()
    const brief = stage.commit(joined(home.id, linus.id), left(home.id, linus.id))
    const [member, stranger] = [await stage.identify(grace), await stage.identify(linus)]
    stage.publish([...again, ...brief])
    const twice = ['GUILD_MEMBER_REMOVE', 'GUILD_MEMBER_ADD', 'GUILD_MEMBER_ADD', 'GUILD_MEMBER_REMOVE']
    expect(await stage.heard(home, watching, member)).toStrictEqual([twice, []])
    expect(stranger.dispatches.map(({ t }) => t)).toStrictEqual(['READY'])
  })

  it('is sent after READY if it brings the account to a guild, or removes it from one', async () => {
    const other = stage.found(grace)
    const snapshot = stage.models.hold('snapshot')
    const client = await stage.greet()
    client.send(2, identifyOf(grace))
    await snapshot.asked
    stage.happen(joined(home.id, grace.id))
    stage.happen(left(other.id, grace.id))
    await stage.handled()
    snapshot.answer()
    await client.dispatch('READY')
    const told = await client.until(({ t }) => t === 'GUILD_DELETE', 'GUILD_DELETE')
    expect(told.map(({ t, d }) => [t, d['id']])).toStrictEqual([
      ['GUILD_CREATE', home.id],
      ['USER_SETTINGS_UPDATE', undefined],
      ['GUILD_DELETE', other.id],
    ])
    await client.dispatch('USER_SETTINGS_UPDATE')
    expect(await stage.heard(home, client)).toStrictEqual([[]])
  })

  it('makes the snapshot be taken again if there are too many to remember', async () => {
    await stage.end()
    await set({ limits: { recentEvents_max: 2 } })
    const watching = await stage.identify(ada)
    const snapshot = stage.models.hold('snapshot')
    const client = await stage.greet()
    client.send(2, identifyOf(ada))
    await snapshot.asked
    for (let count = 0; count < 10; count += 1) stage.role(home)
    await stage.heard(home, watching)
    snapshot.answer()
    const ready = await client.dispatch('READY')
    expect(roles(ready.d)).toBe(11)
    expect(await stage.heard(home, client)).toStrictEqual([[]])
  })

  it('makes an older snapshot be taken again if an earlier start of the same guild has seen it', async () => {
    stage.happen(joined(home.id, grace.id))
    await stage.handled()
    const snapshot = stage.models.hold('snapshot')
    const slow = await stage.greet()
    slow.send(2, identifyOf(grace))
    await snapshot.asked
    const late = stage.commit({
      type: 'RoleCreated',
      data: { guildId: home.id, role: plainRole(roleId(stage.newId())) },
    })
    const quick = await stage.identify(ada)
    snapshot.answer()
    const ready = await slow.dispatch('READY')
    expect(roles(ready.d)).toBe(2)
    stage.publish(late)
    expect(await stage.heard(home, quick, slow)).toStrictEqual([[], []])
  })
})

describe('a guild that is opened for a new member', () => {
  it('is sent as it is then, including roles, and the events that led there are not sent again', async () => {
    const joiner = await stage.identify(grace)
    const other = stage.found(stage.account())
    const role = stage.role(other, 'VIEW_AUDIT_LOG')
    const events = stage.commit(joined(other.id, grace.id), rolesChanged(other.id, grace.id, role))
    stage.publish(events.slice(0, 1))
    const { d } = await joiner.dispatch('GUILD_CREATE')
    expect(d).toMatchObject({ id: other.id, members: [{ roles: [role] }] })
    await joiner.dispatch('USER_SETTINGS_UPDATE')
    stage.publish(events.slice(1))
    stage.happen({ type: 'InviteCreated', data: stage.invite(other, other.owner) })
    expect(await stage.heard(other, joiner)).toStrictEqual([['GUILD_AUDIT_LOG_ENTRY_CREATE']])
  })

  it('is not sent at all if the member has left again', async () => {
    const joiner = await stage.identify(grace)
    const other = stage.found(stage.account())
    stage.publish(stage.commit(joined(other.id, grace.id), left(other.id, grace.id)))
    stage.happen(joined(home.id, grace.id))
    const told = await joiner.until(({ t }) => t === 'USER_SETTINGS_UPDATE', 'settings')
    expect(told.map(({ t, d }) => [t, d['id']])).toStrictEqual([
      ['GUILD_CREATE', home.id],
      ['USER_SETTINGS_UPDATE', undefined],
    ])
  })
})

describe('an event from the bus', () => {
  it('is sent once if it comes twice', async () => {
    const client = await stage.identify(ada)
    const events = stage.commit(joined(home.id, grace.id))
    stage.publish(events)
    stage.publish(events)
    expect(await stage.heard(home, client)).toStrictEqual([['GUILD_MEMBER_ADD']])
  })

  it('is sent in its order, however long each lookup takes', async () => {
    const client = await stage.identify(ada)
    const accounts = stage.models.hold('accounts')
    stage.happen(joined(home.id, grace.id))
    await accounts.asked
    stage.role(home)
    stage.happen(left(home.id, grace.id))
    await stage.turn()
    accounts.answer()
    expect(await stage.heard(home, client)).toStrictEqual([
      ['GUILD_MEMBER_ADD', 'GUILD_ROLE_CREATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE', 'GUILD_MEMBER_REMOVE'],
    ])
  })

  it('that names accounts is looked up in one query a batch', async () => {
    const client = await stage.identify(ada)
    let questions = 0
    stage.models.delay = (question) => {
      if (question === 'accounts') questions += 1
      return Promise.resolve()
    }
    stage.happen(...Array.from({ length: 20 }, () => joined(home.id, stage.account().id)))
    expect(await stage.heard(home, client)).toStrictEqual([Array(20).fill('GUILD_MEMBER_ADD')])
    expect(questions).toBe(1)
  })

  it('that cannot be sent after some tries ends the sessions that it concerns, and no other', async () => {
    const concerned = await stage.identify(ada)
    const other = stage.found(grace)
    const unconcerned = await stage.identify(grace)
    stage.models.delay = (question) => (question === 'accounts' ? Promise.reject(new Error('down')) : Promise.resolve())
    stage.happen(joined(home.id, stage.account().id))
    for (let turn = 0; turn < 20; turn += 1) {
      await stage.turn()
      stage.clock.advance(1000)
    }
    await concerned.op(9)
    expect(stage.errors).toHaveLength(1)
    expect(await stage.heard(other, unconcerned)).toStrictEqual([[]])
  })

  it('and may show in guilds that cannot be looked up, ends every session that is in a guild', async () => {
    const [inGuild, alone] = [await stage.identify(ada), await stage.identify(grace)]
    stage.models.delay = (question) => (question === 'accounts' ? Promise.reject(new Error('down')) : Promise.resolve())
    const data = { accountId: stage.account().id, username: 'Countess', discriminator: 1815 }
    stage.happen({ type: 'TagChanged', data } as DomainEvent)
    for (let turn = 0; turn < 20; turn += 1) {
      await stage.turn()
      stage.clock.advance(1000)
    }
    await inGuild.op(9)
    expect(stage.errors).toHaveLength(1)
    expect(stage.gateway.stats()).toMatchObject({ sessions: 1 })
    alone.socket.terminate()
  })

  it('that is looked up successfully at another try is sent', async () => {
    const client = await stage.identify(ada)
    let tries = 0
    stage.models.delay = (question) => {
      tries += question === 'accounts' ? 1 : 0
      return tries === 1 ? Promise.reject(new Error('down')) : Promise.resolve()
    }
    stage.happen(joined(home.id, grace.id))
    await stage.turn()
    stage.clock.advance(250)
    expect(await stage.heard(home, client)).toStrictEqual([['GUILD_MEMBER_ADD']])
  })

  it('ends every session if too many wait; the sessions then start again at the present state', async () => {
    await stage.end()
    await set({ limits: { queuedEvents_max: 10 } })
    const client = await stage.identify(ada)
    const accounts = stage.models.hold('accounts')
    stage.happen(joined(home.id, grace.id))
    await accounts.asked
    for (let count = 0; count < 11; count += 1) stage.role(home)
    await client.op(9)
    accounts.answer()
    expect(stage.gateway.stats()).toMatchObject({ sessions: 0, guilds: 0, queuedEvents: 0 })
    const again = await stage.identify(ada)
    expect(roles(again.dispatches[0]?.d ?? {})).toBe(12)
    stage.happen(rolesChanged(home.id, grace.id))
    expect(await stage.heard(home, again)).toStrictEqual([['GUILD_MEMBER_UPDATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE']])
  })
})

describe('a loss while a session catches up', () => {
  it('makes it begin again from a newer snapshot', async () => {
    await stage.end()
    await set({ limits: { queuedEvents_max: 10, cachedAccounts_max: 1 } })
    const watching = await stage.identify(ada)
    const snapshot = stage.models.hold('snapshot')
    const client = await stage.greet()
    client.send(2, identifyOf(ada))
    await snapshot.asked
    stage.happen(joined(home.id, grace.id))
    stage.happen(joined(home.id, stage.account().id))
    await stage.heard(home, watching)
    const accounts = stage.models.hold('accounts')
    snapshot.answer()
    await accounts.asked
    for (let count = 0; count < 11; count += 1) stage.role(home)
    accounts.answer()
    const ready = await client.dispatch('READY')
    expect(roles(ready.d)).toBe(12)
    expect(await stage.heard(home, client)).toStrictEqual([[]])
  })
})
