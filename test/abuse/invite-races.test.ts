import { describe, expect, it } from 'vitest'
import { finishUnfinished } from '../../application/processes/finish-unfinished.ts'
import { accountId, guildId, inviteCode } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { accept, bodyOf, crowd, expectRefusal, found, invite, listOf } from '../operations/support/answers.ts'
import {
  circle,
  idsOf,
  openGroup,
  privateChannelsOn,
  recipientsIn,
} from '../operations/conversations/private-channels/support.ts'
import { customCodesOn, newCode, setFeatures } from '../operations/support/custom-codes.ts'
import { testContext } from '../support/test-context.ts'
import type { TestAnswer } from '../support/test-guildhall.ts'
import { openServer } from '../operations/support/scene.ts'

const guildhall = await openServer({ limits: { max_guild_invites: 10, max_guilds: 25, max_guild_members: 12 } })
const ada = await guildhall.register()

const { show, choose } = customCodesOn(() => guildhall)
const get = (code: string) => guildhall.request('GET', `/v1/invites/${code}`)
const outcomes = (answers: readonly TestAnswer[]) =>
  answers.map(({ status, body }) => {
    if (status === 200) return 'done'
    const { code, errors } = body as { readonly code: string; readonly errors?: readonly { readonly code: string }[] }
    return errors?.[0]?.code ?? code
  })
const count = (answers: readonly TestAnswer[], outcome: string) =>
  outcomes(answers).filter((each) => each === outcome).length

async function featured(): Promise<string> {
  const { id } = await found(guildhall, ada)
  await setFeatures(guildhall, id, 'VANITY_URL')
  return id
}

/** Finishes the open steps of dead processes, as the worker does long after their requests ended. */
async function finish(): Promise<void> {
  const later = timestamp(Date.now() + 3_600_000)
  expect((await finishUnfinished(guildhall.ports)(later, timestamp(Date.now()))).failures).toStrictEqual([])
}

/** The guild that holds a code according to the code's own stream. */
async function holderOf(code: string): Promise<string | null> {
  const { state } = await guildhall.ports.aggregates.invite.load(inviteCode(code))
  return state.status === 'custom' ? state.guildId : null
}

describe('limits in a race', () => {
  it('are exact: max_uses', async () => {
    const place = await found(guildhall, ada)
    const people = await crowd(guildhall, 32)
    const code = await invite(guildhall, ada, place.channel, { max_uses: 10 })
    const answers = await Promise.all(people.map((person) => accept(guildhall, person, code)))
    expect([count(answers, 'done'), count(answers, 'UNKNOWN_INVITE')]).toStrictEqual([10, 22])
    expectRefusal(await get(code), 404, 'UNKNOWN_INVITE')
    const guild = await guildhall.request('GET', `/v1/guilds/${place.id}`, { token: ada.token })
    expect(bodyOf(guild)['member_count']).toBe(11)
    const uses: number[] = []
    for await (const page of guildhall.store.events.readStream(`invite-${code}`, -1))
      for (const { type, data } of page) if (type === 'InviteRedeemed' && 'uses' in data) uses.push(Number(data.uses))
    expect(uses).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('are exact: MAX_INVITES, MAX_GUILD_MEMBERS and MAX_GUILDS', async () => {
    const people = await crowd(guildhall, 20)
    const [owner] = people
    if (!owner) throw new Error('nobody came')
    const place = await found(guildhall, owner)
    const body = { unique: true }
    const path = `/v1/channels/${place.channel}/invites`
    const made = await Promise.all(people.map(() => guildhall.request('POST', path, { token: owner.token, body })))
    expect([count(made, 'done'), count(made, 'MAX_INVITES')]).toStrictEqual([10, 10])
    const code = String(bodyOf(made.find(({ status }) => status === 200) ?? made[0] ?? fail())['code'])
    const joined = await Promise.all(people.slice(1).map((person) => accept(guildhall, person, code)))
    expect([count(joined, 'done'), count(joined, 'MAX_GUILD_MEMBERS')]).toStrictEqual([11, 8])
    const name = { name: 'x' }
    const founding = Array.from({ length: 28 }, () =>
      guildhall.request('POST', '/v1/guilds', { token: owner.token, body: name }),
    )
    const founded = await Promise.all(founding)
    expect([count(founded, 'done'), count(founded, 'MAX_GUILDS')]).toStrictEqual([24, 4])
    expect(listOf(await guildhall.request('GET', '/v1/users/@me/guilds', { token: owner.token }))).toHaveLength(25)
  })

  it('are exact: of many guilds one gets a custom code', async () => {
    const guilds = await Promise.all(Array.from({ length: 8 }, featured))
    const code = newCode()
    const answers = await Promise.all(guilds.map((guild) => choose(ada, guild, code)))
    expect([count(answers, 'done'), count(answers, 'VANITY_URL_CODE_ALREADY_TAKEN')]).toStrictEqual([1, 7])
    const named = await Promise.all(guilds.map(async (guild) => bodyOf(await show(ada, guild))['code']))
    const winner = guilds[named.indexOf(code)]
    expect(named.filter((each) => each !== null)).toStrictEqual([code])
    expect(bodyOf(await get(code))).toMatchObject({ guild: { id: winner } })
    expect(await holderOf(code)).toBe(winner)
  })

  it('are exact: a guild that sets many codes at once ends with one, and the others are free', async () => {
    const guild = await featured()
    const codes = Array.from({ length: 8 }, newCode)
    // Each code twice, and back to the first one.
    const wanted = [...codes, ...codes, ...codes.slice(0, 2)]
    const answers = await Promise.all(wanted.map((code) => choose(ada, guild, code)))
    expect(count(answers, 'done') + count(answers, 'CONFLICT')).toBe(wanted.length)
    await finish()
    const now = String(bodyOf(await show(ada, guild))['code'])
    expect(codes).toContain(now)
    for (const code of codes) expect(await holderOf(code)).toBe(code === now ? guild : null)
    for (const code of codes) expect((await get(code)).status).toBe(code === now ? 200 : 404)
    await choose(ada, guild, null)
    expect(await holderOf(now)).toBe(null)
  })
})

describe('a process that dies while it holds a custom code', () => {
  const executing = async (code: string, guild: string) => {
    const context = testContext()
    const id = guildId(snowflake(guild))
    const claiming = { type: 'ClaimCustomCode', code: inviteCode(code), guildId: id } as const
    await guildhall.ports.aggregates.invite.execute(claiming.code, claiming, context)
    await guildhall.readModels.reached(context.written)
  }

  it('leaves no code that its guild does not name: an unfinished claim is released', async () => {
    const guild = await featured()
    const code = newCode()
    await executing(code, guild)
    expect(await holderOf(code)).toBe(guild)
    expectRefusal(await get(code), 404, 'UNKNOWN_INVITE')
    await finish()
    expect(await holderOf(code)).toBe(null)
    expect((await choose(ada, await featured(), code)).status).toBe(200)
  })

  it('leaves the code with the guild that names it, which may claim it again', async () => {
    const guild = await featured()
    const [code, next] = [newCode(), newCode()]
    await choose(ada, guild, code)
    await executing(code, guild)
    await finish()
    expect(await holderOf(code)).toBe(guild)
    expect(bodyOf(await get(code))).toMatchObject({ guild: { id: guild } })
    await choose(ada, guild, next)
    expect(await holderOf(code)).toBe(null)
  })

  it('leaves no code with a guild that has released it, or was deleted', async () => {
    const guild = await featured()
    const code = newCode()
    await choose(ada, guild, code)
    const context = testContext()
    const by = ada.id
    const id = guildId(snowflake(guild))
    const { state } = await guildhall.ports.aggregates.guild.load(id)
    if (state.status !== 'active') throw new Error('it is gone')
    await guildhall.ports.aggregates.guild.execute(id, { type: 'DeleteGuild', by: state.ownerId }, context)
    await guildhall.readModels.reached(context.written)
    expect([by, await holderOf(code)]).toStrictEqual([state.ownerId, guild])
    expectRefusal(await get(code), 404, 'UNKNOWN_INVITE')
    await finish()
    expect(await holderOf(code)).toBe(null)
  })
})

describe('a process that dies while it holds a use of a group’s invite', () => {
  it('leaves the account as a participant, by one use', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const code = inviteCode(await invite(guildhall, owner, group, { max_uses: 1 }))
    const guest = await guildhall.register()
    const context = testContext()
    const redeem = { type: 'RedeemInvite', redemptionId: 'r', now: context.now } as const
    const accountOf = { accountId: accountId(snowflake(guest.id)) }
    await guildhall.ports.aggregates.invite.execute(code, { ...redeem, ...accountOf }, context)
    await guildhall.readModels.reached(context.written)
    expectRefusal(await accept(guildhall, ada, code), 404, 'UNKNOWN_INVITE')
    await finish()
    await finish()
    const channel = await guildhall.request('GET', `/v1/channels/${group}`, { token: guest.token })
    expect(recipientsIn(channel)).toStrictEqual(idsOf(owner, one))
    expectRefusal(await accept(guildhall, ada, code), 404, 'UNKNOWN_INVITE')
  })

  it('keeps the use if the group was deleted meanwhile', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const code = inviteCode(await invite(guildhall, owner, group, { max_uses: 1 }))
    const context = testContext()
    const accountOf = { accountId: accountId(snowflake(ada.id)) }
    const redeem = { type: 'RedeemInvite', redemptionId: 'r', now: context.now, ...accountOf } as const
    await guildhall.ports.aggregates.invite.execute(code, redeem, context)
    await guildhall.readModels.reached(context.written)
    for (const each of [owner, one]) await privateChannelsOn(guildhall).close(each, group)
    await finish()
    const { state } = await guildhall.ports.aggregates.invite.load(code)
    expect(state).toMatchObject({ status: 'created', uses: 0 })
  })
})

describe('custom codes and random codes', () => {
  it('never differ by case alone: the later one gives way', async () => {
    const place = await found(guildhall, ada)
    const guild = await featured()
    const random = await invite(guildhall, ada, place.channel)
    expect(outcomes([await choose(ada, guild, random)])).toStrictEqual(['VANITY_URL_CODE_ALREADY_TAKEN'])
    expect(await holderOf(random.toLowerCase())).toBe(null)
    expect(bodyOf(await get(random))['inviter']).toMatchObject({ id: ada.id })
    expectRefusal(await get(flipped(random)), 404, 'UNKNOWN_INVITE')
    await guildhall.request('DELETE', `/v1/invites/${random}`, { token: ada.token })
    expect(bodyOf(await choose(ada, guild, random))['code']).toBe(random.toLowerCase())
    expect(bodyOf(await get(flipped(random)))).toMatchObject({ guild: { id: guild }, inviter: null })
  })
})

function flipped(text: string): string {
  return Array.from(text, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('')
}

function fail(): never {
  throw new Error('nothing was made')
}
