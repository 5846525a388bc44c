import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, found, type TestGuild } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { jsonIn, messagesIn, ownArchive } from '../../support/archives.ts'
import { letEveryone, sent } from '../../support/messages.ts'
import { enrol } from '../../support/passkeys.ts'
import { relationsOn } from '../../support/relationships.ts'
import { foundWith, openServer } from '../../support/scene.ts'

const guildhall = await openServer('brisk')
const { request, ports } = guildhall
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeEach(async () => {
  ada = await guildhall.register()
  brian = await guildhall.register()
  home = await foundWith(guildhall, brian, ada)
})

const idOf = ({ id }: TestAccount) => accountId(snowflake(id))
const mark = (): string => randomBytes(8).toString('hex')

async function privateChannel({ token }: TestAccount, body: object): Promise<string> {
  return String(bodyOf(await request('POST', '/v1/users/@me/channels', { token, body }))['id'])
}

const direct = (one: TestAccount, other: TestAccount) => privateChannel(one, { recipient_id: other.id })

async function befriend(one: TestAccount, other: TestAccount): Promise<void> {
  await relationsOn(guildhall).ask(one, other)
  await relationsOn(guildhall).accept(other, one)
}

/** Every text in a value, however deep; short ones are no secrets. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= 8 ? [value] : []
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  return []
}

async function everyByte(account: TestAccount): Promise<string> {
  const files = await ownArchive(guildhall, account)
  return [...files].map(([path, bytes]) => `${path} ${Buffer.from(bytes).toString()}`).join('\n')
}

describe('an archive', () => {
  it('has no secret of its account, nor of what belongs to it', async () => {
    const context = testContext({ kind: 'account', id: idOf(ada) })
    const { now } = context
    await enrol(guildhall, ada)
    const [secret, code] = [mark(), mark()]
    const totp = { type: 'EnableTotp', secret, step: 1, now, backupCodes: [code] } as const
    await ports.aggregates.account.execute(idOf(ada), totp, context)
    const { clientSecret, botToken } = await newApplication(guildhall, ada)
    const { state } = await ports.aggregates.account.load(idOf(ada))
    if (state.status !== 'registered') throw new Error('Ada is not there')
    const { passwordHash, sessions, latestSignIn, secondFactors, recoveryKit } = state
    const passkeys = secondFactors.webAuthnCredentials.map(({ publicKey }) => publicKey)
    const secrets = [
      ada.token,
      ada.password,
      secret,
      code,
      clientSecret,
      botToken,
      ...textsIn([passwordHash, sessions, latestSignIn?.tokenHash, recoveryKit, passkeys]),
      ...textsIn([secondFactors.totpSecret, secondFactors.backupCodes]),
    ]
    expect(secrets.length).toBeGreaterThan(9)
    const bytes = await everyByte(ada)
    expect(bytes).toContain(ada.email)
    expect(secrets.filter((text) => bytes.includes(text))).toEqual([])
  })
  it('has nothing that others wrote, and nothing of theirs but ids', async () => {
    const own = [mark(), mark(), mark(), mark()]
    const theirs = {
      bio: mark(),
      message: mark(),
      reply: mark(),
      direct: mark(),
      group: mark(),
      groupName: mark(),
      nick: mark(),
      topic: mark(),
    }
    await request('PATCH', '/v1/users/@me', { token: brian.token, body: { bio: theirs.bio, global_name: theirs.bio } })
    await befriend(ada, brian)
    await relationsOn(guildhall).name(ada, brian, own[0])
    await relationsOn(guildhall).name(brian, ada, theirs.nick)
    const answered = await sent(guildhall, brian, home.channel, `${theirs.message} <@${ada.id}>`)
    const message_reference = { channel_id: home.channel, message_id: answered }
    await sent(guildhall, ada, home.channel, { content: own[1], message_reference })
    await sent(guildhall, brian, home.channel, theirs.reply)
    const channel = await direct(ada, brian)
    await sent(guildhall, ada, channel, String(own[2]))
    await sent(guildhall, brian, channel, theirs.direct)
    const group = await privateChannel(brian, { recipients: [ada.id], name: theirs.groupName })
    await sent(guildhall, ada, group, String(own[3]))
    await sent(guildhall, brian, group, theirs.group)
    await request('PATCH', `/v1/channels/${home.channel}`, { token: brian.token, body: { topic: theirs.topic } })
    const bytes = await everyByte(ada)
    expect(own.filter((text) => !bytes.includes(text))).toEqual([])
    const strangers = [...Object.values(theirs), brian.email, brian.token]
    expect(strangers.filter((text) => bytes.includes(text))).toEqual([])
    const files = await ownArchive(guildhall, ada)
    expect(jsonIn(files, 'account/relationships.json')).toMatchObject([
      { user_id: brian.id, category: 'friend', nickname: own[0] },
    ])
  })
  it('has no message that was deleted', async () => {
    const gone = await sent(guildhall, ada, home.channel, 'gone')
    await sent(guildhall, ada, home.channel, 'kept')
    await request('DELETE', `/v1/channels/${home.channel}/messages/${gone}`, { token: ada.token })
    const messages = messagesIn(await ownArchive(guildhall, ada))[home.channel]
    expect(messages).toContain('kept')
    expect(messages).not.toContain('gone')
  })
})

describe('a filtered archive', () => {
  const channelsOf = async (filter: object) =>
    Object.keys(messagesIn(await ownArchive(guildhall, ada, filter))).toSorted()
  const sorted = (...ids: readonly string[]) => ids.toSorted()

  async function writeEverywhere() {
    await befriend(ada, brian)
    const other = await found(guildhall, ada, 'Other')
    const open = await direct(ada, brian)
    const carol = await guildhall.register()
    await befriend(ada, carol)
    const closed = await direct(ada, carol)
    const group = await privateChannel(ada, { recipients: [brian.id] })
    const places = { home: home.channel, other: other.channel, open, closed, group, notes: ada.id }
    for (const place of Object.values(places)) await sent(guildhall, ada, place, 'written')
    await request('DELETE', `/v1/channels/${closed}`, { token: ada.token })
    return { ...places, otherGuild: other.id }
  }

  it('holds the kinds of channels and the guilds that are asked for', async () => {
    const { home: first, other, otherGuild, open, closed, group, notes } = await writeEverywhere()
    expect(await channelsOf({})).toEqual(expect.arrayContaining(sorted(first, other, open, closed, group, notes)))
    const none = { include_dms: false, include_dms_closed: false, include_group_dms: false, include_guilds: false }
    expect(await channelsOf(none)).toEqual([])
    expect(await channelsOf({ ...none, include_dms: true })).toEqual(sorted(open, notes))
    expect(await channelsOf({ ...none, include_dms_closed: true })).toEqual([closed])
    expect(await channelsOf({ ...none, include_group_dms: true })).toEqual([group])
    const guilds = { ...none, include_guilds: true }
    expect(await channelsOf({ ...guilds, excluded_guild_ids: [otherGuild] })).toEqual([first])
    expect(
      await channelsOf({ ...guilds, guild_filter_mode: 'include_only', included_guild_ids: [otherGuild] }),
    ).toEqual([other])
    expect(await channelsOf({ ...guilds, guild_filter_mode: 'include_only' })).toEqual([])
  })
  it('holds what the account can no longer see, if it asks for that alone', async () => {
    const { group } = await writeEverywhere()
    const filter = { scope: 'inaccessible_only' }
    expect(await channelsOf(filter)).toEqual([])
    await letEveryone(guildhall, brian, home, home.channel, { deny: ['VIEW_CHANNEL'] })
    await request('DELETE', `/v1/channels/${group}`, { token: ada.token })
    expect(await channelsOf(filter)).toEqual(sorted(home.channel, group))
  })
  it('holds messages from a time on and before another', async () => {
    const times: string[] = []
    for (const content of ['first', 'second', 'third']) {
      const { timestamp } = bodyOf(
        await request('POST', `/v1/channels/${home.channel}/messages`, { token: ada.token, body: { content } }),
      )
      times.push(String(timestamp))
    }
    const [, second, third] = times
    const within = async (filter: object) => messagesIn(await ownArchive(guildhall, ada, filter))[home.channel]
    expect(await within({ start_date: second })).toEqual(['second', 'third'])
    expect(await within({ end_date: third })).toEqual(expect.arrayContaining(['first', 'second']))
    expect(await within({ start_date: second, end_date: third })).toEqual(['second'])
    expect(await within({ start_date: third, end_date: second })).toBeUndefined()
  })
})
