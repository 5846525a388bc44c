import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareBan } from '../../../domain/testing/people.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { Client } from '../support/client.ts'
import { joined, left, rolesChanged, sometime } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let grace: Account
/** Ada's guild, which Grace is in. */
let home: Place
let owner: Client
let member: Client

beforeEach(async () => {
  stage = await openStage()
  ;[ada, grace] = [stage.account(), stage.account()]
  home = stage.found(ada)
  stage.happen(joined(home.id, grace.id))
  ;[owner, member] = [await stage.identify(ada), await stage.identify(grace)]
})
afterEach(() => stage.end())

const noTexts = { nick: null, bio: null, pronouns: null }
const named = (nick: string, place = home, account = grace): DomainEvent => ({
  type: 'MemberChanged',
  data: {
    guildId: place.id,
    accountId: account.id,
    before: {},
    after: {},
    textsBefore: noTexts,
    textsAfter: {
      ...noTexts,
      nick,
    },
    timeoutReason: null,
  },
})
const timedOut = (): DomainEvent => {
  const [before, after] = [
    { communicationDisabledUntil: null },
    { communicationDisabledUntil: secondsAfter(sometime, 60) },
  ]
  const texts = { textsBefore: null, textsAfter: null, timeoutReason: 'flood' }
  return { type: 'MemberChanged', data: { guildId: home.id, accountId: grace.id, before, after, ...texts } }
}

describe('an account that guilds show otherwise from now on', () => {
  const renamed = ({ id }: Account): DomainEvent => ({
    type: 'TagChanged',
    data: { accountId: id, username: 'Countess', discriminator: 1815 },
  })
  const profiled = ({ id }: Account, shown: object): DomainEvent => ({
    type: 'ProfileChanged',
    data: { accountId: id, changes: null, ...shown },
  })

  it('is told of in each of its guilds, though it has no session', async () => {
    const linus = stage.account()
    const other = stage.found(grace)
    stage.happen(joined(home.id, linus.id), joined(other.id, linus.id))
    await stage.heard(home, owner)
    await stage.heard(other, member)
    stage.happen(renamed(linus))
    const { d } = await owner.dispatch('GUILD_MEMBER_UPDATE')
    expect(d).toMatchObject({ guild_id: home.id, user: { id: linus.id } })
    const told = [await member.dispatch('GUILD_MEMBER_UPDATE'), await member.dispatch('GUILD_MEMBER_UPDATE')]
    const guilds = new Set(told.map(({ d: { guild_id: guild } }) => guild))
    expect(guilds).toStrictEqual(new Set([home.id, other.id]))
    expect(await stage.heard(home, owner)).toStrictEqual([[]])
  })
  it('is told of itself after USER_UPDATE', async () => {
    stage.happen(profiled(grace, { shownInGuilds: true }))
    expect(await stage.heard(home, owner, member)).toStrictEqual([
      ['GUILD_MEMBER_UPDATE'],
      ['USER_UPDATE', 'GUILD_MEMBER_UPDATE'],
    ])
  })
  it('is told of to nobody else where guilds show nothing of the change, and in no guild that it has left', async () => {
    stage.happen(profiled(grace, {}))
    expect(await stage.heard(home, owner, member)).toStrictEqual([[], ['USER_UPDATE']])
    stage.happen(left(home.id, grace.id))
    await stage.heard(home, owner)
    stage.happen(renamed(grace))
    expect(await stage.heard(home, owner)).toStrictEqual([[]])
  })
})

describe('a member that changes', () => {
  it('is sent to the whole guild, including itself, as the guild member object with its user', async () => {
    stage.happen(named('Countess'))
    for (const client of [owner, member]) {
      const { d } = await client.dispatch('GUILD_MEMBER_UPDATE')
      expect(d).toMatchObject({ guild_id: home.id, user: { id: grace.id }, nick: 'Countess', roles: [], mute: false })
    }
    expect((await owner.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')).d).toMatchObject({
      guild_id: home.id,
      action_type: 24,
      target_id: grace.id,
      changes: [
        {
          key: 'nick',
          old_value: null,
          new_value: 'Countess',
        },
      ],
    })
  })

  it('has its entry as the audit log has it, if the event came without personal data', async () => {
    const [recorded] = stage.commit(named('Countess'))
    if (!recorded) throw new Error('nothing happened')
    stage.publish([{ ...recorded, data: { ...recorded.data, textsBefore: null, textsAfter: null } }])
    expect((await owner.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')).d).toMatchObject({
      changes: [{ key: 'nick', old_value: null, new_value: 'Countess' }],
    })
  })

  it('is muted while it is timed out', async () => {
    stage.happen(timedOut())
    const { d } = await owner.dispatch('GUILD_MEMBER_UPDATE')
    expect(d).toMatchObject({ communication_disabled_until: secondsAfter(sometime, 60), mute: true })
    expect(JSON.stringify(await stage.told(home, owner))).not.toContain('flood')
  })

  it('is sent with the roles that it has now', async () => {
    const role = stage.role(home)
    stage.happen(rolesChanged(home.id, grace.id, role))
    expect((await member.dispatch('GUILD_MEMBER_UPDATE')).d).toMatchObject({ roles: [role] })
  })

  it('is sent even if it has no session, but not once it is gone', async () => {
    const linus = stage.account()
    stage.happen(joined(home.id, linus.id), named('Tux', home, linus))
    await owner.dispatch('GUILD_MEMBER_UPDATE')
    await stage.heard(home, owner)
    const accounts = stage.models.hold('accounts')
    const late = stage.account()
    stage.happen(joined(home.id, late.id))
    await accounts.asked
    stage.happen(named('Late', home, late), left(home.id, late.id))
    accounts.answer()
    expect((await stage.heard(home, owner))[0]).not.toContain('GUILD_MEMBER_UPDATE')
  })

  it('hears of itself while passive, and of no other member', async () => {
    const large = stage.found(ada, { extras: 249 })
    stage.happen(joined(large.id, grace.id))
    const [quiet, subject] = [await stage.identify(ada), await stage.identify(grace)]
    stage.happen(named('Countess', large))
    expect(await stage.heard(large, quiet, subject)).toStrictEqual([
      ['GUILD_AUDIT_LOG_ENTRY_CREATE'],
      ['GUILD_MEMBER_UPDATE'],
    ])
  })
})

describe('a member that is removed', () => {
  const goes = async (...heard: readonly string[]) => {
    expect(await stage.heard(home, owner)).toStrictEqual([heard])
    expect((await member.dispatch('GUILD_DELETE')).d).toStrictEqual({ id: home.id })
    await member.dispatch('USER_SETTINGS_UPDATE')
  }

  it('by a kick gets GUILD_DELETE, and the guild GUILD_MEMBER_REMOVE', async () => {
    stage.happen({ type: 'MemberKicked', data: { guildId: home.id, accountId: grace.id, kickedAt: sometime } })
    await goes('GUILD_MEMBER_REMOVE', 'GUILD_AUDIT_LOG_ENTRY_CREATE')
  })

  it('by a ban likewise, after GUILD_BAN_ADD; nobody is shown its address', async () => {
    const ban = { moderatorId: ada.id, wasMember: true, reason: 'spam', bannedAt: sometime, expiresAt: null }
    const known = { ...bareBan, email: 'grace@example.com', ip: '198.51.100.7' }
    stage.happen({ type: 'MemberBanned', data: { guildId: home.id, accountId: grace.id, ...ban, ...known } })
    const [told] = await stage.told(home, owner)
    expect(told?.map(({ t }) => t)).toStrictEqual([
      'GUILD_BAN_ADD',
      'GUILD_MEMBER_REMOVE',
      'GUILD_AUDIT_LOG_ENTRY_CREATE',
    ])
    expect(told?.[2]?.d).toMatchObject({ action_type: 22, target_id: grace.id })
    expect(JSON.stringify(told)).not.toMatch(/198\.51|example\.com/)
    await member.dispatch('GUILD_DELETE')
  })
})

describe('a stranger that is banned', () => {
  it('is announced to the guild by the ban alone', async () => {
    const ban = { moderatorId: ada.id, wasMember: false, reason: null, bannedAt: sometime, expiresAt: null }
    stage.happen({
      type: 'MemberBanned',
      data: { guildId: home.id, accountId: stage.account().id, ...ban, ...bareBan },
    })
    expect(await stage.heard(home, owner)).toStrictEqual([['GUILD_BAN_ADD', 'GUILD_AUDIT_LOG_ENTRY_CREATE']])
  })
})

describe('a ban that is lifted', () => {
  it('is announced to the guild', async () => {
    const lifted = { moderatorId: ada.id, reason: null, bannedAt: sometime, expiresAt: null, ip: null }
    stage.happen({ type: 'MemberUnbanned', data: { guildId: home.id, accountId: stage.account().id, ...lifted } })
    const [told] = await stage.told(home, member)
    expect(told).toMatchObject([{ t: 'GUILD_BAN_REMOVE', d: { guild_id: home.id, user: { id: expect.any(String) } } }])
  })
})
