import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guild } from '../../../domain/guild/guild.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { initialSettings, type CustomCode } from '../../../domain/guild/state.ts'
import { inviteCode } from '../../../domain/ids/ids.ts'
import type { InviteEvent } from '../../../domain/invite/events.ts'
import { invite } from '../../../domain/invite/invite.ts'
import type { InviteState } from '../../../domain/invite/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { parseCustomCode } from '../../../domain/text/normalise.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { play } from '../../../domain/testing/histories.ts'
import { founded, withFeatures } from '../guild/channel-sentences.ts'
import { ada, away, code as randomCode, general, grace, home, start } from '../../../domain/testing/people.ts'

const code = inviteCode('the-place')
const claimed = (guildId = home, claim = 1): InviteEvent => ({
  type: 'CustomCodeClaimed',
  data: { code, guildId, claim },
})
const released = (guildId = home, claim = 1): InviteEvent => ({
  type: 'CustomCodeReleased',
  data: { code, guildId, claim },
})
const claim = (guildId = home) => ({ type: 'ClaimCustomCode', code, guildId }) as const
const release = (number = 1, guildId = home) => ({ type: 'ReleaseCustomCode', code, guildId, claim: number }) as const
const taken = field('code', 'VANITY_URL_CODE_ALREADY_TAKEN')

describe('claiming a custom code', () => {
  it('accepts one that nobody has, even if somebody had it', () => {
    given(invite, []).when(claim()).then(claimed())
    given(invite, [claimed(), released()]).when(claim(away)).then(claimed(away, 2))
  })

  it('is refused if another guild or an invite has it', () => {
    given(invite, [claimed()]).when(claim(away)).refuses('INVALID_FORM_BODY', taken)
    const terms = { code, guildId: home, channelId: general, inviterId: ada, maxUses: 0, maxAge: 0 }
    const created: InviteEvent = { type: 'InviteCreated', data: { ...terms, temporary: false, createdAt: start } }
    given(invite, [created]).when(claim()).refuses('INVALID_FORM_BODY', taken)
    const gone: InviteEvent = { type: 'InviteDeleted', data: { ...created.data, uses: 0, deletedBy: grace } }
    given(invite, [created, gone]).when(claim()).then(claimed())
  })

  it('is a new claim for the guild that has it: what gives the older one back leaves the code with it', () => {
    given(invite, [claimed()]).when(claim()).then(claimed(home, 2))
    given(invite, [claimed(), claimed(home, 2)])
      .when(release(1))
      .then(released(home, 1))
    given(invite, [claimed(), claimed(home, 2), released(home, 1)])
      .when(claim(away))
      .refuses('INVALID_FORM_BODY', taken)
  })

  it('keeps random codes away: one is never given under a custom one, nor the other way round', () => {
    const terms = { guildId: home, channelId: general, inviterId: ada, maxUses: 0, maxAge: 0, temporary: false }
    const create = { type: 'CreateInvite', terms: { ...terms, code, createdAt: start } } as const
    for (const history of [[claimed()], [claimed(), released()]])
      given(invite, history).when(create).refuses('CONFLICT')
  })
})

describe('releasing a custom code', () => {
  it('releases it once, and then admits nobody by it', () => {
    given(invite, [claimed()]).when(release()).then(released())
    given(invite, [claimed(), released()]).when(release()).changesNothing()
    given(invite, []).when(release()).changesNothing()
    const redeem = { type: 'RedeemInvite', accountId: grace, redemptionId: 'r', now: start } as const
    given(invite, [claimed()]).when(redeem).refuses('UNKNOWN_INVITE')
  })
})

describe('an older claim that is given back after the newest one', () => {
  it('is recorded as over, so that the step which it began ends, and leaves the code free', () => {
    const history = [claimed(), claimed(home, 2), released(home, 2)]
    given(invite, history).when(release(1)).then(released(home, 1))
    given(invite, [...history, released(home, 1)])
      .when(claim(away))
      .then(claimed(away, 3))
  })
})

describe('claims in any order', () => {
  const guilds = [home, away] as const
  const commands = fc.array(
    fc.oneof(
      fc.constantFrom(...guilds).map((each) => claim(each)),
      fc.tuple(fc.constantFrom(...guilds), fc.integer({ min: 1, max: 6 })).map(([each, n]) => release(n, each)),
    ),
    { maxLength: 24 },
  )

  it('leave the code with whoever made the newest, until that one is given back', () => {
    fc.assert(
      fc.property(commands, (asked) => {
        const { events } = play(invite, asked)
        const claims = events.filter(({ type }) => type === 'CustomCodeClaimed')
        expect(claims.map(({ data }) => 'claim' in data && data.claim)).toStrictEqual(claims.map((_, at) => at + 1))
        const newest = claims.at(-1)
        if (!newest) return
        const since = events.slice(events.indexOf(newest) + 1)
        const isFree = since.some(({ data }) => 'claim' in data && data.claim === claims.length)
        const holder = isFree ? null : 'guildId' in newest.data ? newest.data.guildId : null
        expect(events.reduce(invite.evolve, invite.initial)).toMatchObject({ status: 'custom', guildId: holder })
      }),
    )
  })
})

describe('the code that a guild names', () => {
  const by = { accountId: ada, roles: [], hasAuthenticator: false }
  const custom = (text: string, number = 1): CustomCode => ({ code: inviteCode(text), claim: number })
  const changed = (before: CustomCode | null, after: CustomCode | null): GuildEvent => ({
    type: 'VanityCodeChanged',
    data: { guildId: home, before, after },
  })
  const set = (named: CustomCode | null, actor = by) => ({ type: 'SetVanityCode', by: actor, custom: named }) as const
  const history = [...founded, withFeatures('VANITY_URL')]

  it('is set, replaced and removed by members who manage the guild, with VANITY_URL', () => {
    given(guild, history)
      .when(set(custom('one')))
      .then(changed(null, custom('one')))
    given(guild, [...history, changed(null, custom('one'))])
      .when(set(custom('two')))
      .then(changed(custom('one'), custom('two')))
    given(guild, [...history, changed(null, custom('one'))])
      .when(set(null))
      .then(changed(custom('one'), null))
    given(guild, history).when(set(null)).changesNothing()
    given(guild, history)
      .when(set(custom('one'), { ...by, accountId: grace }))
      .refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(set(custom('one')))
      .refuses('INVALID_FORM_BODY', field('code', 'VANITY_URL_REQUIRES_FEATURE'))
    given(guild, []).when(set(null)).refuses('UNKNOWN_GUILD')
  })

  it('is held by the newest claim of it', () => {
    const named = [...history, changed(null, custom('one', 2))]
    given(guild, named)
      .when(set(custom('one', 1)))
      .changesNothing()
    given(guild, named)
      .when({ type: 'AdoptVanityClaim', custom: custom('one', 3) })
      .then(changed(custom('one', 2), custom('one', 3)))
    given(guild, named)
      .when({ type: 'AdoptVanityClaim', custom: custom('two', 9) })
      .changesNothing()
  })

  it('goes with the guild, and is free then', () => {
    const decision = guild.decide([...history, changed(null, custom('one'))].reduce(guild.evolve, guild.initial), {
      type: 'DeleteGuild',
      by: ada,
    })
    expect(decision).toMatchObject({ events: [{ type: 'GuildDeleted', data: { customCode: custom('one') } }] })
    expect(initialSettings.vanityCode).toBe(null)
  })
})

describe('what is chosen as a custom code', () => {
  it.each([
    ['My Place', 'my-place'],
    ['a \t b--c', 'a-b-c'],
    ['ab', 'ab'],
    ['x'.repeat(32), 'x'.repeat(32)],
    ['0-9', '0-9'],
  ])('%j is read as %j', (text, read) => {
    expect(parseCustomCode(text)).toStrictEqual({ ok: true, value: read })
  })

  it.each(['', ' ', '-a', 'a-', ' ab', 'ab ', 'ä', 'a_b', 'a.b', 'İstanbul', `${'x'.repeat(40)}!`])(
    '%j has characters that cannot be used',
    (text) => {
      expect(parseCustomCode(text)).toStrictEqual({ ok: false, code: 'VANITY_URL_INVALID_CHARACTERS' })
    },
  )

  it.each(['a', 'x'.repeat(33)])('%j is too short or too long', (text) => {
    expect(parseCustomCode(text)).toStrictEqual({ ok: false, code: 'VANITY_URL_CODE_LENGTH_INVALID' })
  })

  it('stays what it is read as, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'B', '1', '-', ' ', '\t') }), (text) => {
        const read = parseCustomCode(text)
        if (!read.ok) return
        expect(read.value).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/)
        expect(parseCustomCode(read.value)).toStrictEqual(read)
      }),
    )
  })
})

describe('invites to private channels', () => {
  const { guildId: _, ...terms } = {
    guildId: home,
    code: randomCode,
    channelId: general,
    inviterId: ada,
    maxUses: 1,
    maxAge: 0,
    temporary: false,
    createdAt: start,
  }
  const made: InviteEvent = { type: 'GroupInviteCreated', data: { ...terms, recipients: [ada, grace] } }
  const used: InviteEvent = {
    type: 'GroupInviteRedeemed',
    data: { code: randomCode, channelId: general, accountId: grace, redemptionId: 'r', uses: 1 },
  }

  it('live as those to guilds do', () => {
    given(invite, [])
      .when({ type: 'CreateGroupInvite', terms, recipients: [ada, grace] })
      .then(made)
    const redeem = { type: 'RedeemInvite', accountId: grace, redemptionId: 'r', now: start } as const
    given(invite, [made]).when(redeem).then(used)
    given(invite, [made, used])
      .when({ ...redeem, redemptionId: 's' })
      .refuses('UNKNOWN_INVITE')
    given(invite, [made, used])
      .when({ type: 'ReturnRedemption', redemptionId: 'r' })
      .then({ type: 'InviteRedemptionReturned', data: { code: randomCode, redemptionId: 'r', uses: 0 } })
    given(invite, [made])
      .when({ type: 'DeleteInvite', by: ada, recipients: [ada], now: start })
      .then({ type: 'GroupInviteDeleted', data: { ...terms, uses: 0, deletedBy: ada, recipients: [ada] } })
    const state: InviteState = [made].reduce(invite.evolve, invite.initial)
    expect(state).toStrictEqual({ status: 'created', terms, uses: 0, redeemed: [], returned: [] })
  })
})
